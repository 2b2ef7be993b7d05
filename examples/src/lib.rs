//! What the examples and benchmarks of `cotangent` share: the numerical kernels that are measured, and charts.
//!
//! [`kernels`] holds one file a kernel: the primal as a user would write it, under `#[differentiate]`;
//! its derivatives written by hand; and the tests that both agree. [`cases`] gives each kernel its input
//! and one calling convention for all of them, [`published`] has what others have measured of them, [`pairs`] holds kernels that are written as chains and as loops,
//! [`contests`] holds several ways to the same derivatives against each other, and [`ratios`] times runs.
//! [`charts`] is what the pictures of the examples have in common.

pub mod cases;
pub mod charts;
pub mod contests;
pub mod inputs;
pub mod kernels;
pub mod pairs;
pub mod published;
pub mod ratios;
