//! One file a kernel: primal, derivatives by hand if there are any, test.
//!
//! A gradient by hand has the contract of `accumulate_gradient`: it returns the value, bit for bit that
//! of the primal, and adds to the shadows. It allocates no more often than the primal; what has to be remembered
//! between the passes goes into a buffer that the caller keeps.

// The primals are written with index loops, as numerical code commonly is.
#![allow(clippy::needless_range_loop)]

pub mod black_scholes;
pub mod branches;
pub mod bundle;
pub mod chains;
pub mod gaussian_process;
pub mod hand;
pub mod helmholtz;
pub mod kepler;
pub mod kron;
pub mod lanczos;
pub mod logistic;
pub mod lotka_volterra;
pub mod lstm;
pub mod maps;
pub mod mixture;
pub mod mlp;
pub mod moments;
pub mod multiplications;
pub mod perceptron;
pub mod posterior;
pub mod roots;
pub mod rosenbrock;
pub mod stencils;
pub mod sum;
pub mod sum_of_sines;

pub mod agreement;
