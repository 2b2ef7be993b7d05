//! A function with its derivatives, as the tester takes them.

use alloc::boxed::Box;
use alloc::format;
use core::cell::Cell;

use super::mismatch::{Kind, Mismatch, Mode};
use super::panics::{Stage, caught};
use super::point::Point;
use super::report::Report;
use super::settings::Settings;
use super::verify::verify;
use crate::differentiable::Differentiable;

type Primal<'a, P, Y> = Box<dyn Fn(&mut P) -> Y + 'a>;
type Jvp<'a, P, Y> =
    Box<dyn Fn(&mut P, &mut <P as Point>::Slots) -> (Y, <Y as Differentiable>::Tangent) + 'a>;
type Batch<'a, P, Y> = Box<
    dyn Fn(&mut P, &mut [<P as Point>::Slots; 2]) -> (Y, [<Y as Differentiable>::Tangent; 2]) + 'a,
>;
type Vjp<'a, P, Y> = Box<dyn Fn(&mut P, &mut <P as Point>::Slots, Seed<'_, P, Y>) + 'a>;
type Accumulate<'a, P, Y> = Box<dyn Fn(&mut P, &mut <P as Point>::Slots) -> Y + 'a>;

/// What the closure of [`Case::vjp`] calls between the forward pass and the pullback, with the value,
/// the point and the slots. It fills the shadows and returns the cotangent of the value.
pub type Seed<'s, P, Y> =
    &'s mut dyn FnMut(&Y, &P, &mut <P as Point>::Slots) -> <Y as Differentiable>::Tangent;

/// A function at a point, with those of its derivatives that are to be tested.
///
/// The point is a tuple with one entry for each parameter, made by [`value`](super::value),
/// [`shared`](super::shared), [`unique`](super::unique) and, for types without tangents,
/// [`opaque`](super::opaque) and its kin; `.constant()` on the first three is for what is not
/// differentiated. The closures receive a fresh copy of it in each run, and the tangents or
/// cotangents in a tuple of the same order; `get()` yields each as the function takes it.
///
/// ```
/// use cotangent::check::{Case, shared, value};
///
/// fn f(x: f64, w: &[f64]) -> f64 {
///     x * w.iter().sum::<f64>()
/// }
///
/// let report = Case::new("f", &["x", "w"], (value(2.0), shared(&[3.0, 4.0][..])), |p| {
///     f(p.0.get(), p.1.get())
/// })
/// .jvp(|p, d| {
///     let (x, w, w_dot) = (p.0.get(), p.1.get(), d.1.get());
///     let sum_dot: f64 = w_dot.iter().sum();
///     (f(x, w), d.0.get() * w.iter().sum::<f64>() + x * sum_dot)
/// })
/// .vjp(|p, d, seed| {
///     let (x, y) = (p.0.get(), f(p.0.get(), p.1.get()));
///     let y_bar = seed(&y, p, d);
///     d.0.put(y_bar * p.1.get().iter().sum::<f64>());
///     d.1.get().iter_mut().for_each(|w_bar| *w_bar += x * y_bar);
/// })
/// .verify()
/// .unwrap();
/// assert!(report.largest_difference() < 1e-9);
/// ```
pub struct Case<'a, P: Point, Y: Differentiable> {
    pub(super) name: &'a str,
    pub(super) parameter_names: &'a [&'a str],
    pub(super) point: P,
    pub(super) primal: Primal<'a, P, Y>,
    pub(super) jvp: Option<Jvp<'a, P, Y>>,
    pub(super) batch: Option<Batch<'a, P, Y>>,
    pub(super) vjp: Option<Vjp<'a, P, Y>>,
    pub(super) accumulate: Option<Accumulate<'a, P, Y>>,
    pub(super) settings: Settings,
    /// The part that runs at present, which a panic is reported of.
    pub(super) stage: Cell<Stage>,
}

