//! The modes of the two nested derivatives of a function name such as `rf`.
//!
//! In: a name. Out: the mode of the outer derivative, and that of the inner one.

use cotangent::Differentiable;

use crate::input::{Failure, unknown};

/// The mode of a derivative.
#[derive(Clone, Copy, Debug, Differentiable)]
pub enum Mode {
    /// One run forwards for each direction.
    Forward,
    /// One run backwards.
    Reverse,
}

/// The modes of a function.
pub fn modes(function: &str) -> Result<(Mode, Mode), Failure> {
    match function {
        "ff" => Ok((Mode::Forward, Mode::Forward)),
        "fr" => Ok((Mode::Forward, Mode::Reverse)),
        "rf" => Ok((Mode::Reverse, Mode::Forward)),
        "rr" => Ok((Mode::Reverse, Mode::Reverse)),
        _ => Err(unknown(function)),
    }
}
