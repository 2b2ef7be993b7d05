//! What the tests of cotangent share: programs made at random, an oracle for them, and where they are built.

pub mod programs;
pub mod target;
