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
use super::subject::{Reverse, Tangents};
use super::tester::{LISTED, Tester, abridged};

/// Two sides of an identity, and how far apart they may be.
struct Sides {
    forward: f64,
    reverse: f64,
    tolerance: f64,
    /// The sum of the magnitudes of all terms.
    scale: f64,
    /// What the rounding of terms that cancel leaves behind, however small their sum is.
    floor: f64,
}

impl Sides {
    fn agree(&self) -> bool {
        // Below the normal numbers rounding is not relative.
        let allowed = (self.tolerance + self.floor).max(f64::MIN_POSITIVE);
        (self.forward - self.reverse).abs() <= allowed
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
        let Some(cotangents) = self.run_vjp(&seed)? else {
            return Ok(());
        };
        self.report.reverse = true;
        let sides = self.sides(&flat_seed, image, direction, &cotangents);
        if !sides.agree() {
            return Err(self.locate(&flat_seed, &cotangents, &sides));
        }
        let error = (sides.forward - sides.reverse).abs() / sides.scale;
        self.report.largest_disagreement = self.report.largest_disagreement.max(error);
        self.test_shadows(seed, &cotangents)?;
        self.test_accumulate()
    }

    /// A random seed which weighs all results about equally, whatever their units.
    fn seed(&mut self, image: &[Estimate]) -> Vec<f64> {
        let size = |tangent: f64| {
            if tangent == 0.0 { 1.0 } else { tangent.abs().clamp(1e-6, 1e6) }
        };
        let weight = |estimate: &Estimate| self.random.weight() / size(estimate.value);
        image.iter().map(weight).collect()
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
    fn test_shadows(&mut self, mut seed: Tangents, plain: &Floats) -> Result<(), Mismatch> {
        let shadows = self.shadows(plain);
        let mut expected = plain.clone();
        for (index, shadow) in shadows.iter().enumerate() {
            if self.roles[index] == Role::Shared {
                expected[index].iter_mut().zip(shadow).for_each(|(place, float)| *place += float);
                seed.parameters[index].clone_from(shadow);
            }
        }
        let found = self.run_vjp(&seed)?.unwrap_or_default();
        let again = self.run_vjp(&seed)?.unwrap_or_default();
        self.compare_bits(Mode::Vjp, &found, &again)?;
        let message = "with shadows that were not zero, vjp makes the cotangent of";
        let (kind, mode) = (Kind::Shadow, Mode::Vjp);
        self.compare_cotangents((kind, mode), message, &found, &expected)
    }

    /// Random shadows for parameters behind `&`, in the size of the cotangents that will be added;
    /// zeros for the others.
    fn shadows(&mut self, cotangents: &Floats) -> Floats {
        let of_one = |(floats, role): (&Vec<f64>, &Role)| {
            let largest = largest(floats);
            let size = if largest == 0.0 { 1.0 } else { largest };
            let shared = *role == Role::Shared;
            let mut shadow = || {
                if shared { size * self.random.weight() } else { 0.0 }
            };
            floats.iter().map(|_| shadow()).collect()
        };
        cotangents.iter().zip(&self.roles).map(of_one).collect()
    }

    fn compare_bits(&self, mode: Mode, first: &Floats, second: &Floats) -> Result<(), Mismatch> {
        for (parameter, (first, second)) in first.iter().zip(second).enumerate() {
            let differs = |index: &usize| !same(first[*index], second[*index]);
            if let Some(index) = (0..first.len()).find(differs) {
                let place = self.input(parameter, index);
                let (first, second) = (first[index], second[index]);
                let message = format!(
                    "{mode} makes the cotangent of {} {first:?}, and {second:?} when it runs again",
                    quoted(&place)
                );
                let mismatch = self.mismatch(Kind::Repeat, mode, place, message);
                return Err(mismatch.between(second, first));
            }
        }
        Ok(())
    }

    /// Compares cotangents that may differ by rounding.
    fn compare_cotangents(
        &self,
        (kind, mode): (Kind, Mode),
        made: &str,
        found: &Floats,
        expected: &Floats,
    ) -> Result<(), Mismatch> {
        for (parameter, (found, expected)) in found.iter().zip(expected).enumerate() {
            let tolerance = self.precision.rounding * largest(expected);
            let close = |a: f64, b: f64| same(a, b) || (a - b).abs() <= tolerance;
            let differs = |index: &usize| !close(found[*index], expected[*index]);
            if let Some(index) = (0..found.len()).find(differs) {
                let place = self.input(parameter, index);
                let (found, expected) = (found[index], expected[index]);
                let message = format!("{made} {} {found:?}, expected {expected:?}", quoted(&place));
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
        cotangents: &Floats,
    ) -> Sides {
        let mut sides =
            Sides { forward: 0.0, reverse: 0.0, tolerance: 0.0, scale: 0.0, floor: 0.0 };
        for (y_bar, y_dot) in seed.iter().zip(image) {
            sides.forward += y_bar * y_dot.value;
            sides.scale += (y_bar * y_dot.value).abs();
            sides.tolerance += y_bar.abs() * y_dot.error;
        }
        for (x_bar, x_dot) in cotangents.iter().flatten().zip(direction.iter().flatten()) {
            sides.reverse += x_bar * x_dot;
            sides.scale += (x_bar * x_dot).abs();
        }
        // Directions are in proportion to what they move, so a tangent is as large as its result where
        // nothing cancels.
        for (y_bar, y) in seed.iter().zip(&self.results) {
            sides.floor += 16.0 * self.precision.epsilon * (y_bar * y).abs();
        }
        sides.tolerance += self.precision.rounding * sides.scale;
        sides
    }

    /// Looks for the cotangent that breaks the identity, one input after the other.
    fn locate(&self, seed: &[f64], cotangents: &Floats, whole: &Sides) -> Mismatch {
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
            let cotangents = self.subject.vjp(&self.unflat(&seed))?.cotangents;
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
        let message = format!(
            "vjp's cotangent of `{place}` with {with} is {found:?}, expected {expected:?} by {against}"
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
    fn test_accumulate(&mut self) -> Result<(), Mismatch> {
        let shadows = self.shadows(&self.sizes.iter().map(|size| vec![1.0; *size]).collect());
        let Some(run) = self.subject.accumulate(&shadows) else {
            return Ok(());
        };
        let mode = Mode::AccumulateGradient;
        self.check_size(mode, "the gradient's seed", Whose::Output, 1, self.output_size())?;
        let mut seed = self.unflat(&vec![0.0; self.results.len()]);
        for (index, shadow) in shadows.iter().enumerate() {
            if self.roles[index] == Role::Shared {
                seed.parameters[index].clone_from(shadow);
            }
        }
        seed.output = vec![1.0];
        let expected = self.run_vjp(&seed)?.unwrap_or_default();
        let found = self.test_run(mode, run)?;
        if let Some(again) = self.subject.accumulate(&shadows) {
            self.compare_bits(mode, &found, &again.cotangents)?;
            self.check_allocations(mode, again.allocations)?;
        }
        self.report.accumulate = true;
        let made = "accumulate_gradient makes the cotangent of";
        self.compare_cotangents((Kind::Accumulate, mode), made, &found, &expected)
    }
}

fn unlocated(sides: &Sides, against: &str) -> String {
    let Sides { forward, reverse, .. } = sides;
    format!("⟨y_bar, y_dot⟩ is {forward:?} by {against}, but ⟨x_bar, x_dot⟩ by vjp is {reverse:?}")
}

/// The largest magnitude.
pub(super) fn largest(floats: &[f64]) -> f64 {
    floats.iter().fold(0.0, |largest, float| float.abs().max(largest))
}
