//! The elements of what a call returns, for a loop over it: derivative code does not see whether that is a vector, an
//! array, an option or a range.
//!
//! In: a collection. Out: its elements in a vector. Each component of the result is made of the same component of the
//! collection, so derivatives of all orders are the same function of tangents.

use crate::differentiable::Differentiable;
use crate::floats::{FloatVisitor, FloatVisitorMut};
use crate::rules::TangentOf;
use crate::sharing::Sharing;
use crate::visit::Visitor;
use alloc::collections::VecDeque;
use alloc::vec::{IntoIter, Vec};
use core::ops::{Range, RangeInclusive};

/// Collections that a loop may consume in a differentiated function.
#[diagnostic::on_unimplemented(
    message = "a loop over `{Self}` has no derivative",
    note = "a loop goes through vectors, arrays, options and ranges, or through `a.iter()` of what has a type that is written"
)]
pub trait Elements: Differentiable + IntoIterator<Item: Differentiable> {
    /// The tangents of the elements.
    fn tangents(dot: TangentOf<Self>, items: &[Self::Item]) -> Vec<TangentOf<Self::Item>>;

    /// The tangent of the collection, of those of its elements.
    fn joined(bars: Vec<TangentOf<Self::Item>>) -> TangentOf<Self>;
}

impl<T: Differentiable> Elements for Vec<T> {
    fn tangents(dot: TangentOf<Self>, _: &[T]) -> Vec<TangentOf<T>> {
        dot
    }

    fn joined(bars: Vec<TangentOf<T>>) -> TangentOf<Self> {
        bars
    }
}

impl<T: Differentiable> Elements for VecDeque<T> {
    fn tangents(dot: TangentOf<Self>, _: &[T]) -> Vec<TangentOf<T>> {
        dot.into()
    }

    fn joined(bars: Vec<TangentOf<T>>) -> TangentOf<Self> {
        bars.into()
    }
}

impl<T: Differentiable, const N: usize> Elements for [T; N] {
    fn tangents(dot: TangentOf<Self>, _: &[T]) -> Vec<TangentOf<T>> {
        dot.into()
    }

    fn joined(bars: Vec<TangentOf<T>>) -> TangentOf<Self> {
        let mut bars = bars.into_iter();
        core::array::from_fn(|_| bars.next().expect("there is one for each element"))
    }
}

impl<T: Differentiable> Elements for Option<T> {
    fn tangents(dot: TangentOf<Self>, items: &[T]) -> Vec<TangentOf<T>> {
        items.iter().map(|item| dot.clone().unwrap_or_else(|| item.zero_tangent())).collect()
    }

    fn joined(bars: Vec<TangentOf<T>>) -> TangentOf<Self> {
        bars.into_iter().next()
    }
}

/// Ranges, which have no tangent.
macro_rules! ranges {
    ($($range:ident)*) => {$(
        impl<T> Elements for $range<T>
        where
            $range<T>: Differentiable<Tangent = crate::NoTangent> + Iterator<Item: Differentiable>,
        {
            fn tangents(_: crate::NoTangent, items: &[Self::Item]) -> Vec<TangentOf<Self::Item>> {
                items.iter().map(Differentiable::zero_tangent).collect()
            }

            fn joined(_: Vec<TangentOf<Self::Item>>) -> crate::NoTangent {
                crate::NoTangent
            }
        }
    )*};
}

ranges!(Range RangeInclusive);

impl<T: Differentiable> Elements for IntoIter<T> {
    fn tangents(dot: TangentOf<Self>, _: &[T]) -> Vec<TangentOf<T>> {
        dot
    }

    fn joined(bars: Vec<TangentOf<T>>) -> TangentOf<Self> {
        bars
    }
}

/// An iterator over a vector holds the elements that are left, and its tangent is theirs.
impl<T: Differentiable> Differentiable for IntoIter<T> {
    type Tangent = Vec<T::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.as_slice().zero_tangent()
    }

    fn conform(&self, tangent: &mut Self::Tangent) {
        self.as_slice().conform(tangent);
    }

    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        self.as_slice().share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.as_mut_slice().perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.as_slice().visit(visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.as_slice().visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.as_mut_slice().visit_floats_mut(visitor);
    }
}

