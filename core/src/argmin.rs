//! Functions that the solvers of argmin minimise, with the feature `argmin-0_11`.
//!
//! In: closures that call derivatives. Out: a [`Problem`], which has argmin's traits `CostFunction`, `Gradient` and, where
//! one is given, `Hessian`. Invariant: a value and its gradient are made together, and once for each point, since solvers
//! ask for one after the other.
//!
//! ```
//! # use argmin_0_11 as argmin;
//! use argmin::core::{Executor, State};
//! use argmin::solver::linesearch::MoreThuenteLineSearch;
//! use argmin::solver::quasinewton::LBFGS;
//! use cotangent::argmin::Problem;
//! use cotangent::differentiate;
//!
//! #[differentiate(constant(scale))]
//! fn rosenbrock(x: &[f64], scale: f64) -> f64 {
//!     (1.0 - x[0]).powi(2) + scale * (x[1] - x[0] * x[0]).powi(2)
//! }
//!
//! # fn main() -> Result<(), argmin::core::Error> {
//! let problem = Problem::new(|x| rosenbrock::value_and_gradient(x, 100.0));
//! let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_cost(1e-12)?;
//! let result = Executor::new(problem, solver)
//!     .configure(|state| state.param(vec![-1.2, 1.0]).max_iters(100))
//!     .run()?;
//! let x = result.state.get_best_param().unwrap();
//! assert!((x[0] - 1.0).abs() < 1e-5 && (x[1] - 1.0).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! The trust region asks for Hessians, too. They are exact, as a matrix or by no more than products with vectors:
//!
//! ```
//! # use argmin_0_11 as argmin;
//! use argmin::core::{Executor, State};
//! use argmin::solver::trustregion::{Steihaug, TrustRegion};
//! use cotangent::argmin::Problem;
//! use cotangent::differentiate;
//!
//! #[differentiate]
//! #[differentiate]
//! fn rosenbrock(x: &[f64]) -> f64 {
//!     (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2)
//! }
//!
//! # fn main() -> Result<(), argmin::core::Error> {
//! let by_matrix = Problem::new(rosenbrock::value_and_gradient).with_hessian(rosenbrock::hessian);
//! let by_products = Problem::new(rosenbrock::value_and_gradient).with_products(rosenbrock::hvp);
//!
//! let solver = || TrustRegion::new(Steihaug::new().with_max_iters(2));
//! let start = vec![-1.2, 1.0];
//! let matrix = Executor::new(by_matrix, solver())
//!     .configure(|state| state.param(start.clone()).max_iters(50))
//!     .run()?;
//! let products = Executor::new(by_products, solver())
//!     .configure(|state| state.param(start.clone()).max_iters(50))
//!     .run()?;
//! for x in [matrix.state.get_best_param(), products.state.get_best_param()] {
//!     assert!(x.unwrap().iter().all(|x| (x - 1.0).abs() < 1e-10));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A closure may fail, as where a simulation does not end. It then returns a `Result`, whose error ends the solver:
//!
//! ```
//! # use argmin_0_11 as argmin;
//! use argmin::core::{CostFunction, Error};
//! use cotangent::argmin::Problem;
//! use cotangent::differentiate;
//!
//! #[differentiate]
//! fn entropy(x: &[f64]) -> f64 {
//!     x.iter().map(|x| x * x.ln()).sum()
//! }
//!
//! let problem = Problem::new(|x| {
//!     let found = entropy::value_and_gradient(x);
//!     if found.0.is_finite() { Ok(found) } else { Err(Error::msg("outside of the domain")) }
//! });
//! assert_eq!(problem.cost(&vec![1.0, 1.0]).unwrap(), 0.0);
//! assert!(problem.cost(&vec![-1.0, 1.0]).is_err());
//! ```

extern crate std;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use argmin_0_11::core::{CostFunction, Error, Gradient, Hessian};
use argmin_math_0_5::ArgminDot;

use crate::matrix::Matrix;

/// A function to minimise, by closures that call its derivatives.
///
/// Parameters and gradients are `Vec<f64>`, of one length. `H` is what is known of the Hessian: nothing, [`Rows`] or
/// [`Products`]. Threads may share a problem whose closures they may share, as argmin's feature `rayon` asks for.
///
/// A method that asks for values alone, such as that of Nelder and Mead, has no use for gradients, nor for this.
///
/// ```
/// # use argmin_0_11 as argmin;
/// use argmin::core::{CostFunction, Gradient};
/// use cotangent::argmin::Problem;
/// use cotangent::differentiate;
///
/// #[differentiate]
/// fn cube(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[0]
/// }
///
/// let (problem, x) = (Problem::new(cube::value_and_gradient), vec![2.0]);
/// assert_eq!(problem.cost(&x).unwrap(), 8.0);
/// assert_eq!(problem.gradient(&x).unwrap(), [12.0]);
/// assert_eq!(problem.evaluations(), 1);
/// ```
#[derive(Debug)]
pub struct Problem<F, H = ()> {
    value_and_gradient: F,
    hessian: H,
    last: Mutex<Option<Evaluation>>,
    evaluations: AtomicUsize,
}

