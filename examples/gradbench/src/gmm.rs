//! The likelihood of a mixture of Gaussians.
//!
//! In: points, weights, means, and lower triangular factors of the precisions. Out: the logarithm of the posterior, or its
//! gradient by all that describes the mixture.

use std::f64::consts::{PI, SQRT_2};

use cotangent::{Differentiable, differentiate};
use serde_json::{Value, json};

use crate::input::{self, Failure, unknown};
use crate::lse::log_sum_exp;
use crate::protocol::{Answer, Runs};

/// A mixture of `k` Gaussians over `d` dimensions, points, and a Wishart prior.
#[derive(Debug)]
pub struct Mixture {
    pub d: usize,
    pub x: Vec<f64>,
    pub m: f64,
    pub gamma: f64,
    pub alpha: Vec<f64>,
    pub mu: Vec<f64>,
    pub q: Vec<f64>,
    pub l: Vec<f64>,
}

/// The derivatives by the fields of the same names.
#[derive(Debug)]
pub struct Gradient {
    pub alpha: Vec<f64>,
    pub mu: Vec<f64>,
    pub q: Vec<f64>,
    pub l: Vec<f64>,
}

/// The lower triangular matrices by rows. They have the diagonal `exp(q)`, and `l` below it, column by column.
#[differentiate]
fn factors(q: &[f64], l: &[f64], d: usize) -> Vec<f64> {
    let k = q.len() / d;
    let mut factors = vec![0.0; k * d * d];
    let mut at = 0;
    for i in 0..k {
        for column in 0..d {
            factors[(i * d + column) * d + column] = q[i * d + column].exp();
            for row in column + 1..d {
                factors[(i * d + row) * d + column] = l[at];
                at += 1;
            }
        }
    }
    factors
}

/// The logarithm of the likelihood of one point.
#[differentiate(constant(x))]
fn point(x: &[f64], offsets: &[f64], mu: &[f64], factors: &[f64]) -> f64 {
    let (d, k) = (x.len(), offsets.len());
    let mut terms = vec![0.0; k];
    for i in 0..k {
        let mu = &mu[i * d..(i + 1) * d];
        let mut square = 0.0;
        for row in 0..d {
            let start = (i * d + row) * d;
            let entries = &factors[start..start + row + 1];
            let mut y = 0.0;
            for ((entry, x), mu) in entries.iter().zip(x).zip(mu) {
                y += entry * (x - mu);
            }
            square += y * y;
        }
        terms[i] = offsets[i] - 0.5 * square;
    }
    log_sum_exp(&terms)
}

/// The part of the terms of each component that does not depend on the point.
#[differentiate]
fn offsets(alpha: &[f64], q: &[f64]) -> Vec<f64> {
    let d = q.len() / alpha.len();
    let mut offsets = alpha.to_vec();
    for i in 0..alpha.len() {
        for j in 0..d {
            offsets[i] += q[i * d + j];
        }
    }
    offsets
}

/// The logarithm of the likelihood of all points.
#[differentiate(constant(x))]
fn likelihood(x: &[f64], offsets: &[f64], mu: &[f64], factors: &[f64], d: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() / d {
        sum += point(&x[i * d..(i + 1) * d], offsets, mu, factors);
    }
    sum
}

/// The normaliser of the weights of `n` points, and the prior.
#[differentiate(constant(n, m, gamma))]
fn prior(alpha: &[f64], q: &[f64], factors: &[f64], n: f64, m: f64, gamma: f64) -> f64 {
    let squares: f64 = factors.iter().map(|entry| entry * entry).sum();
    m * q.iter().sum::<f64>() - n * log_sum_exp(alpha) - 0.5 * gamma * gamma * squares
}

/// The logarithm of the gamma function at a positive multiple of one half.
fn log_gamma(halves: usize) -> f64 {
    let (first, start) = if halves.is_multiple_of(2) { (0.0, 2) } else { (0.5 * PI.ln(), 1) };
    (start..halves).step_by(2).map(|halves| (0.5 * halves as f64).ln()).sum::<f64>() + first
}

