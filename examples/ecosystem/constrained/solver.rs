//! The augmented Lagrangian method of optimization_engine, whose inner problems PANOC solves.
//!
//! In: a problem. Out: where the method ended, and what that took. Constraints are a map into a box; the method asks
//! for products of vectors and the map's Jacobian, which are pullbacks.

use cotangent::optimization_engine::{cost, gradient, mapping, transpose};
use optimization_engine::SolverError;
use optimization_engine::alm::{
    AlmCache, AlmFactory, AlmOptimizer, AlmOptimizerStatus, AlmProblem, NO_JACOBIAN_MAPPING,
    NO_MAPPING,
};
use optimization_engine::constraints::{Ball2, Rectangle};
use optimization_engine::panoc::PANOCCache;

use super::problems::Problem;

/// How far constraints may be from their box.
const FEASIBILITY: f64 = 1e-8;
/// How far an inner problem may be from its fixed point: at first, by what that shrinks, and at the end. PANOC
/// measures by the length of its step, which is shorter than the gradient by the curvature of the penalty.
const TOLERANCE_AT_FIRST: f64 = 1e-3;
const SHRINKING: f64 = 0.1;
const TOLERANCE: f64 = 1e-10;
/// How many steps L-BFGS remembers.
const MEMORY: usize = 10;
/// Iterations at most: of multipliers, and of PANOC for each.
const OUTER: usize = 100;
const INNER: usize = 20_000;
/// The first penalty, and by what it grows where violations do not shrink by the other.
const PENALTY: f64 = 1.0;
const GROWTH: f64 = 2.0;
const ENOUGH: f64 = 0.5;
/// No multiplier is larger.
const LARGEST_MULTIPLIER: f64 = 1e12;

/// Where the method ended.
pub struct Outcome {
    pub x: Vec<f64>,
    /// The multipliers of the constraints.
    pub multipliers: Vec<f64>,
    pub outer: usize,
    pub inner: usize,
    pub milliseconds: f64,
}

/// Solves a problem from its start.
pub fn solve(problem: &Problem) -> Result<Outcome, SolverError> {
    let (n, constraints) = (problem.start.len(), problem.largest.len());
    let (least, largest) = (vec![problem.bounds.0; n], vec![problem.bounds.1; n]);
    let (zeros, bounds) = (vec![0.0; constraints], Rectangle::new(Some(&least), Some(&largest)));
    let set = Rectangle::new(Some(&zeros), Some(problem.largest));
    let factory = AlmFactory::new(
        cost(problem.value),
        gradient(problem.gradient),
        Some(mapping(problem.constraints)),
        Some(transpose(problem.product)),
        NO_MAPPING,
        NO_JACOBIAN_MAPPING,
        Some(set),
        0,
    );
    let alm = AlmProblem::new(
        bounds,
        Some(set),
        Some(Ball2::new(None, LARGEST_MULTIPLIER)),
        |x: &[f64], xi: &[f64], value: &mut f64| factory.psi(x, xi, value),
        |x: &[f64], xi: &[f64], x_bar: &mut [f64]| factory.d_psi(x, xi, x_bar),
        Some(mapping(problem.constraints)),
        NO_MAPPING,
        constraints,
        0,
    );
    let mut cache = AlmCache::new(PANOCCache::new(n, TOLERANCE, MEMORY), constraints, 0);
    let mut optimizer = AlmOptimizer::new(&mut cache, alm)
        .with_delta_tolerance(FEASIBILITY)
        .with_epsilon_tolerance(TOLERANCE)
        .with_initial_inner_tolerance(TOLERANCE_AT_FIRST)
        .with_inner_tolerance_update_factor(SHRINKING)
        .with_max_outer_iterations(OUTER)
        .with_max_inner_iterations(INNER)
        .with_initial_penalty(PENALTY)
        .with_penalty_update_factor(GROWTH)
        .with_sufficient_decrease_coefficient(ENOUGH);
    let mut x = problem.start.to_vec();
    let status = optimizer.solve(&mut x)?;
    Ok(Outcome::of(x, &status))
}

impl Outcome {
    fn of(x: Vec<f64>, status: &AlmOptimizerStatus) -> Self {
        Outcome {
            x,
            multipliers: status.lagrange_multipliers().clone().unwrap_or_default(),
            outer: status.num_outer_iterations(),
            inner: status.num_inner_iterations(),
            milliseconds: 1e3 * status.solve_time().as_secs_f64(),
        }
    }
}
