//! Walks over the floats of values and tangents, run by run.
//!
//! **In**: a value or a tangent, by [`Differentiable::visit_floats`](crate::Differentiable::visit_floats),
//! [`visit_floats_mut`](crate::Differentiable::visit_floats_mut), [`Tangent::visit_pairs`](crate::Tangent::visit_pairs) or
//! [`Tangent::add_products`](crate::Tangent::add_products).
//! **Out**: its floats, as slices of floats that lie one after the other. A visitor is a type parameter all the way down,
//! so that rustc compiles a walk to loops over these slices.
//!
//! **Invariants**: floats come in the order of [`Differentiable::visit`](crate::Differentiable::visit). Where one run ends
//! and the next begins is left open. A visitor that must not meet the content of a shared cell twice refuses the second
//! time in `needs_cell`.
//!
//! Slices as the unit of a generic walk are the idea of the standard library's `Hash::hash_slice`.

use alloc::collections::BTreeSet;
use core::mem;

/// Reads the floats of a value.
///
/// ```
/// use cotangent::Differentiable;
/// use cotangent::floats::FloatVisitor;
///
/// struct Largest(f64);
///
/// impl FloatVisitor for Largest {
///     fn f64s(&mut self, run: &[f64]) {
///         self.0 = run.iter().fold(self.0, |largest, float| largest.max(float.abs()));
///     }
///
///     fn f32s(&mut self, run: &[f32]) {
///         run.iter().for_each(|float| self.f64s(&[f64::from(*float)]));
///     }
/// }
///
/// let mut largest = Largest(0.0);
/// (vec![1.0, -4.0], 3.0_f32).visit_floats(&mut largest);
/// assert_eq!(largest.0, 4.0);
/// ```
pub trait FloatVisitor {
    /// Takes floats in double precision.
    fn f64s(&mut self, run: &[f64]);

    /// Takes floats in single precision.
    fn f32s(&mut self, run: &[f32]);

    /// Returns whether the content of the shared cell at an address comes next. By default it comes as often as handles
    /// lead to it.
    #[inline]
    fn needs_cell(&mut self, address: usize) -> bool {
        let _ = address;
        true
    }
}

/// Changes the floats of a value. The methods are those of [`FloatVisitor`].
///
/// ```
/// use cotangent::Differentiable;
/// use cotangent::floats::FloatVisitorMut;
///
/// struct Halve;
///
/// impl FloatVisitorMut for Halve {
///     fn f64s(&mut self, run: &mut [f64]) {
///         run.iter_mut().for_each(|float| *float /= 2.0);
///     }
///
///     fn f32s(&mut self, run: &mut [f32]) {
///         run.iter_mut().for_each(|float| *float /= 2.0);
///     }
/// }
///
/// let mut value = (vec![1.0, -4.0], 3.0_f32);
/// value.visit_floats_mut(&mut Halve);
/// assert_eq!(value, (vec![0.5, -2.0], 1.5));
/// ```
pub trait FloatVisitorMut {
    /// Changes floats in double precision.
    fn f64s(&mut self, run: &mut [f64]);

    /// Changes floats in single precision.
    fn f32s(&mut self, run: &mut [f32]);

    /// Returns whether the content of the shared cell at an address comes next. By default it comes as often as handles
    /// lead to it.
    #[inline]
    fn needs_cell(&mut self, address: usize) -> bool {
        let _ = address;
        true
    }
}

/// Changes the floats of a tangent by those of another one.
///
/// ```
/// use cotangent::Tangent;
/// use cotangent::floats::PairVisitor;
///
/// struct Larger;
///
/// impl PairVisitor for Larger {
///     fn f64s(&mut self, run: &mut [f64], others: &[f64]) {
///         run.iter_mut().zip(others).for_each(|(float, other)| *float = float.max(*other));
///     }
///
///     fn f32s(&mut self, run: &mut [f32], others: &[f32]) {
///         run.iter_mut().zip(others).for_each(|(float, other)| *float = float.max(*other));
///     }
/// }
///
/// let mut tangent = vec![1.0, 5.0];
/// tangent.visit_pairs(&vec![2.0, 3.0], &mut Larger);
/// assert_eq!(tangent, [2.0, 5.0]);
/// ```
pub trait PairVisitor {
    /// Changes floats in double precision by as many others.
    fn f64s(&mut self, run: &mut [f64], others: &[f64]);

    /// Changes floats in single precision by as many others.
    fn f32s(&mut self, run: &mut [f32], others: &[f32]);

