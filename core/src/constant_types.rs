//! Types of the standard library that hold no floats.
//!
//! In comes a value; out goes [`NoTangent`], and to a visitor the numbers that the value is told from others by. Sets and
//! moments show none: a set has no order, and a moment no number.

use alloc::collections::BTreeSet;
use core::num::NonZero;
use core::ops::{RangeFrom, RangeFull, RangeTo, RangeToInclusive};

use crate::Differentiable;
use crate::differentiable::without_tangent;
use crate::tangent::NoTangent;
use crate::visit::Leaf;

without_tangent! {
    [] RangeFull = RangeFull,
    [T: Differentiable<Tangent = NoTangent>] RangeFrom<T> => |range, visitor| {
        range.start.visit(visitor)
    },
    [T: Differentiable<Tangent = NoTangent>] RangeTo<T> => |range, visitor| {
        range.end.visit(visitor)
    },
    [T: Differentiable<Tangent = NoTangent>] RangeToInclusive<T> => |range, visitor| {
        range.end.visit(visitor)
    },
    [T] BTreeSet<T>,
}

macro_rules! non_zero {
    ($($number:ty),*) => {
        without_tangent! {
            $([] NonZero<$number> => |value, visitor| {
                visitor.leaf(Leaf::Integer(value.get() as i128))
            }),*
        }
    };
}

non_zero!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! function_pointers {
    ($(($($input:ident),*))*) => {
        without_tangent! {$([R $(, $input)*] fn($($input),*) -> R),*}
    };
}

function_pointers! {
    ()
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}

#[cfg(feature = "std")]
mod with_std {
    extern crate std;

    use super::without_tangent;
    use std::collections::HashSet;
    use std::path::{Path, PathBuf};
    use std::time::{Instant, SystemTime};

    without_tangent! {
        [] Instant,
        [] SystemTime,
        [] Path,
        [] PathBuf,
        [T, S] HashSet<T, S>,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use crate::{Differentiable, NoTangent};
    use alloc::string::String;
    use alloc::vec::Vec;
    use std::collections::{BTreeSet, HashSet};
    use std::num::{NonZeroI8, NonZeroU128, NonZeroUsize};
    use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
    use std::path::PathBuf;
    use std::time::{Duration, Instant, SystemTime};

    fn has_none<T: Differentiable<Tangent = NoTangent>>() {}

    #[test]
    fn types_without_floats_have_no_tangent() {
        has_none::<NonZeroI8>();
        has_none::<NonZeroUsize>();
        has_none::<NonZeroU128>();
        has_none::<Range<usize>>();
        has_none::<RangeInclusive<i32>>();
        has_none::<RangeFrom<u8>>();
        has_none::<RangeTo<usize>>();
        has_none::<RangeToInclusive<usize>>();
        has_none::<RangeFull>();
        has_none::<BTreeSet<u32>>();
        has_none::<HashSet<String>>();
        has_none::<PathBuf>();
        has_none::<Duration>();
        has_none::<Instant>();
        has_none::<SystemTime>();
        has_none::<fn() -> f64>();
        has_none::<fn(f64, usize) -> Vec<f64>>();
    }
}
