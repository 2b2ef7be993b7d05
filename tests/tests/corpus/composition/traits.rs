//! Traits with derivatives: impls, bodies in the trait, calls, trait objects.

use cotangent::{Differentiable, DynTangent, Tangent, differentiate};

#[differentiate]
#[differentiate]
pub(crate) trait Potential {
    const SCALE: f64;
    type Unit;

    fn energy(&self, x: f64) -> f64;

    fn twice(&self, x: f64) -> f64 {
        Self::SCALE * self.energy(x) + self.force(x, 2)
    }

    fn force(&self, x: f64, n: usize) -> f64;

    #[differentiate]
    #[differentiate(constant(self, weight))]
    fn weighted(&self, x: f64, weight: f64) -> f64;

    fn relax(&mut self, rate: f64);

    fn change(&mut self, x: &mut [f64]) {
        self.relax(0.5);
        for i in 0..x.len() {
            x[i] *= self.energy(x[i]);
        }
    }

    fn make(x: f64) -> Self
    where
        Self: Sized;

    fn consumed(self, x: f64) -> f64
    where
        Self: Sized;

    fn both(&self, x: f64) -> (f64, f64) {
        (self.energy(x), x)
    }

    fn samples<const N: usize>(&self, x: [f64; N]) -> [f64; N] {
        let mut y = x;
        for i in 0..N {
            y[i] = self.energy(x[i]);
        }
        y
    }

    fn power(&self, x: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { self.power(x, n - 1) * self.energy(x) }
    }

    #[differentiate]
    #[differentiate(forward)]
    fn tangent_only(&self, x: f64) -> f64;

    #[differentiate]
    #[differentiate(skip)]
    fn name(&self) -> &str {
        "potential"
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Spring {
    pub stiffness: f64,
    pub rest: f64,
}

#[differentiate]
#[differentiate]
impl Potential for Spring {
    const SCALE: f64 = 2.0;
    type Unit = f64;

    fn energy(&self, x: f64) -> f64 {
        let d = x - self.rest;
        0.5 * self.stiffness * d * d
    }

    fn force(&self, x: f64, n: usize) -> f64 {
        self.stiffness * (self.rest - x) * n as f64
    }

    #[differentiate]
    #[differentiate(constant(self, weight))]
    fn weighted(&self, x: f64, weight: f64) -> f64 {
        self.stiffness * x * weight
    }

    fn relax(&mut self, rate: f64) {
        self.rest += rate * self.stiffness;
    }

    fn make(x: f64) -> Self {
        Self { stiffness: x, rest: 2.0 * x }
    }

    fn consumed(self, x: f64) -> f64 {
        self.stiffness * x
    }

    #[differentiate]
    #[differentiate(forward)]
    fn tangent_only(&self, x: f64) -> f64 {
        self.stiffness * x
    }
}

/// Overrides what has a body, and its derivatives with it.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Wave(pub f64);

#[differentiate]
#[differentiate]
impl Potential for Wave {
    const SCALE: f64 = 3.0;
    type Unit = usize;

    fn energy(&self, x: f64) -> f64 {
        self.0 * x.sin()
    }

    fn twice(&self, x: f64) -> f64 {
        self.energy(x) * 7.0
    }

    fn force(&self, x: f64, n: usize) -> f64 {
        -self.0 * x.cos() * n as f64
    }

    #[differentiate]
    #[differentiate(constant(self, weight))]
    fn weighted(&self, x: f64, weight: f64) -> f64 {
        self.0 * x.exp() * weight
    }

    fn relax(&mut self, rate: f64) {
        self.0 += rate * self.0;
    }

    fn make(x: f64) -> Self {
        Wave(x * x)
    }

    fn consumed(self, x: f64) -> f64 {
        self.0 * x
    }

    #[differentiate]
    #[differentiate(forward)]
    fn tangent_only(&self, x: f64) -> f64 {
        self.0 * x
    }

    #[differentiate]
    #[differentiate(skip)]
    fn name(&self) -> &str {
        "wave"
    }
}

/// A lifetime and a constant in the type, and one attribute a function.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Labelled<'a, const N: usize> {
    pub label: &'a str,
    pub weights: [f64; N],
}

#[differentiate]
#[differentiate]
pub(crate) trait Size {
    fn size(&self, x: f64) -> f64;
    fn grow(&mut self, by: f64);
}

#[differentiate]
#[differentiate]
impl<'a, const N: usize> Size for Labelled<'a, N> {
    fn size(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += self.weights[i] * x * self.label.len() as f64;
        }
        sum
    }

