//! What the derivatives of the simulated rod must satisfy, whatever computes them.
//!
//! Out: for each [`Law`] how far it is from being true, relative to the numbers at hand. A single mode
//! decays by a number, whose derivatives are known. Conduction is symmetric, since what a node passes on to
//! another is what it would receive from it: so the pullback of a profile is the conducted profile, on
//! any rod.

use super::modes::Mode;
use super::rod::{Record, conduct, uniform_misfit};

/// A statement about the derivatives.
pub struct Law {
    /// What holds.
    pub name: &'static str,
    /// How far it is from holding.
    pub found: f64,
}

impl Law {
    /// Whether it holds up to rounding.
    pub fn holds(&self) -> bool {
        self.found <= ROUNDING
    }
}

/// What rounding may do in the steps taken here.
pub const ROUNDING: f64 = 1e-12;

const INTERVALS: usize = 40;
const MODE: Mode = Mode { intervals: INTERVALS, half_waves: 3 };
const FOURIER: f64 = 0.3;
const STEPS: usize = 150;

/// Every law, tested.
pub fn laws() -> Vec<Law> {
    let law = |name, found| Law { name, found };
    vec![
        law("a mode decays by a number", mode_decays()),
        law("what is left, by the diffusivity", by_diffusivity()),
        law("the same, by that of each interval", by_each_interval()),
        law("what is left, by the initial profile", by_profile()),
        law("a misfit, by the logarithm", by_logarithm()),
        law("pullback is conduction, on an uneven rod", symmetric()),
        law("adjoint identity of jvp and vjp", adjoint()),
    ]
}

fn mode_decays() -> f64 {
    let shape = MODE.shape();
    let left = conduct(&shape, &[FOURIER; INTERVALS], STEPS);
    deviation(&left, &scaled(&shape, MODE.decay(FOURIER, STEPS)))
}

/// All intervals change alike.
fn by_diffusivity() -> f64 {
    let shape = MODE.shape();
    let constant = vec![0.0; shape.len()];
    let alike = [1.0; INTERVALS];
    let (_, found) = conduct::jvp(&shape, &constant, &[FOURIER; INTERVALS], &alike, STEPS);
    deviation(&found, &scaled(&shape, MODE.decay_by_fourier(FOURIER, STEPS)))
}

/// The product of what is left with the shape. An interval conducts across the difference of its ends.
fn by_each_interval() -> f64 {
    let shape = MODE.shape();
    let (_, found) = pull(&shape, &[FOURIER; INTERVALS], &shape);
    let factor = MODE.decay_by_fourier(FOURIER, STEPS) / MODE.stiffness();
    let expected: Vec<f64> =
        shape.windows(2).map(|ends| factor * (ends[1] - ends[0]).powi(2)).collect();
    deviation(&found, &expected)
}

/// The ends are left out: they are kept, and so depend on themselves only.
fn by_profile() -> f64 {
    let shape = MODE.shape();
    let (found, _) = pull(&shape, &[FOURIER; INTERVALS], &shape);
    deviation(inner(&found), inner(&scaled(&shape, MODE.decay(FOURIER, STEPS))))
}

/// Half the squares of a decaying mode at two times, by the logarithm of the diffusivity: the derivative by
/// the diffusivity, times the diffusivity.
fn by_logarithm() -> f64 {
    let shape = MODE.shape();
    let inner: Vec<usize> = (1..INTERVALS).collect();
    let readings = vec![vec![0.0; inner.len()]; 2];
    let record = Record { nodes: inner, readings, interval: STEPS, scale: 0.1 };
    let found = uniform_misfit::gradient(&shape, (FOURIER / record.scale).ln(), &record);
    let squares: f64 = shape.iter().map(|s| s * s).sum();
    let expected: f64 = [STEPS, 2 * STEPS]
        .map(|steps| MODE.decay(FOURIER, steps) * MODE.decay_by_fourier(FOURIER, steps))
        .iter()
        .map(|product| FOURIER * squares * product)
        .sum();
    deviation(&[found], &[expected])
}

fn symmetric() -> f64 {
    let cotangent = kept_at_zero(wavy(INTERVALS + 1, 1.7));
    let (found, _) = pull(&wavy(INTERVALS + 1, 0.9), &uneven(), &cotangent);
    deviation(inner(&found), inner(&conduct(&cotangent, &uneven(), STEPS)))
}

/// `⟨y, J x⟩ = ⟨Jᵀ y, x⟩` in profile and diffusivity together.
fn adjoint() -> f64 {
    let profile = wavy(INTERVALS + 1, 0.9);
    let (profile_dot, fourier_dot) = (wavy(INTERVALS + 1, 2.3), wavy(INTERVALS, 0.4));
    let cotangent = wavy(INTERVALS + 1, 1.7);
    let (_, tangent) = conduct::jvp(&profile, &profile_dot, &uneven(), &fourier_dot, STEPS);
    let (profile_bar, fourier_bar) = pull(&profile, &uneven(), &cotangent);
    let pulled = dot(&profile_bar, &profile_dot) + dot(&fourier_bar, &fourier_dot);
    deviation(&[pulled], &[dot(&cotangent, &tangent)])
}

/// The cotangents of profile and Fourier numbers.
fn pull(profile: &[f64], fourier: &[f64], cotangent: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut profile_bar, mut fourier_bar) = (vec![0.0; profile.len()], vec![0.0; fourier.len()]);
    let (_, pullback) = conduct::vjp(profile, fourier, STEPS);
    pullback(profile, &mut profile_bar, fourier, &mut fourier_bar, cotangent.to_vec());
    (profile_bar, fourier_bar)
}

/// Numbers without a pattern that matters.
fn wavy(count: usize, frequency: f64) -> Vec<f64> {
    (0..count).map(|i| (frequency * (i * i) as f64).sin()).collect()
}

/// Fourier numbers between 0.05 and 0.45.
fn uneven() -> Vec<f64> {
    wavy(INTERVALS, 1.1).iter().map(|w| 0.25 + 0.2 * w).collect()
}

fn kept_at_zero(mut profile: Vec<f64>) -> Vec<f64> {
    let last = profile.len() - 1;
    (profile[0], profile[last]) = (0.0, 0.0);
    profile
}

fn inner(profile: &[f64]) -> &[f64] {
    &profile[1..profile.len() - 1]
}

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| factor * value).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest difference, as a part of the largest number that is expected. NaN is no agreement.
fn deviation(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let worse = |most: f64, v: f64| if v > most || v.is_nan() { v } else { most };
    let largest = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, worse);
    let differences = largest(&mut found.iter().zip(expected).map(|(a, b)| a - b));
    differences / largest(&mut expected.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_holds() {
        for law in laws() {
            assert!(law.holds(), "{}: {:e}", law.name, law.found);
        }
    }

    #[test]
    fn what_deviates_is_noticed() {
        assert_eq!(deviation(&[1.0, 4.5], &[1.0, 5.0]), 0.1);
        assert!(
            !Law { name: "", found: deviation(&[1.0, f64::NAN, 2.0], &[1.0, 1.0, 2.0]) }.holds()
        );
    }
}
