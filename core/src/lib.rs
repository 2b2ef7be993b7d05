//! Automatic differentiation of ordinary Rust functions, at compile time, on stable Rust.
//!
//! What users name: the attribute [`differentiate`], the traits [`Differentiable`] and [`Tangent`],
//! [`Matrix`] for Jacobians and Hessians, and [`check!`] with the module [`mod@check`] for testing
//! derivatives. The crate needs `alloc`, not `std`.

#![no_std]

extern crate alloc;

mod accumulate;
mod backwards;
pub mod check;
mod containers;
mod differentiable;
mod float;
mod guard;
mod jacobian;
mod matrix;
mod object;
mod output;
mod tangent;
mod tape;
mod tuples;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[doc(hidden)]
pub mod rules;

pub use cotangent_macros::{Differentiable, check, differentiate, dump};
pub use differentiable::{Differentiable, Leaf};
pub use float::Float;
pub use matrix::Matrix;
pub use object::DynTangent;
pub use tangent::{NoTangent, Tangent};

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
