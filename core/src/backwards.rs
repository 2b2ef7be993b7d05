//! Ranges with steps, backwards: the standard library's `rev` behind `step_by` exists only for ranges
//! that know their length.

/// An integer that a loop counts with.
pub trait Index: Copy {
    /// The index `count` steps after `self`, where one step leads to `second`.
    fn advanced(self, second: Self, count: usize) -> Self;
}

macro_rules! index {
    ($($integer:ident)*) => {$(
        impl Index for $integer {
            #[inline(always)]
            fn advanced(self, second: Self, count: usize) -> Self {
                self.wrapping_add(second.wrapping_sub(self).wrapping_mul(count as $integer))
            }
        }
    )*};
}

index!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// The indices of `forward`, a range with any of `rev` and `step_by` behind it, last to first.
///
/// Its length must fit in a `usize`, as that of every range does that a loop gets to the end of on a
/// machine of 64 bits.
#[inline]
pub fn backwards<I: Index>(forward: impl Iterator<Item = I> + Clone) -> impl Iterator<Item = I> {
    let count = forward.size_hint().0;
    let first = forward.clone().next();
    let second = forward.clone().nth(1);
    let at = move |position: usize| match (first, second) {
        (Some(first), Some(second)) => first.advanced(second, position),
        _ => first.expect("an index of a range that is not empty"),
    };
    (0..count).rev().map(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn assert_reversed<I: Index + PartialEq + core::fmt::Debug>(
        forward: impl Iterator<Item = I> + Clone,
    ) {
        let mut expected: Vec<I> = forward.clone().collect();
        expected.reverse();
        assert_eq!(backwards(forward).collect::<Vec<I>>(), expected);
    }

    #[test]
    fn every_kind_of_range_reverses() {
        for end in 0..9_i32 {
            for step in 1..5 {
                assert_reversed((2..end).step_by(step));
                assert_reversed((2..=end).step_by(step));
                assert_reversed((2..end).rev().step_by(step));
                assert_reversed((-3..=end).rev().step_by(step));
            }
        }
        assert_reversed((0..10_u64).step_by(3));
        assert_reversed((250..=255_u8).step_by(2));
        assert_reversed((i64::MIN..=i64::MIN + 7).rev().step_by(3));
    }
}
