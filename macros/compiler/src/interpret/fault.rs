//! How a run ends that gives no result, and what a run costs.

use std::fmt;

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The emitted code would panic as well.
    Panic(String),
    /// The IR breaks an invariant: no emitted code does what it says.
    Broken(String),
    /// The interpreter does not know the operation.
    Unsupported(String),
    /// The run takes more steps than it was given.
    Endless,
}

/// A result, or a fault.
pub type Run<T> = Result<T, Fault>;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Panic(text) => write!(f, "panic: {text}"),
            Fault::Broken(text) => write!(f, "broken: {text}"),
            Fault::Unsupported(text) => write!(f, "unsupported: {text}"),
            Fault::Endless => f.write_str("too many steps"),
        }
    }
}

/// What a run does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Costs {
    /// Instructions, of which each of a loop's body counts in each iteration.
    pub steps: u64,
    /// Sums, products and changes of sign of floats.
    pub sums: u64,
    /// Rows of the class `cheap`.
    pub cheap: u64,
    /// Divisions, roots and roundings.
    pub divisions: u64,
    /// Calls of the mathematical library.
    pub calls: u64,
    /// Bytes that are put on tapes.
    pub tape_bytes: u64,
    /// Vectors that are made, copies and zeros included.
    pub allocations: u64,
}
