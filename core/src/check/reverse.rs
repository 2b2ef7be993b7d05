//! The tests of reverse mode: the value, the shapes, restored arguments, shadows that are added to,
//! and the cotangents against the tangents of forward mode.
//!
//! The last rests on the identity that defines a transpose. With the `&mut` parameters `s` before and
//! after the call among the inputs and the results,
//!
//! ⟨ȳ, ẏ⟩ + ⟨s̄ after, ṡ after⟩ = ⟨x̄, ẋ⟩ + ⟨w̄, ẇ⟩ + ⟨s̄ before, ṡ before⟩.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::difference::Estimate;
use super::forward::LOCATED;
use super::leaves::{Floats, same};
use super::mismatch::{Kind, Mismatch, Mode};
use super::parameter::Role;
use super::place::{Whose, quoted};
use super::precision::Precision;
use super::rounding::{Cotangents, MARGIN};
use super::subject::{Reverse, Tangents};
use super::tester::{LISTED, Tester, abridged};

/// Two sides of an identity, and how far apart they may be.
struct Sides {
    forward: f64,
    reverse: f64,
    tolerance: f64,
    /// The sum of the magnitudes of all terms.
    scale: f64,
}

impl Sides {
    fn agree(&self) -> bool {
        // Below the normal numbers rounding is not relative.
        (self.forward - self.reverse).abs() <= self.tolerance.max(f64::MIN_POSITIVE)
    }
}