    /// Returns whether the content of the shared cell at an address comes next. By default it comes as often as handles
    /// lead to it.
    #[inline]
    fn needs_cell(&mut self, address: usize) -> bool {
        let _ = address;
        true
    }
}

impl<V: FloatVisitor + ?Sized> FloatVisitor for &mut V {
    fn f64s(&mut self, run: &[f64]) {
        (**self).f64s(run);
    }

    fn f32s(&mut self, run: &[f32]) {
        (**self).f32s(run);
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        (**self).needs_cell(address)
    }
}

impl<V: FloatVisitorMut + ?Sized> FloatVisitorMut for &mut V {
    fn f64s(&mut self, run: &mut [f64]) {
        (**self).f64s(run);
    }

    fn f32s(&mut self, run: &mut [f32]) {
        (**self).f32s(run);
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        (**self).needs_cell(address)
    }
}

impl<V: PairVisitor + ?Sized> PairVisitor for &mut V {
    fn f64s(&mut self, run: &mut [f64], others: &[f64]) {
        (**self).f64s(run, others);
    }

    fn f32s(&mut self, run: &mut [f32], others: &[f32]) {
        (**self).f32s(run, others);
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        (**self).needs_cell(address)
    }
}

/// Enters each shared cell once, for a visitor that would enter it as often as handles lead to it.
#[derive(Default)]
pub(crate) struct DistinctCells<V> {
    pub(crate) visitor: V,
    cells: Cells,
}

/// The cells that a walk has entered.
#[derive(Debug, Default)]
struct Cells(BTreeSet<usize>);

impl Cells {
    /// Returns whether it is the first time.
    fn insert(&mut self, address: usize) -> bool {
        self.0.insert(address)
    }
}

impl<V> DistinctCells<V> {
    pub(crate) fn new(visitor: V) -> Self {
        DistinctCells { visitor, cells: Cells::default() }
    }
}

impl<V: FloatVisitor> FloatVisitor for DistinctCells<V> {
    #[inline]
    fn f64s(&mut self, run: &[f64]) {
        self.visitor.f64s(run);
    }

    #[inline]
    fn f32s(&mut self, run: &[f32]) {
        self.visitor.f32s(run);
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        self.cells.insert(address)
    }
}

impl<V: FloatVisitorMut> FloatVisitorMut for DistinctCells<V> {
    #[inline]
    fn f64s(&mut self, run: &mut [f64]) {
        self.visitor.f64s(run);
    }

    #[inline]
    fn f32s(&mut self, run: &mut [f32]) {
        self.visitor.f32s(run);
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        self.cells.insert(address)
    }
}

impl<V: PairVisitor> PairVisitor for DistinctCells<V> {
    #[inline]
    fn f64s(&mut self, run: &mut [f64], others: &[f64]) {
        self.visitor.f64s(run, others);
    }

    #[inline]
    fn f32s(&mut self, run: &mut [f32], others: &[f32]) {
        self.visitor.f32s(run, others);
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        self.cells.insert(address)
    }
}

/// The sum of the products of the floats of two tangents, each cell once.
#[derive(Debug, Default)]
pub struct InnerProduct {
    sum: f64,
    cells: Cells,
}

impl InnerProduct {
    /// Returns the sum so far.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Adds the products of as many floats.
    #[inline]
    pub fn f64s(&mut self, run: &[f64], others: &[f64]) {
        self.sum += sum_products(run, others, |float| float);
    }

    /// Adds the products of as many floats, in double precision.
    #[inline]
    pub fn f32s(&mut self, run: &[f32], others: &[f32]) {
        self.sum += sum_products(run, others, f64::from);
    }

    /// Returns whether the content of the shared cell at an address comes next, which it does once.
    pub fn needs_cell(&mut self, address: usize) -> bool {
        self.cells.insert(address)
    }
}

/// Sums in several lanes, since rustc must not change the order of a sum.
#[inline]
fn sum_products<F: Copy>(run: &[F], others: &[F], widen: impl Fn(F) -> f64) -> f64 {
    const LANES: usize = 8;
    let (runs, rest) = run.as_chunks::<LANES>();
    let (other_runs, other_rest) = others.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (run, others) in runs.iter().zip(other_runs) {
        for lane in 0..LANES {
            lanes[lane] += widen(run[lane]) * widen(others[lane]);
        }
    }
    let rest = rest.iter().zip(other_rest);
    let sum = rest.fold(0.0, |sum, (&float, &other)| sum + widen(float) * widen(other));
    if runs.is_empty() { sum } else { lanes.iter().sum::<f64>() + sum }
}

