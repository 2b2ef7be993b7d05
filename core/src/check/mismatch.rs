//! What the tester found wrong.

use alloc::string::String;
use core::error::Error;
use core::fmt;

/// A derivative that is not that of its function: which function, which test, what was found and
/// what was expected.
///
/// `Display` and `Debug` print the same sentence, so that an `unwrap` in a test is readable.
#[derive(Clone, PartialEq)]
pub struct Mismatch {
    function: String,
    kind: Kind,
    message: String,
}

/// The test that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The value, or what the function makes of a `&mut` argument, is not the function's.
    Value,
    /// A tangent of `jvp` differs from central differences.
    Tangent,
    /// A cotangent of `vjp` breaks the identity ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩.
    Cotangent,
    /// A shadow that was not zero was overwritten instead of added to, or changed something else.
    Shadow,
    /// A `&mut` argument is not as it was before the call.
    Restored,
    /// A second run with the same arguments gave something else.
    Repeat,
    /// A tangent or a cotangent has another number of floats than its value.
    Shape,
    /// A constant parameter has a tangent or a cotangent other than zero.
    Constant,
    /// `accumulate_gradient` differs from the pullback with a seed of one.
    Accumulate,
}

impl Mismatch {
    pub(super) fn new(function: &str, kind: Kind, message: String) -> Mismatch {
        Mismatch { function: function.into(), kind, message }
    }

    /// The name of the function.
    #[must_use]
    pub fn function(&self) -> &str {
        &self.function
    }

    /// The test that failed.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What was found and what was expected, without the name of the function.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.function, self.message)
    }
}

impl fmt::Debug for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Mismatch {}
