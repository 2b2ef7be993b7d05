//! The posterior without draws.
//!
//! Given `tau`, everything else is normal and known in closed form ("Bayesian Data Analysis", section 5.4, with a
//! normal prior of `mu`). What is left is an integral over one variable, the logarithm of `tau`, by equal steps: the
//! integrand falls off at both ends, so that the sum converges faster than any power of the step.

use super::model::{DIMENSION, EFFECTS, ERRORS, SCALE, SCHOOLS};

/// The integral is over logarithms of `tau` up to this distance from zero.
const REACH: f64 = 40.0;
/// How many steps there are.
const STEPS: usize = 8000;

/// Means and standard deviations of the effects, `mu` and `tau`, in this order.
pub fn moments() -> [(f64, f64); DIMENSION] {
    let mut weights = 0.0;
    let mut sums = [(0.0, 0.0); DIMENSION];
    for step in 0..=STEPS {
        let log_tau = REACH * (2.0 * step as f64 / STEPS as f64 - 1.0);
        let (log_weight, given) = given(log_tau.exp());
        let weight = (log_weight + log_tau).exp();
        weights += weight;
        for ((first, second), (mean, variance)) in sums.iter_mut().zip(given) {
            *first += weight * mean;
            *second += weight * (variance + mean * mean);
        }
    }
    sums.map(|(first, second)| {
        let mean = first / weights;
        (mean, (second / weights - mean * mean).sqrt())
    })
}

/// The logarithm of the density of `tau`, up to a constant, and means and variances given `tau`.
fn given(tau: f64) -> (f64, [(f64, f64); DIMENSION]) {
    let (mut precision, mut weighted) = (1.0 / (SCALE * SCALE), 0.0);
    let mut log_density = -(tau / SCALE).powi(2).ln_1p();
    for (effect, error) in EFFECTS.iter().zip(ERRORS) {
        let variance = error * error + tau * tau;
        precision += 1.0 / variance;
        weighted += effect / variance;
        log_density -= 0.5 * (variance.ln() + effect * effect / variance);
    }
    let (mean, variance) = (weighted / precision, 1.0 / precision);
    log_density += 0.5 * (variance.ln() + mean * weighted);
    let mut given = [(mean, variance); DIMENSION];
    for (i, (effect, error)) in EFFECTS.iter().zip(ERRORS).enumerate() {
        let share = error * error / (error * error + tau * tau);
        given[i] = (
            effect + share * (mean - effect),
            (1.0 - share) * error * error + share * share * variance,
        );
    }
    given[SCHOOLS + 1] = (tau, 0.0);
    (log_density, given)
}