/// Shows each float to a function.
pub(crate) struct Each<F>(pub(crate) F);

impl<F: FnMut(f64)> FloatVisitor for Each<F> {
    #[inline]
    fn f64s(&mut self, run: &[f64]) {
        run.iter().for_each(|float| (self.0)(*float));
    }

    #[inline]
    fn f32s(&mut self, run: &[f32]) {
        run.iter().for_each(|float| (self.0)(f64::from(*float)));
    }
}

/// Shows each float to a function that may change it.
pub(crate) struct EachMut<'f>(pub(crate) &'f mut dyn FnMut(&mut f64));

impl FloatVisitorMut for EachMut<'_> {
    fn f64s(&mut self, run: &mut [f64]) {
        run.iter_mut().for_each(|float| (self.0)(float));
    }

    fn f32s(&mut self, run: &mut [f32]) {
        for float in run {
            let mut wide = f64::from(*float);
            (self.0)(&mut wide);
            *float = wide as f32;
        }
    }
}

/// Counts floats.
#[derive(Default)]
pub(crate) struct Count(pub(crate) usize);

impl FloatVisitor for Count {
    #[inline]
    fn f64s(&mut self, run: &[f64]) {
        self.0 += run.len();
    }

    #[inline]
    fn f32s(&mut self, run: &[f32]) {
        self.0 += run.len();
    }
}

/// Copies floats into a slice.
pub(crate) struct CopyTo<'f>(&'f mut [f64]);

impl<'f> CopyTo<'f> {
    /// Panics where the slice has not as many places as there are floats.
    #[track_caller]
    pub(crate) fn new(flat: &'f mut [f64], floats: usize) -> Self {
        assert_length(flat.len(), floats);
        CopyTo(flat)
    }

    #[inline]
    fn places(&mut self, count: usize) -> &'f mut [f64] {
        let (places, rest) = mem::take(&mut self.0).split_at_mut(count);
        self.0 = rest;
        places
    }
}

impl FloatVisitor for CopyTo<'_> {
    #[inline]
    fn f64s(&mut self, run: &[f64]) {
        self.places(run.len()).copy_from_slice(run);
    }

    #[inline]
    fn f32s(&mut self, run: &[f32]) {
        let places = self.places(run.len());
        places.iter_mut().zip(run).for_each(|(place, float)| *place = f64::from(*float));
    }
}

/// Copies floats out of a slice.
pub(crate) struct CopyFrom<'f>(&'f [f64]);

impl<'f> CopyFrom<'f> {
    /// Panics where the slice has not as many floats as there are places.
    #[track_caller]
    pub(crate) fn new(flat: &'f [f64], floats: usize) -> Self {
        assert_length(flat.len(), floats);
        CopyFrom(flat)
    }

    #[inline]
    fn floats(&mut self, count: usize) -> &'f [f64] {
        let (floats, rest) = self.0.split_at(count);
        self.0 = rest;
        floats
    }
}

impl FloatVisitorMut for CopyFrom<'_> {
    #[inline]
    fn f64s(&mut self, run: &mut [f64]) {
        run.copy_from_slice(self.floats(run.len()));
    }

    #[inline]
    fn f32s(&mut self, run: &mut [f32]) {
        let floats = self.floats(run.len());
        run.iter_mut().zip(floats).for_each(|(place, float)| *place = *float as f32);
    }
}

#[track_caller]
fn assert_length(length: usize, floats: usize) {
    assert!(length == floats, "a slice of length {length} was given for {floats} floats");
}

/// Puts a function of each float in its place.
pub(crate) struct Map<F>(pub(crate) F);

impl<F: FnMut(f64) -> f64> FloatVisitorMut for Map<F> {
    #[inline]
    fn f64s(&mut self, run: &mut [f64]) {
        run.iter_mut().for_each(|float| *float = (self.0)(*float));
    }

    #[inline]
    fn f32s(&mut self, run: &mut [f32]) {
        run.iter_mut().for_each(|float| *float = (self.0)(f64::from(*float)) as f32);
    }
}

/// Puts a function of each pair of floats in the place of the first.
pub(crate) struct Zip<F>(pub(crate) F);

impl<F: FnMut(f64, f64) -> f64> PairVisitor for Zip<F> {
    #[inline]
    fn f64s(&mut self, run: &mut [f64], others: &[f64]) {
        run.iter_mut().zip(others).for_each(|(float, other)| *float = (self.0)(*float, *other));
    }

