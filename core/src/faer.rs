//! Matrices and vectors of the crate `faer`: import all of this module where functions with them are differentiated.
//!
//! The tangent of a `Mat`, a `Col`, a `Row` or a `Diag` is of the same type and sizes, that of a `Scale` is a `Scale`. Adjoints are
//! products and solves of `faer` itself, with its parallelism. In formulas `x̄` is the cotangent of `x`:
//!
//! | expression | value | adjoint |
//! |---|---|---|
//! | `a * b` | the product | `ā += ȳ bᵀ`, `b̄ += aᵀ ȳ` |
//! | `Scale(s) * a`, `a * s` | `y = s a` | `s̄ += Σ ȳ[i] a[i]`, `ā += s ȳ` |
//! | `x.solve(&b)`, of `partial_piv_lu`, `llt` and `qr` | `y = x⁻¹ b` | `b̄ += x⁻ᵀ ȳ`, `x̄ -= (x⁻ᵀ ȳ) yᵀ` |
//! | `x.inverse()`, likewise | `y = x⁻¹` | `x̄ -= yᵀ ȳ yᵀ` |
//! | `x.L()`, of `llt` | the factor, `x = L Lᵀ` | `x̄ += L⁻ᵀ Φ(Lᵀ L̄) L⁻¹` |
//! | `x.solve_lstsq(&b)`, of `qr` | `y = R⁻¹ Qᵀ b` | with `w = R⁻ᵀ ȳ`: `b̄ += Q w`, `x̄ += (b - x y) (R⁻¹ w)ᵀ - Q w yᵀ` |
//! | `x.S()`, of `self_adjoint_eigen` | the eigenvalues, `x = U S Uᵀ` | `x̄ += U S̄ Uᵀ` |
//!
//! The traits below have those of the other methods. Derivatives of methods have derivatives once more, but for those of
//! `from_fn`, which takes a function.
//!
//! ```
//! # use faer_0_24 as faer;
//! use cotangent::differentiate;
//! use cotangent::faer::*;
//! use faer::prelude::*;
//!
//! #[differentiate]
//! fn misfit(a: &Mat<f64>, x: &Col<f64>, b: &Col<f64>) -> f64 {
//!     (a * x - b).squared_norm_l2()
//! }
//!
//! let (a, x, b) = (Mat::<f64>::identity(2, 2), Col::<f64>::ones(2), Col::<f64>::zeros(2));
//! let (by_a, by_x, by_b) = misfit::gradient(&a, &x, &b);
//! assert_eq!((by_a, by_x[0], by_b[1]), (Mat::full(2, 2, 2.0), 2.0, -2.0));
//! ```
//!
//! What is solved has the adjoint of a solve, with the same factors. A factorisation by `llt` reads one triangle, and so
//! nothing goes back to the other:
//!
//! ```
//! # use faer_0_24 as faer;
//! use cotangent::differentiate;
//! use cotangent::faer::*;
//! use faer::{Side, prelude::*};
//!
//! #[differentiate]
//! fn compliance(stiffness: &Mat<f64>, load: &Col<f64>) -> f64 {
//!     load.transpose() * stiffness.llt(Side::Lower).unwrap().solve(load)
//! }
//!
//! let (stiffness, load) = (Mat::<f64>::identity(2, 2) * 2.0, Col::from_fn(2, |i| i as f64 + 1.0));
//! let (by_stiffness, by_load) = compliance::gradient(&stiffness, &load);
//! assert!((by_load - &load).norm_l2() < 1e-15);
//! assert!((by_stiffness - mat![[-0.25, 0.0], [-1.0, -1.0]]).norm_l2() < 1e-15);
//! ```
//!
//! A method without a rule is an error at its name:
//!
//! ```compile_fail
//! # use faer_0_24 as faer;
//! # use cotangent::differentiate;
//! # use cotangent::faer::*;
//! # use faer::Mat;
//! #[differentiate]
//! fn largest(a: &Mat<f64>) -> f64 {
//!     a.norm_max()
//! }
//! ```

#![allow(clippy::type_complexity, reason = "pullbacks have no names")]

mod construction;
mod diagonals;
mod direction;
mod eigen;
mod entries;
mod factorisation;
mod factors;
mod methods;
mod operators;
mod orthogonal;
mod solving;
mod square;
mod triangles;
mod types;

pub use construction::*;
pub use diagonals::*;
pub use eigen::*;
pub use factorisation::*;
pub use methods::*;
pub use orthogonal::Orthogonal;
pub use square::*;

// Again without names, for modules in which something else bears one of these.
#[doc(hidden)]
pub use construction::{EvenMat as _, EvenVector as _, FilledMat as _, FilledVector as _};
#[doc(hidden)]
pub use diagonals::{AsDiagonal as _, OfDiagonal as _, ToDiagonal as _};
#[doc(hidden)]
pub use eigen::{OfEigenvalues as _, Spectral as _};
#[doc(hidden)]
pub use factorisation::{Factorised as _, Triangular as _};
#[doc(hidden)]
pub use methods::{Counted as _, Lines as _, Reduced as _, Shaped as _, Transposed as _};
#[doc(hidden)]
pub use orthogonal::{LeastSquares as _, Orthogonal as _};
#[doc(hidden)]
pub use solving::{Inverting as _, Solving as _};
#[doc(hidden)]
pub use square::Square as _;
