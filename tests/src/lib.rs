//! What the tests of cotangent share: programs, input for the macros and IR made at random, an oracle, and where programs
//! are built.

#[cfg(feature = "inputs")]
pub mod inputs;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod programs;
pub mod target;
#[cfg(feature = "inputs")]
pub mod validate;
