//! Vectors and dense matrices, with rules for their derivatives.
//!
//! The functions are called inside of differentiated functions like any other. Each has derivatives in both modes that
//! are better than those of its loops: the adjoint of a product is two products, that of a solve is a
//! solve with the same factors. All are generic over [`Float`], and so for `f32` and `f64`; they need no crate and
//! no `std`.
//!
//! ```
//! use cotangent::{check, differentiate, linalg};
//!
//! /// The energy of a force on a spring network.
//! #[differentiate]
//! fn energy(stiffness: &[f64], force: &[f64]) -> f64 {
//!     let x = linalg::lu_solve(stiffness, force, force.len()).unwrap();
//!     0.5 * linalg::dot(force, &x)
//! }
//!
//! let (stiffness, force) = ([3.0, -1.0, -1.0, 2.0], [1.0, 2.0]);
//! let (stiffness_bar, force_bar) = energy::gradient(&stiffness, &force);
//! check!(energy(&stiffness, &force)).unwrap();
//! # assert_eq!((stiffness_bar.len(), force_bar.len()), (4, 2));
//! ```
//!
//! # Conventions
//!
//! - A matrix is a slice, row after row without gaps. Its sizes come last, rows before columns; a
//!   product is `m` by `n` with `k` terms in each sum. What the lengths of the operands tell is not asked for.
//! - `_t` is a transposed matrix, `_tn` a transposed left factor, `_nt` a transposed right one. Sizes of `matvec_t` are those
//!   that are stored, as in the BLAS; those of products are the result's and `k`, also as there.
//! - Right-hand sides are the columns of `b`, of which there may be several.
//! - Results are returned as [`Vec`](alloc::vec::Vec). `axpy` adds in place.
//! - Sizes that do not fit panic, in a derivative with the same words as in the function. What depends on values
//!   is an `Option`: [`cholesky()`] and [`lu_solve()`].
//! - A rule computes the cotangents of all of its operands, also of one that is constant where it is called.
//! - Pullbacks add to shadows in place. Beside the results they allocate nothing, except for what is said here: the
//!   solves and the factorisations keep a copy of their result (`lu_solve` also the factors), `softmax` its result, `axpy` what
//!   it overwrites, `sort` its permutation.
//!
//! # Second derivatives
//!
//! All have two orders, and so are called in functions with two `#[differentiate]`. Their tangents are made of the same
//! functions, so that second derivatives are by rules as well: those of a product are products, and those of a solve are
//! solves with the same factors. What they add in place they copy first.
//!
//! ```
//! use cotangent::{differentiate, linalg};
//!
//! /// The energy of a force on a spring network.
//! #[differentiate(wrt(force))]
//! #[differentiate]
//! fn energy(stiffness: &[f64], force: &[f64]) -> f64 {
//!     let x = linalg::lu_solve(stiffness, force, force.len()).unwrap();
//!     0.5 * linalg::dot(force, &x)
//! }
//!
//! // The inverse of the stiffness.
//! let compliance = energy::hessian(&[3.0, -1.0, -1.0, 2.0], &[1.0, 2.0]);
//! assert!((compliance[(0, 0)] - 0.4).abs() < 1e-15 && (compliance[(0, 1)] - 0.2).abs() < 1e-15);
//! ```
//!
//! | | |
//! |---|---|
//! | vectors | [`dot()`], [`axpy()`], [`norm2()`] |
//! | products | [`matvec()`], [`matvec_t()`], [`matmul()`], [`matmul_tn()`], [`matmul_nt()`], [`kron()`] |
//! | solves | [`solve_lower()`], [`solve_lower_t()`], [`solve_upper()`], [`solve_upper_t()`], [`lu_solve()`] |
//! | factorisations | [`cholesky()`] |
//! | sums | [`logsumexp()`], [`softmax()`], [`cumsum()`] |
//! | order | [`sort()`], [`argsort()`], [`select()`], [`gather()`] |
//! | tables | [`interp()`] |

#![allow(missing_docs, reason = "of the companions, whose functions the attribute documents")]
#![allow(
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "the signatures of derivatives are the contract's"
)]

mod constant;
mod cumulative;
mod exponential;
mod factorisation;
mod kernel;
mod kronecker;
mod lu;
mod order;
mod product;
mod shape;
mod table;
mod triangular;
mod vector;

use crate::Float;

pub use cumulative::cumsum;
pub use exponential::{logsumexp, softmax};
pub use factorisation::cholesky;
pub use kronecker::kron;
pub use lu::lu_solve;
pub use order::{argsort, gather, select, sort};
pub use product::{matmul, matmul_nt, matmul_tn, matvec, matvec_t};
pub use table::interp;
pub use triangular::{solve_lower, solve_lower_t, solve_upper, solve_upper_t};
pub use vector::{axpy, dot, norm2};
