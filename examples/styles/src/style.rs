//! One calling convention for programs whose parameters are slices, rows of vectors or structs.
//!
//! In: an algorithm's parameters as one slice of floats, its gradient by hand, and by `style!` its styles. Out: runs
//! that are called again and again. A style's parameters are made of the same floats in the same order, before it is
//! run. Runs add to their shadows and never clear them, ours and those by hand alike, so that what is measured is the
//! gradient alone.

use std::hint::black_box;

use cotangent::Differentiable;
use cotangent_examples::inputs::sequence;

/// How large the inputs are.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// For the rule tester and for differences.
    Small,
    /// For the benchmark.
    Large,
}

impl Size {
    /// Returns the one for small inputs, or that for large ones.
    pub fn pick(self, small: usize, large: usize) -> usize {
        match self {
            Size::Small => small,
            Size::Large => large,
        }
    }
}

/// A gradient by hand: adds to its second argument, returns the value.
type ByHand = dyn Fn(&[f64], &mut [f64]) -> f64;

/// An algorithm, with its gradient by hand.
pub struct Algorithm {
    name: &'static str,
    parameters: Vec<f64>,
    direction: Vec<f64>,
    by_hand: Box<ByHand>,
    styles: Vec<Style>,
}

impl Algorithm {
    /// An algorithm without styles.
    pub(crate) fn new(
        name: &'static str,
        parameters: Vec<f64>,
        by_hand: impl Fn(&[f64], &mut [f64]) -> f64 + 'static,
    ) -> Self {
        let direction = sequence(parameters.len(), -1.0..2.0);
        Self { name, parameters, direction, by_hand: Box::new(by_hand), styles: Vec::new() }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns its parameters as one slice.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// The direction along which [`Style::tangent`] is taken.
    pub fn direction(&self) -> &[f64] {
        &self.direction
    }

    /// Its styles.
    pub fn styles(&self) -> &[Style] {
        &self.styles
    }

    /// Value and gradient by hand.
    pub fn gradient_by_hand(&self) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; self.parameters.len()];
        ((self.by_hand)(&self.parameters, &mut gradient), gradient)
    }

    /// The value by hand at `x`.
    pub fn value_by_hand(&self, x: &[f64]) -> f64 {
        (self.by_hand)(x, &mut vec![0.0; x.len()])
    }

    /// A run of the gradient by hand.
    pub fn run_by_hand(&self) -> impl FnMut() + '_ {
        let mut shadow = vec![0.0; self.parameters.len()];
        move || {
            black_box((self.by_hand)(black_box(&self.parameters), black_box(&mut shadow)));
        }
    }

    /// Adds a style, whose parameters are `template` with this algorithm's floats: its function, `accumulate_gradient`,
    /// `vjp` with its pullback, `jvp` and `check!`, all of these parameters.
    pub(crate) fn add<I: Differentiable + 'static>(
        &mut self,
        name: &'static str,
        template: I,
        primal: impl Fn(&I) -> f64 + 'static,
        gradient: impl Fn(&I, &mut I::Tangent) -> f64 + 'static,
        vjp: impl Fn(&I, &mut I::Tangent) -> f64 + 'static,
        jvp: impl Fn(&I, &I::Tangent) -> (f64, f64) + 'static,
        check: impl Fn(&I) + 'static,
    ) where
        I::Tangent: 'static,
    {
        let derivatives = Derivatives { primal, gradient, vjp, jvp, check };
        let style = Bound::new(template, &self.parameters, &self.direction, derivatives);
        self.styles.push(Style { name, style: Box::new(style) });
    }
}

/// A function of parameters and its derivatives.
struct Derivatives<P, G, V, J, C> {
    primal: P,
    gradient: G,
    vjp: V,
    jvp: J,
    check: C,
}

/// One way to write an algorithm.
pub struct Style {
    name: &'static str,
    style: Box<dyn Program>,
}

impl Style {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its value.
    pub fn value(&self) -> f64 {
        self.style.value()
    }

    /// Value and gradient by `accumulate_gradient`.
    pub fn gradient(&self) -> (f64, Vec<f64>) {
        self.style.gradient()
    }

    /// Value and gradient by `vjp`.
    pub fn gradient_by_vjp(&self) -> (f64, Vec<f64>) {
        self.style.gradient_by_vjp()
    }

    /// Value and tangent by `jvp`, along [`Algorithm::direction`].
    pub fn tangent(&self) -> (f64, f64) {
        self.style.tangent()
    }

    /// Runs the rule tester.
    ///
    /// # Panics
    ///
    /// When it finds a mismatch.
    pub fn check(&self) {
        self.style.check();
    }

    /// Runs of the function, of `accumulate_gradient`, of `vjp` with its pullback, and of `jvp`.
    pub fn runs(&self) -> [Box<dyn FnMut() + '_>; 4] {
        self.style.runs()
    }
}

