//! What a test is to do beside what every test does.

use super::report::Report;

/// At how many points to test, how closely to compare, and how allocations are counted.
///
/// `check!` takes the same as options: `check!(f(x), x in 0.0..1.0, points = 50)`.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    points: usize,
    counter: Option<fn() -> usize>,
    tape: bool,
    /// How far a derivative may be from what it is compared with, relative to that.
    tolerance: Option<f64>,
    /// The largest step of differences.
    step: Option<f64>,
    /// Whether the function's value comes in several orders of additions, as that of a derivative does.
    rounded: bool,
    /// Whether it may have been computed in single precision, whatever it is in now.
    single: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

impl Settings {
    /// Sixteen points, where points are drawn; allocations are not counted.
    #[must_use]
    pub const fn new() -> Self {
        Settings {
            points: 16,
            counter: None,
            tape: false,
            tolerance: None,
            step: None,
            rounded: false,
            single: false,
        }
    }

    /// How many points are drawn.
    #[must_use]
    pub const fn points(self, points: usize) -> Self {
        Settings { points, ..self }
    }

    /// How often this thread has allocated so far. Where the function does not allocate, `jvp` and
    /// `accumulate_gradient` must not.
    ///
    /// A counter of all threads would count what other tests allocate meanwhile.
    #[must_use]
    pub const fn allocations(self, counter: fn() -> usize) -> Self {
        Settings { counter: Some(counter), ..self }
    }

    /// Allows `accumulate_gradient` to allocate: the function has a loop that needs a tape.
    #[must_use]
    pub const fn tape(self) -> Self {
        Settings { tape: true, ..self }
    }

    /// How far a derivative may be from differences and from an exact gradient, relative to these.
    ///
    /// Differences allow what they say of their own errors anyway; a rule that is an approximation needs more. An exact
    /// gradient is compared to 1e-10, and to 1e-5 with `f32`, if nothing is said.
    #[must_use]
    pub const fn within(self, tolerance: f64) -> Self {
        Settings { tolerance: Some(tolerance), ..self }
    }

    /// The largest step of differences, relative to each float that is moved: 1e-2, or 1e-1 with `f32`, if nothing is said.
    /// A point near the edge of a domain asks for a smaller one.
    #[must_use]
    pub const fn step(self, step: f64) -> Self {
        Settings { step: Some(step), ..self }
    }

    /// Compares values up to rounding: the function adds in no fixed order, as threads that share a sum do.
    #[must_use]
    pub const fn rounded(self) -> Self {
        Settings { rounded: true, ..self }
    }

    /// For a derivative of what was tested, as a function of its own: its value is compared up to rounding, and
    /// allocations are not counted.
    #[doc(hidden)]
    #[must_use]
    pub fn of_derivative(self, of: &Report) -> Self {
        Settings { counter: None, rounded: true, single: of.single, ..self }
    }

    pub(super) fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }

    pub(super) fn first_step(&self) -> Option<f64> {
        self.step
    }

    pub(super) fn is_single(&self) -> bool {
        self.single
    }

    pub(super) fn is_rounded(&self) -> bool {
        self.rounded
    }

    pub(super) fn drawn(&self) -> usize {
        self.points
    }

    pub(super) fn counts(&self) -> bool {
        self.counter.is_some()
    }

    pub(super) fn allows_tape(&self) -> bool {
        self.tape
    }

    /// Runs something and counts its allocations.
    pub(super) fn count<R>(&self, run: impl FnOnce() -> R) -> (R, usize) {
        let count = || self.counter.map_or(0, |counter| counter());
        let before = count();
        let result = run();
        (result, count() - before)
    }
}
