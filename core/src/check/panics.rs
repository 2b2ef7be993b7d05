//! Panics of what is tested, as mismatches.
//!
//! In: a run of the tester. Out: what it returns, or what has panicked in it, and with which message. Without the
//! standard library nobody can catch a panic, and it goes on.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::mismatch::{Kind, Mismatch, Mode};

/// A part of a test that may panic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Copies of the arguments are made and moved, and their floats are read.
    Arguments,
    /// The function at the point.
    Function,
    /// The function at a point nearby.
    Nearby,
    Derivative(Mode),
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Arguments => f.write_str("no fresh arguments can be made for a test"),
            Stage::Function => f.write_str("the function panics"),
            Stage::Nearby => {
                f.write_str("the function panics near the point, where differences are taken")
            }
            Stage::Derivative(mode) => write!(f, "{mode} panics"),
        }
    }
}

impl Stage {
    /// Reports a panic with this message.
    pub(super) fn mismatch(self, function: &str, message: &str) -> Mismatch {
        let (kind, mode) = match self {
            Stage::Arguments => (Kind::Argument, Mode::Function),
            Stage::Function | Stage::Nearby => (Kind::Panic, Mode::Function),
            Stage::Derivative(mode) => (Kind::Panic, mode),
        };
        Mismatch::new(function, kind, mode, String::new(), format!("{self}: {message}"))
    }
}

/// Returns the result of a run, or the message of its panic.
#[cfg(feature = "std")]
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    extern crate std;
    use alloc::string::ToString;

    // The run only reads the point: copies of it are what a panic leaves half changed.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|payload| {
        let owned = payload.downcast_ref::<String>().map(String::as_str);
        let text = owned.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("a value that is not a message").to_string()
    })
}

/// Returns the result of a run.
#[cfg(not(feature = "std"))]
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    Ok(run())
}
