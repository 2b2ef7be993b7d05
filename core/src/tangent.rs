//! Tangents: the vectors in which derivatives are expressed.
//!
//! A tangent is a float, or a container of tangents in the shape of the value that it belongs to, or
//! [`NoTangent`] where the value cannot vary. Cotangents and shadows have the same types.
//!
//! Invariant: two tangents of one value have one shape. Adding tangents of different shapes is a
//! mistake of the caller and panics, but for `None`, which is the zero of every `Option`.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice;

use crate::differentiable::Differentiable;
use crate::floats::{
    DistinctCells, EachMut, InnerProduct, Map, PairVisitor, WithZeros, Zip, assert_lengths,
    pairs_of_fields,
};

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
pub trait Tangent: Clone + Differentiable<Tangent = Self> {
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

    /// Shows the floats of this tangent to a visitor, each with that of another tangent. A zero without shape takes the
    /// shape of the other one, or is paired as zeros.
    ///
    /// # Panics
    ///
    /// When the two differ in shape.
    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized));

    /// Shows those of a slice, as one run where the floats of its tangents lie one after the other.
    #[doc(hidden)]
    #[inline]
    fn visit_pairs_in(
        tangents: &mut [Self],
        others: &[Self],
        visitor: &mut (impl PairVisitor + ?Sized),
    ) {
        let pairs = tangents.iter_mut().zip(others);
        pairs.for_each(|(tangent, other)| tangent.visit_pairs(other, visitor));
    }

    /// Adds the products of the floats of two tangents to a sum.
    ///
    /// # Panics
    ///
    /// When the two differ in shape.
    fn add_products(&self, other: &Self, sum: &mut InnerProduct);

    /// Adds those of a slice, as one run where the floats of its tangents lie one after the other.
    #[doc(hidden)]
    #[inline]
    fn add_products_in(tangents: &[Self], others: &[Self], sum: &mut InnerProduct) {
        let pairs = tangents.iter().zip(others);
        pairs.for_each(|(tangent, other)| tangent.add_products(other, sum));
    }

    /// Calls `visitor` on every float in order, in the order of [`visit`](Differentiable::visit). An `f32` is
    /// widened for the visitor and what it leaves is rounded. A shared cell is met as often as handles lead to it.
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.visit_floats_mut(&mut EachMut(visitor));
    }

    /// The inner product `Σ self[i] * other[i]`, in double precision. Its terms are added in another order than a loop
    /// adds them.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// assert_eq!((1.0, [2.0, 3.0]).dot(&(10.0, [20.0, 30.0])), 140.0);
    /// ```
    ///
    /// # Panics
    ///
    /// When the two differ in shape. A zero without shape, such as `None`, fits all.
    #[inline]
    #[must_use]
    fn dot(&self, other: &Self) -> f64 {
        let mut sum = InnerProduct::default();
        self.add_products(other, &mut sum);
        sum.sum()
    }

    /// The Euclidean norm `√Σ self[i]²`. It overflows and underflows only where the norm itself does.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// assert_eq!(vec![3.0, 4.0].norm(), 5.0);
    /// assert!((vec![3e200, 4e200].norm() / 5e200 - 1.0).abs() < 1e-15);
    /// ```
    #[cfg(any(feature = "std", feature = "libm"))]
    #[inline]
    #[must_use]
    fn norm(&self) -> f64 {
        let square = self.dot(self);
        let is_accurate = (SMALLEST_SQUARE..=f64::MAX).contains(&square);
        if is_accurate { num_traits::Float::sqrt(square) } else { scaled_norm(self) }
    }

    /// Multiplies every float by a factor, in place.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// let mut tangent = (1.0, vec![2.0, 3.0]);
    /// tangent.scale(2.0);
    /// assert_eq!(tangent, (2.0, vec![4.0, 6.0]));
    /// ```
    #[inline]
    fn scale(&mut self, factor: f64) {
        self.map_floats(|float| factor * float);
    }

    /// Adds `factor * other`, in place.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// let mut tangent = vec![1.0, 2.0];
    /// tangent.axpy(0.5, &vec![10.0, 20.0]);
    /// assert_eq!(tangent, [6.0, 12.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When the two differ in shape. A zero without shape takes the other's.
    #[inline]
    fn axpy(&mut self, factor: f64, other: &Self) {
        self.zip_floats(other, |float, other| float + factor * other);
    }

    /// Makes every float zero.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// let mut tangent = (1.0, Some(2.0));
    /// tangent.set_zero();
    /// assert_eq!(tangent, (0.0, Some(0.0)));
    /// ```
    #[inline]
    fn set_zero(&mut self) {
        self.map_floats(|_| 0.0);
    }

    /// Puts a function of each float in its place, in order. An `f32` is widened for the function, and its result is
    /// rounded.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// let mut tangent = (3.0, vec![-4.0, 0.5]);
    /// tangent.map_floats(|float| float.clamp(-1.0, 1.0));
    /// assert_eq!(tangent, (1.0, vec![-1.0, 0.5]));
    /// ```
    #[inline]
    fn map_floats(&mut self, function: impl FnMut(f64) -> f64) {
        self.visit_floats_mut(&mut DistinctCells::new(Map(function)));
    }

    /// Puts a function of each float and that of another tangent in the place of the first, in order. An `f32` is widened
    /// for the function, and its result is rounded.
    ///
    /// ```
    /// use cotangent::Tangent;
    ///
    /// let mut average = vec![1.0, 2.0];
    /// average.zip_floats(&vec![3.0, 6.0], |average, float| 0.5 * average + 0.5 * float);
    /// assert_eq!(average, [2.0, 4.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When the two differ in shape. A zero without shape takes the other's, or is zeros.
    #[inline]
    fn zip_floats(&mut self, other: &Self, function: impl FnMut(f64, f64) -> f64) {
        self.visit_pairs(other, &mut DistinctCells::new(Zip(function)));
    }
}

