//! The numerical kernels that the benchmarks of `cotangent` measure.
//!
//! [`kernels`] holds one file a kernel: the primal as a user would write it, under `#[differentiate]`;
//! its gradient written by hand; and the tests that both agree. [`cases`] gives each kernel its input
//! and one calling convention for all three, and [`ratios`] times them against each other.

pub mod cases;
pub mod inputs;
pub mod kernels;
pub mod ratios;
