//! Numbers with a tangent: how the rule table is evaluated where derivatives of partial derivatives are needed and
//! the macro cannot see the operands' type.
//!
//! In comes a row's partial derivative as a function of any [`Number`]; out goes its tangent, or the tangent of
//! that, by [`NestedDual`] numbers and duals of duals. Invariant: what a method of a dual's own tangent is, the table says.

// The functions of floats: inherent where `std` is linked, else those of `libm`.
#[cfg(any(feature = "std", not(feature = "libm")))]
extern crate std;

/// The function of floats of that name.
#[cfg(any(feature = "std", not(feature = "libm")))]
macro_rules! of_float {
    ($float:ident $method:ident $($arg:ident)*) => {
        <$float>::$method($($arg),*)
    };
}

/// Likewise.
#[cfg(all(feature = "libm", not(feature = "std")))]
macro_rules! of_float {
    ($float:ident $method:ident $($arg:ident)*) => {
        <$float as num_traits::Float>::$method($($arg),*)
    };
}

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::rules::partials;

/// What a partial derivative in the table is computed with.
pub trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn constant(value: f64) -> Self;
    fn strong(self, factor: Self) -> Self;
    fn exp(self) -> Self;
    fn hypot(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    fn powi(self, exponent: i32) -> Self;
    fn powf(self, exponent: Self) -> Self;
    fn ln(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn signum(self) -> Self;
    fn round(self) -> Self;
    fn is_nan(self) -> bool;
}

/// A number that is made of floats: itself, its tangent, the tangents of both, and so on.
pub trait Nested<F>: Number {
    /// How many floats there are.
    const SIZE: usize;

    /// From its floats, beginning with that of a position.
    fn gather(float: &impl Fn(usize) -> F, first: usize) -> Self;

    /// The last tangent that there is.
    fn last(self) -> F;
}

/// What a literal or an operand of a row is where a partial derivative is evaluated with numbers `D`. Integers
/// stay.
pub trait Lift<D> {
    type Lifted;

    fn lift(self) -> Self::Lifted;
}

impl<D: Number> Lift<D> for f64 {
    type Lifted = D;

    #[inline(always)]
    fn lift(self) -> D {
        D::constant(self)
    }
}

impl<D> Lift<D> for i32 {
    type Lifted = i32;

    #[inline(always)]
    fn lift(self) -> i32 {
        self
    }
}

macro_rules! float {
    ($float:ident) => {
        impl Number for $float {
            #[inline(always)]
            fn constant(value: f64) -> Self {
                value as $float
            }

            #[inline(always)]
            fn powi(self, exponent: i32) -> Self {
                of_float!($float powi self exponent)
            }

            #[inline(always)]
            fn powf(self, exponent: Self) -> Self {
                of_float!($float powf self exponent)
            }

            #[inline(always)]
            fn hypot(self, other: Self) -> Self {
                of_float!($float hypot self other)
            }

            #[inline(always)]
            fn strong(self, factor: Self) -> Self {
                crate::rules::strong(self, factor)
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                of_float!($float is_nan self)
            }

            float! { $float exp sqrt ln sin cos sinh cosh signum round }
        }

        impl Nested<$float> for $float {
            const SIZE: usize = 1;

            #[inline(always)]
            fn gather(float: &impl Fn(usize) -> $float, first: usize) -> Self {
                float(first)
            }

            #[inline(always)]
            fn last(self) -> $float {
                self
            }
        }
    };
    ($float:ident $($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            of_float!($float $method self)
        }
    )*};
}

float!(f32);
float!(f64);

/// A number and its tangent, which may be such numbers themselves. The dual number that users name is
/// [`Dual`](crate::Dual).
#[derive(Clone, Copy)]
pub struct NestedDual<D> {
    value: D,
    dot: D,
}

impl<D: Number> NestedDual<D> {
    /// A function of one number, by its value and its partial derivative.
    #[inline(always)]
    fn apply(self, value: D, partial: impl Fn(D, D) -> D) -> Self {
        NestedDual { value, dot: self.dot.strong(partial(self.value, value)) }
    }

    /// A function of two numbers, by its value and its partial derivatives.
    #[inline(always)]
    fn join(self, other: Self, value: D, [by_self, by_other]: [D; 2]) -> Self {
        NestedDual { value, dot: self.dot.strong(by_self) + other.dot.strong(by_other) }
    }

    #[inline(always)]
    fn still(value: D) -> Self {
        NestedDual { value, dot: D::constant(0.0) }
    }
}

impl<D: Number> PartialEq for NestedDual<D> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<D: Number> PartialOrd for NestedDual<D> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<D: Number> Neg for NestedDual<D> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        NestedDual { value: -self.value, dot: -self.dot }
    }
}

/// A method of two numbers, by its row.
macro_rules! binary {
    ($method:ident $left:ident $right:ident) => {{
        let value = $left.value.$method($right.value);
        let by_each = [
            partials::$method::by_0($left.value, $right.value, value),
            partials::$method::by_1($left.value, $right.value, value),
        ];
        $left.join($right, value, by_each)
    }};
}

macro_rules! operators {
    ($($trait:ident $method:ident $rule:ident)*) => {$(
        impl<D: Number> $trait for NestedDual<D> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let value = $trait::$method(self.value, other.value);
                let by_each = [
                    partials::$rule::by_0(self.value, other.value, value),
                    partials::$rule::by_1(self.value, other.value, value),
                ];
                self.join(other, value, by_each)
            }
        }
    )*};
}

operators!(Add add add Sub sub sub Mul mul mul Div div div);

macro_rules! methods {
    ($($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            self.apply(self.value.$method(), partials::$method::by_0)
        }
    )*};
}

impl<D: Number> Number for NestedDual<D> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::still(D::constant(value))
    }

    methods! { exp sqrt ln sin cos sinh cosh }

    #[inline(always)]
    fn powi(self, exponent: i32) -> Self {
        self.apply(self.value.powi(exponent), |x, y| partials::powi::by_0(x, exponent, y))
    }

    /// A strong product's tangent is made of strong products.
    #[inline(always)]
    fn strong(self, factor: Self) -> Self {
        let value = self.value.strong(factor.value);
        NestedDual { value, dot: self.dot.strong(factor.value) + self.value.strong(factor.dot) }
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        binary! { powf self exponent }
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        binary! { hypot self other }
    }

    #[inline(always)]
    fn signum(self) -> Self {
        Self::still(self.value.signum())
    }

    #[inline(always)]
    fn round(self) -> Self {
        Self::still(self.value.round())
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        self.value.is_nan()
    }
}

impl<F, D: Nested<F>> Nested<F> for NestedDual<D> {
    const SIZE: usize = 2 * D::SIZE;

    #[inline(always)]
    fn gather(float: &impl Fn(usize) -> F, first: usize) -> Self {
        NestedDual { value: D::gather(float, first), dot: D::gather(float, first + D::SIZE) }
    }

    #[inline(always)]
    fn last(self) -> F {
        self.dot.last()
    }
}
