//! The posterior of a log-normal distribution: many data, two parameters.

use std::f64::consts::TAU;

use cotangent::differentiate;

/// The bounds of both parameters.
pub const BOUNDS: [f64; 2] = [0.1, 10.0];

/// The logarithm of what the normal distribution of mean 1 and standard deviation 2 gives to the bounds:
/// log (Φ(4.5) − Φ(−0.45)).
pub const LOG_MASS: f64 = -0.395_057_383_797_677_6;

/// The logarithm of the density of data and parameters: μ and σ are normal (1, 2), truncated to the bounds, and data
/// are log-normal (μ, σ). `u` are μ and σ on the real line, by the logistic function; the logarithm of the Jacobian is
/// included.
///
/// # Panics
///
/// If `u` has fewer than two elements.
#[differentiate(constant(data))]
pub fn posterior(u: &[f64], data: &[f64]) -> f64 {
    let [low, high] = BOUNDS;
    let mut log_density = 0.0;
    let mut parameters = [0.0; 2];
    for i in 0..2 {
        let unit = 1.0 / (1.0 + (-u[i]).exp());
        let parameter = low + (high - low) * unit;
        let z = (parameter - 1.0) / 2.0;
        log_density -= 0.5 * z * z + 2.0_f64.ln() + 0.5 * TAU.ln() + LOG_MASS;
        log_density += ((high - low) * unit * (1.0 - unit)).ln();
        parameters[i] = parameter;
    }
    let [mu, sigma] = parameters;
    for x in data {
        let log = x.ln();
        let z = (log - mu) / sigma;
        log_density -= 0.5 * z * z + log + sigma.ln() + 0.5 * TAU.ln();
    }
    log_density
}

/// [`posterior()`] and its gradient, added to `u_bar`.
///
/// What the data add to both cotangents are sums of z and z², which are hidden behind the logarithms.
///
/// # Panics
///
/// If `u` or `u_bar` has fewer than two elements.
pub fn posterior_by_hand(u: &[f64], u_bar: &mut [f64], data: &[f64]) -> f64 {
    let [low, high] = BOUNDS;
    let mut log_density = 0.0;
    let units = [u[0], u[1]].map(|u| 1.0 / (1.0 + (-u).exp()));
    let parameters = units.map(|unit| low + (high - low) * unit);
    for (unit, parameter) in units.into_iter().zip(parameters) {
        let z = (parameter - 1.0) / 2.0;
        log_density -= 0.5 * z * z + 2.0_f64.ln() + 0.5 * TAU.ln() + LOG_MASS;
        log_density += ((high - low) * unit * (1.0 - unit)).ln();
    }
    let [mu, sigma] = parameters;
    let log_sigma = sigma.ln();
    let (mut sum, mut square) = (0.0, 0.0);
    for x in data {
        let log = x.ln();
        let z = (log - mu) / sigma;
        log_density -= 0.5 * z * z + log + log_sigma + 0.5 * TAU.ln();
        sum += z;
        square += z * z;
    }
    let by_data = [sum / sigma, (square - data.len() as f64) / sigma];
    for i in 0..2 {
        let parameter_bar = by_data[i] - (parameters[i] - 1.0) / 4.0;
        let unit = units[i];
        u_bar[i] += parameter_bar * (high - low) * unit * (1.0 - unit) + 1.0 - 2.0 * unit;
    }
    log_density
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    #[test]
    fn gradients_agree() {
        let (u, data) = ([-1.3, -1.8], sequence(31, 0.5..9.0));
        let (mut ours, mut by_hand) = ([0.25; 2], [0.25; 2]);
        let (value, ()) = posterior::accumulate_gradient(&u, &mut ours, &data);
        assert_eq!(value, posterior(&u, &data));
        assert_eq!(posterior_by_hand(&u, &mut by_hand, &data), value);
        assert_agreement(&ours, &by_hand);
        assert_gradient(|u| posterior(u, &data), &u, &by_hand, 0.25);
    }

    /// Simpson's rule over the truncated density.
    #[test]
    fn the_mass_is_that_within_the_bounds() {
        let density = |x: f64| (-0.5 * ((x - 1.0) / 2.0).powi(2)).exp() / (2.0 * TAU.sqrt());
        let (n, [low, high]) = (1000, BOUNDS);
        let step = (high - low) / f64::from(n);
        let weight = |i| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
        let mass: f64 =
            (0..=n).map(|i| weight(i) * density(low + step * f64::from(i))).sum::<f64>() * step
                / 3.0;
        assert!((mass.ln() - LOG_MASS).abs() < 1e-10, "{}", mass.ln());
    }
}
