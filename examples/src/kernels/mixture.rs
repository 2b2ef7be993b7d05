//! A Gaussian mixture: the first of the objectives of ADBench.
//!
//! F. Šrajer, Z. Kukelova, A. Fitzgibbon, "A benchmark of selected algorithmic differentiation tools on some problems in
//! computer vision and machine learning", Optimization Methods and Software 33, 2018, equation (1).

use std::f64::consts::{PI, TAU};

use cotangent::{differentiate, special};

/// The Wishart prior of the inverse covariances.
pub const GAMMA: f64 = 1.0;
/// Degrees of freedom of the prior beyond the dimensions.
pub const FREEDOM: f64 = 0.0;

/// The logarithm of the posterior of a mixture of normal distributions of `d` dimensions, of which there are as many as
/// `alphas`, the logarithms of their weights.
///
/// `means` has a row for each. So has `factors`, the factors of the inverse covariances: first the logarithms of the
/// diagonal, then what is below it, column by column. `x` has a row for each datum.
///
/// # Panics
///
/// If sizes do not fit.
#[differentiate(constant(x))]
pub fn mixture(alphas: &[f64], means: &[f64], factors: &[f64], x: &[f64], d: usize) -> f64 {
    let k = alphas.len();
    let size = d * (d + 1) / 2;
    let mut diagonals = vec![0.0; k * d];
    let mut sums = vec![0.0; k];
    for c in 0..k {
        for i in 0..d {
            let q = factors[c * size + i];
            diagonals[c * d + i] = q.exp();
            sums[c] += q;
        }
    }
    let mut centred = vec![0.0; d];
    let mut whitened = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut likelihood = 0.0;
    for datum in x.chunks_exact(d) {
        for c in 0..k {
            for i in 0..d {
                centred[i] = datum[i] - means[c * d + i];
                whitened[i] = diagonals[c * d + i] * centred[i];
            }
            let mut entry = c * size + d;
            for i in 0..d {
                for j in i + 1..d {
                    whitened[j] += factors[entry] * centred[i];
                    entry += 1;
                }
            }
            let mut square = 0.0;
            for i in 0..d {
                square += whitened[i] * whitened[i];
            }
            terms[c] = alphas[c] + sums[c] - 0.5 * square;
        }
        likelihood += log_sum_exp(&terms);
    }
    let n = (x.len() / d) as f64;
    likelihood -= n * log_sum_exp(alphas) + 0.5 * n * d as f64 * TAU.ln();
    likelihood + prior(factors, &diagonals, &sums, d)
}

/// log Σ exp xᵢ, without overflow.
#[differentiate]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 1..x.len() {
        largest = largest.max(x[i]);
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    sum.ln() + largest
}

/// The logarithm of the Wishart density of all factors.
#[differentiate]
fn prior(factors: &[f64], diagonals: &[f64], sums: &[f64], d: usize) -> f64 {
    let size = d * (d + 1) / 2;
    let mut log_density = 0.0;
    for c in 0..sums.len() {
        let mut squares = 0.0;
        for i in 0..d {
            squares += diagonals[c * d + i] * diagonals[c * d + i];
        }
        for i in c * size + d..(c + 1) * size {
            squares += factors[i] * factors[i];
        }
        log_density += 0.5 * GAMMA * GAMMA * squares - FREEDOM * sums[c];
    }
    log_density - sums.len() as f64 * normalisation(d)
}

/// The logarithm of the prior's constant.
fn normalisation(d: usize) -> f64 {
    let dimensions = d as f64;
    let n = dimensions + FREEDOM + 1.0;
    let mut log_gamma = 0.25 * dimensions * (dimensions - 1.0) * PI.ln();
    for j in 1..=d {
        log_gamma += special::lgamma(0.5 * (n + 1.0 - j as f64));
    }
    n * dimensions * (GAMMA.ln() - 0.5 * 2.0_f64.ln()) - log_gamma
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;

    #[test]
    fn the_rule_tester_agrees() {
        let (alphas, means) = (sequence(4, -1.0..1.0), sequence(12, -1.0..1.0));
        let (factors, x) = (sequence(24, -0.5..0.5), sequence(15, -2.0..2.0));
        cotangent::check!(mixture(&alphas, &means, &factors, &x, 3)).unwrap();
    }

    /// Of one component, and without what the prior adds, it is the density of the normal distribution.
    #[test]
    fn one_component_is_normal() {
        let (q, x) = (0.3_f64, 1.7);
        let density = mixture(&[0.4], &[0.2], &[q], &[x], 1);
        let normal = q - 0.5 * (q.exp() * (x - 0.2)).powi(2) - 0.5 * TAU.ln();
        // Γ(1) = 1.
        let prior = 0.5 * (2.0 * q).exp() + 2.0 * 0.5 * 2.0_f64.ln();
        assert!((density - normal - prior).abs() < 1e-14, "{density}, {normal}, {prior}");
    }
}