    #[inline]
    fn f32s(&mut self, run: &mut [f32], others: &[f32]) {
        for (float, other) in run.iter_mut().zip(others) {
            *float = (self.0)(f64::from(*float), f64::from(*other)) as f32;
        }
    }
}

/// Pairs each float with zero, which a tangent without shape stands for.
pub struct WithZeros<'v, V: ?Sized>(pub &'v mut V);

/// As many as are paired at once.
const ZEROS: usize = 32;

impl<V: PairVisitor + ?Sized> FloatVisitorMut for WithZeros<'_, V> {
    #[inline]
    fn f64s(&mut self, run: &mut [f64]) {
        run.chunks_mut(ZEROS).for_each(|run| self.0.f64s(run, &[0.0; ZEROS][..run.len()]));
    }

    #[inline]
    fn f32s(&mut self, run: &mut [f32]) {
        run.chunks_mut(ZEROS).for_each(|run| self.0.f32s(run, &[0.0; ZEROS][..run.len()]));
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        self.0.needs_cell(address)
    }
}

/// Stands for a visitor that changes floats where they can only be read.
///
/// # Panics
///
/// When the visitor changes one.
pub(crate) struct ReadOnly<'v, V: ?Sized> {
    visitor: &'v mut V,
    message: &'static str,
}

impl<'v, V: FloatVisitorMut + ?Sized> ReadOnly<'v, V> {
    /// Panics with the message.
    pub(crate) fn new(visitor: &'v mut V, message: &'static str) -> Self {
        ReadOnly { visitor, message }
    }
}

impl<V: FloatVisitorMut + ?Sized> FloatVisitor for ReadOnly<'_, V> {
    fn f64s(&mut self, run: &[f64]) {
        for float in run {
            let mut copy = [*float];
            self.visitor.f64s(&mut copy);
            assert!(copy[0].to_bits() == float.to_bits(), "{}", self.message);
        }
    }

    fn f32s(&mut self, run: &[f32]) {
        for float in run {
            let mut copy = [*float];
            self.visitor.f32s(&mut copy);
            assert!(copy[0].to_bits() == float.to_bits(), "{}", self.message);
        }
    }

    fn needs_cell(&mut self, address: usize) -> bool {
        self.visitor.needs_cell(address)
    }
}

/// The walks of [`Differentiable`](crate::Differentiable) over some fields, in order.
macro_rules! floats_of_fields {
    ($($field:tt),*) => {
        #[inline]
        fn visit_floats(&self, _visitor: &mut (impl $crate::floats::FloatVisitor + ?Sized)) {
            $($crate::Differentiable::visit_floats(&self.$field, _visitor);)*
        }

        #[inline]
        fn visit_floats_mut(
            &mut self,
            _visitor: &mut (impl $crate::floats::FloatVisitorMut + ?Sized),
        ) {
            $($crate::Differentiable::visit_floats_mut(&mut self.$field, _visitor);)*
        }
    };
}

/// The walks of [`Tangent`](crate::Tangent) over some fields, in order.
macro_rules! pairs_of_fields {
    ($($field:tt),*) => {
        #[inline]
        fn visit_pairs(
            &mut self,
            _other: &Self,
            _visitor: &mut (impl $crate::floats::PairVisitor + ?Sized),
        ) {
            $($crate::Tangent::visit_pairs(&mut self.$field, &_other.$field, _visitor);)*
        }

        #[inline]
        fn add_products(&self, _other: &Self, _sum: &mut $crate::floats::InnerProduct) {
            $($crate::Tangent::add_products(&self.$field, &_other.$field, _sum);)*
        }
    };
}

pub(crate) use {floats_of_fields, pairs_of_fields};

/// Panics where two tangents of a list have different lengths.
#[inline]
#[track_caller]
pub(crate) fn assert_lengths(own: usize, other: usize) {
    assert!(own == other, "a tangent of length {other} was given for one of length {own}");
}

/// Panics where two tangents have different sizes.
#[cfg(any(feature = "faer-0_24", feature = "nalgebra-0_35", feature = "ndarray-0_17"))]
#[track_caller]
pub(crate) fn assert_sizes<S: PartialEq + core::fmt::Debug>(own: S, other: S) {
    assert!(own == other, "a tangent of sizes {other:?} was given for one of sizes {own:?}");
}

#[cfg(test)]
mod tests;
