//! What the tests of cotangent share: programs made at random, and an oracle for them.

pub mod programs;
