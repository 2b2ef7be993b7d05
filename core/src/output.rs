//! The outputs that drivers know how to seed: one float for gradients, several for Jacobians.
//!
//! The lifetime of these traits means nothing to a type. It lets a companion state
//! `where for<'a> Y: FloatOutput<'a>` about a type of which the macro knows only the name: a bound
//! with a lifetime of its own is not checked at the definition, only where the function is called.

use alloc::vec::Vec;

use crate::differentiable::Differentiable;

/// One float: the output of a function that has a gradient.
#[diagnostic::on_unimplemented(
    message = "a gradient needs one float as output, and `{Self}` is not one",
    label = "this function returns `{Self}`",
    note = "`vjp` and `jvp` take any output; `jacobian` takes several floats"
)]
pub trait FloatOutput<'a>: Entry {
    /// The seed of a gradient. It is a tangent, so that code that is emitted before the output's type is
    /// known compiles for any; only floats have the trait.
    fn seed() -> <Self as Differentiable>::Tangent
    where
        Self: Differentiable;
}

impl FloatOutput<'_> for f32 {
    #[inline(always)]
    fn seed() -> Self {
        1.0
    }
}

impl FloatOutput<'_> for f64 {
    #[inline(always)]
    fn seed() -> Self {
        1.0
    }
}

/// Several floats of one type: the output of a function that has a Jacobian.
#[diagnostic::on_unimplemented(
    message = "a Jacobian needs several floats of one type as output, and `{Self}` is not that",
    label = "this function returns `{Self}`",
    note = "these are vectors, arrays and tuples of `f32` or of `f64`; `vjp` and `jvp` take any output"
)]
pub trait VectorOutput<'a>: Sized {
    /// The float.
    type Float: Entry;
    /// How many there are, where the type says it.
    const LENGTH: Option<usize>;
}

impl<F: Entry> VectorOutput<'_> for Vec<F> {
    type Float = F;
    const LENGTH: Option<usize> = None;
}

impl<F: Entry, const N: usize> VectorOutput<'_> for [F; N] {
    type Float = F;
    const LENGTH: Option<usize> = Some(N);
}

macro_rules! tuple {
    ($($float:ident),*) => {
        impl<F: Entry> VectorOutput<'_> for ($($float,)*) {
            type Float = F;
            const LENGTH: Option<usize> = Some([$(stringify!($float)),*].len());
        }
    };
}

tuple!(F);
tuple!(F, F);
tuple!(F, F, F);
tuple!(F, F, F, F);
tuple!(F, F, F, F, F);
tuple!(F, F, F, F, F, F);
tuple!(F, F, F, F, F, F, F);
tuple!(F, F, F, F, F, F, F, F);
tuple!(F, F, F, F, F, F, F, F, F);
tuple!(F, F, F, F, F, F, F, F, F, F);
tuple!(F, F, F, F, F, F, F, F, F, F, F);
tuple!(F, F, F, F, F, F, F, F, F, F, F, F);

/// A float as an entry of a Jacobian.
pub trait Entry: Copy {
    /// Back from the widened form in which tangents show their floats.
    fn narrow(wide: f64) -> Self;
}

impl Entry for f32 {
    fn narrow(wide: f64) -> Self {
        wide as f32
    }
}

impl Entry for f64 {
    fn narrow(wide: f64) -> Self {
        wide
    }
}

/// A number into which an integer literal of a rule turns, such as the exponent of `powi`.
pub trait FromInteger: Sized {
    /// `integer as Self`.
    fn convert(integer: i32) -> Self;
}

macro_rules! from_integer {
    ($($number:ident),*) => {$(
        impl FromInteger for $number {
            #[inline(always)]
            fn convert(integer: i32) -> Self {
                integer as $number
            }
        }
    )*};
}

from_integer!(f32, f64, i32);

/// `integer` in the type of `like`, where inference alone knows that type.
#[inline(always)]
pub fn from_integer<F: FromInteger>(integer: i32, _like: &F) -> F {
    F::convert(integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_the_type_of_their_neighbour() {
        assert_eq!(from_integer(3, &1.0_f32), 3.0_f32);
        assert_eq!(from_integer(-3, &1.0), -3.0);
        assert_eq!(from_integer(3, &1), 3);
    }

    #[test]
    fn bounds_with_a_lifetime_are_checked_at_use_only() {
        type Real = f64;
        type Nothing = ();
        fn seed() -> Real
        where
            for<'a> Real: FloatOutput<'a>,
        {
            <Real as FloatOutput<'_>>::seed()
        }
        #[expect(dead_code, reason = "that it compiles is the test")]
        fn no_seed() -> Nothing
        where
            for<'a> Nothing: FloatOutput<'a>,
        {
            <Nothing as FloatOutput<'_>>::seed()
        }
        assert_eq!(seed(), 1.0);
    }
}
