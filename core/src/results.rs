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

/// A copy of a result that holds a value for certain: errors need not be `Clone`.
pub trait CopyOfSuccess {
    /// The copy.
    ///
    /// # Panics
    ///
    /// Panics if there is an error.
    #[must_use]
    fn __copy(&self) -> Self;
}

impl<T: Clone, E> CopyOfSuccess for Result<T, E> {
    #[inline]
    fn __copy(&self) -> Self {
        match self {
            Ok(value) => Ok(value.clone()),
            Err(_) => unreachable!("an error in the place of a value"),
        }
    }
}

/// Found behind the other: a copy of what a variant makes that is named like one of a result.
pub trait CopyOfValue {
    /// The type of the copy.
    type Value;

    /// The copy.
    fn __copy(&self) -> Self::Value;
}

impl<T: Clone> CopyOfValue for &T {
    type Value = T;

    #[inline]
    fn __copy(&self) -> T {
        (*self).clone()
    }
}
