//! What `check!` is asked for: exact gradients, tolerances and steps; and the laws of tangents that are written by hand.

use cotangent::check::{Kind, Mode, laws};
use cotangent::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor};
use cotangent::{Differentiable, Tangent, Visitor, check, differentiate, primitive};

#[derive(Clone, Debug, Differentiable, PartialEq)]
struct Spring {
    stiffness: f64,
    rest: Vec<f64>,
}

#[differentiate]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        self.rest.iter().map(|rest| 0.5 * self.stiffness * (x - rest) * (x - rest)).sum()
    }
}

fn exact(spring: &Spring, x: f64) -> (SpringTangent, f64) {
    let distances: Vec<f64> = spring.rest.iter().map(|rest| x - rest).collect();
    let mut by_spring = spring.zero_tangent();
    by_spring.stiffness = distances.iter().map(|distance| 0.5 * distance * distance).sum();
    by_spring.rest = distances.iter().map(|distance| -spring.stiffness * distance).collect();
    (by_spring, spring.stiffness * distances.iter().sum::<f64>())
}

#[test]
fn exact_gradients_of_methods_are_compared() {
    let spring = Spring { stiffness: 2.0, rest: vec![0.5, -0.25] };
    check!(spring.energy(x), x in -2.0..2.0, against = exact, points = 4).unwrap();
    let wrong = |spring: &Spring, x: f64| {
        let (mut by_spring, by_x) = exact(spring, x);
        by_spring.rest[1] += 1e-6;
        (by_spring, by_x)
    };
    let mismatch = check!(spring.energy(1.0), against = wrong).unwrap_err();
    assert_eq!((mismatch.kind(), mismatch.mode()), (Kind::Exact, Mode::AccumulateGradient));
    assert_eq!(mismatch.place(), "gradient.0.rest[1]");
    assert_eq!((mismatch.found(), mismatch.expected()), (Some(-2.5), Some(-2.499999)));
    assert!(mismatch.point().contains("x = 1.0"), "{mismatch}");
    check!(spring.energy(1.0), against = wrong, within = 1e-5).unwrap();
}

#[differentiate]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn gradients_of_another_length_are_reported() {
    let mismatch = check!(norm(&[3.0, 4.0]), against = |_: &[f64]| vec![0.6]).unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Exact);
    assert!(mismatch.message().starts_with("the gradient has 2 floats"), "{mismatch}");
}

#[test]
fn the_test_that_always_runs_comes_first() {
    #[primitive(partials(3.0 * x))]
    fn square(x: f64) -> f64 {
        x * x
    }
    let mismatch = check!(square(2.0), against = |x: f64| 3.0 * x).unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Tangent);
}

#[test]
fn approximate_rules_are_compared_within_a_tolerance() {
    #[primitive(partials(0.5001 / x.sqrt()))]
    fn rough(x: f64) -> f64 {
        x.sqrt()
    }
    assert!(check!(rough(2.0)).is_err());
    assert!(check!(rough(2.0), within = 1e-4).is_err());
    check!(rough(2.0), within = 3e-4).unwrap();
}

#[differentiate]
fn edge(x: f64) -> f64 {
    assert!(x > 1.0, "outside of the domain");
    x.acosh()
}

#[test]
fn small_steps_stay_within_the_domain() {
    assert_eq!(check!(edge(1.001)).unwrap_err().kind(), Kind::Panic);
    check!(edge(1.001), step = 1e-4).unwrap();
    check!(edge(1.001), step = 1e-4, against = |x: f64| 1.0 / (x * x - 1.0).sqrt()).unwrap();
}

#[test]
fn debug_mode_is_named_where_derivatives_are_not_finite() {
    #[primitive(partials(x / 0.0))]
    fn infinite(x: f64) -> f64 {
        x
    }
    let infinite = check!(infinite(2.0)).unwrap_err().to_string();
    assert!(infinite.contains("COTANGENT_DEBUG=1"), "{infinite}");
    let finite = check!(norm(&[3.0, 4.0]), against = |_: &[f64]| vec![0.6, 0.7]).unwrap_err();
    assert!(!finite.to_string().contains("COTANGENT_DEBUG=1"), "{finite}");
}

