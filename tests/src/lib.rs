//! What the tests of cotangent share: programs and input for the macros made at random, an oracle, and where programs are built.

#[cfg(feature = "inputs")]
pub mod inputs;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod programs;
pub mod target;
