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
//! | `x.var(f)` | `v = Σ (x[i] - m)² / (n - f)`, of the mean `m` | `x̄[i] += 2 v̄ (x[i] - m) / (n - f)`, `f̄ = v̄ v / (n - f)` |
//! | `x.std(f)` | `s = √v` | the same with `v̄ = s̄ / 2 s` |
//! | `x.mapv(f)` | `y[i] = f(x[i])` | `x̄[i] += f'(x[i]) ȳ[i]`, and likewise by what `f` captures |
//! | `x.mapv_inplace(f)` | `x[i] = f(x[i])` | `x̄[i] = f'(x[i]) x̄[i]`, and likewise by what `f` captures |
//! | `x.assign(&b)` | `x[i] = b[i]`, of as many axes | `b̄ += x̄`, then `x̄ = 0` |
//! | `x.fill(v)` | `x[i] = v` | `v̄ += Σ x̄[i]`, then `x̄ = 0` |
//! | `x.scaled_add(s, &b)` | `x[i] += s b[i]`, of as many axes | `b̄ += s x̄`, `s̄ = x̄·b` |
//! | `x.dot(&b)` | `y = x b`, of vectors and matrices | `x̄ += ȳ bᵀ`, `b̄ += xᵀ ȳ` |
//! | `x.t()` | `y = xᵀ` | `x̄ += ȳᵀ` |
//! | `x.row(i)`, `x.column(i)`, `x.diag()` | `y = x[i, ..]` | `x̄[i, ..] += ȳ` |
//! | `x.slice(s![..])`, `x.index_axis(Axis(k), i)` | `y = x[..]` | `x̄[..] += ȳ` |
//! | `x.to_owned()`, `x.view()`, `Array1::from_vec(x)` and the like | `y = x` | `x̄ += ȳ` |
//! | `Array2::from_elem((m, n), s)` | `y[i, j] = s` | `s̄ = Σ ȳ[i, j]` |
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
//! Slices, and loops over rows. Derivatives of methods have derivatives once more, but for those of `mapv` and
//! `from_shape_fn`, which take functions:
//!
//! ```
//! # use ndarray_0_17 as ndarray;
//! use cotangent::differentiate;
//! use cotangent::ndarray::*;
//! use ndarray::{Array1, Array2, array, s};
//!
//! #[differentiate]
//! #[differentiate]
//! fn roughness(u: &Array1<f64>) -> f64 {
//!     let steps = u.slice(s![1..]).to_owned() - u.slice(s![..-1]);
//!     steps.dot(&steps)
//! }
//!
//! let hessian = roughness::hessian(&array![0.3, 0.5, 0.4]);
//! assert_eq!(hessian.row(1), [-2.0, 4.0, -2.0]);
//!
//! #[differentiate(constant(inputs))]
//! fn likelihood(weights: &Array1<f64>, inputs: &Array2<f64>) -> f64 {
//!     let mut sum = 0.0;
//!     for input in inputs.rows() {
//!         sum -= (1.0 + (-input.dot(weights)).exp()).ln();
//!     }
//!     sum
//! }
//!
//! assert_eq!(likelihood::gradient(&array![0.0, 0.0], &array![[1.0, 2.0]]), array![0.5, 1.0]);
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

mod construction;
mod entries;
mod functions;
mod inplace;
mod lines;
mod methods;
mod operators;
mod products;
mod reductions;
#[doc(hidden)]
pub mod slicing;
// The array's own methods need the standard library.
#[cfg(feature = "std")]
mod spread;
mod types;

#[doc(hidden)]
pub use construction::{
    Even as _, EvenSquare as _, FilledMatrix as _, FilledVector as _, MadeFrom as _,
    MadeFromRows as _, MadeOf as _, Shaped as _, ShapedMatrix as _,
};
#[doc(hidden)]
pub use functions::{Assigned as _, Flooded as _, Functions as _, Scaled as _};
#[doc(hidden)]
pub use inplace::InPlace as _;
#[doc(hidden)]
pub use methods::{Lines as _, Moves as _, Sums as _};
#[doc(hidden)]
pub use products::{Products as _, UnreadProducts as _};
#[doc(hidden)]
pub use reductions::Reductions as _;
#[doc(hidden)]
pub use slicing::Sliced as _;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use spread::Spread as _;

/// What derivative code names in place of macros and methods.
#[doc(hidden)]
pub mod made {
    pub use ndarray_0_17::{Array1, Array2, Axis};
}
