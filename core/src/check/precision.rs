//! Step sizes and tolerances, which follow from the least precise float in sight.

use super::settings::Settings;

/// How finely to measure, and how closely to compare.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    /// Rounding of one operation.
    pub epsilon: f64,
    /// The largest step of central differences, relative to what is moved.
    first_step: f64,
    /// Each step is by this factor smaller than the one before.
    pub ratio: f64,
    steps: usize,
    /// How many further steps there are room for, down to a few roundings of what is moved.
    further: usize,
    /// Relative error allowed between a tangent and central differences, beside their own error.
    pub difference: f64,
    /// Relative error allowed there in any case.
    pub within: f64,
    /// Relative error allowed between derivatives that differ by rounding alone.
    pub rounding: f64,
    /// Sizes below this one, and above its inverse, are not divided by.
    pub smallest: f64,
}

const DOUBLE: Precision = Precision {
    epsilon: f64::EPSILON,
    first_step: 1e-2,
    ratio: 8.0,
    steps: 7,
    further: 7,
    difference: 1e-6,
    within: 0.0,
    rounding: 1e-10,
    smallest: 1e-150,
};

const SINGLE: Precision = Precision {
    epsilon: f32::EPSILON as f64,
    first_step: 1e-1,
    ratio: 2.0,
    steps: 6,
    further: 8,
    difference: 1e-3,
    within: 0.0,
    rounding: 1e-5,
    smallest: 1e-18,
};

impl Precision {
    /// The precision of one kind of float.
    pub(super) fn of(single: bool) -> Precision {
        if single { SINGLE } else { DOUBLE }
    }

    /// The same with what a user asks for.
    pub(super) fn with(self, settings: &Settings) -> Precision {
        Precision {
            within: settings.tolerance().unwrap_or(self.within),
            first_step: settings.first_step().unwrap_or(self.first_step),
            ..self
        }
    }

    /// The steps of central differences, from the largest to the smallest.
    pub(super) fn steps(self) -> impl Iterator<Item = f64> {
        self.all_steps().take(self.steps)
    }

    /// Those beyond.
    pub(super) fn further_steps(self) -> impl Iterator<Item = f64> {
        self.all_steps().skip(self.steps).take(self.further)
    }

    fn all_steps(self) -> impl Iterator<Item = f64> {
        core::iter::successors(Some(self.first_step), move |step| Some(step / self.ratio))
    }
}
