//! Arrays of the crate `ndarray`: import all of this module where functions with them are differentiated.
//!
//! The tangent of an array is an array of the same shape. In formulas `x̄` is the cotangent of `x`:
//!
//! | method | value | adjoint |
//! |---|---|---|
//! | `x.sum()` | `s = Σ x[i]` | `x̄[i] += s̄` |
//! | `x.mean()` | `m = Σ x[i] / n`, of `n` entries, or `None` | `x̄[i] += m̄ / n` |
//! | `x.sum_axis(Axis(k))` | `y = Σ x[.., i, ..]` | `x̄[.., i, ..] += ȳ` |
//! | `x.mean_axis(Axis(k))` | `y = Σ x[.., i, ..] / n`, or `None` | `x̄[.., i, ..] += ȳ / n` |
//! | `x.mapv(f)` | `y[i] = f(x[i])` | `x̄[i] += f'(x[i]) ȳ[i]`, and likewise by what `f` captures |
//! | `x.assign(&b)` | `x[i] = b[i]`, of as many axes | `b̄ += x̄`, then `x̄ = 0` |
//! | `x.dot(&b)` | `y = x b`, of vectors and matrices | `x̄ += ȳ bᵀ`, `b̄ += xᵀ ȳ` |
//! | `x.t()` | `y = xᵀ` | `x̄ += ȳᵀ` |
//! | `x.row(i)`, `x.column(i)` | `y = x[i, ..]` | `x̄[i, ..] += ȳ` |
//! | `x.to_owned()`, `Array1::from_vec(x)` | `y = x` | `x̄ += ȳ` |
//! | `x.exp()` and the like | entry by entry | by the table of floats |
//!
//! ```
//! # use ndarray_0_17 as ndarray;
//! use cotangent::differentiate;
//! use cotangent::ndarray::*;
//! use ndarray::{Array1, Array2, array};
//!
//! #[differentiate]
//! fn loss(weights: &Array2<f64>, x: &Array1<f64>) -> f64 {
//!     let y = weights.dot(x);
//!     (&y * &y).sum()
//! }
//!
//! let (by_weights, by_x) = loss::gradient(&array![[1.0, 2.0]], &array![3.0, -1.0]);
//! assert_eq!((by_weights, by_x), (array![[6.0, -2.0]], array![2.0, 4.0]));
//! ```
//!
//! A method without a rule is an error at its name:
//!
//! ```compile_fail
//! # use ndarray_0_17 as ndarray;
//! # use cotangent::differentiate;
//! # use cotangent::ndarray::*;
//! # use ndarray::Array1;
//! #[differentiate]
//! fn product(x: &Array1<f64>) -> f64 {
//!     x.product()
//! }
//! ```

#![allow(clippy::type_complexity, reason = "pullbacks have no names")]

mod entries;
mod functions;
mod methods;
mod operators;
mod reductions;
mod types;

#[doc(hidden)]
pub use functions::{Assigned as _, Functions as _};
#[doc(hidden)]
pub use methods::{Lines as _, Made as _, Moves as _, Products as _, Sums as _};
#[doc(hidden)]
pub use reductions::Reductions as _;
