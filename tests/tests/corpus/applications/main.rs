//! The corpus of whole functions: algorithms, simulations, the library, and what random programs once found.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../rows.rs"]
mod rows;

mod algorithms;
mod combined;
mod library;
mod linear_algebra;
mod regressions;
mod simulations;
mod special;
