//! What the examples and benchmarks of `cotangent` share: the numerical kernels that are measured, and charts.
//!
//! [`kernels`] holds one file a kernel: the primal as a user would write it, under `#[differentiate]`;
//! its gradient written by hand; and the tests that both agree. [`cases`] gives each kernel its input
//! and one calling convention for all three, and [`ratios`] times them against each other. [`charts`] is
//! what the pictures of the examples have in common.

pub mod cases;
pub mod charts;
pub mod inputs;
pub mod kernels;
pub mod ratios;
