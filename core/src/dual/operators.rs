//! The operators of dual numbers: between themselves, their references, and with `f64` on the right.
//!
//! **In:** operands. **Out:** what the functions of the rule table make of them.

use super::{Dual, functions};
use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

macro_rules! operators {
    ($($trait:ident $method:ident $assigning:ident $assign:ident)*) => {$(
        impl<const N: usize> $trait for Dual<N> {
            type Output = Dual<N>;

            #[inline]
            fn $method(self, other: Self) -> Dual<N> {
                functions::$method(self, other)
            }
        }

        operators! { @ $trait $method (&Dual<N>) (Dual<N>) |a, b| (*a, b) }
        operators! { @ $trait $method (Dual<N>) (&Dual<N>) |a, b| (a, *b) }
        operators! { @ $trait $method (&Dual<N>) (&Dual<N>) |a, b| (*a, *b) }
        operators! { @ $trait $method (Dual<N>) (f64) |a, b| (a, Dual::constant(b)) }

        impl<const N: usize> $assigning for Dual<N> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = functions::$method(*self, other);
            }
        }

        impl<const N: usize> $assigning<&Dual<N>> for Dual<N> {
            #[inline]
            fn $assign(&mut self, other: &Self) {
                *self = functions::$method(*self, *other);
            }
        }

        impl<const N: usize> $assigning<f64> for Dual<N> {
            #[inline]
            fn $assign(&mut self, other: f64) {
                *self = functions::$method(*self, Dual::constant(other));
            }
        }
    )*};
    (@ $trait:ident $method:ident ($left:ty) ($right:ty) |$a:ident, $b:ident| $both:expr) => {
        impl<const N: usize> $trait<$right> for $left {
            type Output = Dual<N>;

            #[inline]
            fn $method(self, other: $right) -> Dual<N> {
                let ($a, $b) = (self, other);
                let (a, b) = $both;
                functions::$method(a, b)
            }
        }
    };
}

operators! {
    Add add AddAssign add_assign
    Sub sub SubAssign sub_assign
    Mul mul MulAssign mul_assign
    Div div DivAssign div_assign
    Rem rem RemAssign rem_assign
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Dual<N>;

    #[inline]
    fn neg(self) -> Dual<N> {
        functions::neg(self)
    }
}

impl<const N: usize> Neg for &Dual<N> {
    type Output = Dual<N>;

    #[inline]
    fn neg(self) -> Dual<N> {
        functions::neg(*self)
    }
}

/// Begins with what `f64` begins with, which is not the same zero in all releases of Rust.
impl<const N: usize> Sum for Dual<N> {
    #[inline]
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Dual::constant(core::iter::empty::<f64>().sum()), Add::add)
    }
}

impl<'a, const N: usize> Sum<&'a Dual<N>> for Dual<N> {
    #[inline]
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

impl<const N: usize> Product for Dual<N> {
    #[inline]
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Dual::constant(core::iter::empty::<f64>().product()), Mul::mul)
    }
}

impl<'a, const N: usize> Product<&'a Dual<N>> for Dual<N> {
    #[inline]
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().product()
    }
}
