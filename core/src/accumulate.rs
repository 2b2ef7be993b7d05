//! Sums of tangents: into a place in memory, and over a collection.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::Differentiable;
use crate::tangent::{NoTangent, Tangent, accumulate_entries};

/// A place in memory, a shadow or a part of one, to which cotangents of type `V` are added, or into which they are put.
#[diagnostic::on_unimplemented(
    message = "a cotangent of type `{V}` cannot be added to a shadow of type `{Self}`"
)]
pub trait Accumulates<V> {
    /// Whether there are shadows of cells in it.
    const SHARES: bool = false;

    /// Adds `value` in place; panics when the lengths differ.
    fn accumulate_into(&mut self, value: V);

    /// Puts `value` in the place of what is there.
    fn assign(&mut self, value: V);
}

impl<T: Tangent> Accumulates<T> for T {
    const SHARES: bool = T::SHARES;

    #[inline(always)]
    fn accumulate_into(&mut self, value: T) {
        self.accumulate(value);
    }

    #[inline(always)]
    fn assign(&mut self, value: T) {
        *self = value;
    }
}

impl<T: Tangent> Accumulates<Vec<T>> for [T] {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate_into(&mut self, value: Vec<T>) {
        accumulate_entries(self.iter_mut(), value.into_iter());
    }

    fn assign(&mut self, value: Vec<T>) {
        self.clone_from_slice(&value);
    }
}

impl<T: Tangent, const N: usize> Accumulates<Vec<T>> for [T; N] {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate_into(&mut self, value: Vec<T>) {
        self[..].accumulate_into(value);
    }

    fn assign(&mut self, value: Vec<T>) {
        self.clone_from_slice(&value);
    }
}

impl<T: Tangent, const N: usize> Accumulates<[T; N]> for [T] {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate_into(&mut self, value: [T; N]) {
        accumulate_entries(self.iter_mut(), value.into_iter());
    }

    fn assign(&mut self, value: [T; N]) {
        self.clone_from_slice(&value);
    }
}

/// Adds `value` to `place`; panics when the lengths differ.
///
/// Where the value is the cotangent of a copy, the copy of a handle leads to the original's cell, and it would be
/// too late to add its shadow here.
#[inline(always)]
pub fn accumulate<P: Accumulates<V> + ?Sized, V>(place: &mut P, value: V) {
    const {
        assert!(
            !P::SHARES,
            "a value that holds cells is copied, or used twice, in a differentiated function"
        )
    };
    place.accumulate_into(value);
}

/// Puts `value` into `place`, a part of a tangent, which the value may have been read from.
#[inline(always)]
pub fn assign<P: Accumulates<V> + ?Sized, V>(value: V, place: &mut P) {
    place.assign(value);
}

/// Adds a shadow that stood for `place` in a call. Shadows of cells were one already.
#[inline(always)]
pub fn rejoin<P: Accumulates<V> + ?Sized, V>(place: &mut P, value: V) {
    place.accumulate_into(value);
}

/// A copy of a tangent, whose value is copied: of a cell there would be two, and of their tangents one.
#[inline(always)]
pub fn copy<T: Tangent>(tangent: &T) -> T {
    const { assert!(!T::SHARES, "a value that holds cells is copied in a differentiated function") };
    tangent.clone()
}

/// The tangent of an `Option` or a `Result` of which a part alone was used. Where that holds cells, the whole would have
/// led to them before.
#[inline(always)]
pub fn enclosed<T: Tangent>(part: T) -> Option<T> {
    const { assert!(!T::SHARES, "a value that holds cells is moved in a differentiated function") };
    Some(part)
}

/// Shadows of operands of a `dot` that nobody reads: zeros. Where the receiver's type knows how to do without, its methods
/// of these names go before.
pub trait Unread {
    /// One of the receiver.
    #[inline(always)]
    fn __dot_unread_0<B: ?Sized>(&self, _: &B) -> <Self::Receiver as Differentiable>::Tangent
    where
        Self::Receiver: Differentiable,
    {
        self.receiver().zero_tangent()
    }

    /// One of the other operand.
    #[inline(always)]
    fn __dot_unread_1<B: Differentiable + ?Sized>(&self, b: &B) -> B::Tangent {
        b.zero_tangent()
    }

    /// What is behind the reference.
    type Receiver: ?Sized;

    /// Itself.
    fn receiver(&self) -> &Self::Receiver;
}

impl<T: ?Sized> Unread for &T {
    type Receiver = T;

    #[inline(always)]
    fn receiver(&self) -> &T {
        self
    }
}

/// Tangents whose zero needs no value to take its shape from.
#[diagnostic::on_unimplemented(
    message = "the zero of `{Self}` has no known length, so a cotangent of an empty collection has none"
)]
pub trait Zero: Tangent {
    /// The zero.
    fn nothing() -> Self;
}

impl Zero for f32 {
    #[inline(always)]
    fn nothing() -> Self {
        0.0
    }
}

impl Zero for f64 {
    #[inline(always)]
    fn nothing() -> Self {
        0.0
    }
}

impl Zero for NoTangent {
    #[inline(always)]
    fn nothing() -> Self {
        NoTangent
    }
}

impl<T: Zero, const N: usize> Zero for [T; N] {
    #[inline(always)]
    fn nothing() -> Self {
        core::array::from_fn(|_| T::nothing())
    }
}

impl<T: Zero> Zero for Box<T> {
    #[inline(always)]
    fn nothing() -> Self {
        Box::new(T::nothing())
    }
}

/// The sum of a collection: the cotangent of `x` in `[x; n]` and `vec![x; n]`.
#[inline]
pub fn total<T: Zero>(items: &(impl AsRef<[T]> + ?Sized)) -> T {
    let mut items = items.as_ref().iter().cloned();
    let first = items.next().unwrap_or_else(T::nothing);
    items.fold(first, T::plus)
}

/// The zero in the shape of a tangent: the cotangent of what an assignment overwrote.
#[inline]
pub fn cleared<T: Tangent>(tangent: &T) -> T {
    const { assert!(!T::SHARES, "a value that holds cells is overwritten in a differentiated function") };
    let mut zero = tangent.clone();
    zero.set_zero();
    zero
}

/// Likewise for items whose zero has a shape that their type does not tell: it comes with the call.
#[inline]
pub fn total_from<T: Tangent>(zero: T, items: &(impl AsRef<[T]> + ?Sized)) -> T {
    items.as_ref().iter().cloned().fold(zero, T::plus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn values_are_added_to_places() {
        let mut place = vec![1.0, 2.0];
        accumulate(&mut place, vec![10.0, 20.0]);
        accumulate(&mut place[..], vec![100.0, 200.0]);
        accumulate(&mut place[..1], [1000.0]);
        accumulate(&mut place[1], 2000.0);
        assert_eq!(place, [1111.0, 2222.0]);
    }

    #[test]
    #[should_panic(expected = "a tangent of length 2 was added to one of length 1")]
    fn slices_take_their_own_length_only() {
        accumulate(&mut [1.0][..], vec![1.0, 2.0]);
    }

    #[test]
    fn collections_are_summed() {
        assert_eq!(total(&[1.0, 2.0, 3.0]), 6.0);
        assert_eq!(total(&vec![(1.0_f32, [2.0]), (3.0, [4.0])]), (4.0, [6.0]));
        assert_eq!(total(&[1.0, 2.0][..]), 3.0);
    }

    #[test]
    fn an_empty_collection_sums_to_zero() {
        assert_eq!(total(&Vec::<([f64; 2], NoTangent)>::new()), ([0.0, 0.0], NoTangent));
    }
}
