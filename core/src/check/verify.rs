//! The course of a test: along which directions it goes.

use alloc::vec;
use alloc::vec::Vec;

use super::difference::{Quotients, differences};
use super::forward::LOCATED;
use super::leaves::{Floats, floats};
use super::mismatch::{Kind, Mismatch};
use super::report::Report;
use super::subject::Subject;
use super::tester::Tester;

/// How many directions move all parameters at once.
const JOINT: usize = 2;

/// Tests all modes along a few directions: joint ones, and one for each parameter alone, so that a
/// large parameter does not hide a small one.
pub(super) fn verify(subject: &dyn Subject) -> Result<Report, Mismatch> {
    Tester::new(subject).verify()
}

impl Tester<'_> {
    fn verify(mut self) -> Result<Report, Mismatch> {
        match self.test() {
            Ok(()) => Ok(Report { point: self.point(), ..self.report }),
            Err(mismatch) => Err(mismatch.naming_debug().at(self.point())),
        }
    }

    fn test(&mut self) -> Result<(), Mismatch> {
        self.test_function()?;
        let active: Vec<usize> = (0..self.roles.len())
            .filter(|index| self.is_active(*index) && self.sizes[*index] > 0)
            .collect();
        for _ in 0..JOINT {
            self.test_along(&active)?;
        }
        self.test_accumulate()?;
        if active.len() > 1 {
            for parameter in &active {
                self.test_along(&[*parameter])?;
            }
        }
        Ok(())
    }

    /// Tests all modes along a random direction of some parameters.
    fn test_along(&mut self, parameters: &[usize]) -> Result<(), Mismatch> {
        let mut outcome = self.test_both(parameters);
        let by_differences = [Kind::Tangent, Kind::Cotangent];
        if outcome.as_ref().is_err_and(|mismatch| by_differences.contains(&mismatch.kind()))
            && self.reduce_scales()
        {
            outcome = self.test_both(parameters);
        }
        self.report.directions += 1;
        outcome
    }

    fn test_both(&mut self, parameters: &[usize]) -> Result<(), Mismatch> {
        let direction = self.direction(parameters);
        let image = self.test_forward(&direction)?;
        self.test_reverse(&direction, &image)
    }

    /// A random direction, in each float in proportion to that float: a step of one hundredth
    /// is small everywhere, and leaves no domain that the point is well inside of.
    fn direction(&mut self, parameters: &[usize]) -> Floats {
        let mut direction = self.still();
        for parameter in parameters {
            let (scales, random) = (&self.scales[*parameter], &mut self.random);
            direction[*parameter] = scales.iter().map(|scale| random.weight() * scale).collect();
        }
        direction
    }

    /// The direction that moves one float.
    pub(super) fn basis(&self, parameter: usize, index: usize) -> Floats {
        let mut direction = self.still();
        direction[parameter][index] = self.scales[parameter][index];
        direction
    }

    /// Moves very small floats in proportion where differences see what comes of it: `1 / x` is not smooth as far as
    /// others move. Returns whether there are any.
    fn reduce_scales(&mut self) -> bool {
        let mut is_changed = false;
        let active = (0..self.roles.len()).filter(|index| self.is_active(*index));
        let places = active.flat_map(|p| (0..self.sizes[p]).map(move |i| (p, i)));
        for (parameter, index) in places.take(LOCATED).collect::<Vec<_>>() {
            let at = floats(&self.start[parameter])[index].abs();
            let scale = self.scales[parameter][index];
            if at == 0.0 || at >= scale {
                continue;
            }
            self.scales[parameter][index] = at;
            let seen = differences(self, &self.basis(parameter, index));
            if seen.iter().any(Quotients::is_seen) {
                is_changed = true;
            } else {
                self.scales[parameter][index] = scale;
            }
        }
        is_changed
    }

    fn still(&self) -> Floats {
        self.sizes.iter().map(|size| vec![0.0; *size]).collect()
    }
}