/// Below it, terms of a sum of squares that matter may have lost digits.
#[cfg(any(feature = "std", feature = "libm"))]
const SMALLEST_SQUARE: f64 = f64::MIN_POSITIVE / (f64::EPSILON * f64::EPSILON);

/// The norm, of floats whose squares are out of range.
#[cfg(any(feature = "std", feature = "libm"))]
#[cold]
#[inline(never)]
fn scaled_norm<T: Tangent>(tangent: &T) -> f64 {
    use crate::floats::Each;

    let (mut largest, mut square) = (0.0_f64, 0.0);
    let mut compare = |float: f64| {
        let is_larger = float.is_nan() || float.abs() > largest;
        largest = if is_larger && !largest.is_nan() { float.abs() } else { largest };
    };
    tangent.visit_floats(&mut Each(&mut compare));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    // A power of two, by which division loses nothing.
    let unit = f64::from_bits(largest.max(f64::MIN_POSITIVE).to_bits() & f64::INFINITY.to_bits());
    let add_square = |float: f64| square += (float / unit) * (float / unit);
    tangent.visit_floats(&mut DistinctCells::new(Each(add_square)));
    unit * num_traits::Float::sqrt(square)
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
#[cfg_attr(feature = "serde-1", derive(serde_1::Serialize, serde_1::Deserialize))]
#[cfg_attr(feature = "serde-1", serde(crate = "serde_1"))]
pub struct NoTangent;

impl Tangent for NoTangent {
    #[inline(always)]
    fn accumulate(&mut self, NoTangent: Self) {}

    pairs_of_fields!();
}

macro_rules! floats {
    ($($float:ident $run:ident),*) => {$(
        impl Tangent for $float {
            #[inline(always)]
            fn accumulate(&mut self, other: Self) {
                *self += other;
            }

            #[inline]
            fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
                visitor.$run(slice::from_mut(self), slice::from_ref(other));
            }

            #[inline]
            fn visit_pairs_in(
                tangents: &mut [Self],
                others: &[Self],
                visitor: &mut (impl PairVisitor + ?Sized),
            ) {
                visitor.$run(tangents, others);
            }

            #[inline]
            fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
                sum.$run(slice::from_ref(self), slice::from_ref(other));
            }

            #[inline]
            fn add_products_in(tangents: &[Self], others: &[Self], sum: &mut InnerProduct) {
                sum.$run(tangents, others);
            }
        }
    )*};
}

floats!(f64 f64s, f32 f32s);

impl<T: Tangent, const N: usize> Tangent for [T; N] {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        for (place, value) in self.iter_mut().zip(other) {
            place.accumulate(value);
        }
    }

    #[inline]
    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        T::visit_pairs_in(self, other, visitor);
    }

    #[inline]
    fn visit_pairs_in(
        tangents: &mut [Self],
        others: &[Self],
        visitor: &mut (impl PairVisitor + ?Sized),
    ) {
        T::visit_pairs_in(tangents.as_flattened_mut(), others.as_flattened(), visitor);
    }

    #[inline]
    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        T::add_products_in(self, other, sum);
    }

    #[inline]
    fn add_products_in(tangents: &[Self], others: &[Self], sum: &mut InnerProduct) {
        T::add_products_in(tangents.as_flattened(), others.as_flattened(), sum);
    }
}

impl<T: Tangent> Tangent for Vec<T> {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        accumulate_entries(self.iter_mut(), other.into_iter());
    }

    #[inline]
    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        assert_lengths(self.len(), other.len());
        T::visit_pairs_in(self, other, visitor);
    }

    #[inline]
    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        assert_lengths(self.len(), other.len());
        T::add_products_in(self, other, sum);
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

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        match (&mut *self, other) {
            (Some(tangent), Some(other)) => tangent.visit_pairs(other, visitor),
            (Some(tangent), None) => tangent.visit_floats_mut(&mut WithZeros(visitor)),
            (None, Some(other)) => {
                self.insert(other.zero_tangent()).visit_pairs(other, visitor);
            }
            (None, None) => {}
        }
    }

    #[inline]
    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        if let (Some(tangent), Some(other)) = (self, other) {
            tangent.add_products(other, sum);
        }
    }
}

impl<T: Tangent> Tangent for Box<T> {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        (**self).accumulate(*other);
    }

    #[inline]
    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        (**self).visit_pairs(other, visitor);
    }

    #[inline]
    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        (**self).add_products(other, sum);
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
    use crate::Leaf;
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
