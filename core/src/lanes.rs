//! Several tangents in arrays: references to them, which rustc does not coerce; and one `jvp` after the other.
//!
//! A vector is passed as a slice without a word where it is an argument. Where references to several are
//! elements of an array, the target's type must be found by inference: it is the one that the callee takes.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// What a place is lent as.
pub trait Lend<T: ?Sized> {
    /// By `&`.
    fn lend(&self) -> &T;

    /// By `&mut`.
    fn lend_mut(&mut self) -> &mut T;
}

impl<T: ?Sized> Lend<T> for T {
    #[inline(always)]
    fn lend(&self) -> &T {
        self
    }

    #[inline(always)]
    fn lend_mut(&mut self) -> &mut T {
        self
    }
}

macro_rules! coercion {
    ($([$($generics:tt)*] $from:ty => $to:ty),* $(,)?) => {$(
        impl<$($generics)*> Lend<$to> for $from {
            #[inline(always)]
            fn lend(&self) -> &$to {
                self
            }

            #[inline(always)]
            fn lend_mut(&mut self) -> &mut $to {
                self
            }
        }
    )*};
}

coercion!(
    [T] Vec<T> => [T],
    [T, const N: usize] [T; N] => [T],
    [T: ?Sized] Box<T> => T,
    [] String => str,
);

/// A reference as an argument of that type may be given.
pub trait Passed<R> {
    /// The argument.
    fn passed(self) -> R;
}

impl<'a, T: Lend<U> + ?Sized, U: ?Sized> Passed<&'a U> for &'a T {
    #[inline(always)]
    fn passed(self) -> &'a U {
        self.lend()
    }
}

impl<'a, T: Lend<U> + ?Sized, U: ?Sized> Passed<&'a U> for &'a mut T {
    #[inline(always)]
    fn passed(self) -> &'a U {
        (*self).lend()
    }
}

impl<'a, T: Lend<U> + ?Sized, U: ?Sized> Passed<&'a mut U> for &'a mut T {
    #[inline(always)]
    fn passed(self) -> &'a mut U {
        self.lend_mut()
    }
}

/// A tangent behind a reference, as the callee takes it.
#[inline(always)]
pub fn passed<R>(reference: impl Passed<R>) -> R {
    reference.passed()
}

/// What one `jvp` for each lane makes; without lanes there is no value.
#[inline]
pub fn one_by_one<Y, T, const LANES: usize>(
    mut run: impl FnMut(usize) -> (Y, T),
) -> (Y, [T; LANES]) {
    const { assert!(LANES > 0, "`jvp_batch` is given at least one tangent") };
    let mut value = None;
    let tangents = core::array::from_fn(|lane| {
        let (last, tangent) = run(lane);
        value = Some(last);
        tangent
    });
    (value.expect("a lane"), tangents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn sums<const LANES: usize>(each: [&[f64]; LANES]) -> [f64; LANES] {
        each.map(|one| one.iter().sum())
    }

    #[test]
    fn the_callee_says_as_what() {
        let mut each = [vec![1.0, 2.0], vec![3.0, 4.0]];
        assert_eq!(sums(core::array::from_fn::<_, 2, _>(|lane| passed(&each[lane]))), [3.0, 7.0]);
        assert_eq!(sums(each.each_mut().map(passed)), [3.0, 7.0]);
        let boxes: [Box<[f64]>; 1] = [vec![5.0].into()];
        assert_eq!(sums(boxes.each_ref().map(passed)), [5.0]);
    }
}
