//! Sums of squares that the crate levenberg-marquardt minimises, with the feature `levenberg-marquardt-0_15`.
//!
//! In: closures of the residuals and of their Jacobian, and where the fit begins. Out: a [`LeastSquares`], which is a
//! `LeastSquaresProblem`. Invariant: the matrices that the solver is given are those of the closures, entry for entry.
//!
//! ```
//! # use levenberg_marquardt_0_15 as levenberg_marquardt;
//! use cotangent::differentiate;
//! use cotangent::levenberg_marquardt::LeastSquares;
//! use levenberg_marquardt::LevenbergMarquardt;
//!
//! /// What a decay is above what was measured.
//! #[differentiate(wrt(b))]
//! fn residuals(b: &[f64], times: &[f64], measured: &[f64]) -> Vec<f64> {
//!     times.iter().zip(measured).map(|(t, y)| b[0] * (-b[1] * t).exp() - y).collect()
//! }
//!
//! let (times, measured) = ([0.0, 1.0, 2.0], [8.0, 4.0, 2.0]);
//! let problem = LeastSquares::new(
//!     |b| residuals(b, &times, &measured),
//!     |b| residuals::jacobian(b, &times, &measured),
//!     [5.0, 1.0],
//! );
//! let (problem, report) = LevenbergMarquardt::new().minimize(problem);
//! assert!(report.termination.was_successful());
//! assert!((problem.x()[0] - 8.0).abs() < 1e-10);
//! assert!((problem.x()[1] - 2.0_f64.ln()).abs() < 1e-10);
//! ```
//!
//! A closure may fail, as where a simulation does not end, and returns an `Option` then. Where there is nothing, the
//! solver ends:
//!
//! ```
//! # use levenberg_marquardt_0_15 as levenberg_marquardt;
//! use cotangent::Matrix;
//! use cotangent::levenberg_marquardt::LeastSquares;
//! use levenberg_marquardt::{LevenbergMarquardt, TerminationReason};
//!
//! let residuals = |b: &[f64]| (b[0] > 0.0).then(|| vec![b[0].ln()]);
//! let jacobian = |b: &[f64]| Matrix::from_vec(1, 1, vec![1.0 / b[0]]);
//! let (_, report) = LevenbergMarquardt::new().minimize(LeastSquares::new(residuals, jacobian, [-1.0]));
//! assert_eq!(report.termination, TerminationReason::User("residuals"));
//! ```

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use levenberg_marquardt_0_15::LeastSquaresProblem;
use nalgebra_0_34::storage::Owned;
use nalgebra_0_34::{DMatrix, DVector, Dyn};

use crate::matrix::Matrix;

/// A sum of squares to minimise, by closures of the residuals and of their Jacobian.
#[derive(Debug)]
pub struct LeastSquares<F, J> {
    residuals: F,
    jacobian: J,
    x: DVector<f64>,
    jacobians: AtomicUsize,
}

impl<F, J> LeastSquares<F, J> {
    /// The sum of the squares of residuals, by a closure such as `|b| residuals(b, data)`, with their Jacobian, by one such
    /// as `|b| residuals::jacobian(b, data)`: a row for each residual, and a column for each parameter. The fit begins at
    /// `start`. Of a function that returns an array, the closure makes a vector, `|b| residuals(b, data).to_vec()`.
    pub fn new<R, M>(residuals: F, jacobian: J, start: impl Into<Vec<f64>>) -> Self
    where
        F: Fn(&[f64]) -> R,
        R: Into<Option<Vec<f64>>>,
        J: Fn(&[f64]) -> M,
        M: Into<Option<Matrix>>,
    {
        let x = DVector::from_vec(start.into());
        LeastSquares { residuals, jacobian, x, jacobians: AtomicUsize::new(0) }
    }

    /// The parameters where the fit is, and where it ended once the solver gives the problem back.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        self.x.as_slice()
    }

    /// How many Jacobians the solver has asked for, which is how many steps it has begun. The solver's own report says
    /// how often it asked for residuals.
    #[must_use]
    pub fn jacobians(&self) -> usize {
        self.jacobians.load(Ordering::Relaxed)
    }
}

impl<F, J, R, M> LeastSquaresProblem<f64, Dyn, Dyn> for LeastSquares<F, J>
where
    F: Fn(&[f64]) -> R,
    R: Into<Option<Vec<f64>>>,
    J: Fn(&[f64]) -> M,
    M: Into<Option<Matrix>>,
{
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        self.x.copy_from(x);
    }

    fn params(&self) -> DVector<f64> {
        self.x.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        (self.residuals)(self.x()).into().map(DVector::from_vec)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        self.jacobians.fetch_add(1, Ordering::Relaxed);
        let jacobian: Option<Matrix> = (self.jacobian)(self.x()).into();
        jacobian.map(|j| DMatrix::from_row_slice(j.rows(), j.columns(), j.as_slice()))
    }
}
