//! Results whose errors derivatives do not keep.
//!
//! Errors are constants, of any type. A pullback may need what a result holds, or whether it holds something, but never its
//! error, which the function hands on.

use crate::NoTangent;

/// A result, or the tangent of one.
pub trait SplitError {
    /// The same without the error.
    type Value;
    /// The error, if there is one.
    type Error;

    /// Takes the error out.
    fn split_error(self) -> (Self::Value, Self::Error);
}

impl<T, E> SplitError for Result<T, E> {
    type Value = Result<T, ()>;
    type Error = Option<E>;

    #[inline]
    fn split_error(self) -> (Result<T, ()>, Option<E>) {
        match self {
            Ok(value) => (Ok(value), None),
            Err(error) => (Err(()), Some(error)),
        }
    }
}

impl<T> SplitError for Option<T> {
    type Value = Option<T>;
    type Error = NoTangent;

    #[inline]
    fn split_error(self) -> (Option<T>, NoTangent) {
        (self, NoTangent)
    }
}

/// Takes the error out of a result, or nothing out of the tangent of one.
#[inline]
pub fn split_error<R: SplitError>(result: R) -> (R::Value, R::Error) {
    result.split_error()
}
