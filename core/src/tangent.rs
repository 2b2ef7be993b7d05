//! Tangents: the vectors in which derivatives are expressed.
//!
//! A tangent is a float, or a container of tangents in the shape of the value that it belongs to, or
//! [`NoTangent`] where the value cannot vary. Cotangents and shadows have the same types.
//!
//! Invariant: two tangents of one value have one shape. Adding tangents of different shapes is a
//! mistake of the caller and panics, but for `None`, which is the zero of every `Option`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::visit::{Leaf, Line, Step, Visitor, visit_entries, visit_memory, visit_part};

/// A vector of the tangent space of some value.
///
/// Implemented for floats, [`NoTangent`] and containers of tangents; `#[derive(Differentiable)]`
/// implements it for the tangent type that it makes.
///
/// ```
/// use cotangent::Tangent;
///
/// let sum = (1.0, [2.0, 3.0]).plus((10.0, [20.0, 30.0]));
/// assert_eq!(sum, (11.0, [22.0, 33.0]));
/// ```
pub trait Tangent: Clone {
    /// Whether it holds handles to the shadows of cells, which a copy of it would share.
    const SHARES: bool = false;

    /// The sum of two tangents of one value.
    ///
    /// # Panics
    ///
    /// When the two differ in shape, such as vectors of different lengths.
    #[inline(always)]
    #[must_use]
    fn plus(mut self, other: Self) -> Self {
        self.accumulate(other);
        self
    }

    /// Adds `other` in place.
    ///
    /// # Panics
    ///
    /// When the two differ in shape, such as vectors of different lengths.
    fn accumulate(&mut self, other: Self);

    /// Shows every leaf in order: the floats, and the shapes of what may have different ones.
    ///
    /// ```
    /// use cotangent::{Leaf, Tangent};
    ///
    /// let mut floats = vec![];
    /// (1.0, [2.0, 3.0]).visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    /// assert_eq!(floats, [1.0, 2.0, 3.0]);
    /// ```
    fn visit(&self, visitor: &mut dyn Visitor);

    /// The floats, where they lie one after the other and are all that there is.
    #[doc(hidden)]
    #[inline]
    fn line(&self) -> Option<Line<'_>> {
        None
    }

    /// Likewise, of several tangents that lie one after the other.
    #[doc(hidden)]
    #[inline]
    fn line_of(_: &[Self]) -> Option<Line<'_>> {
        None
    }

    /// Calls `visitor` on every float in order, in the order of [`visit`](Tangent::visit). An `f32` is
    /// widened for the visitor and what it leaves is rounded.
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64));
}

/// The tangent of what cannot vary: integers, `bool`, `char`, strings.
///
/// ```
/// use cotangent::{Differentiable, NoTangent};
///
/// assert_eq!((2.0, 3_usize).zero_tangent(), (0.0, NoTangent));
/// assert_eq!(size_of::<NoTangent>(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoTangent;

impl Tangent for NoTangent {
    #[inline(always)]
    fn accumulate(&mut self, NoTangent: Self) {}

    fn visit(&self, _: &mut dyn Visitor) {}

    fn visit_mut(&mut self, _: &mut dyn FnMut(&mut f64)) {}
}

impl Tangent for f64 {
    #[inline(always)]
    fn accumulate(&mut self, other: Self) {
        *self += other;
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::F64(*self));
    }

    #[inline]
    fn line_of(floats: &[Self]) -> Option<Line<'_>> {
        Some(Line::F64(floats))
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        visitor(self);
    }
}

impl Tangent for f32 {
    #[inline(always)]
    fn accumulate(&mut self, other: Self) {
        *self += other;
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::F32(*self));
    }

    #[inline]
    fn line_of(floats: &[Self]) -> Option<Line<'_>> {
        Some(Line::F32(floats))
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        let mut wide = f64::from(*self);
        visitor(&mut wide);
        *self = wide as f32;
    }
}

impl<T: Tangent, const N: usize> Tangent for [T; N] {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        for (place, value) in self.iter_mut().zip(other) {
            place.accumulate(value);
        }
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_entries(self, visitor, T::visit);
    }

    #[inline]
    fn line(&self) -> Option<Line<'_>> {
        T::line_of(self)
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|entry| entry.visit_mut(visitor));
    }
}

impl<T: Tangent> Tangent for Vec<T> {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        accumulate_entries(self.iter_mut(), other.into_iter());
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_memory(self.as_slice(), self.capacity(), visitor);
        visitor.leaf(Leaf::Shape(self.len()));
        visit_entries(self, visitor, T::visit);
    }

    #[inline]
    fn line(&self) -> Option<Line<'_>> {
        T::line_of(self)
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|entry| entry.visit_mut(visitor));
    }
}

impl<T: Tangent> Tangent for Option<T> {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        match (self.as_mut(), other) {
            (Some(place), Some(value)) => place.accumulate(value),
            (None, other) => *self = other,
            (Some(_), None) => {}
        }
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(usize::from(self.is_some())));
        if let Some(tangent) = self {
            visit_part(Step::Variant("Some"), visitor, |visitor| tangent.visit(visitor));
        }
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|entry| entry.visit_mut(visitor));
    }
}

impl<T: Tangent> Tangent for Box<T> {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        (**self).accumulate(*other);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_memory(&**self, 1, visitor);
        (**self).visit(visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        (**self).visit_mut(visitor);
    }
}

/// Adds entry by entry; panics when the lengths differ.
#[inline]
#[track_caller]
pub(crate) fn accumulate_entries<'p, T: Tangent + 'p>(
    places: impl ExactSizeIterator<Item = &'p mut T>,
    values: impl ExactSizeIterator<Item = T>,
) {
    let (place, value) = (places.len(), values.len());
    assert!(place == value, "a tangent of length {value} was added to one of length {place}");
    places.zip(values).for_each(|(place, value)| place.accumulate(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn containers_add_entry_by_entry() {
        assert_eq!([1.0, 2.0].plus([10.0, 20.0]), [11.0, 22.0]);
        assert_eq!(vec![1.0_f32].plus(vec![2.0]), vec![3.0]);
        assert_eq!(Box::new((1.0,)).plus(Box::new((2.0,))), Box::new((3.0,)));
        assert_eq!(NoTangent.plus(NoTangent), NoTangent);
    }

    #[test]
    fn none_is_the_zero_of_an_option() {
        assert_eq!(Some(1.0).plus(None), Some(1.0));
        assert_eq!(None.plus(Some(1.0)), Some(1.0));
        assert_eq!(Some(1.0).plus(Some(2.0)), Some(3.0));
        assert_eq!(None::<f64>.plus(None), None);
    }

    #[test]
    #[should_panic(expected = "a tangent of length 1 was added to one of length 2")]
    fn vectors_of_different_lengths_do_not_add() {
        let _ = vec![1.0, 2.0].plus(vec![1.0]);
    }

    #[test]
    fn floats_are_visited_in_order_and_written_back() {
        let mut tangent = (1.0, vec![2.0_f32, 3.0], NoTangent, Some([4.0]), Box::new(5.0));
        tangent.visit_mut(&mut |float| *float *= 2.0);
        let mut floats = vec![];
        tangent.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
        assert_eq!(floats, [2.0, 4.0, 6.0, 8.0, 10.0]);
    }
}