/// A point, with the value and the gradient there.
#[derive(Debug)]
struct Evaluation {
    x: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// The Hessian as a matrix, by a closure. Solvers are given its rows.
#[derive(Clone, Copy, Debug)]
pub struct Rows<H>(H);

/// The Hessian by its products with vectors, which a closure makes. Solvers are given a [`Product`].
#[derive(Debug)]
pub struct Products<P>(Arc<P>);

/// The Hessian at a point, as something that is multiplied with vectors.
///
/// ```
/// # use argmin_0_11 as argmin;
/// # use argmin_math_0_5 as argmin_math;
/// use argmin::core::Hessian;
/// use argmin_math::ArgminDot;
/// use cotangent::argmin::Problem;
/// use cotangent::differentiate;
///
/// #[differentiate]
/// #[differentiate]
/// fn saddle(x: &[f64]) -> f64 {
///     x[0] * x[0] - x[1] * x[1]
/// }
///
/// let problem = Problem::new(saddle::value_and_gradient).with_products(saddle::hvp);
/// let hessian = problem.hessian(&vec![3.0, 4.0]).unwrap();
/// assert_eq!(hessian.dot(&vec![1.0, 1.0]), [2.0, -2.0]);
/// ```
#[derive(Debug)]
pub struct Product<P> {
    x: Arc<[f64]>,
    product: Arc<P>,
}

/// What a closure of a [`Problem`] may return where a `T` is asked for: a `T`, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither `{T}` nor a `Result` of it",
    label = "a closure returns this, and argmin is to be given `{T}`"
)]
pub trait Outcome<T> {
    /// The value, or the error that ends the solver.
    ///
    /// # Errors
    ///
    /// Those of the closure.
    fn into_result(self) -> Result<T, Error>;
}

impl Outcome<(f64, Vec<f64>)> for (f64, Vec<f64>) {
    fn into_result(self) -> Result<(f64, Vec<f64>), Error> {
        Ok(self)
    }
}

impl Outcome<Matrix> for Matrix {
    fn into_result(self) -> Result<Matrix, Error> {
        Ok(self)
    }
}

impl<T, E: Into<Error>> Outcome<T> for Result<T, E> {
    fn into_result(self) -> Result<T, Error> {
        self.map_err(Into::into)
    }
}

impl<F> Problem<F> {
    /// A function, by a closure that returns its value and gradient at a point, such as
    /// `|x| f::value_and_gradient(x, data)`.
    pub fn new<R>(value_and_gradient: F) -> Self
    where
        F: Fn(&[f64]) -> R,
        R: Outcome<(f64, Vec<f64>)>,
    {
        let (last, evaluations) = (Mutex::default(), AtomicUsize::new(0));
        Problem { value_and_gradient, hessian: (), last, evaluations }
    }

    /// The same with its Hessian as a matrix, by a closure such as `|x| f::hessian(x, data)`.
    pub fn with_hessian<H, R>(self, hessian: H) -> Problem<F, Rows<H>>
    where
        H: Fn(&[f64]) -> R,
        R: Outcome<Matrix>,
    {
        self.with(Rows(hessian))
    }

    /// The same with its Hessian by products with vectors: by a closure of a point and a direction, such as
    /// `|x, direction| f::hvp(x, direction, data)`.
    pub fn with_products<P>(self, product: P) -> Problem<F, Products<P>>
    where
        P: Fn(&[f64], &[f64]) -> Vec<f64>,
    {
        self.with(Products(Arc::new(product)))
    }

    fn with<H>(self, hessian: H) -> Problem<F, H> {
        let Problem { value_and_gradient, last, evaluations, .. } = self;
        Problem { value_and_gradient, hessian, last, evaluations }
    }
}

impl<F, H> Problem<F, H> {
    /// How often the closure of value and gradient has been called.
    #[must_use]
    pub fn evaluations(&self) -> usize {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Reads from what is known of a point. No lock is held while the closure runs.
    fn at<R, T>(&self, x: &[f64], read: impl FnOnce(&Evaluation) -> T) -> Result<T, Error>
    where
        F: Fn(&[f64]) -> R,
        R: Outcome<(f64, Vec<f64>)>,
    {
        if let Some(last) = self.last().as_ref().filter(|last| is_same(&last.x, x)) {
            return Ok(read(last));
        }
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        let (value, gradient) = (self.value_and_gradient)(x).into_result()?;
        let evaluation = Evaluation { x: x.to_vec(), value, gradient };
        let found = read(&evaluation);
        *self.last() = Some(evaluation);
        Ok(found)
    }

    fn last(&self) -> MutexGuard<'_, Option<Evaluation>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether two points are the same bit for bit: at zeros of different signs, functions may differ.
fn is_same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

impl<F, R, H> CostFunction for Problem<F, H>
where
    F: Fn(&[f64]) -> R,
    R: Outcome<(f64, Vec<f64>)>,
{
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        self.at(x, |found| found.value)
    }
}

impl<F, R, H> Gradient for Problem<F, H>
where
    F: Fn(&[f64]) -> R,
    R: Outcome<(f64, Vec<f64>)>,
{
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        self.at(x, |found| found.gradient.clone())
    }
}

impl<F, H, R> Hessian for Problem<F, Rows<H>>
where
    H: Fn(&[f64]) -> R,
    R: Outcome<Matrix>,
{
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, x: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let hessian = (self.hessian.0)(x).into_result()?;
        Ok((0..hessian.rows()).map(|row| hessian.row(row).to_vec()).collect())
    }
}

impl<F, P> Hessian for Problem<F, Products<P>>
where
    P: Fn(&[f64], &[f64]) -> Vec<f64>,
{
    type Param = Vec<f64>;
    type Hessian = Product<P>;

    fn hessian(&self, x: &Vec<f64>) -> Result<Product<P>, Error> {
        Ok(Product { x: x.as_slice().into(), product: Arc::clone(&self.hessian.0) })
    }
}

impl<P> Clone for Product<P> {
    fn clone(&self) -> Self {
        Product { x: Arc::clone(&self.x), product: Arc::clone(&self.product) }
    }
}

impl<P> ArgminDot<Vec<f64>, Vec<f64>> for Product<P>
where
    P: Fn(&[f64], &[f64]) -> Vec<f64>,
{
    fn dot(&self, direction: &Vec<f64>) -> Vec<f64> {
        (self.product)(&self.x, direction)
    }
}