/// Returns the elements of a collection.
pub fn elements<I: IntoIterator>(collection: I) -> Vec<I::Item> {
    collection.into_iter().collect()
}

/// Derivatives of [`elements`](fn@elements).
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum elements {}

/// Returns an iterator over items, for a call that is given one.
pub fn iterator<T>(items: Vec<T>) -> IntoIter<T> {
    items.into_iter()
}

/// Derivatives of [`iterator`](fn@iterator).
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum iterator {}

/// A type for each of some names.
macro_rules! same {
    ($ty:ty, $name:ident) => {
        $ty
    };
}

/// The derivatives of a function by the one that makes a tangent of its result, and the one that takes it back.
macro_rules! derivatives {
    ($function:ident<$I:ident: $bound:ident>($value:ty) -> $items:ty, $tangents:expr, $joined:expr) => {
        derivatives! {
            ($function $I $bound [$value] [$items] [$tangents] [$joined])
            jvp
                __jvp [a]
                __jvp_over_jvp_needs_another_differentiate [a b c]
                __jvp_over_jvp_over_jvp_needs_another_differentiate [a b c d e f g];
            vjp
                __vjp []
                __jvp_over_vjp_needs_another_differentiate [a seed_a]
                __jvp_over_jvp_over_vjp_needs_another_differentiate [a seed_a b seed_b c seed_c]
        }
    };
    (
        $head:tt
        jvp $($jvp:ident $dots:tt)*;
        vjp $($vjp:ident $pairs:tt)*
    ) => {
        derivatives! { batch $head }
        $(derivatives! { jvp $head $jvp $dots })*
        $(derivatives! { vjp $head $vjp $pairs })*
    };
    (batch ($function:ident $I:ident $bound:ident [$value:ty] [$items:ty] [$tangents:expr] [$joined:expr])) => {
        #[allow(missing_docs)]
        impl $function {
            pub const __IS_BATCHED: bool = true;

            #[inline]
            pub fn __jvp_batch<const LANES: usize, $I: $bound>(
                value: $value,
                dots: [TangentOf<$value>; LANES],
            ) -> ($items, [TangentOf<$items>; LANES]) {
                let items = $function(value);
                let dots = dots.map(|dot| $tangents(dot, items.as_slice()));
                (items, dots)
            }
        }
    };
    (
        jvp ($function:ident $I:ident $bound:ident [$value:ty] [$items:ty] [$tangents:expr] [$joined:expr])
        $jvp:ident [$($dot:ident)*]
    ) => {
        #[allow(missing_docs)]
        impl $function {
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "one tangent for each component")]
            pub fn $jvp<$I: $bound>(
                value: $value,
                $($dot: TangentOf<$value>,)*
            ) -> ($items, $(same!(TangentOf<$items>, $dot),)*) {
                let items = $function(value);
                $(let $dot = $tangents($dot, items.as_slice());)*
                (items, $($dot,)*)
            }
        }
    };
    (
        vjp ($function:ident $I:ident $bound:ident [$value:ty] [$items:ty] [$tangents:expr] [$joined:expr])
        $vjp:ident [$($more:ident $seed:ident)*]
    ) => {
        #[allow(missing_docs, clippy::type_complexity)]
        impl $function {
            #[inline]
            pub fn $vjp<$I: $bound>(
                value: $value,
                $($more: TangentOf<$value>,)*
            ) -> (
                $items,
                $(same!(TangentOf<$items>, $more),)*
                impl FnOnce(
                    TangentOf<$items>,
                    $(same!(TangentOf<$items>, $seed),)*
                ) -> (TangentOf<$value>, $(same!(TangentOf<$value>, $seed),)*) + use<$I>,
            ) {
                let items = $function(value);
                $(let $more = $tangents($more, items.as_slice());)*
                let pullback = |seed, $($seed,)*| ($joined(seed), $($joined($seed),)*);
                (items, $($more,)* pullback)
            }
        }
    };
}

derivatives!(elements<I: Elements>(I) -> Vec<I::Item>, I::tangents, I::joined);
derivatives!(iterator<T: Differentiable>(Vec<T>) -> IntoIter<T>, |dot, _| dot, |bars| bars);
