//! What rules of norms have in common, whatever the norm is of.

use crate::{Float, differentiate};

/// A derivative's numerator over the norm, and zero where that is zero, where a norm has a corner.
#[differentiate]
pub(crate) fn by_norm<T: Float>(part: T, norm: T) -> T {
    if norm == T::zero() { norm } else { part / norm }
}
