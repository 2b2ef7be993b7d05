//! What closures capture and nothing is differentiated by.
//!
//! In comes a reference. Out comes a value without a tangent that leads to what is behind it: a copy, for a pullback that
//! outlives the place, or the reference itself.

use alloc::borrow::ToOwned;
use core::ops::Deref;

use crate::differentiable::without_tangent;

/// A copy.
#[derive(Clone)]
pub struct Held<T>(T);

/// A reference.
pub struct Lent<'a, T: ?Sized>(&'a T);

impl<T: ?Sized> Clone for Lent<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Lent<'_, T> {}

/// Copies what is behind a reference.
#[inline]
pub fn held<T: ToOwned + ?Sized>(value: &T) -> Held<T::Owned> {
    Held(value.to_owned())
}

/// Wraps a reference.
#[inline]
pub fn lent<T: ?Sized>(value: &T) -> Lent<'_, T> {
    Lent(value)
}

impl<T> Deref for Held<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Deref for Lent<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.0
    }
}

without_tangent!([T] Held<T>, [T: ?Sized] Lent<'_, T>);