impl Mixture {
    fn read(input: &Value) -> Result<Mixture, Failure> {
        Ok(Mixture {
            d: input::count(input, "d")?,
            x: input::floats(input, "x")?,
            m: input::float(input, "m")?,
            gamma: input::float(input, "gamma")?,
            alpha: input::floats(input, "alpha")?,
            mu: input::floats(input, "mu")?,
            q: input::floats(input, "q")?,
            l: input::floats(input, "l")?,
        })
    }

    /// The terms that depend on the sizes alone.
    fn constant(&self) -> f64 {
        let (d, k, n) = (self.d as f64, self.alpha.len() as f64, self.n());
        let freedom = self.d + self.m as usize + 1;
        let gammas: f64 = (1..=self.d).map(|j| log_gamma(freedom + 1 - j)).sum();
        let multigamma = 0.25 * d * (d - 1.0) * PI.ln() + gammas;
        let prior = k * (freedom as f64 * d * (self.gamma / SQRT_2).ln() - multigamma);
        prior - n * 0.5 * d * (2.0 * PI).ln()
    }

    /// The number of points.
    fn n(&self) -> f64 {
        (self.x.len() / self.d) as f64
    }

    /// The logarithm of the posterior.
    pub fn objective(&self) -> f64 {
        let Mixture { d, x, m, gamma, alpha, mu, q, l } = self;
        let (factors, offsets) = (factors(q, l, *d), offsets(alpha, q));
        let likelihood = likelihood(x, &offsets, mu, &factors, *d);
        self.constant() + likelihood + prior(alpha, q, &factors, self.n(), *m, *gamma)
    }

    /// The gradient of the posterior. All terms add to the same shadows.
    pub fn jacobian(&self) -> Gradient {
        let Mixture { d, x, m, gamma, alpha, mu, q, l } = self;
        let [mut alpha_bar, mut mu_bar, mut q_bar, mut l_bar] =
            [alpha, mu, q, l].map(Differentiable::zero_tangent);
        let (factors, factors_pullback) = factors::vjp(q, l, *d);
        let (offsets, offsets_pullback) = offsets::vjp(alpha, q);
        let [mut factors_bar, mut offsets_bar] =
            [&factors, &offsets].map(Differentiable::zero_tangent);
        likelihood::accumulate_gradient(
            x,
            &offsets,
            &mut offsets_bar,
            mu,
            &mut mu_bar,
            &factors,
            &mut factors_bar,
            *d,
        );
        let n = self.n();
        prior::accumulate_gradient(
            alpha,
            &mut alpha_bar,
            q,
            &mut q_bar,
            &factors,
            &mut factors_bar,
            n,
            *m,
            *gamma,
        );
        offsets_pullback(alpha, &mut alpha_bar, q, &mut q_bar, offsets_bar);
        factors_pullback(q, &mut q_bar, l, &mut l_bar, factors_bar);
        Gradient { alpha: alpha_bar, mu: mu_bar, q: q_bar, l: l_bar }
    }
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, mixture) = (Runs::of(&input), Mixture::read(&input)?);
    let (d, k) = (mixture.d, mixture.alpha.len());
    let gradient = |gradient: &Gradient| {
        let Gradient { alpha, mu, q, l } = gradient;
        let below = d * (d - 1) / 2;
        json!({
            "alpha": alpha,
            "mu": input::nested(mu, k, d),
            "q": input::nested(q, k, d),
            "l": input::nested(l, k, below),
        })
    };
    match function {
        "objective" => Ok(runs.measure(|| mixture.objective(), |&y| Value::from(y))),
        "jacobian" => Ok(runs.measure(|| mixture.jacobian(), gradient)),
        _ => Err(unknown(function)),
    }
}