    fn grow(&mut self, by: f64) {
        for weight in &mut self.weights {
            *weight *= by;
        }
    }
}

/// A trait may be that of a number.
#[differentiate]
#[differentiate]
impl Size for f64 {
    fn size(&self, x: f64) -> f64 {
        self * x
    }

    fn grow(&mut self, by: f64) {
        *self *= by;
    }
}

#[differentiate]
#[differentiate(reverse)]
pub(crate) trait Measure {
    fn measure(&self) -> f64;
}

#[differentiate]
#[differentiate(reverse)]
impl Measure for Spring {
    fn measure(&self) -> f64 {
        self.stiffness * self.rest
    }
}

/// An implementor that holds another.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Scaled<P> {
    pub inner: P,
    pub scale: f64,
}

#[differentiate]
#[differentiate]
impl<P: Size + Differentiable> Size for Scaled<P> {
    fn size(&self, x: f64) -> f64 {
        self.scale * self.inner.size(x)
    }

    fn grow(&mut self, by: f64) {
        self.inner.grow(by * self.scale);
    }
}

/// A trait with a parameter.
#[differentiate]
#[differentiate]
pub(crate) trait Model<T> {
    fn run(&self, x: T) -> T;

    fn run_twice(&self, x: T, y: T) -> (T, T) {
        (self.run(x), self.run(y))
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Linear<T> {
    pub slope: T,
}

#[differentiate]
#[differentiate]
impl<T: cotangent::Float> Model<T> for Linear<T> {
    fn run(&self, x: T) -> T {
        self.slope * x
    }
}

fn scaled() -> Scaled<Scaled<f64>> {
    Scaled { inner: Scaled { inner: 0.8, scale: 0.3 }, scale: 1.2 }
}

#[differentiate]
#[differentiate]
pub(crate) fn size_by_a_bound<S: Size>(one: &S, x: f64) -> f64 {
    one.size(x) * x
}

#[differentiate]
#[differentiate]
pub(crate) fn recursion_by_a_bound<S: Size>(one: &S, x: f64, n: usize) -> f64 {
    if n == 0 { one.size(x) } else { x * recursion_by_a_bound(one, 0.5 * x, n - 1) }
}

#[differentiate]
#[differentiate]
pub(crate) fn changes_by_a_bound<S: Size>(all: &mut [S], x: f64) -> f64 {
    let mut sum = 0.0;
    for one in all.iter_mut() {
        one.grow(x);
        sum += one.size(x) + size_by_a_bound(one, sum);
    }
    sum
}

#[differentiate]
#[differentiate]
pub(crate) fn anonymous_bound(one: &impl Size, x: f64) -> f64 {
    one.size(x).sin()
}

#[differentiate]
#[differentiate]
pub(crate) fn owned_by_a_bound<S: Size>(one: S, x: f64) -> f64 {
    S::size(&one, x) * one.size(2.0 * x) + size_by_a_bound(&one, x)
}

#[differentiate]
#[differentiate]
pub(crate) fn bound_with_a_parameter<M: Model<f64>>(model: &M, x: f64) -> f64 {
    let (a, b) = model.run_twice(x, 2.0 * x);
    a * b
}

#[differentiate]
#[differentiate]
pub(crate) fn bound_of_a_trait_with_objects<T: Term>(term: &T, x: f64) -> f64 {
    term.value(x) * x
}

/// Derivatives by hand: the trait asks for no more.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct ByHand {
    unit: f64,
}

#[differentiate]
pub(crate) trait Curve {
    fn at(&self, x: f64) -> f64;
}

impl Curve for ByHand {
    fn at(&self, x: f64) -> f64 {
        x * x
    }

    fn at_vjp(&self, x: f64) -> (f64, impl FnOnce(&Self, &mut ByHandTangent, f64) -> f64 + use<>) {
        (x * x, move |_: &Self, _: &mut ByHandTangent, seed: f64| 2.0 * x * seed)
    }

