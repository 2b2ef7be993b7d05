//! Conversions by `From` and `Into` between types of the user's own.
//!
//! `#[differentiate]` on `impl From<A> for V` implements [`Conversion`] for `V` beside it, and [`ConversionOfReference`] where
//! `A` is a reference; a second attribute adds the traits of second derivatives. Derivative code calls the functions of these
//! traits where a body says `V::from(a)`, and those of [`Converting`] and [`ConvertingPlace`] where it says `a.into()`.
//!
//! Invariant: the impl proves that `V::from` and `a.into()` are those of the standard library's traits.

#![allow(clippy::type_complexity, reason = "a pullback's type has no name")]

use core::marker::PhantomData;

use crate::rules::TangentOf;
use crate::{Differentiable, Tangent};

/// A type that has derivatives of its `From<A>`.
#[diagnostic::on_unimplemented(
    message = "the conversion from `{A}` to `{Self}` has no derivative",
    note = "put `#[differentiate]` on `impl From<{A}> for {Self}`"
)]
pub trait Conversion<A: Differentiable>: Differentiable + From<A> {
    /// Compiles only if a path to `from` leads to that of `From`, which converts a value to its own type, too.
    #[inline(always)]
    fn __from_is_needs_differentiate_or_primitive_or_zero_adjoint(
        _from: impl FnOnce(Self) -> Self,
        _of: PhantomData<A>,
        _to: &Self,
    ) {
    }

    /// `from`, and its pullback.
    fn __from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        value: A,
    ) -> (Self, impl FnOnce(TangentOf<Self>) -> (TangentOf<A>,) + use<A, Self>);

    /// `from` along a tangent.
    fn __from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        value: A,
        dot: TangentOf<A>,
    ) -> (Self, TangentOf<Self>);
}

/// Second derivatives of a `From<A>`.
#[diagnostic::on_unimplemented(
    message = "the conversion from `{A}` to `{Self}` has no second derivative",
    note = "put `#[differentiate]` twice on `impl From<{A}> for {Self}`"
)]
pub trait SecondConversion<A: Differentiable>: Conversion<A> {
    /// The derivative of `from` and its pullback along a tangent.
    fn __from_jvp_over_vjp_needs_another_differentiate(
        value: A,
        dot: TangentOf<A>,
    ) -> (
        Self,
        TangentOf<Self>,
        impl FnOnce(TangentOf<Self>, TangentOf<Self>) -> (TangentOf<A>, TangentOf<A>) + use<A, Self>,
    );

    /// `from` along two tangents and the tangent of one along the other.
    fn __from_jvp_over_jvp_needs_another_differentiate(
        value: A,
        first: TangentOf<A>,
        second: TangentOf<A>,
        both: TangentOf<A>,
    ) -> (Self, TangentOf<Self>, TangentOf<Self>, TangentOf<Self>);
}

/// A type that has derivatives of its `From<&A>`. `D` is the tangent behind a reference.
#[diagnostic::on_unimplemented(
    message = "the conversion from `&{A}` to `{Self}` has no derivative",
    note = "put `#[differentiate]` on `impl From<&{A}> for {Self}`"
)]
pub trait ConversionOfReference<A: Differentiable + ?Sized, D: ?Sized>:
    Differentiable + for<'a> From<&'a A>
{
    /// Compiles only if a path to `from` leads to that of `From`, which converts a value to its own type, too.
    #[inline(always)]
    fn __from_is_needs_differentiate_or_primitive_or_zero_adjoint(
        _from: impl FnOnce(Self) -> Self,
        _of: PhantomData<&A>,
        _to: &Self,
    ) {
    }

    /// `from`, and its pullback.
    fn __from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        value: &A,
    ) -> (Self, impl FnOnce(&A, &mut D, TangentOf<Self>) + use<A, D, Self>);

    /// `from` along a tangent.
    fn __from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        value: &A,
        dot: &D,
    ) -> (Self, TangentOf<Self>);
}

