//! Translation validation: random programs of the IR, the same before and after each pass, with the right derivatives.
//!
//! `generate.rs` makes a program of a seed, `program.rs` is its tree and writes it as text, `judge.rs` runs it and its
//! derivatives before and after each pass, and `shrink.rs` makes what fails smaller. `corpus.rs` does it with functions of
//! Rust.

pub mod corpus;
pub mod generate;
pub mod judge;
pub mod program;
pub mod shrink;
