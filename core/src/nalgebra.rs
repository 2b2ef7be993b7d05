//! Matrices and vectors of the crate `nalgebra`.
//!
//! The tangent of a matrix is a matrix of the same type. Invariant: a shadow has the sizes of its value.

mod components;
mod construction;
mod entries;
mod operators;
mod products;
mod shape;
mod square;
mod types;

pub use components::*;
pub use construction::*;
pub use products::*;
pub use shape::*;
pub use square::*;