/// Two numbers with impls that are wrong in one way.
#[derive(Clone)]
struct Pair<const FAULT: u8>([f64; 2]);

const NONE: u8 = 0;
const OVERWRITES: u8 = 1;
const SUBTRACTS: u8 = 2;
const WRITES_BACKWARDS: u8 = 3;
const MOVES_BACKWARDS: u8 = 4;
const ONE_FOR_ZERO: u8 = 5;
const CONFORMS_TO_ZERO: u8 = 6;
const DOUBLES_ITSELF: u8 = 7;

impl<const FAULT: u8> Tangent for Pair<FAULT> {
    fn accumulate(&mut self, other: Self) {
        match FAULT {
            OVERWRITES => *self = other,
            SUBTRACTS => self.0 = [self.0[0] - other.0[0], self.0[1] - other.0[1]],
            DOUBLES_ITSELF => self.0 = [2.0 * self.0[0] + other.0[0], self.0[1] + other.0[1]],
            _ => self.0.accumulate(other.0),
        }
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        self.0.visit_pairs(&other.0, visitor);
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        self.0.add_products(&other.0, sum);
    }
}

impl<const FAULT: u8> Differentiable for Pair<FAULT> {
    type Tangent = Self;

    fn zero_tangent(&self) -> Self {
        Pair([if FAULT == ONE_FOR_ZERO { 1.0 } else { 0.0 }; 2])
    }

    fn conform(&self, tangent: &mut Self) {
        if FAULT == CONFORMS_TO_ZERO {
            tangent.0 = [0.0; 2];
        }
    }

    fn perturb(&mut self, direction: &Self, step: f64) {
        let [first, second] = direction.0;
        let direction = if FAULT == MOVES_BACKWARDS { [second, first] } else { [first, second] };
        self.0.perturb(&direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.0.visit(visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.0.visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        if FAULT == WRITES_BACKWARDS {
            self.0.reverse();
            self.0.visit_floats_mut(visitor);
            self.0.reverse();
        } else {
            self.0.visit_floats_mut(visitor);
        }
    }
}

/// Which law a type breaks.
fn broken<const FAULT: u8>() -> String {
    let mismatch = laws(&Pair::<FAULT>([1.0, 2.0])).unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Law);
    mismatch.message().split(':').next().expect("a sentence").to_owned()
}

#[test]
fn broken_laws_are_named() {
    laws(&Pair::<NONE>([1.0, 2.0])).unwrap();
    assert_eq!(broken::<OVERWRITES>(), "a tangent plus zero is not the tangent");
    assert_eq!(broken::<SUBTRACTS>(), "zero plus a tangent is not the tangent");
    assert_eq!(broken::<DOUBLES_ITSELF>(), "a tangent plus zero is not the tangent");
    let order = "`visit` and `visit_mut` of the tangent meet floats in different orders";
    assert_eq!(broken::<WRITES_BACKWARDS>(), order);
    let moved = "`perturb` by half of the unit vector of float 0 makes [1.0, 2.5] of [1.0, 2.0]";
    assert_eq!(broken::<MOVES_BACKWARDS>(), moved);
    let zero = "the zero tangent has not one zero for each float of the value";
    assert_eq!(broken::<ONE_FOR_ZERO>(), zero);
    let conformed = "`conform` changes a tangent that has the value's shape";
    assert_eq!(broken::<CONFORMS_TO_ZERO>(), conformed);
}

#[derive(Clone, Differentiable)]
enum Shape {
    Empty,
    Circle { radius: f32, centre: (f64, f64) },
}

#[test]
fn derived_tangents_and_those_of_the_standard_library_keep_all_laws() {
    laws(&Spring { stiffness: 2.0, rest: vec![0.5, -0.25] }).unwrap();
    laws(&Shape::Empty).unwrap();
    laws(&Shape::Circle { radius: 1.5, centre: (0.25, 4.0) }).unwrap();
    laws(&(1.0, vec![Some(2.0_f32), None], 3_usize, [Box::new(4.0)])).unwrap();
    laws(&std::collections::BTreeMap::from([("a", 1.0), ("b", 2.0)])).unwrap();
    laws(&Ok::<f64, String>(1.0)).unwrap();
}