    fn at_jvp(&self, _: &ByHandTangent, x: f64, x_dot: f64) -> (f64, f64) {
        (x * x, 2.0 * x * x_dot)
    }
}

/// With objects.
#[differentiate]
#[differentiate(dyn)]
pub(crate) trait Term {
    fn value(&self, x: f64) -> f64;

    fn scaled(&self, x: f64, factors: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..factors.len() {
            sum += factors[i] * self.value(x);
        }
        sum
    }

    fn turn(&mut self, angle: f64);

    #[differentiate]
    #[differentiate(constant(self))]
    fn slope(&self, x: f64) -> f64;

    /// Not that of objects.
    fn neutral(x: f64) -> Self
    where
        Self: Sized;

    #[differentiate]
    #[differentiate(skip)]
    fn copy(&self) -> Box<dyn Term>;
}

impl Clone for Box<dyn Term> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Sine {
    pub amplitude: f64,
    pub phase: f64,
}

#[differentiate]
#[differentiate]
impl Term for Sine {
    fn value(&self, x: f64) -> f64 {
        self.amplitude * (x + self.phase).sin()
    }

    fn turn(&mut self, angle: f64) {
        self.phase += angle * self.amplitude;
    }

    #[differentiate]
    #[differentiate(constant(self))]
    fn slope(&self, x: f64) -> f64 {
        self.amplitude * (x + self.phase).cos()
    }

    fn neutral(x: f64) -> Self {
        Sine { amplitude: x, phase: 0.0 }
    }

    #[differentiate]
    #[differentiate(skip)]
    fn copy(&self) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Line(pub Vec<f64>);

#[differentiate]
#[differentiate]
impl Term for Line {
    fn value(&self, x: f64) -> f64 {
        let mut value = 0.0;
        for weight in &self.0 {
            value = value * x + weight;
        }
        value
    }

    fn turn(&mut self, angle: f64) {
        let last = self.0.len() - 1;
        self.0[last] *= angle.cos();
    }

    #[differentiate]
    #[differentiate(constant(self))]
    fn slope(&self, x: f64) -> f64 {
        self.0[0] * x * x
    }

    fn neutral(x: f64) -> Self {
        Line(vec![x, 1.0])
    }

    #[differentiate]
    #[differentiate(skip)]
    fn copy(&self) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}

/// Objects within objects.
#[derive(Clone, Differentiable)]
pub(crate) struct Sum {
    pub terms: Vec<Box<dyn Term>>,
    pub scale: f64,
}

#[differentiate]
#[differentiate]
impl Term for Sum {
    fn value(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for term in &self.terms {
            sum += self.scale * term.value(x);
        }
        sum
    }

    fn turn(&mut self, angle: f64) {
        for i in 0..self.terms.len() {
            self.terms[i].turn(angle * self.scale);
        }
    }

    #[differentiate]
    #[differentiate(constant(self))]
    fn slope(&self, x: f64) -> f64 {
        self.scale * x
    }

    fn neutral(x: f64) -> Self {
        Sum { terms: vec![], scale: x }
    }

