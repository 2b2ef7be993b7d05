//! Least squares with derivatives from `gradient`.
//!
//! In: a problem, its model and one of the prescribed starts. Out: parameters and how far they agree
//! with the certified ones. The residuals are `model - response`, so that row `i` of the Jacobian is
//! the gradient of the model at observation `i`.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::storage::Owned;
use nalgebra::{DMatrix, DVector, Dyn};
use std::cell::Cell;

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
    let b = DVector::from_column_slice(&problem.starts[start]);
    let regression = Regression { problem, model, b, iterations: Cell::new(0) };
    let (regression, report) = solver().minimize(regression);
    let parameters = regression.b.as_slice().to_vec();
    Outcome {
        digits: digits(&parameters, &problem.certified),
        parameters,
        iterations: regression.iterations.get(),
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

/// The residuals of a problem at the parameters `b`.
struct Regression<'a> {
    problem: &'a Problem,
    model: &'a Model,
    b: DVector<f64>,
    /// Each iteration of the solver asks for one Jacobian.
    iterations: Cell<usize>,
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Regression<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, b: &DVector<f64>) {
        self.b.copy_from(b);
    }

    fn params(&self) -> DVector<f64> {
        self.b.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let observations = self.problem.observations.iter();
        let residuals = observations
            .map(|at| (self.model.value)(self.b.as_slice(), &at.predictors) - at.response);
        Some(DVector::from_iterator(self.problem.observations.len(), residuals))
    }

    /// Columns are contiguous, so the gradients go into the columns of the transpose.
    fn jacobian(&self) -> Option<DMatrix<f64>> {
        self.iterations.set(self.iterations.get() + 1);
        let mut transpose = DMatrix::zeros(self.b.len(), self.problem.observations.len());
        for (mut row, at) in transpose.column_iter_mut().zip(&self.problem.observations) {
            row.copy_from_slice(&(self.model.gradient)(self.b.as_slice(), &at.predictors));
        }
        Some(transpose.transpose())
    }
}
