//! The methods of argmin.
//!
//! In: a regression. Out: where each method ends when it begins at zero, and what that took. A method is given the
//! function by `cotangent::argmin::Problem`, which makes a value and its gradient together, once for each point.

use argmin::core::{Error, Executor, Gradient, IterState, Solver, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use argmin_math::ArgminL2Norm;
use cotangent::argmin::Problem;

use super::model::{Regression, negative_log_likelihood};

/// L-BFGS stops where the gradient is shorter, or a step makes the value smaller by less. The second comes first: the
/// line search of argmin does not end where values differ by no more than their rounding.
const GRADIENT: f64 = 1e-8;
const STEP: f64 = 1e-11;
/// How many steps L-BFGS remembers.
const MEMORY: usize = 10;
/// The trust region of argmin has no criterion of convergence. Its iterations after the last are within rounding.
const TRUST_REGION_STEPS: u64 = 10;

/// Where a method ended.
pub struct Outcome {
    pub method: &'static str,
    pub estimates: Vec<f64>,
    /// The last iteration that made the value smaller.
    pub iterations: u64,
    /// How many values, gradients and Hessians the method asked for.
    pub asked: [u64; 3],
    /// How many points were evaluated, value and gradient at once.
    pub evaluations: usize,
    /// The length of the gradient.
    pub gradient: f64,
    /// That at the start.
    pub gradient_at_start: f64,
}

/// Runs all methods.
pub fn run(regression: &Regression) -> Result<[Outcome; 3], Error> {
    let start = vec![0.0; regression.observations[0].x.len()];
    let lbfgs = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
        .with_tolerance_grad(GRADIENT)?
        .with_tolerance_cost(STEP)?;
    // Conjugate gradients are at the end after as many directions as there are variables.
    let most_directions = start.len() as u64;
    let region = || TrustRegion::new(Steihaug::new().with_max_iters(most_directions));
    let steps = TRUST_REGION_STEPS;
    let problem = || Problem::new(|x| negative_log_likelihood::value_and_gradient(x, regression));
    let by_rows = problem().with_hessian(|x| negative_log_likelihood::hessian(x, regression));
    let by_products =
        problem().with_products(|x, dir| negative_log_likelihood::hvp(x, dir, regression));
    Ok([
        outcome("L-BFGS", problem(), lbfgs, &start, 1000)?,
        outcome("trust region, Hessian", by_rows, region(), &start, steps)?,
        outcome("trust region, products", by_products, region(), &start, steps)?,
    ])
}

/// Runs one method.
fn outcome<F, K, H, S>(
    method: &'static str,
    problem: Problem<F, K>,
    solver: S,
    start: &[f64],
    most: u64,
) -> Result<Outcome, Error>
where
    F: Fn(&[f64]) -> (f64, Vec<f64>),
    S: Solver<Problem<F, K>, IterState<Vec<f64>, Vec<f64>, (), H, (), f64>>,
{
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(start.to_vec()).max_iters(most))
        .run()?;
    let state = result.state;
    let estimates = state.get_best_param().cloned().ok_or_else(|| Error::msg("no estimates"))?;
    let asked = ["cost_count", "gradient_count", "hessian_count"]
        .map(|name| result.problem.counts.get(name).copied().unwrap_or(0));
    let problem = result.problem.get_problem().ok_or_else(|| Error::msg("no problem"))?;
    let length_at = |x: &Vec<f64>| problem.gradient(x).map(|gradient| gradient.l2_norm());
    Ok(Outcome {
        method,
        iterations: state.get_last_best_iter(),
        asked,
        evaluations: problem.evaluations(),
        gradient: length_at(&estimates)?,
        gradient_at_start: length_at(&start.to_vec())?,
        estimates,
    })
}
