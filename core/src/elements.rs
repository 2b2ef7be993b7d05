//! The elements of what a call returns, for a loop over it: derivative code does not see whether that is a vector, an
//! array, an option or a range.
//!
//! In: a collection. Out: its elements in a vector. Each component of the result is made of the same component of the
//! collection, so derivatives of all orders are the same function of tangents.

use crate::differentiable::Differentiable;
use crate::rules::TangentOf;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
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

/// Returns the elements of a collection.
pub fn elements<I: IntoIterator>(collection: I) -> Vec<I::Item> {
    collection.into_iter().collect()
}

/// Derivatives of [`elements`](fn@elements).
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum elements {}

/// A type for each of some names.
macro_rules! same {
    ($ty:ty, $name:ident) => {
        $ty
    };
}

/// Derivatives of an order, with a name for each further component.
macro_rules! derivatives {
    (jvp $($jvp:ident [$($dot:ident)*])*; vjp $($vjp:ident [$($more:ident $seed:ident)*])*) => {
        #[allow(missing_docs, clippy::type_complexity)]
        impl elements {
            pub const __IS_BATCHED: bool = true;

            #[inline]
            pub fn __jvp_batch<const LANES: usize, I: Elements>(
                value: I,
                dots: [TangentOf<I>; LANES],
            ) -> (Vec<I::Item>, [Vec<TangentOf<I::Item>>; LANES]) {
                let items = elements(value);
                let dots = dots.map(|dot| I::tangents(dot, &items));
                (items, dots)
            }

            $(
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "one tangent for each component")]
                pub fn $jvp<I: Elements>(
                    value: I,
                    $($dot: TangentOf<I>,)*
                ) -> (Vec<I::Item>, $(same!(Vec<TangentOf<I::Item>>, $dot),)*) {
                    let items = elements(value);
                    $(let $dot = I::tangents($dot, &items);)*
                    (items, $($dot,)*)
                }
            )*

            $(
                #[inline]
                pub fn $vjp<I: Elements>(
                    value: I,
                    $($more: TangentOf<I>,)*
                ) -> (
                    Vec<I::Item>,
                    $(same!(Vec<TangentOf<I::Item>>, $more),)*
                    impl FnOnce(
                        Vec<TangentOf<I::Item>>,
                        $(same!(Vec<TangentOf<I::Item>>, $seed),)*
                    ) -> (TangentOf<I>, $(same!(TangentOf<I>, $seed),)*) + use<I>,
                ) {
                    let items = elements(value);
                    $(let $more = I::tangents($more, &items);)*
                    let pullback = |seed, $($seed,)*| (I::joined(seed), $(I::joined($seed),)*);
                    (items, $($more,)* pullback)
                }
            )*
        }
    };
}

derivatives! {
    jvp
        __jvp [a]
        __jvp_over_jvp_needs_another_differentiate [a b c]
        __jvp_over_jvp_over_jvp_needs_another_differentiate [a b c d e f g];
    vjp
        __vjp []
        __jvp_over_vjp_needs_another_differentiate [a seed_a]
        __jvp_over_jvp_over_vjp_needs_another_differentiate [a seed_a b seed_b c seed_c]
}
