//! The fit: Gauss and Newton's method in the trust region of argmin, with forward sensitivities of diffsol.

use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, State};
use argmin::solver::trustregion::{Steihaug, TrustRegion};

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

impl CostFunction for &System {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, log_k: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.value(log_k)?)
    }
}

impl Gradient for &System {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, log_k: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.forward(log_k)?.1)
    }
}

impl Hessian for &System {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, log_k: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        Ok(self.gauss_newton(log_k)?)
    }
}

/// Fits rate constants.
pub fn fit(system: &System) -> Result<Fit, Error> {
    let start = (system.guess)();
    let steps = Steihaug::new().with_max_iters(start.len() as u64);
    let result = Executor::new(system, TrustRegion::new(steps))
        .configure(|state| state.param(start).max_iters(ITERATIONS))
        .run()?;
    let log_k = result.state.get_best_param().cloned().ok_or_else(|| Error::msg("no fit"))?;
    let (sum, iterations) = (system.value(&log_k)?, result.state.get_last_best_iter());
    Ok(Fit { log_k, sum, iterations })
}