impl Tester<'_> {
    /// Tests reverse mode with a seed of its own. `image` has the tangents of the results along
    /// `direction`.
    pub(super) fn test_reverse(
        &mut self,
        direction: &Floats,
        image: &[Estimate],
    ) -> Result<(), Mismatch> {
        let flat_seed = self.seed(image);
        let seed = self.unflat(&flat_seed);
        let Some(cotangents) = self.cotangents(&seed)? else {
            return Ok(());
        };
        self.report.reverse = true;
        let sides = self.sides(&flat_seed, image, direction, &cotangents);
        if !sides.agree() {
            return Err(self.locate(&flat_seed, &cotangents, &sides));
        }
        let error = (sides.forward - sides.reverse).abs() / sides.scale;
        self.report.largest_disagreement = self.report.largest_disagreement.max(error);
        self.test_shadows(seed, &cotangents)
    }

    /// A random seed which weighs all results about equally, whatever their units.
    fn seed(&mut self, image: &[Estimate]) -> Vec<f64> {
        self.sizes_of(image).into_iter().map(|size| self.random.weight() / size).collect()
    }

    /// The sizes of the results' tangents. That of a tangent which rounding alone makes is the size of the terms that
    /// cancel in it. Where these cancel in the same way at all neighbours, no error shows it: so a tangent counts as
    /// at least such a part of its result, and of the largest tangent, that a seed of its inverse leaves the others
    /// their digits.
    fn sizes_of(&self, image: &[Estimate]) -> Vec<f64> {
        let Precision { epsilon, rounding, smallest, .. } = self.precision;
        let largest = image.iter().fold(0.0, |size, tangent| tangent.value.abs().max(size));
        let of_one = |(Estimate { value, error }, result): (&Estimate, &f64)| {
            let least = MARGIN * epsilon / rounding * result.abs().min(largest);
            let size = value.abs().max(error / (8.0 * epsilon));
            if size > 0.0 { size.max(least).clamp(smallest, 1.0 / smallest) } else { 1.0 }
        };
        image.iter().zip(&self.results).map(of_one).collect()
    }

    /// The cotangents with a seed, and their rounding errors.
    fn cotangents(&self, seed: &Tangents) -> Result<Option<Cotangents>, Mismatch> {
        let Some(values) = self.run_vjp(seed)? else {
            return Ok(None);
        };
        let errors = self.errors_of_cotangents(seed, &values);
        Ok(Some(Cotangents { values, errors }))
    }

    /// Runs `vjp` and tests all that does not need a second run.
    fn run_vjp(&self, seed: &Tangents) -> Result<Option<Floats>, Mismatch> {
        let Some(run) = self.subject.vjp(seed) else {
            return Ok(None);
        };
        self.test_run(Mode::Vjp, run).map(Some)
    }

    fn test_run(&self, mode: Mode, run: Reverse) -> Result<Floats, Mismatch> {
        self.compare_states(Kind::Value, mode, &run.state)?;
        self.check_restored(mode, &run.restored)?;
        let what = format!("{mode}'s cotangent");
        for (index, cotangents) in run.cotangents.iter().enumerate() {
            let whose = Whose::Before(index);
            self.check_size(mode, &what, whose, cotangents.len(), self.sizes[index])?;
        }
        self.check_constants(mode, "the cotangent", &run.cotangents)?;
        self.check_stay(mode, &run.stay)?;
        Ok(run.cotangents)
    }

    /// Runs the pullback, twice, with shadows that are not zero. `plain` has its cotangents for
    /// shadows of zero.
    fn test_shadows(&mut self, mut seed: Tangents, plain: &Cotangents) -> Result<(), Mismatch> {
        let shadows = self.shadows(plain);
        for (index, shadow) in shadows.iter().enumerate() {
            if self.roles[index] == Role::Shared {
                seed.parameters[index].clone_from(shadow);
            }
        }
        let found = self.run_vjp(&seed)?.unwrap_or_default();
        let again = self.run_vjp(&seed)?.unwrap_or_default();
        self.compare_bits(Mode::Vjp, &found, &again)?;
        let message = "with shadows that were not zero, vjp's cotangent of";
        let (kind, mode) = (Kind::Shadow, Mode::Vjp);
        self.compare_cotangents((kind, mode), message, &found, plain, &shadows)
    }

    /// Random shadows for parameters behind `&`, in the size of the cotangents that will be added;
    /// zeros for the others.
    fn shadows(&mut self, plain: &Cotangents) -> Floats {
        let of_one = |((floats, size), role): ((&Vec<f64>, f64), &Role)| {
            let size = if size == 0.0 { 1.0 } else { size };
            let shared = *role == Role::Shared;
            let mut shadow = || {
                if shared { size * self.random.weight() } else { 0.0 }
            };
            floats.iter().map(|_| shadow()).collect()
        };
        plain.values.iter().zip(plain.sizes()).zip(&self.roles).map(of_one).collect()
    }

    fn compare_bits(&self, mode: Mode, first: &Floats, second: &Floats) -> Result<(), Mismatch> {
        for (parameter, (first, second)) in first.iter().zip(second).enumerate() {
            let differs = |index: &usize| !same(first[*index], second[*index]);
            if let Some(index) = (0..first.len()).find(differs) {
                let place = self.input(parameter, index);
                let (first, second) = (first[index], second[index]);
                let message = format!(
                    "{mode}'s cotangent of {} is {first:?}, and {second:?} in a second run",
                    quoted(&place)
                );
                let mismatch = self.mismatch(Kind::Repeat, mode, place, message);
                return Err(mismatch.between(second, first));
            }
        }
        Ok(())
    }

    /// Compares cotangents with others to which shadows are added. They may differ by rounding.
    fn compare_cotangents(
        &self,
        (kind, mode): (Kind, Mode),
        made: &str,
        found: &Floats,
        plain: &Cotangents,
        shadows: &Floats,
    ) -> Result<(), Mismatch> {
        for (parameter, found) in found.iter().enumerate() {
            let pairs = plain.values[parameter].iter().zip(&shadows[parameter]);
            let expected: Vec<f64> = pairs.map(|(plain, shadow)| plain + shadow).collect();
            let tolerance = self.precision.rounding * largest(&expected) + plain.errors[parameter];
            let close = |a: f64, b: f64| same(a, b) || (a - b).abs() <= tolerance;
            let differs = |index: &usize| !close(found[*index], expected[*index]);
            if let Some(index) = (0..found.len()).find(differs) {
                let place = self.input(parameter, index);
                let (found, expected) = (found[index], expected[index]);
                let message = format!(
                    "{made} {} is {found:?}, expected {expected:?} ± {tolerance:.1e}",
                    quoted(&place)
                );
                let mismatch = self.mismatch(kind, mode, place, message);
                return Err(mismatch.between(found, expected));
            }
        }
        Ok(())
    }

    /// Both sides of the identity.
    fn sides(
        &self,
        seed: &[f64],
        image: &[Estimate],
        direction: &Floats,
        cotangents: &Cotangents,
    ) -> Sides {
        let mut sides = Sides { forward: 0.0, reverse: 0.0, tolerance: 0.0, scale: 0.0 };
        for (y_bar, y_dot) in seed.iter().zip(image) {
            sides.forward += y_bar * y_dot.value;
            sides.scale += (y_bar * y_dot.value).abs();
            sides.tolerance += y_bar.abs() * y_dot.error;
        }
        for ((x_bar, x_dot), error) in
            cotangents.values.iter().zip(direction).zip(&cotangents.errors)
        {
            for (x_bar, x_dot) in x_bar.iter().zip(x_dot) {
                sides.reverse += x_bar * x_dot;
                sides.scale += (x_bar * x_dot).abs();
                sides.tolerance += error * x_dot.abs();
            }
        }
        sides.tolerance += self.precision.rounding * sides.scale;
        sides
    }

    /// Looks for the cotangent that breaks the identity, one input after the other.
    fn locate(&self, seed: &[f64], cotangents: &Cotangents, whole: &Sides) -> Mismatch {
        let places =
            self.sizes.iter().enumerate().flat_map(|(p, size)| (0..*size).map(move |i| (p, i)));
        for place in places.filter(|place| self.is_active(place.0)).take(LOCATED) {
            let direction = self.basis(place.0, place.1);
            let Ok(image) = self.image(&direction) else {
                continue;
            };
            let sides = self.sides(seed, &image, &direction, cotangents);
            if !sides.agree() {
                let found = self.attribute(place, &direction, &image);
                return found.unwrap_or_else(|| {
                    let along = self.describe_seed(seed);
                    let with = format!("a seed of {along}");
                    self.wrong_cotangent(place, &sides, direction[place.0][place.1], (&with, along))
                });
            }
        }
        self.mismatch(Kind::Cotangent, Mode::Vjp, String::new(), unlocated(whole, self.yardstick()))
    }

    /// Looks for the result whose cotangent alone makes that of an input wrong. `image` has the tangents along this
    /// input.
    fn attribute(
        &self,
        place: (usize, usize),
        direction: &Floats,
        image: &[Estimate],
    ) -> Option<Mismatch> {
        for result in (0..self.results.len()).take(LOCATED) {
            let mut seed = vec![0.0; self.results.len()];
            seed[result] = 1.0;
            let cotangents = self.cotangents(&self.unflat(&seed)).ok()??;
            let sides = self.sides(&seed, image, direction, &cotangents);
            if !sides.agree() {
                let unit = direction[place.0][place.1];
                let along = self.result(result);
                let with = format!("a seed of 1 at {}", quoted(&along));
                return Some(self.wrong_cotangent(place, &sides, unit, (&with, along)));
            }
        }
        None
    }

    fn wrong_cotangent(
        &self,
        (parameter, index): (usize, usize),
        sides: &Sides,
        unit: f64,
        (with, along): (&str, String),
    ) -> Mismatch {
        let (place, against) = (self.input(parameter, index), self.yardstick());
        let (found, expected) = (sides.reverse / unit, sides.forward / unit);
        let tolerance = sides.tolerance / unit.abs();
        let message = format!(
            "vjp's cotangent of `{place}` with {with} is {found:?}, expected {expected:?} ± {tolerance:.1e} by {against}"
        );
        let mismatch = self.mismatch(Kind::Cotangent, Mode::Vjp, place, message);
        mismatch.along(along).between(found, expected)
    }

    /// A seed, number by number.
    fn describe_seed(&self, seed: &[f64]) -> String {
        let seeded = seed.iter().enumerate().filter(|(_, float)| **float != 0.0).take(LISTED + 1);
        let entry =
            |(result, float): (usize, &f64)| format!("{float:?} in {}", self.result(result));
        abridged(seeded.map(entry).collect())
    }

    /// What reverse mode is compared with.
    fn yardstick(&self) -> &'static str {
        if self.report.forward { "jvp" } else { "differences" }
    }

    /// `accumulate_gradient` agrees with the pullback whose seed is one.
    pub(super) fn test_accumulate(&mut self) -> Result<(), Mismatch> {
        if !self.subject.accumulates() {
            return Ok(());
        }
        let mode = Mode::AccumulateGradient;
        self.check_size(mode, "the gradient's seed", Whose::Output, 1, self.output_size())?;
        let mut seed = self.unflat(&vec![0.0; self.results.len()]);
        seed.output = vec![1.0];
        let Some(plain) = self.cotangents(&seed)? else {
            return Ok(());
        };
        let shadows = self.shadows(&plain);
        let Some(run) = self.subject.accumulate(&shadows) else {
            return Ok(());
        };
        let found = self.test_run(mode, run)?;
        if let Some(again) = self.subject.accumulate(&shadows) {
            self.compare_bits(mode, &found, &again.cotangents)?;
            self.check_allocations(mode, again.allocations)?;
        }
        self.report.accumulate = true;
        let made = "accumulate_gradient's cotangent of";
        self.compare_cotangents((Kind::Accumulate, mode), made, &found, &plain, &shadows)
    }
}

fn unlocated(sides: &Sides, against: &str) -> String {
    let Sides { forward, reverse, tolerance, .. } = sides;
    format!(
        "⟨x_bar, x_dot⟩ by vjp is {reverse:?}, expected ⟨y_bar, y_dot⟩ = {forward:?} ± {tolerance:.1e} by {against}"
    )
}

/// The largest magnitude.
pub(super) fn largest(floats: &[f64]) -> f64 {
    floats.iter().fold(0.0, |largest, float| float.abs().max(largest))
}
