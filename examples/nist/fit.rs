//! Least squares with derivatives from `gradient`, by `cotangent::levenberg_marquardt::LeastSquares`.
//!
//! In: a problem, its model and one of the prescribed starts. Out: parameters and how far they agree
//! with the certified ones. The residuals are `model - response`, so that row `i` of the Jacobian is
//! the gradient of the model at observation `i`.

use cotangent::Matrix;
use cotangent::levenberg_marquardt::LeastSquares;
use levenberg_marquardt::{LevenbergMarquardt, TerminationReason};

use super::data::Problem;
use super::models::Model;

/// The certified values have no more digits than this.
const CERTIFIED_DIGITS: f64 = 11.0;

/// Evaluations of the residuals allowed, as a multiple of the number of parameters plus one.
const PATIENCE: usize = 1000;

/// Where a fit ended.
pub struct Outcome {
    /// The fitted parameters.
    pub parameters: Vec<f64>,
    /// How many steps the solver took.
    pub iterations: usize,
    /// Digits in which all parameters agree with the certified ones, from 0 to 11.
    pub digits: f64,
    /// Why the solver stopped.
    pub termination: TerminationReason,
}

impl Outcome {
    /// Whether the solver stopped at what it takes for a minimum.
    pub fn converged(&self) -> bool {
        self.termination.was_successful()
    }
}

/// Fits `model` to the observations from start 0 or 1.
pub fn fit(problem: &Problem, model: &Model, start: usize) -> Outcome {
    let observations = || problem.observations.iter();
    let residuals = |b: &[f64]| -> Vec<f64> {
        observations().map(|at| (model.value)(b, &at.predictors) - at.response).collect()
    };
    let jacobian = |b: &[f64]| {
        let rows = observations().flat_map(|at| (model.gradient)(b, &at.predictors));
        Matrix::from_vec(problem.observations.len(), b.len(), rows.collect())
    };
    let start = problem.starts[start].clone();
    let (fitted, report) = solver().minimize(LeastSquares::new(residuals, jacobian, start));
    Outcome {
        digits: digits(fitted.x(), &problem.certified),
        parameters: fitted.x().to_vec(),
        // Each iteration of the solver asks for one Jacobian.
        iterations: fitted.jacobians(),
        termination: report.termination,
    }
}

/// Tolerances as small as the arithmetic: the aim is all certified digits, not few evaluations. The
/// first step is at most as long as the start itself: a longer one takes BoxBOD from its first start
/// to where the exponential has vanished and nothing leads back.
fn solver() -> LevenbergMarquardt<f64> {
    LevenbergMarquardt::new()
        .with_tol(f64::EPSILON)
        .with_gtol(f64::EPSILON)
        .with_stepbound(1.0)
        .with_patience(PATIENCE)
        .with_scale_diag(true)
}

/// The smallest number of digits in which a parameter agrees with its certified value.
fn digits(parameters: &[f64], certified: &[f64]) -> f64 {
    let pairs = parameters.iter().zip(certified);
    let worst = pairs.map(|(b, exact)| -((b - exact) / exact).abs().log10());
    // `f64::min` would drop a NaN, which is no agreement at all.
    let least =
        worst.fold(CERTIFIED_DIGITS, |least, digits| if digits >= least { least } else { digits });
    if least > 0.0 { least } else { 0.0 }
}
