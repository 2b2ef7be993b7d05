//! One file a kernel: primal, derivatives by hand if there are any, test.
//!
//! A gradient by hand has the contract of `accumulate_gradient`: it returns the value, bit for bit that
//! of the primal, and adds to the shadows. It allocates nothing; what has to be remembered between the
//! passes goes into a buffer that the caller keeps.

// The primals are written with index loops, as numerical code commonly is.
#![allow(clippy::needless_range_loop)]

pub mod chains;
pub mod helmholtz;
pub mod lanczos;
pub mod logistic;
pub mod lotka_volterra;
pub mod moments;
pub mod perceptron;
pub mod rosenbrock;
pub mod sum;
pub mod sum_of_sines;

#[cfg(test)]
mod agreement;
