//! The traits of `num_traits` for dual numbers.
//!
//! **In:** calls of generic code. **Out:** functions of the rule table; for what has no derivative, the value's.

use super::{Dual, functions};
use core::num::FpCategory;
use num_traits::{
    Bounded, ConstOne, ConstZero, Euclid, Float, FloatConst, Inv, MulAdd, MulAddAssign, Num, One,
    Pow, Signed, Zero,
};

/// Constants.
macro_rules! constants {
    ($trait:ident: $($name:ident)*) => {$(
        #[inline]
        fn $name() -> Self {
            Self::constant(<f64 as $trait>::$name())
        }
    )*};
}

/// Questions about the value.
macro_rules! questions {
    ($($name:ident: $answer:ty;)*) => {$(
        #[inline]
        fn $name(self) -> $answer {
            Float::$name(self.value)
        }
    )*};
}

/// Piecewise constant functions.
macro_rules! steps {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            Self::constant(Float::$name(self.value))
        }
    )*};
}

macro_rules! rows {
    ($($name:ident($($operand:ident),*);)*) => {$(
        #[inline]
        fn $name(self $(, $operand: Self)*) -> Self {
            functions::$name(self $(, $operand)*)
        }
    )*};
}

impl<const N: usize> Float for Dual<N> {
    constants! { Float: nan infinity neg_infinity neg_zero min_value min_positive_value epsilon max_value }

    questions! {
        is_nan: bool;
        is_infinite: bool;
        is_finite: bool;
        is_normal: bool;
        is_subnormal: bool;
        is_sign_positive: bool;
        is_sign_negative: bool;
        classify: FpCategory;
    }

    steps! { floor ceil round trunc signum }

    rows! {
        fract(); abs(); recip(); sqrt(); cbrt(); exp(); exp2(); exp_m1(); ln(); ln_1p(); log2(); log10();
        sin(); cos(); tan(); asin(); acos(); atan(); sinh(); cosh(); tanh(); asinh(); acosh(); atanh();
        to_degrees(); to_radians();
        powf(exponent); log(base); hypot(other); atan2(other); abs_sub(other); copysign(sign);
        max(other); min(other); clamp(low, high); mul_add(factor, summand);
    }

    #[inline]
    fn powi(self, exponent: i32) -> Self {
        functions::powi(self, exponent)
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        (functions::sin(self), functions::cos(self))
    }

    /// # Panics
    ///
    /// When a tangent is not zero: the number could be made of its bits again.
    #[track_caller]
    fn integer_decode(self) -> (u64, i16, i8) {
        self.value_alone("integer_decode").integer_decode()
    }
}

macro_rules! all_constants {
    ($($name:ident)*) => {
        #[allow(non_snake_case, reason = "the trait's names")]
        impl<const N: usize> FloatConst for Dual<N> {
            constants! { FloatConst: $($name)* }
        }
    };
}

all_constants! {
    E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
    LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
}

impl<const N: usize> Num for Dual<N> {
    type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        f64::from_str_radix(text, radix).map(Self::constant)
    }
}

impl<const N: usize> Zero for Dual<N> {
    #[inline]
    fn zero() -> Self {
        Self::constant(0.0)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.value == 0.0
    }
}

impl<const N: usize> One for Dual<N> {
    #[inline]
    fn one() -> Self {
        Self::constant(1.0)
    }
}

impl<const N: usize> ConstZero for Dual<N> {
    const ZERO: Self = Self::constant(0.0);
}

impl<const N: usize> ConstOne for Dual<N> {
    const ONE: Self = Self::constant(1.0);
}

impl<const N: usize> Bounded for Dual<N> {
    #[inline]
    fn min_value() -> Self {
        Self::constant(f64::MIN)
    }

    #[inline]
    fn max_value() -> Self {
        Self::constant(f64::MAX)
    }
}

impl<const N: usize> Signed for Dual<N> {
    #[inline]
    fn abs(&self) -> Self {
        functions::abs(*self)
    }

    #[inline]
    fn abs_sub(&self, other: &Self) -> Self {
        functions::abs_sub(*self, *other)
    }

    #[inline]
    fn signum(&self) -> Self {
        Self::constant(Signed::signum(&self.value))
    }

    #[inline]
    fn is_positive(&self) -> bool {
        Signed::is_positive(&self.value)
    }

    #[inline]
    fn is_negative(&self) -> bool {
        Signed::is_negative(&self.value)
    }
}

impl<const N: usize> Euclid for Dual<N> {
    #[inline]
    fn div_euclid(&self, divisor: &Self) -> Self {
        Self::constant(Euclid::div_euclid(&self.value, &divisor.value))
    }

    #[inline]
    fn rem_euclid(&self, divisor: &Self) -> Self {
        functions::rem_euclid(*self, *divisor)
    }
}

impl<const N: usize> MulAdd for Dual<N> {
    type Output = Self;

    #[inline]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        functions::mul_add(self, factor, summand)
    }
}

impl<const N: usize> MulAddAssign for Dual<N> {
    #[inline]
    fn mul_add_assign(&mut self, factor: Self, summand: Self) {
        *self = functions::mul_add(*self, factor, summand);
    }
}

impl<const N: usize> Inv for Dual<N> {
    type Output = Self;

    #[inline]
    fn inv(self) -> Self {
        functions::recip(self)
    }
}

impl<const N: usize> Pow<Dual<N>> for Dual<N> {
    type Output = Self;

    #[inline]
    fn pow(self, exponent: Self) -> Self {
        functions::powf(self, exponent)
    }
}

impl<const N: usize> Pow<f64> for Dual<N> {
    type Output = Self;

    #[inline]
    fn pow(self, exponent: f64) -> Self {
        functions::powf(self, Self::constant(exponent))
    }
}

impl<const N: usize> Pow<i32> for Dual<N> {
    type Output = Self;

    #[inline]
    fn pow(self, exponent: i32) -> Self {
        functions::powi(self, exponent)
    }
}
