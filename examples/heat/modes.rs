//! The modes of the discrete rod: sines that explicit steps multiply by a number.
//!
//! In: the number of intervals and that of a mode. Out: its shape, what a step makes of it, and what
//! follows for a rod of one diffusivity, in closed form.

use std::f64::consts::PI;

/// A sine over a rod whose ends are kept at zero.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Intervals of the rod.
    pub intervals: usize,
    /// Half waves over the rod, at least one and fewer than there are intervals.
    pub half_waves: usize,
}

impl Mode {
    /// The value at each node.
    pub fn shape(&self) -> Vec<f64> {
        let angle = self.half_waves as f64 * PI / self.intervals as f64;
        (0..=self.intervals).map(|i| (angle * i as f64).sin()).collect()
    }

    /// What the second difference multiplies it by, without the sign.
    pub fn stiffness(&self) -> f64 {
        let angle = self.half_waves as f64 * PI / (2 * self.intervals) as f64;
        4.0 * angle.sin().powi(2)
    }

    /// What is left of it after some steps.
    pub fn decay(&self, fourier: f64, steps: usize) -> f64 {
        (1.0 - fourier * self.stiffness()).powi(steps as i32)
    }

    /// The derivative of [`Mode::decay`] by the Fourier number.
    pub fn decay_by_fourier(&self, fourier: f64, steps: usize) -> f64 {
        -(steps as f64) * self.stiffness() * self.decay(fourier, steps - 1)
    }

    /// Its part in a profile.
    pub fn amplitude(&self, profile: &[f64]) -> f64 {
        let product: f64 = self.shape().iter().zip(profile).map(|(s, u)| s * u).sum();
        2.0 / self.intervals as f64 * product
    }
}

/// The profile `u` with the least `|conduct(u) - observed|² + weight * roughness(u)`, where both mean the
/// sum of squares. In modes the sum falls apart into numbers.
pub fn least_squares(observed: &[f64], fourier: f64, steps: usize, weight: f64) -> Vec<f64> {
    let intervals = observed.len() - 1;
    let mut profile = vec![0.0; observed.len()];
    for half_waves in 1..intervals {
        let mode = Mode { intervals, half_waves };
        let decay = mode.decay(fourier, steps);
        let share = decay / (decay * decay + weight * mode.stiffness());
        let amplitude = share * mode.amplitude(observed);
        profile.iter_mut().zip(mode.shape()).for_each(|(u, s)| *u += amplitude * s);
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_make_up_every_profile() {
        let profile = [0.0, 1.0, -2.0, 0.5, 4.0, 0.0];
        for (found, expected) in least_squares(&profile, 0.2, 0, 0.0).iter().zip(profile) {
            assert!((found - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn the_second_difference_of_a_mode_is_its_stiffness() {
        let mode = Mode { intervals: 12, half_waves: 5 };
        let shape = mode.shape();
        for around in shape.windows(3) {
            let difference = around[0] - 2.0 * around[1] + around[2];
            assert!((difference + mode.stiffness() * around[1]).abs() < 1e-14);
        }
    }

    #[test]
    fn half_of_a_mode_is_left_when_it_weighs_as_much_as_its_roughness() {
        let mode = Mode { intervals: 12, half_waves: 5 };
        let found = least_squares(&mode.shape(), 0.0, 1, 1.0 / mode.stiffness());
        for (found, shape) in found.iter().zip(mode.shape()) {
            assert!((found - 0.5 * shape).abs() < 1e-14);
        }
    }
}
