//! The course of a test: along which directions it goes.

use alloc::vec;
use alloc::vec::Vec;

use super::leaves::{Floats, floats};
use super::mismatch::Mismatch;
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
            Ok(()) => Ok(self.report),
            Err(mismatch) => Err(mismatch.at(self.point())),
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
        if active.len() > 1 {
            for parameter in &active {
                self.test_along(&[*parameter])?;
            }
        }
        Ok(())
    }

    /// Tests all modes along a random direction of some parameters.
    fn test_along(&mut self, parameters: &[usize]) -> Result<(), Mismatch> {
        let direction = self.direction(parameters);
        let image = self.test_forward(&direction)?;
        self.test_reverse(&direction, &image)?;
        self.report.directions += 1;
        Ok(())
    }

    /// A random direction, in each float in proportion to that float: a step of one hundredth
    /// is small everywhere, and leaves no domain that the point is well inside of.
    fn direction(&mut self, parameters: &[usize]) -> Floats {
        let mut direction = self.still();
        for parameter in parameters {
            let at = floats(&self.start[*parameter]);
            direction[*parameter] = at.iter().map(|at| self.random.weight() * scale(*at)).collect();
        }
        direction
    }

    /// The direction that moves one float.
    pub(super) fn basis(&self, parameter: usize, index: usize) -> Floats {
        let mut direction = self.still();
        direction[parameter][index] = scale(floats(&self.start[parameter])[index]);
        direction
    }

    fn still(&self) -> Floats {
        self.sizes.iter().map(|size| vec![0.0; *size]).collect()
    }
}

/// How far a float may move. Very small ones move a little further than in proportion, or rounding
/// would hide what comes of it.
fn scale(at: f64) -> f64 {
    if at == 0.0 { 1.0 } else { at.abs().max(1e-3) }
}
