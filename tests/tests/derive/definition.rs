//! Where the tangent type stands, who sees it, and what it leaves out.

use cotangent::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor};
use cotangent::{Differentiable, Tangent};

mod inner {
    use cotangent::Differentiable;

    #[derive(Clone, Differentiable)]
    pub struct Mixed {
        pub open: f64,
        pub(super) near: f64,
        closed: Hidden,
    }

    #[derive(Clone, Differentiable)]
    struct Hidden(f64);

    pub fn mixed() -> Mixed {
        Mixed { open: 1.0, near: 2.0, closed: Hidden(3.0) }
    }

    pub fn closed(tangent: &MixedTangent) -> f64 {
        tangent.closed.0
    }
}

#[test]
fn fields_are_as_visible_as_those_of_the_type() {
    let tangent: inner::MixedTangent = super::numbered(&inner::mixed());
    assert_eq!((tangent.open, tangent.near, inner::closed(&tangent)), (1.0, 2.0, 3.0));
}

/// A value that is differentiated by hand and whose tangent has no default.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Angle(f64);

#[derive(Clone, Debug, PartialEq)]
struct Turn(f64);

impl Differentiable for Angle {
    type Tangent = Turn;

    fn zero_tangent(&self) -> Turn {
        Turn(0.0)
    }

    fn perturb(&mut self, direction: &Turn, step: f64) {
        self.0.perturb(&direction.0, step);
    }

    fn visit(&self, visitor: &mut dyn cotangent::Visitor) {
        Differentiable::visit(&self.0, visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.0.visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.0.visit_floats_mut(visitor);
    }
}

/// A tangent is its own tangent.
impl Differentiable for Turn {
    type Tangent = Turn;

    fn zero_tangent(&self) -> Turn {
        Turn(0.0)
    }

    fn perturb(&mut self, direction: &Turn, step: f64) {
        self.0.perturb(&direction.0, step);
    }

    fn visit(&self, visitor: &mut dyn cotangent::Visitor) {
        Differentiable::visit(&self.0, visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.0.visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.0.visit_floats_mut(visitor);
    }
}

impl Tangent for Turn {
    fn plus(self, other: Self) -> Self {
        Turn(self.0 + other.0)
    }

    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        self.0.visit_pairs(&other.0, visitor);
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        self.0.add_products(&other.0, sum);
    }
}

type Long = [f64; 40];

/// Neither field's tangent has a default: that it compiles is half of the test.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct WithoutDefault {
    angle: Angle,
    long: Long,
}

#[test]
fn fields_need_no_default() {
    let value = WithoutDefault { angle: Angle(1.0), long: [2.0; 40] };
    super::assert_one_order(&value);
    let WithoutDefaultTangent { angle, long } = value.zero_tangent();
    assert_eq!((angle, long), (Turn(0.0), [0.0; 40]));
}

/// A field that is configured away, and attributes of other macros.
#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
#[repr(C)]
#[must_use]
struct Configured {
    #[cfg(any())]
    absent: Nothing,
    #[cfg(not(any()))]
    #[doc(alias = "there")]
    present: f64,
}

#[test]
fn configured_fields_are_respected() {
    assert_eq!(Configured::default().zero_tangent(), ConfiguredTangent { present: 0.0 });
}

#[test]
fn types_in_functions_have_tangents() {
    #[derive(Differentiable)]
    struct Local {
        x: f64,
    }
    assert_eq!(Local { x: 1.0 }.zero_tangent(), LocalTangent { x: 0.0 });
}

macro_rules! point {
    ($name:ident, $tangent:ident, $field:ident: $float:ty) => {
        #[derive(Clone, Differentiable)]
        struct $name {
            $field: $float,
            list: Vec<$float>,
        }

        #[test]
        fn types_from_macros_have_tangents() {
            let tangent = super::numbered(&$name { $field: 1.0, list: vec![2.0] });
            let expected: ($float, Vec<$float>) = (1.0, vec![2.0]);
            assert_eq!(tangent, $tangent { $field: expected.0, list: expected.1 });
        }
    };
}

point!(Point, PointTangent, x: f32);

#[test]
fn zeros_need_no_value_where_no_field_does() {
    use cotangent::__private::{Zero, total};

    #[derive(Clone, Differentiable)]
    struct Pair {
        x: f64,
        grid: [[f64; 40]; 2],
    }
    let pair = Pair { x: 1.0, grid: [[2.0; 40]; 2] };
    assert_eq!(<PairTangent as Zero>::nothing(), pair.zero_tangent());
    assert_eq!(total(&Vec::<PairTangent>::new()), PairTangent::default());
}
