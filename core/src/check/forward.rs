//! The tests of forward mode: the value, the shapes, and the tangents against central differences.

use alloc::format;
use alloc::vec::Vec;

use super::difference::{Estimate, Quotients, differences};
use super::leaves::{Floats, same};
use super::mismatch::{Kind, Mismatch};
use super::subject::Tangents;
use super::tester::Tester;

impl Tester<'_> {
    /// Tests forward mode along a direction and returns the tangents of the results: those of `jvp`,
    /// which are exact but for rounding, or where there is none those of differences.
    pub(super) fn test_forward(&mut self, direction: &Floats) -> Result<Vec<Estimate>, Mismatch> {
        let differences = differences(self, direction);
        let Some(tangents) = self.run_jvp(direction)? else {
            return self.best(&differences);
        };
        let again = self.run_jvp(direction)?;
        self.check_repeated(&tangents, again.as_deref())?;
        self.compare_tangents(&tangents, &differences)?;
        self.report.forward = true;
        Ok(exact(tangents))
    }

    /// The tangents of the results along a direction, without a test.
    pub(super) fn image(&self, direction: &Floats) -> Result<Vec<Estimate>, Mismatch> {
        match self.run_jvp(direction)? {
            Some(tangents) => Ok(exact(tangents)),
            None => self.best(&differences(self, direction)),
        }
    }

    fn run_jvp(&self, direction: &Floats) -> Result<Option<Vec<f64>>, Mismatch> {
        let Some((state, tangents)) = self.subject.jvp(direction) else {
            return Ok(None);
        };
        self.compare_states(Kind::Value, "jvp", &state)?;
        self.check_shapes(&tangents)?;
        self.check_constants("the tangent", &tangents.parameters)?;
        Ok(Some(self.flat(&tangents)))
    }

    fn check_shapes(&self, tangents: &Tangents) -> Result<(), Mismatch> {
        let found = tangents.output.len();
        self.check_size("jvp's tangent", "the output", found, self.output_size())?;
        for (index, expected) in self.sizes_after().iter().enumerate() {
            let found = tangents.parameters[index].len();
            self.check_size("jvp's tangent", &self.parameter(index), found, *expected)?;
        }
        Ok(())
    }

    /// What is not differentiated has no tangent and no cotangent.
    pub(super) fn check_constants(&self, what: &str, found: &Floats) -> Result<(), Mismatch> {
        let constants = (0..found.len()).filter(|index| !self.is_active(*index));
        for index in constants {
            if let Some(float) = found[index].iter().find(|float| **float != 0.0) {
                let parameter = self.parameter(index);
                let message = format!("{what} of {parameter}, which is constant, is {float:?}");
                return Err(self.mismatch(Kind::Constant, message));
            }
        }
        Ok(())
    }

    fn check_repeated(&self, first: &[f64], second: Option<&[f64]>) -> Result<(), Mismatch> {
        let second = second.unwrap_or_default();
        let differs = |index: &usize| !same(first[*index], second[*index]);
        let Some(index) = (0..first.len()).find(differs) else {
            return Ok(());
        };
        let (first, second) = (first[index], second[index]);
        let result = self.result(index);
        let message = format!(
            "jvp makes the tangent of {result} {first:?}, and {second:?} when it runs again"
        );
        Err(self.mismatch(Kind::Repeat, message))
    }

    fn compare_tangents(&mut self, found: &[f64], expected: &[Quotients]) -> Result<(), Mismatch> {
        for (index, (tangent, quotients)) in found.iter().zip(expected).enumerate() {
            let Some(quotient) = quotients.agreeing(*tangent, self.precision.difference) else {
                return Err(self.disagreement(index, *tangent, quotients));
            };
            let size = tangent.abs().max(quotient.value.abs()).max(self.results[index].abs());
            let error = (tangent - quotient.value).abs() / size;
            // The maximum with NaN, which comes of 0 / 0, is the other number.
            self.report.largest_difference = self.report.largest_difference.max(error);
        }
        Ok(())
    }

    fn disagreement(&self, index: usize, tangent: f64, quotients: &Quotients) -> Mismatch {
        let result = self.result(index);
        let expected = match quotients.best() {
            Some(Estimate { value, error }) => {
                format!("expected {value:?} ± {error:.1e} by differences")
            }
            None => "differences are not finite".into(),
        };
        self.mismatch(
            Kind::Tangent,
            format!("jvp's tangent of {result} is {tangent:?}, {expected}"),
        )
    }

    /// The best quotients, with the error that a comparison with them has to allow.
    fn best(&self, differences: &[Quotients]) -> Result<Vec<Estimate>, Mismatch> {
        let best = |(index, quotients): (usize, &Quotients)| {
            let best = quotients.best().ok_or_else(|| {
                let message = format!("differences of {} are not finite", self.result(index));
                self.mismatch(Kind::Cotangent, message)
            })?;
            let error = self.precision.difference * best.value.abs() + 4.0 * best.error;
            Ok(Estimate { error, ..best })
        };
        differences.iter().enumerate().map(best).collect()
    }
}

fn exact(tangents: Vec<f64>) -> Vec<Estimate> {
    tangents.into_iter().map(|value| Estimate { value, error: 0.0 }).collect()
}
