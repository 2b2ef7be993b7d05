//! Functions in the form in which optimization_engine takes them, with the feature `optimization_engine-0_12`.
//!
//! In: functions and closures that call derivatives. Out: closures that write what they find into memory of the solver's,
//! and return its `FunctionCallResult`. Invariant: what adds to a shadow adds to zeros.
//!
//! ```
//! # use optimization_engine_0_12 as optimization_engine;
//! use cotangent::differentiate;
//! use cotangent::optimization_engine::{cost, gradient};
//! use optimization_engine::constraints::Ball2;
//! use optimization_engine::panoc::{PANOCCache, PANOCOptimizer};
//! use optimization_engine::{Problem, SolverError};
//!
//! #[differentiate(constant(to))]
//! fn distance(x: &[f64], to: &[f64]) -> f64 {
//!     x.iter().zip(to).map(|(x, to)| (x - to) * (x - to)).sum()
//! }
//!
//! # fn main() -> Result<(), SolverError> {
//! let (to, disc) = ([3.0, 4.0], Ball2::new(None, 1.0));
//! let problem = Problem::new(
//!     &disc,
//!     gradient(|x, x_bar| distance::accumulate_gradient(x, x_bar, &to)),
//!     cost(|x| distance(x, &to)),
//! );
//! let mut cache = PANOCCache::new(2, 1e-10, 5);
//! let mut x = [0.0, 0.0];
//! PANOCOptimizer::new(problem, &mut cache).solve(&mut x)?;
//! assert!((x[0] - 0.6).abs() < 1e-8 && (x[1] - 0.8).abs() < 1e-8);
//! # Ok(())
//! # }
//! ```
//!
//! Constraints are a mapping, with the products of its transposed Jacobian and vectors. These are pullbacks:
//!
//! ```
//! use cotangent::differentiate;
//! use cotangent::optimization_engine::{mapping, transpose};
//!
//! #[differentiate]
//! fn constraints(x: &[f64]) -> [f64; 2] {
//!     [x[0] * x[1], x[0] - x[1]]
//! }
//!
//! # fn main() -> Result<(), optimization_engine_0_12::SolverError> {
//! let values = mapping(constraints);
//! let product = transpose(|x, x_bar, seed| constraints::vjp(x).1(x, x_bar, seed));
//! let (mut y, mut x_bar) = ([0.0; 2], [0.0; 2]);
//! values(&[2.0, 3.0], &mut y)?;
//! product(&[2.0, 3.0], &[1.0, 10.0], &mut x_bar)?;
//! assert_eq!((y, x_bar), ([6.0, -1.0], [13.0, -8.0]));
//! # Ok(())
//! # }
//! ```

use optimization_engine_0_12::{FunctionCallResult, SolverError};

/// The function that is minimised, by one such as `|x| f(x, data)`.
pub fn cost<F>(f: F) -> impl Fn(&[f64], &mut f64) -> FunctionCallResult
where
    F: Fn(&[f64]) -> f64,
{
    move |x, value| {
        *value = f(x);
        Ok(())
    }
}

/// Its gradient, by a closure that adds it to what it is given, such as
/// `|x, x_bar| f::accumulate_gradient(x, x_bar, data)`. What the closure returns is not looked at.
pub fn gradient<F, R>(accumulate: F) -> impl Fn(&[f64], &mut [f64]) -> FunctionCallResult
where
    F: Fn(&[f64], &mut [f64]) -> R,
{
    move |x, x_bar| {
        x_bar.fill(0.0);
        accumulate(x, x_bar);
        Ok(())
    }
}

/// A mapping of several floats, by a function that returns them in an array or a vector. Its calls fail where there are
/// not as many as the solver has room for.
pub fn mapping<F, Y>(f: F) -> impl Fn(&[f64], &mut [f64]) -> FunctionCallResult
where
    F: Fn(&[f64]) -> Y,
    Y: AsRef<[f64]>,
{
    move |x, y| {
        let found = f(x);
        if found.as_ref().len() != y.len() {
            return Err(OUTPUTS);
        }
        y.copy_from_slice(found.as_ref());
        Ok(())
    }
}

/// Products of a mapping's transposed Jacobian and vectors, `x̄ = Jᵀ ȳ`: by a closure that adds one to what it is given,
/// such as `|x, x_bar, y_bar| f::vjp(x).1(x, x_bar, y_bar)`. `Y` is what the mapping returns. Calls fail where the solver's
/// vector is not as long.
pub fn transpose<F, Y>(accumulate: F) -> impl Fn(&[f64], &[f64], &mut [f64]) -> FunctionCallResult
where
    F: Fn(&[f64], &mut [f64], Y),
    Y: for<'a> TryFrom<&'a [f64]>,
{
    move |x, y_bar, x_bar| {
        let y_bar = Y::try_from(y_bar).map_err(|_| OUTPUTS)?;
        x_bar.fill(0.0);
        accumulate(x, x_bar, y_bar);
        Ok(())
    }
}

const OUTPUTS: SolverError =
    SolverError::InvalidProblemState("the mapping has another number of outputs than the solver");