/// A [`Style`] whose parameters' type is forgotten.
trait Program {
    fn value(&self) -> f64;
    fn gradient(&self) -> (f64, Vec<f64>);
    fn gradient_by_vjp(&self) -> (f64, Vec<f64>);
    fn tangent(&self) -> (f64, f64);
    fn check(&self);
    fn runs(&self) -> [Box<dyn FnMut() + '_>; 4];
}

/// Derivatives with the parameters that they are taken at.
struct Bound<I: Differentiable, D> {
    input: I,
    direction: I::Tangent,
    derivatives: D,
}

impl<I: Differentiable, D> Bound<I, D> {
    fn new(mut template: I, parameters: &[f64], direction: &[f64], derivatives: D) -> Self {
        template.read_from(parameters);
        let mut tangent = template.zero_tangent();
        tangent.read_from(direction);
        Self { input: template, direction: tangent, derivatives }
    }
}

impl<I, P, G, V, J, C> Program for Bound<I, Derivatives<P, G, V, J, C>>
where
    I: Differentiable,
    P: Fn(&I) -> f64,
    G: Fn(&I, &mut I::Tangent) -> f64,
    V: Fn(&I, &mut I::Tangent) -> f64,
    J: Fn(&I, &I::Tangent) -> (f64, f64),
    C: Fn(&I),
{
    fn value(&self) -> f64 {
        (self.derivatives.primal)(&self.input)
    }

    fn gradient(&self) -> (f64, Vec<f64>) {
        let mut shadow = self.input.zero_tangent();
        let value = (self.derivatives.gradient)(&self.input, &mut shadow);
        (value, floats(&shadow))
    }

    fn gradient_by_vjp(&self) -> (f64, Vec<f64>) {
        let mut shadow = self.input.zero_tangent();
        let value = (self.derivatives.vjp)(&self.input, &mut shadow);
        (value, floats(&shadow))
    }

    fn tangent(&self) -> (f64, f64) {
        (self.derivatives.jvp)(&self.input, &self.direction)
    }

    fn check(&self) {
        (self.derivatives.check)(&self.input);
    }

    fn runs(&self) -> [Box<dyn FnMut() + '_>; 4] {
        let Derivatives { primal, gradient, vjp, jvp, .. } = &self.derivatives;
        let [mut of_gradient, mut of_vjp] = [self.input.zero_tangent(), self.input.zero_tangent()];
        [
            Box::new(move || discard(primal(black_box(&self.input)))),
            Box::new(move || {
                discard(gradient(black_box(&self.input), black_box(&mut of_gradient)))
            }),
            Box::new(move || discard(vjp(black_box(&self.input), black_box(&mut of_vjp)))),
            Box::new(move || discard(jvp(black_box(&self.input), black_box(&self.direction)))),
        ]
    }
}

fn discard<T>(result: T) {
    black_box(result);
}

/// The floats that `visit` shows.
fn floats(tangent: &impl Differentiable) -> Vec<f64> {
    let mut floats = vec![0.0; tangent.dim()];
    tangent.write_to(&mut floats);
    floats
}

/// Data that is read by all styles, as long as the program runs.
pub(crate) fn data<T>(data: T) -> &'static T {
    Box::leak(Box::new(data))
}

/// Adds a style to an algorithm: its name, its function, a tuple of parameters in the shape that the function takes them
/// by reference in, the numbers of these, references to data, and constants by value.
macro_rules! style {
    (
        $algorithm:ident, $name:literal, $($f:ident)::+, $template:expr,
        [$($at:tt)*], [$($data:expr),*], [$($value:expr),*]
    ) => {{
        use std::hint::black_box;
        $algorithm.add(
            $name,
            $template,
            move |x| $($f)::+($(&x.$at,)* $($data,)* $(black_box($value),)*),
            move |x, x_bar| {
                $($f)::+::accumulate_gradient(
                    $(&x.$at, &mut x_bar.$at,)* $($data,)* $(black_box($value),)*
                ).0
            },
            move |x, x_bar| {
                let (value, pullback) =
                    $($f)::+::vjp($(&x.$at,)* $($data,)* $(black_box($value),)*);
                pullback($(&x.$at, &mut x_bar.$at,)* $($data,)* black_box(1.0));
                value
            },
            move |x, x_dot| {
                $($f)::+::jvp($(&x.$at, &x_dot.$at,)* $($data,)* $(black_box($value),)*)
            },
            move |x| {
                #[cfg(test)]
                cotangent::check!($($f)::+($(&x.$at,)* $($data,)* $($value),*)).unwrap();
                #[cfg(not(test))]
                let _ = x;
            },
        );
    }};
}
