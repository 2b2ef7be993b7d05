//! Matrices and vectors of the crate `nalgebra`.
//!
//! The tangent of a matrix is a matrix of the same type. Invariant: a shadow has the sizes of its value.

mod methods;
mod operators;
mod types;

pub use methods::*;
