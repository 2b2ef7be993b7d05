//! Generalised linear models: the function that is minimised.

use cotangent::{Differentiable, differentiate};

/// How counts are distributed around what the predictors say of them.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Family {
    /// Successes in some trials, with the logistic link.
    Binomial,
    /// Counts, with the logarithmic link.
    Poisson,
}

/// What was observed together.
#[derive(Clone, Differentiable)]
pub struct Observation {
    /// The predictors, of which the first is one.
    pub x: Vec<f64>,
    /// How often it came about.
    pub count: f64,
    /// Of how many times. A Poisson distribution has no such number.
    pub trials: f64,
}

/// Data, and the model of them.
#[derive(Clone, Differentiable)]
pub struct Regression {
    pub family: Family,
    pub observations: Vec<Observation>,
}

/// What the logarithm of the likelihood of coefficients lacks to zero, but for a number that depends on the data
/// alone.
#[differentiate(constant(data))]
#[differentiate]
pub fn negative_log_likelihood(beta: &[f64], data: &Regression) -> f64 {
    let mut sum = 0.0;
    for observation in &data.observations {
        let eta: f64 = observation.x.iter().zip(beta).map(|(x, beta)| x * beta).sum();
        let normaliser = match data.family {
            Family::Binomial => observation.trials * softplus(eta),
            Family::Poisson => eta.exp(),
        };
        sum += normaliser - observation.count * eta;
    }
    sum
}

/// `ln(1 + exp(x))`, without overflow, and with the right derivative at zero, too.
#[differentiate]
#[differentiate]
fn softplus(x: f64) -> f64 {
    if x > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}
