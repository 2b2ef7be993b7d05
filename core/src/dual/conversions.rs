//! Conversions between dual numbers and other numbers, as `f64` has them.
//!
//! **In:** numbers of other types, which become constants, and dual numbers. **Out:** integers, whose derivative is zero
//! as that of `as` is. **Invariant:** no derivative is lost on the way to another float: there is a panic.

use super::Dual;
use num_traits::{AsPrimitive, FromPrimitive, NumCast, ToPrimitive};

macro_rules! from {
    ($($number:ty)*) => {$(
        /// A constant.
        impl<const N: usize> From<$number> for Dual<N> {
            #[inline]
            fn from(number: $number) -> Self {
                Self::constant(<f64 as From<$number>>::from(number))
            }
        }
    )*};
}

from!(f64 f32 i8 i16 i32 u8 u16 u32);

macro_rules! as_primitive {
    ($($number:ty)*) => {$(
        /// A constant.
        impl<const N: usize> AsPrimitive<Dual<N>> for $number {
            #[inline]
            fn as_(self) -> Dual<N> {
                Dual::constant(AsPrimitive::<f64>::as_(self))
            }
        }
    )*};
}

as_primitive!(f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! as_integer {
    ($($integer:ty)*) => {$(
        /// The integer has no derivative.
        impl<const N: usize> AsPrimitive<$integer> for Dual<N> {
            #[inline]
            fn as_(self) -> $integer {
                self.value as $integer
            }
        }
    )*};
}

as_integer!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl<const N: usize> AsPrimitive<Dual<N>> for Dual<N> {
    #[inline]
    fn as_(self) -> Dual<N> {
        self
    }
}

macro_rules! to_integers {
    ($($method:ident $integer:ty;)*) => {$(
        #[inline]
        fn $method(&self) -> Option<$integer> {
            self.value.$method()
        }
    )*};
}

impl<const N: usize> ToPrimitive for Dual<N> {
    to_integers! {
        to_i8 i8; to_i16 i16; to_i32 i32; to_i64 i64; to_i128 i128; to_isize isize;
        to_u8 u8; to_u16 u16; to_u32 u32; to_u64 u64; to_u128 u128; to_usize usize;
    }

    #[inline]
    #[track_caller]
    fn to_f32(&self) -> Option<f32> {
        self.value_alone("to_f32").to_f32()
    }

    #[inline]
    #[track_caller]
    fn to_f64(&self) -> Option<f64> {
        self.value_alone("to_f64").to_f64()
    }
}

macro_rules! from_primitive {
    ($($method:ident $number:ty;)*) => {$(
        #[inline]
        fn $method(number: $number) -> Option<Self> {
            f64::$method(number).map(Self::constant)
        }
    )*};
}

impl<const N: usize> FromPrimitive for Dual<N> {
    from_primitive! {
        from_i8 i8; from_i16 i16; from_i32 i32; from_i64 i64; from_i128 i128; from_isize isize;
        from_u8 u8; from_u16 u16; from_u32 u32; from_u64 u64; from_u128 u128; from_usize usize;
        from_f32 f32; from_f64 f64;
    }
}

impl<const N: usize> NumCast for Dual<N> {
    #[inline]
    fn from<T: ToPrimitive>(number: T) -> Option<Self> {
        <f64 as NumCast>::from(number).map(Self::constant)
    }
}
