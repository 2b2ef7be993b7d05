//! The fit: Gauss and Newton's method in the trust region of argmin, with forward sensitivities of diffsol.

use argmin::core::{Error, Executor, State};
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use cotangent::argmin::Problem;
use diffsol::DiffsolError;

use super::gradients::Gradient;
use super::systems::System;

/// Iterations of the trust region, which has no criterion of convergence.
const ITERATIONS: u64 = 40;

/// What was found.
pub struct Fit {
    pub log_k: Vec<f64>,
    pub sum: f64,
    /// The last iteration that made the sum smaller.
    pub iterations: u64,
}

/// Fits rate constants.
pub fn fit(system: &System) -> Result<Fit, Error> {
    let start = (system.guess)();
    let steps = Steihaug::new().with_max_iters(start.len() as u64);
    // The value is that of a solution without sensitivities, which is also what is reported.
    let value_and_gradient = |log_k: &[f64]| -> Result<Gradient, DiffsolError> {
        Ok((system.value(log_k)?, system.forward(log_k)?.1))
    };
    let problem = Problem::new(value_and_gradient).with_hessian(|log_k| system.gauss_newton(log_k));
    let result = Executor::new(problem, TrustRegion::new(steps))
        .configure(|state| state.param(start).max_iters(ITERATIONS))
        .run()?;
    let log_k = result.state.get_best_param().cloned().ok_or_else(|| Error::msg("no fit"))?;
    let (sum, iterations) = (system.value(&log_k)?, result.state.get_last_best_iter());
    Ok(Fit { log_k, sum, iterations })
}