/// Second derivatives of a `From<&A>`.
#[diagnostic::on_unimplemented(
    message = "the conversion from `&{A}` to `{Self}` has no second derivative",
    note = "put `#[differentiate]` twice on `impl From<&{A}> for {Self}`"
)]
pub trait SecondConversionOfReference<A: Differentiable + ?Sized, D: ?Sized>:
    ConversionOfReference<A, D>
{
    /// The derivative of `from` and its pullback along a tangent.
    fn __from_jvp_over_vjp_needs_another_differentiate(
        value: &A,
        dot: &D,
    ) -> (
        Self,
        TangentOf<Self>,
        impl FnOnce(&A, &D, &mut D, &mut D, TangentOf<Self>, TangentOf<Self>) + use<A, D, Self>,
    );

    /// `from` along two tangents and the tangent of one along the other.
    fn __from_jvp_over_jvp_needs_another_differentiate(
        value: &A,
        first: &D,
        second: &D,
        both: &D,
    ) -> (Self, TangentOf<Self>, TangentOf<Self>, TangentOf<Self>);
}

/// `into` of a value whose type has no function of that name of its own.
pub trait Converting: Differentiable + Sized {
    /// The standard library's.
    #[inline(always)]
    fn into<V>(self) -> V
    where
        Self: Into<V>,
    {
        Into::into(self)
    }

    #[doc(hidden)]
    #[inline]
    fn __into_vjp_needs_differentiate_or_primitive_or_zero_adjoint<V: Conversion<Self>>(
        self,
    ) -> (V, impl FnOnce(TangentOf<V>) -> (TangentOf<Self>,) + use<Self, V>) {
        V::__from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(self)
    }

    #[doc(hidden)]
    #[inline]
    fn __into_jvp_needs_differentiate_or_primitive_or_zero_adjoint<V: Conversion<Self>>(
        self,
        dot: TangentOf<Self>,
    ) -> (V, TangentOf<V>) {
        V::__from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(self, dot)
    }

    #[doc(hidden)]
    #[inline]
    fn __into_jvp_over_vjp_needs_another_differentiate<V: SecondConversion<Self>>(
        self,
        dot: TangentOf<Self>,
    ) -> (
        V,
        TangentOf<V>,
        impl FnOnce(TangentOf<V>, TangentOf<V>) -> (TangentOf<Self>, TangentOf<Self>) + use<Self, V>,
    ) {
        V::__from_jvp_over_vjp_needs_another_differentiate(self, dot)
    }

    #[doc(hidden)]
    #[inline]
    fn __into_jvp_over_jvp_needs_another_differentiate<V: SecondConversion<Self>>(
        self,
        first: TangentOf<Self>,
        second: TangentOf<Self>,
        both: TangentOf<Self>,
    ) -> (V, TangentOf<V>, TangentOf<V>, TangentOf<V>) {
        V::__from_jvp_over_jvp_needs_another_differentiate(self, first, second, both)
    }
}

impl<A: Differentiable> Converting for A {}

/// `into` as a method of a place, whose cotangent goes to a shadow.
pub trait ConvertingPlace: Differentiable + Clone {
    #[doc(hidden)]
    #[inline]
    fn __into_vjp_needs_differentiate_or_primitive_or_zero_adjoint<V: Conversion<Self>>(
        &self,
    ) -> (V, impl FnOnce(&Self, &mut TangentOf<Self>, TangentOf<V>) + use<Self, V>) {
        let (value, pullback) =
            V::__from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(self.clone());
        let back = |_: &Self, shadow: &mut TangentOf<Self>, bar: TangentOf<V>| {
            let (own,) = pullback(bar);
            shadow.accumulate(own);
        };
        (value, back)
    }

    #[doc(hidden)]
    #[inline]
    fn __into_jvp_needs_differentiate_or_primitive_or_zero_adjoint<V: Conversion<Self>>(
        &self,
        dot: &TangentOf<Self>,
    ) -> (V, TangentOf<V>) {
        V::__from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(self.clone(), dot.clone())
    }