    #[differentiate]
    #[differentiate(skip)]
    fn copy(&self) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}

fn spring() -> Spring {
    Spring { stiffness: 2.0, rest: 0.3 }
}

fn labelled() -> Labelled<'static, 2> {
    Labelled { label: "two", weights: [0.3, 0.7] }
}

fn sine() -> Sine {
    Sine { amplitude: 1.3, phase: 0.4 }
}

fn terms() -> Vec<Box<dyn Term>> {
    let inner: Vec<Box<dyn Term>> = vec![Box::new(Line(vec![0.2, 0.6])), Box::new(sine())];
    vec![
        Box::new(sine()),
        Box::new(Line(vec![0.5, -0.3, 0.8])),
        Box::new(Sum { terms: inner, scale: 0.7 }),
    ]
}

#[differentiate]
#[differentiate]
pub(crate) fn value_of_an_object(term: &dyn Term, x: f64) -> f64 {
    term.value(x) * term.scaled(x, &[x, 0.5])
}

#[differentiate]
#[differentiate]
pub(crate) fn change_of_an_object(term: &mut dyn Term, x: f64) -> f64 {
    term.turn(x);
    term.value(x) * x
}

#[differentiate]
#[differentiate(constant(one))]
pub(crate) fn constants_of_members(one: &Spring, x: f64) -> f64 {
    one.weighted(x, 0.5) * Spring::SCALE
}

#[differentiate]
#[differentiate(constant(terms))]
pub(crate) fn constant_objects(terms: &[Box<dyn Term>], x: f64) -> f64 {
    terms[0].slope(x) * terms[2].value(x)
}

#[differentiate]
pub(crate) fn derivatives_by_hand(curve: &ByHand, x: f64) -> f64 {
    curve.at(x) * x
}

#[differentiate]
#[differentiate]
pub(crate) fn value_of_a_boxed_object(term: &Box<dyn Term>, x: f64) -> f64 {
    term.value(x) + value_of_an_object(&**term, x)
}

#[test]
fn members_of_traits_are_tested_like_functions() {
    use crate::rows::accept;
    let (mut one, mut other) = (spring(), Wave(0.7));
    accept("energy", cotangent::check!(Spring::energy(&one, 1.3)));
    accept("twice", cotangent::check!(Spring::twice(&one, 1.3)));
    accept("an override", cotangent::check!(Wave::twice(&other, 1.3)));
    accept("constants", cotangent::check!(Wave::weighted(&other, 1.3, 0.4)));
    accept("change", cotangent::check!(Wave::change(&mut other, &mut [1.3, 0.4])));
    accept("relax", cotangent::check!(Spring::relax(&mut one, 1.3)));
    accept("consumed", cotangent::check!(Spring::consumed(one.clone(), 1.3)));
    accept("make", cotangent::check!(Spring::make(1.3)));
    accept("both", cotangent::check!(Spring::both(&one, 1.3)));
    accept("power", cotangent::check!(Spring::power(&one, 1.3, 3)));
    accept("one mode", cotangent::check!(Spring::tangent_only(&one, 1.3)));
    accept("the other mode", cotangent::check!(Spring::measure(&one)));
    accept("lifetime", cotangent::check!(Labelled::size(&labelled(), 1.3)));
    accept("of objects", cotangent::check!(Sine::scaled(&sine(), 1.3, &[0.2, 0.3])));
    assert_eq!((one.name(), other.name()), ("potential", "wave"));
}

#[test]
fn functions_of_implementors_are_tested() {
    use crate::rows::accept;
    accept("constants", cotangent::check!(constants_of_members(&spring(), 1.3)));
    accept("constant objects", cotangent::check!(constant_objects(&terms(), 1.3)));
    accept("by hand", cotangent::check!(derivatives_by_hand(&ByHand { unit: 1.0 }, 1.3)));
    accept("a bound", cotangent::check!(size_by_a_bound(&scaled(), 1.3)));
    accept("a bound in recursion", cotangent::check!(recursion_by_a_bound(&scaled(), 1.3, 3)));
    accept(
        "a bound and changes",
        cotangent::check!(changes_by_a_bound(&mut [scaled(), scaled()], 1.3)),
    );
    accept("no name", cotangent::check!(anonymous_bound(&labelled(), 1.3)));
    accept("by value", cotangent::check!(owned_by_a_bound(scaled(), 1.3)));
    accept("a parameter", cotangent::check!(bound_with_a_parameter(&Linear { slope: 2.0 }, 1.3)));
    accept("objects", cotangent::check!(bound_of_a_trait_with_objects(&sine(), 1.3)));
    accept("a type", cotangent::check!(Scaled::<f64>::grow(&mut scaled().inner, 1.3)));
    for term in terms() {
        accept("a boxed object", cotangent::check!(value_of_a_boxed_object(&term, 1.3)));
    }
}

#[test]
fn members_of_traits_have_the_functions_of_the_contract() {
    let (one, mut other) = (spring(), Wave(0.5));
    let (spring_bar, x_bar) = one.energy_gradient(1.3);
    assert_eq!((spring_bar, x_bar), (SpringTangent { stiffness: 0.5, rest: -2.0 }, 2.0));
    let (value, (wave_bar, _)) = other.twice_value_and_gradient(1.3);
    assert_eq!((value, wave_bar), (other.twice(1.3), WaveTangent(7.0 * 1.3_f64.sin())));
    assert_eq!(one.weighted_gradient(1.3, 0.5), 1.0);
    assert_eq!(one.both_jvp(&one.zero_tangent(), 1.3, 1.0), ((1.0, 1.3), (2.0, 1.0)));
    assert_eq!(one.samples_vjp([1.3, 2.3]).0, one.samples([1.3, 2.3]));
    let (x, mut x_bar) = ([1.3, 2.3], [0.0; 2]);
    let mut wave_bar = WaveTangent(0.0);
    let (_, pullback) = other.change_vjp(&mut x.clone());
    drop(pullback);
    assert_eq!(other, Wave(0.75));
    let (_, pullback) = other.relax_vjp(0.5);
    assert_eq!((pullback(&mut other, &mut wave_bar, ()), &other), (0.0, &Wave(0.75)));
    x_bar[0] += ByHand { unit: 1.0 }.at_gradient(x[0]).1;
    assert_eq!(x_bar[0], 2.6);
}

#[test]
fn gradients_by_objects_are_read_by_type() {
    let (term_bar, x_bar) = value_of_an_object::gradient(&sine(), 1.3);
    let (known_bar, known_x_bar) = known(1.3);
    assert_eq!((term_bar.downcast_ref(), x_bar), (Some(&known_bar), known_x_bar));
    assert_eq!(term_bar.downcast_ref::<LineTangent>(), None);
    let mut term = sine();
    let (term_bar, _) = change_of_an_object::gradient(&mut term, 1.3);
    let sine_bar: &SineTangent = term_bar.downcast_ref().unwrap();
    // Of a x sin(x + p + x a) by p.
    let phase_bar = 1.3 * 1.3 * (1.3 + 0.4 + 1.3 * 1.3_f64).cos();
    assert!((sine_bar.phase - phase_bar).abs() < 1e-14, "{sine_bar:?} and {phase_bar}");
    assert_eq!(term, sine());
}

/// The same without an object.
fn known(x: f64) -> (SineTangent, f64) {
    #[differentiate]
    #[differentiate]
    fn value(term: &Sine, x: f64) -> f64 {
        term.value(x) * term.scaled(x, &[x, 0.5])
    }
    cotangent::check!(value(&sine(), x)).unwrap();
    value::gradient(&sine(), x)
}

#[test]
fn tangents_of_objects_take_their_shape_from_values() {
    let term = sine();
    let zero = DynTangent::default();
    let (value, value_dot) = value_of_an_object::jvp(&term, &zero, 1.3, 1.0);
    let shaped = DynTangent::new(SineTangent { amplitude: 0.0, phase: 0.0 });
    assert_eq!((value, value_dot), value_of_an_object::jvp(&term, &shaped, 1.3, 1.0));
    let (_, pullback) = value_of_an_object::vjp(&term, 1.3);
    let mut term_bar = zero.plus(DynTangent::default());
    pullback(&term, &mut term_bar, 1.0);
    assert_eq!(term_bar, value_of_an_object::gradient(&term, 1.3).0);
}

#[test]
#[should_panic(expected = "is not of the type")]
fn tangents_of_other_objects_panic() {
    let direction = DynTangent::new(LineTangent(vec![1.0]));
    let _ = value_of_an_object::jvp(&sine(), &direction, 1.3, 1.0);
}

#[test]
#[should_panic(expected = "is not of the type")]
fn pullbacks_of_other_objects_panic() {
    let (_, pullback) = value_of_an_object::vjp(&sine(), 1.3);
    pullback(&Line(vec![1.0]), &mut DynTangent::default(), 1.0);
}

corpus! {
    fn methods_of_a_trait(one: &Spring, other: &Wave, x: f64) -> f64 {
        one.energy(x) * other.energy(x) + one.twice(x)
    }
    at (&spring(), &Wave(0.7), 1.3);

    fn overridden_bodies(other: &Wave, x: f64) -> f64 {
        other.twice(x) * x
    }
    at (&Wave(0.7), 1.3);

    fn changes_by_methods(one: &mut Spring, x: f64, values: &mut [f64]) -> f64 {
        one.relax(x);
        one.change(values);
        one.energy(x) + values[0]
    }
    at (&mut spring(), 1.3, &mut [0.3, 0.4]);

    fn paths_to_members(one: &Spring, x: f64) -> f64 {
        Potential::energy(one, x) * Spring::energy(one, x)
            + <Spring as Potential>::twice(one, x)
            + Spring::make(x).energy(x)
    }
    at (&spring(), 1.3);

    fn arrays_from_members(one: &Spring, x: f64) -> f64 {
        let y = one.samples([x, 2.0 * x]);
        y[0] * y[1]
    }
    at (&spring(), 1.3);

    fn pairs_from_members(one: &Wave, x: f64) -> f64 {
        let (energy, y) = one.both(x);
        energy * y + one.power(x, 3)
    }
    at (&Wave(0.7), 1.3);

    fn implementors_with_parameters(one: &mut Labelled<'static, 2>, x: f64) -> f64 {
        one.grow(x);
        one.size(x)
    }
    at (&mut labelled(), 1.3);

    fn implementors_that_are_numbers(mut x: f64, y: f64) -> f64 {
        Size::grow(&mut x, y);
        Size::size(&x, y)
    }
    at (1.3, 0.4) => (y * y, 2.0 * x * y);

    fn members_in_loops(springs: &[Spring], x: f64) -> f64 {
        let mut sum = 0.0;
        for spring in springs {
            sum += spring.energy(x);
        }
        sum + springs.iter().map(|spring| spring.twice(sum)).sum::<f64>()
    }
    at (&[spring(), spring()], 1.3);

    fn owned_object(mut term: Box<dyn Term>, x: f64) -> f64 {
        term.turn(x);
        term.value(x) + value_of_an_object(&*term, x)
    }
    at (terms()[0].clone(), 1.3), (terms()[1].clone(), 1.3), (terms()[2].clone(), 1.3);

    fn slice_of_objects(terms: &[Box<dyn Term>], x: f64) -> f64 {
        let mut sum = 0.0;
        for term in terms {
            sum += term.value(x);
        }
        sum + terms.iter().map(|term| term.scaled(x, &[sum])).sum::<f64>()
    }
    at (&terms(), 1.3);

    fn vector_of_objects(terms: &mut Vec<Box<dyn Term>>, x: f64) -> f64 {
        let mut sum = 0.0;
        for term in terms.iter_mut() {
            term.turn(x);
            sum += term.value(x);
        }
        sum * terms[0].value(sum) + value_of_an_object(&*terms[1], x)
    }
    at (&mut terms(), 1.3);

    fn objects_in_a_struct(sum: &Sum, x: f64) -> f64 {
        sum.value(x) + sum.terms[0].value(x)
    }
    at (&Sum { terms: terms(), scale: 0.9 }, 1.3);

    fn objects_changed_in_a_struct(sum: &mut Sum, x: f64) -> f64 {
        sum.turn(x);
        sum.terms[1].turn(0.5 * x);
        sum.value(x)
    }
    at (&mut Sum { terms: terms(), scale: 0.9 }, 1.3);

    fn object_in_an_option(term: &Option<Box<dyn Term>>, x: f64) -> f64 {
        match term {
            Some(term) => term.value(x),
            None => x,
        }
    }
    at (&Some(terms()[1].clone()), 1.3), (&None, 1.3);

    fn objects_taken_and_put(terms: &mut Vec<Box<dyn Term>>, x: f64) -> f64 {
        let last = terms.pop().unwrap();
        let y = last.value(x);
        terms.insert(0, last);
        terms.swap(0, 1);
        y * terms[0].value(y) + terms[1].value(x)
    }
    at (&mut terms(), 1.3);

    fn members_of_a_trait_with_objects(sine: &mut Sine, x: f64) -> f64 {
        sine.turn(x);
        sine.scaled(x, &[x, 0.5]) + Sine::neutral(x).value(x)
    }
    at (&mut sine(), 1.3);

    fn boxed_members_of_a_trait_with_objects(sine: &Box<Sine>, x: f64) -> f64 {
        sine.value(x)
    }
    at (&Box::new(sine()), 1.3);
}
