//! The tests of forward mode: the value, the shapes, and the tangents against central differences.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::difference::{Estimate, Quotients, differences};
use super::leaves::{Floats, moving, same};
use super::mismatch::{Kind, Mismatch, Mode};
use super::parameter::Role;
use super::place::{Whose, quoted};
use super::subject::{Batch, Forward, Tangents};
use super::tester::Tester;

/// How many inputs are tried one by one when a mismatch is to be located.
pub(super) const LOCATED: usize = 1000;

impl Tester<'_> {
    /// Tests forward mode along a direction and returns the tangents of the results: those of `jvp`,
    /// which are exact but for rounding, or where there is none those of differences.
    pub(super) fn test_forward(&mut self, direction: &Floats) -> Result<Vec<Estimate>, Mismatch> {
        let differences = differences(self, direction);
        let Some(tangents) = self.run_jvp(direction)? else {
            return self.best(&differences);
        };
        if let Some(again) = self.subject.jvp(direction) {
            self.check_repeated(&tangents, &self.flat(&again.tangents))?;
            self.check_allocations(Mode::Jvp, again.allocations)?;
        }
        self.check_batch(direction, &tangents)?;
        let tangents = self.with_errors(tangents, direction);
        self.compare_tangents(direction, &tangents, &differences)?;
        self.report.forward = true;
        Ok(tangents)
    }

    /// Two directions at once are as each by itself.
    fn check_batch(&self, direction: &Floats, alone: &[f64]) -> Result<(), Mismatch> {
        let other = turned(direction);
        let Some(Batch { state, tangents }) = self.subject.batch([direction, &other]) else {
            return Ok(());
        };
        self.compare_states(Kind::Value, Mode::Jvp, &state)?;
        let other = self.subject.jvp(&other).map(|run| self.flat(&run.tangents));
        let alone = [Some(alone.to_vec()), other];
        for (alone, tangents) in alone.iter().flatten().zip(&tangents) {
            self.check_shapes(tangents)?;
            self.check_same(Kind::Batch, alone, &self.flat(tangents), |place, alone, found| {
                format!("jvp_batch's tangent of {place} is {found:?}, expected {alone:?} by jvp")
            })?;
        }
        Ok(())
    }

    /// The tangents of the results along a direction, without a test.
    pub(super) fn image(&self, direction: &Floats) -> Result<Vec<Estimate>, Mismatch> {
        match self.run_jvp(direction)? {
            Some(tangents) => Ok(self.with_errors(tangents, direction)),
            None => self.best(&differences(self, direction)),
        }
    }

    fn run_jvp(&self, direction: &Floats) -> Result<Option<Vec<f64>>, Mismatch> {
        let Some(Forward { state, tangents, given, stay, .. }) = self.subject.jvp(direction) else {
            return Ok(None);
        };
        self.compare_states(Kind::Value, Mode::Jvp, &state)?;
        self.check_shapes(&tangents)?;
        self.check_constants(Mode::Jvp, "the tangent", &tangents.parameters)?;
        self.check_stay(Mode::Jvp, &stay)?;
        self.check_read(&given, &tangents.parameters)?;
        Ok(Some(self.flat(&tangents)))
    }

    fn check_shapes(&self, tangents: &Tangents) -> Result<(), Mismatch> {
        let (mode, what) = (Mode::Jvp, "jvp's tangent");
        let found = tangents.output.len();
        self.check_size(mode, what, Whose::Output, found, self.output_size())?;
        for (index, expected) in self.sizes_after().iter().enumerate() {
            let found = tangents.parameters[index].len();
            self.check_size(mode, what, Whose::After(index), found, *expected)?;
        }
        Ok(())
    }

    /// What is not differentiated has no tangent and no cotangent.
    pub(super) fn check_constants(
        &self,
        mode: Mode,
        what: &str,
        found: &Floats,
    ) -> Result<(), Mismatch> {
        let constants = (0..found.len()).filter(|index| !self.is_active(*index));
        for parameter in constants {
            if let Some(index) = found[parameter].iter().position(|float| *float != 0.0) {
                let (place, float) = (self.input(parameter, index), found[parameter][index]);
                let message =
                    format!("{what} of {}, which is constant, is {float:?}", quoted(&place));
                let mismatch = self.mismatch(Kind::Constant, mode, place, message);
                return Err(mismatch.between(float, 0.0));
            }
        }
        Ok(())
    }

    /// The tangents of what is behind `&` are only read.
    fn check_read(&self, given: &Floats, found: &Floats) -> Result<(), Mismatch> {
        let shared = (0..found.len()).filter(|index| self.roles[*index] == Role::Shared);
        for parameter in shared {
            let (found, given) = (&found[parameter], &given[parameter]);
            if let Some(index) = (0..found.len()).find(|index| found[*index] != given[*index]) {
                let (place, a, b) = (self.input(parameter, index), found[index], given[index]);
                let message =
                    format!("jvp changes the tangent of {} from {b:?} to {a:?}", quoted(&place));
                return Err(self.mismatch(Kind::Shadow, Mode::Jvp, place, message).between(a, b));
            }
        }
        Ok(())
    }

    fn check_repeated(&self, first: &[f64], second: &[f64]) -> Result<(), Mismatch> {
        self.check_same(Kind::Repeat, first, second, |place, first, second| {
            format!("jvp's tangent of {place} is {first:?}, and {second:?} in a second run")
        })
    }

    /// Tangents of two runs are the same bit for bit.
    fn check_same(
        &self,
        kind: Kind,
        first: &[f64],
        second: &[f64],
        message: impl Fn(String, f64, f64) -> String,
    ) -> Result<(), Mismatch> {
        let mut pairs = first.iter().zip(second);
        let Some(index) = pairs.position(|(first, second)| !same(*first, *second)) else {
            return Ok(());
        };
        let (place, first, second) = (self.result(index), first[index], second[index]);
        let message = message(quoted(&place), first, second);
        Err(self.mismatch(kind, Mode::Jvp, place, message).between(second, first))
    }

    fn compare_tangents(
        &mut self,
        direction: &Floats,
        found: &[Estimate],
        expected: &[Quotients],
    ) -> Result<(), Mismatch> {
        if let Some(index) = self.mistake(direction, found, expected) {
            return Err(self.locate_tangent(direction).unwrap_or_else(|| {
                let along = self.describe(direction);
                self.disagreement(index, found[index].value, &expected[index], 1.0, along)
            }));
        }
        for (index, (found, quotients)) in found.iter().zip(expected).enumerate() {
            let Some(quotient) = quotients.agreeing(*found) else { continue };
            let tangent = found.value;
            let size = tangent.abs().max(quotient.value.abs()).max(self.results[index].abs());
            let error = (tangent - quotient.value).abs() / size;
            // The maximum with NaN, which comes of 0 / 0, is the other number.
            self.report.largest_difference = self.report.largest_difference.max(error);
        }
        Ok(())
    }

    /// The first result whose tangent is wrong: it disagrees with differences, at the neighbours of the point as well.
    fn mistake(
        &self,
        direction: &Floats,
        found: &[Estimate],
        expected: &[Quotients],
    ) -> Option<usize> {
        let disagrees = |index: usize| expected[index].agreeing(found[index]).is_none();
        let is_wrong = |index: &usize| {
            let residual = |tester: &Tester<'_>, direction: &Floats| {
                let tangents = self.flat(&tester.subject.jvp(direction)?.tangents);
                let best = differences(tester, direction).get(*index)?.best()?;
                Some(tangents.get(*index)? - best.value)
            };
            let best = expected[*index].best().map_or(f64::NAN, |best| best.value);
            disagrees(*index) && self.is_systematic(found[*index].value - best, direction, residual)
        };
        (0..found.len()).find(is_wrong)
    }

    /// Looks for an input along which alone the tangent of a result is wrong.
    fn locate_tangent(&self, direction: &Floats) -> Option<Mismatch> {
        for (parameter, index) in moving(direction).take(LOCATED) {
            let basis = self.basis(parameter, index);
            let tangents = self.flat(&self.subject.jvp(&basis)?.tangents);
            let tangents = self.with_errors(tangents, &basis);
            let differences = differences(self, &basis);
            if let Some(result) = self.mistake(&basis, &tangents, &differences) {
                let (tangent, quotients) = (tangents[result].value, &differences[result]);
                let (unit, along) = (basis[parameter][index], self.input(parameter, index));
                let along = format!("`{along}`");
                let mismatch = self.disagreement(result, tangent, quotients, unit, along);
                return Some(self.with_vjp(mismatch, result, (parameter, index)));
            }
        }
        None
    }

    /// A tangent that differs from differences, both divided by the length of the direction.
    fn disagreement(
        &self,
        result: usize,
        tangent: f64,
        quotients: &Quotients,
        unit: f64,
        along: String,
    ) -> Mismatch {
        let place = self.result(result);
        let best = quotients.best();
        let expected = match best {
            Some(Estimate { value, error }) => {
                let (value, error) = (value / unit, error / unit.abs());
                format!("expected {value:?} ± {error:.1e} by differences")
            }
            None => "differences are not finite".into(),
        };
        let found = tangent / unit;
        let message =
            format!("jvp's tangent of {} along {along} is {found:?}, {expected}", quoted(&place));
        let mismatch = self.mismatch(Kind::Tangent, Mode::Jvp, place, message);
        let mismatch = mismatch.along(along.trim_matches('`').into());
        mismatch.between(found, best.map_or(f64::NAN, |best| best.value / unit))
    }

    /// Says what reverse mode makes of the same derivative: a rule may be right in one mode alone.
    fn with_vjp(&self, mismatch: Mismatch, result: usize, input: (usize, usize)) -> Mismatch {
        let mut seed = vec![0.0; self.results.len()];
        seed[result] = 1.0;
        let run = self.subject.vjp(&self.unflat(&seed));
        let cotangent = run.and_then(|run| run.cotangents[input.0].get(input.1).copied());
        match cotangent {
            Some(cotangent) => mismatch.adding(&format!("; by vjp it is {cotangent:?}")),
            None => mismatch,
        }
    }

    /// The best quotients, with the error that a comparison with them has to allow.
    fn best(&self, differences: &[Quotients]) -> Result<Vec<Estimate>, Mismatch> {
        let best = |(index, quotients): (usize, &Quotients)| {
            quotients.allowed().ok_or_else(|| {
                let place = self.result(index);
                let message = format!("differences of {} are not finite", quoted(&place));
                self.mismatch(Kind::Cotangent, Mode::Vjp, place, message)
            })
        };
        differences.iter().enumerate().map(best).collect()
    }
}

/// A direction that is no multiple of the given one, where there are two floats.
fn turned(direction: &Floats) -> Floats {
    let turned = |floats: &Vec<f64>| {
        let each = floats.iter().enumerate();
        each.map(|(index, float)| if index % 2 == 0 { -0.5 * float } else { 2.0 * float }).collect()
    };
    direction.iter().map(turned).collect()
}