    #[doc(hidden)]
    #[inline]
    fn __into_jvp_over_vjp_needs_another_differentiate<V: SecondConversion<Self>>(
        &self,
        dot: &TangentOf<Self>,
    ) -> (
        V,
        TangentOf<V>,
        impl FnOnce(
            &Self,
            &TangentOf<Self>,
            &mut TangentOf<Self>,
            &mut TangentOf<Self>,
            TangentOf<V>,
            TangentOf<V>,
        ) + use<Self, V>,
    ) {
        let (value, value_dot, pullback) =
            V::__from_jvp_over_vjp_needs_another_differentiate(self.clone(), dot.clone());
        let back = |_: &Self,
                    _: &TangentOf<Self>,
                    shadow: &mut TangentOf<Self>,
                    shadow_dot: &mut TangentOf<Self>,
                    bar: TangentOf<V>,
                    bar_dot: TangentOf<V>| {
            let (own, own_dot) = pullback(bar, bar_dot);
            shadow.accumulate(own);
            shadow_dot.accumulate(own_dot);
        };
        (value, value_dot, back)
    }

    #[doc(hidden)]
    #[inline]
    fn __into_jvp_over_jvp_needs_another_differentiate<V: SecondConversion<Self>>(
        &self,
        first: &TangentOf<Self>,
        second: &TangentOf<Self>,
        both: &TangentOf<Self>,
    ) -> (V, TangentOf<V>, TangentOf<V>, TangentOf<V>) {
        V::__from_jvp_over_jvp_needs_another_differentiate(
            self.clone(),
            first.clone(),
            second.clone(),
            both.clone(),
        )
    }
}

impl<A: Differentiable + Clone> ConvertingPlace for A {}

/// Conversions between floats: they are linear, and their tangents are converted like values.
macro_rules! floats {
    ($($from:ident to $to:ident),*) => {$(
        impl Conversion<$from> for $to {
            #[inline]
            fn __from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
                value: $from,
            ) -> ($to, impl FnOnce($to) -> ($from,) + use<>) {
                ($to::from(value), |bar| (bar as $from,))
            }

            #[inline]
            fn __from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
                value: $from,
                dot: $from,
            ) -> ($to, $to) {
                ($to::from(value), $to::from(dot))
            }
        }

        impl SecondConversion<$from> for $to {
            #[inline]
            fn __from_jvp_over_vjp_needs_another_differentiate(
                value: $from,
                dot: $from,
            ) -> ($to, $to, impl FnOnce($to, $to) -> ($from, $from) + use<>) {
                let back = |bar, bar_dot| (bar as $from, bar_dot as $from);
                ($to::from(value), $to::from(dot), back)
            }

            #[inline]
            fn __from_jvp_over_jvp_needs_another_differentiate(
                value: $from,
                first: $from,
                second: $from,
                both: $from,
            ) -> ($to, $to, $to, $to) {
                ($to::from(value), $to::from(first), $to::from(second), $to::from(both))
            }
        }
    )*};
}

floats!(f32 to f32, f64 to f64, f32 to f64);

/// The type of a value.
#[inline(always)]
pub fn type_of<T>(_: &T) -> PhantomData<T> {
    PhantomData
}

/// The functions `from` that two paths name: each function has a type of its own.
#[diagnostic::on_unimplemented(
    message = "`from` of this type is taken for that of `From`, and another one is in its way",
    label = "not what a path to `from` of this type leads to",
    note = "give the other function another name, or put `#[differentiate]` on it and not on this `impl`"
)]
pub trait IsFrom {}

impl<Function> IsFrom for (Function, Function) {}

/// Compiles only for one function, twice.
pub fn is_from<Functions: IsFrom>(_named_and_known: Functions) {}

/// The type of a value, and that of what its `into` gives where any type may be asked for.
#[diagnostic::on_unimplemented(
    message = "`into` of the type that is converted is taken for that of `Into`, and the type has one of its own",
    label = "the conversion of this type by `into` is not this one",
    note = "give the other function another name"
)]
pub trait IsInto {}

impl<T> IsInto for (T, T) {}

/// Compiles only if a function can give back the type that it takes, as the standard library's `into` can.
pub fn is_into<A, V>(_: impl FnOnce(A) -> V)
where
    (A, V): IsInto,
{
}
