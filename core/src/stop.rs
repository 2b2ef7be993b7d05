//! A value that derivatives take for a constant.

#![allow(missing_docs, reason = "of the companion, whose functions the attribute documents")]

use crate::zero_adjoint;

/// The value, with derivative zero: what is computed of it is differentiated as if it were a constant.
///
/// The type is any that has a tangent, and in a differentiated function any that is read from a constant field. Nothing is
/// computed there for the derivative of what is passed.
///
/// ```
/// use cotangent::{differentiate, stop_gradient};
///
/// #[differentiate]
/// fn weighted(x: f64) -> f64 {
///     stop_gradient(x * x) * x
/// }
///
/// assert_eq!(weighted::value_and_gradient(3.0), (27.0, 9.0));
/// ```
#[inline]
#[zero_adjoint]
pub fn stop_gradient<T>(x: T) -> T {
    x
}

impl stop_gradient {
    /// What a differentiated function calls in its place: only this one has it, whatever its name is in scope.
    #[doc(hidden)]
    #[inline]
    pub fn __stopped<T>(x: T) -> T {
        x
    }
}
