//! Special functions, with rules for their derivatives: feature `special`.
//!
//! ```
//! use cotangent::{check, differentiate, special};
//!
//! /// The logarithm of the density of the gamma distribution.
//! #[differentiate]
//! fn log_density(x: f64, shape: f64, rate: f64) -> f64 {
//!     shape * rate.ln() + (shape - 1.0) * x.ln() - rate * x - special::lgamma(shape)
//! }
//!
//! check!(log_density(0.7, 2.5, 1.2)).unwrap();
//! ```
//!
//! Values are those of the crate [`libm`](https://docs.rs/libm), which is a port of the functions of musl and FreeBSD: it
//! is kept by the maintainers of Rust's compiler builtins, has no dependencies, needs no `std`, and is the crate
//! that `num-traits` uses for targets without one. It has no digamma and its kin; crates that have them (`statrs`,
//! `special`, `puruspe`) bring more than a function or stop at trigamma. They are here, by their asymptotic
//! expansions.
//!
//! All functions are generic over [`Float`]. For `f32` they are computed as `f64` and rounded, which is exact to
//! the last place almost everywhere; the single precision Bessel functions of `libm` are not, near their zeros.
//!
//! Derivatives are made of functions that have rules of their own, and each has three orders: it is called in functions
//! with up to three `#[differentiate]`.
//!
//! | | | derivative |
//! |---|---|---|
//! | [`erf()`], [`erfc()`] | error function, and its complement | `±2/√π exp(-x²)` |
//! | [`gamma()`] | `Γ(x)` | `Γ(x) ψ(x)` |
//! | [`lgamma()`] | `ln abs(Γ(x))` | `ψ(x)` |
//! | [`digamma()`] | `ψ(x)` | `ψ'(x)` |
//! | [`trigamma()`] | `ψ'(x)` | `ψ''(x)` |
//! | [`polygamma()`] | `ψ⁽ⁿ⁾(x)` | `ψ⁽ⁿ⁺¹⁾(x)` |
//! | [`beta()`] | `Γ(a) Γ(b) / Γ(a + b)` | `B(a, b) (ψ(a) - ψ(a + b))`, and likewise by `b` |
//! | [`bessel_j0()`], [`bessel_j1()`] | Bessel functions of the first kind | `-J₁(x)`, `J₀(x) - J₁(x) / x` |
//! | [`bessel_jn()`] | likewise, of an integer order | `(Jₙ₋₁(x) - Jₙ₊₁(x)) / 2` |

#![allow(missing_docs, reason = "of the companions, whose functions the attribute documents")]

mod bessel;
mod errors;
mod gammas;
mod psi;

use crate::Float;

pub use bessel::{bessel_j0, bessel_j1, bessel_jn};
pub use errors::{erf, erfc};
pub use gammas::{beta, gamma, lgamma};
pub use psi::{digamma, polygamma, trigamma};

/// A function of `f64` for any float.
#[inline]
fn widened<T: Float>(of: impl FnOnce(f64) -> f64, x: T) -> T {
    x.to_f64().map_or_else(T::nan, |x| T::literal(of(x)))
}
