//! What the tester found wrong.

use alloc::boxed::Box;
use alloc::string::String;
use core::error::Error;
use core::fmt;

/// A derivative that is not that of its function: which function, in which mode, at which place, what was
/// found there and what was expected.
///
/// `Display` and `Debug` print the same: a sentence, and in a second line the point, so that an `unwrap` in a test
/// is readable.
#[derive(Clone, PartialEq)]
pub struct Mismatch(Box<Details>);

#[derive(Clone, PartialEq)]
struct Details {
    function: String,
    kind: Kind,
    mode: Mode,
    place: String,
    direction: Option<String>,
    numbers: Option<(f64, f64)>,
    message: String,
    point: String,
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
    /// A shadow that was not zero was overwritten instead of added to, or changed something else; or `jvp`
    /// changed the tangent of what the function only reads.
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
    /// A shadow is no longer where it was, although what it belongs to is.
    Moved,
    /// A tangent of `jvp_batch` is not that of `jvp`.
    Batch,
    /// The gradient is not the exact one that is given.
    Exact,
    /// A tangent type breaks a law of vectors, or fits its value's type badly.
    Law,
    /// A derivative allocates, and the function does not.
    Allocation,
    /// The function panics at the point or near it, or a derivative does.
    Panic,
    /// Nothing could be tested: a test runs the function many times, and there are no fresh copies of an argument.
    Argument,
}

/// The part of the derivatives that a test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The function itself.
    Function,
    /// Forward mode.
    Jvp,
    /// Reverse mode: the forward pass with its pullback.
    Vjp,
    /// Reverse mode with a seed of one.
    AccumulateGradient,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Function => "the function",
            Mode::Jvp => "jvp",
            Mode::Vjp => "vjp",
            Mode::AccumulateGradient => "accumulate_gradient",
        })
    }
}

impl Mismatch {
    pub(super) fn new(
        function: &str,
        kind: Kind,
        mode: Mode,
        place: String,
        message: String,
    ) -> Self {
        let details = Details {
            function: function.into(),
            kind,
            mode,
            place,
            direction: None,
            numbers: None,
            message,
            point: String::new(),
        };
        Mismatch(Box::new(details))
    }

    /// Says why a function cannot be tested.
    #[doc(hidden)]
    #[must_use]
    pub fn untested(function: &str, why: &str) -> Self {
        Self::new(function, Kind::Argument, Mode::Function, String::new(), why.into())
    }

    pub(super) fn between(mut self, found: f64, expected: f64) -> Self {
        self.0.numbers = Some((found, expected));
        self
    }

    pub(super) fn along(mut self, direction: String) -> Self {
        self.0.direction = Some(direction);
        self
    }

    pub(super) fn adding(mut self, words: &str) -> Self {
        self.0.message.push_str(words);
        self
    }

    /// Says how to find the rule that made a derivative which is not a number or infinite.
    pub(super) fn naming_debug(self) -> Self {
        match self.found() {
            Some(found) if !found.is_finite() && self.mode() != Mode::Function => self.adding(
                "; with `#[differentiate(debug)]`, or `COTANGENT_DEBUG=1 cargo test`, the first rule that makes such a number panics",
            ),
            _ => self,
        }
    }

    pub(super) fn at(mut self, point: String) -> Self {
        self.0.point = point;
        self
    }

    /// The name of the function.
    #[must_use]
    pub fn function(&self) -> &str {
        &self.0.function
    }

    /// The test that failed.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The part of the derivatives that is wrong.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.0.mode
    }

    /// Whose value, tangent, cotangent or shadow is wrong: a parameter by its name, or `output`, and which part of
    /// it, such as `state.velocity[2]`.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// For a tangent, along which input it was taken; for a cotangent, of which output. A unit vector is named like
    /// a [`place`](Mismatch::place), another one by its numbers.
    #[must_use]
    pub fn direction(&self) -> Option<&str> {
        self.0.direction.as_deref()
    }

    /// The number that was found, where the test compares two.
    #[must_use]
    pub fn found(&self) -> Option<f64> {
        self.0.numbers.map(|(found, _)| found)
    }

    /// The number that was expected.
    #[must_use]
    pub fn expected(&self) -> Option<f64> {
        self.0.numbers.map(|(_, expected)| expected)
    }

    /// What was found and what was expected, without the name of the function and the point.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The arguments, number by number; of many, the first.
    #[must_use]
    pub fn point(&self) -> &str {
        &self.0.point
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.function(), self.message())?;
        match self.point() {
            "" => Ok(()),
            point => write!(f, "\n    at {point}"),
        }
    }
}

impl fmt::Debug for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Mismatch {}
