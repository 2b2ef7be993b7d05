//! Dense kernels without derivatives: dot products, sums of rows, triangular solves and LU factors.
//!
//! Implicit functions solve their systems with them, and the functions of `linalg` are made of them.

mod factors;
mod loops;
mod triangle;

pub(crate) use factors::Factors;
#[cfg(feature = "linalg")]
pub(crate) use factors::columns_of;
#[cfg(feature = "linalg")]
pub(crate) use loops::{ROWS, check_beside, check_fit, dots};
pub(crate) use loops::{add_rows, axpy, dot, row};
pub(crate) use triangle::Triangle;