impl<'a, P: Point, Y: Differentiable> Case<'a, P, Y> {
    /// The function `name` at a point; `primal` calls it.
    ///
    /// # Panics
    ///
    /// When there are not as many names as parameters.
    #[must_use]
    pub fn new(
        name: &'a str,
        parameter_names: &'a [&'a str],
        point: P,
        primal: impl Fn(&mut P) -> Y + 'a,
    ) -> Self {
        assert!(
            parameter_names.len() == point.parameters().len(),
            "the point has one entry for each parameter name"
        );
        Case {
            name,
            parameter_names,
            point,
            primal: Box::new(primal),
            jvp: None,
            batch: None,
            vjp: None,
            accumulate: None,
            settings: Settings::new(),
            stage: Cell::new(Stage::Arguments),
        }
    }

    /// Adds forward mode: the closure returns the value and its tangent, and leaves in the slots of
    /// `&mut` parameters the tangents of what the function made of them.
    #[must_use]
    pub fn jvp(mut self, jvp: impl Fn(&mut P, &mut P::Slots) -> (Y, Y::Tangent) + 'a) -> Self {
        self.jvp = Some(Box::new(jvp));
        self
    }

    /// Adds forward mode with several tangents at once: the closure is given the slots of two directions. It is
    /// compared with [`jvp`](Case::jvp), which it is to equal bit for bit.
    #[must_use]
    pub fn jvp_batch(
        mut self,
        batch: impl Fn(&mut P, &mut [P::Slots; 2]) -> (Y, [Y::Tangent; 2]) + 'a,
    ) -> Self {
        self.batch = Some(Box::new(batch));
        self
    }

    /// Adds reverse mode: the closure runs the forward pass, calls [`Seed`] once, runs the pullback
    /// and puts the cotangents of by-value parameters into their slots.
    #[must_use]
    pub fn vjp(mut self, vjp: impl Fn(&mut P, &mut P::Slots, Seed<'_, P, Y>) + 'a) -> Self {
        self.vjp = Some(Box::new(vjp));
        self
    }

    /// Adds `accumulate_gradient` of a function with one float as output. The closure returns the
    /// value and puts the cotangents of by-value parameters into their slots.
    ///
    /// # Panics
    ///
    /// When reverse mode was not added before: it is what this is compared with.
    #[must_use]
    pub fn accumulate(mut self, accumulate: impl Fn(&mut P, &mut P::Slots) -> Y + 'a) -> Self {
        assert!(self.vjp.is_some(), "`accumulate` is tested against `vjp`, which comes first");
        self.accumulate = Some(Box::new(accumulate));
        self
    }

    /// Runs the function or a derivative.
    pub(super) fn run<R>(&self, stage: Stage, run: impl FnOnce() -> R) -> R {
        self.stage.set(stage);
        let result = run();
        self.stage.set(Stage::Arguments);
        result
    }

    /// The same function and derivatives at another point nearby.
    pub(super) fn at(&self, point: P) -> Case<'_, P, Y> {
        let mut case = Case::new(self.name, self.parameter_names, point, |p| {
            self.run(Stage::Nearby, || (self.primal)(p))
        });
        case.jvp = self.jvp.as_ref().map(|jvp| {
            let stage = Stage::Derivative(Mode::Jvp);
            Box::new(move |p: &mut P, d: &mut P::Slots| self.run(stage, || jvp(p, d))) as _
        });
        case.vjp = self.vjp.as_ref().map(|vjp| {
            let stage = Stage::Derivative(Mode::Vjp);
            Box::new(move |p: &mut P, d: &mut P::Slots, seed: Seed<'_, P, Y>| {
                self.run(stage, || vjp(p, d, seed));
            }) as _
        });
        case.settings = self.settings;
        case
    }

    /// Says what is to be tested beside what always is.
    #[must_use]
    pub fn with(mut self, settings: &Settings) -> Self {
        self.settings = *settings;
        self
    }

    /// Tests the derivatives.
    ///
    /// # Errors
    ///
    /// The first [`Mismatch`] that is found. It may say that nothing could be tested: that an argument cannot be
    /// copied, or that the function panics at the point or near it.
    pub fn verify(&self) -> Result<Report, Mismatch> {
        self.test_arguments()?;
        caught(|| verify(self))
            .unwrap_or_else(|message| Err(self.stage.get().mismatch(self.name, &message)))
    }

    /// Every parameter has fresh copies.
    fn test_arguments(&self) -> Result<(), Mismatch> {
        let parameters = self.point.parameters();
        let obstacles = parameters.iter().map(|parameter| parameter.obstacle());
        let mut named = self.parameter_names.iter().zip(obstacles);
        let Some((name, obstacle)) = named.find_map(|(name, why)| Some((*name, why?))) else {
            return Ok(());
        };
        let message = format!(
            "a test runs the function many times, and there are no fresh copies of `{name}`: {obstacle}"
        );
        let (kind, mode) = (Kind::Argument, Mode::Function);
        Err(Mismatch::new(self.name, kind, mode, name.into(), message))
    }
}
