//! Methods of slices on places whose types the macro does not see: `self.rows.swap(i, j)`.
//!
//! In: the method's name and arguments, as a call of a method with derivatives hands them on. Out: the derivatives, under
//! the names that such calls look for. Vectors and arrays find them by what they dereference to, and a type's own methods
//! come first.
//!
//! Invariant: what is moved goes back on the way back, in the place and in its shadows.

#![allow(
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "calls hand on a tangent with each argument, and a pullback has no type with a name"
)]

use alloc::vec::Vec;
use core::mem::replace;

use crate::owner::Owner;
use crate::rules::TangentOf;
use crate::tangent::NoTangent;
use crate::{Differentiable, Tangent};

/// A method that moves entries, the one that moves them back, and what stands for the cotangents of its arguments.
macro_rules! moves {
    (
        $(#[$doc:meta])*
        $trait:ident: $method:ident($($index:ident),*), $back:ident, $owner:ident,
        $vjp:ident -> $none:tt, $jvp:ident, $jvp_over_vjp:ident -> $nones:tt, $jvp_over_jvp:ident
    ) => {
        $(#[$doc])*
        pub trait $trait {
            /// The type of an entry.
            type Entry: Differentiable;

            #[doc(hidden)]
            fn $owner(&mut self) -> Owner<Self>;

            #[doc(hidden)]
            fn $vjp(
                &mut self,
                $($index: usize),*
            ) -> (
                (),
                impl FnOnce(&mut [Self::Entry], &mut [TangentOf<Self::Entry>], ()) -> moves!(type $none)
                + use<Self>,
            );

            #[doc(hidden)]
            fn $jvp(
                &mut self,
                dot: &mut [TangentOf<Self::Entry>],
                $($index: usize, _: NoTangent),*
            ) -> ((), ());

            #[doc(hidden)]
            fn $jvp_over_vjp(
                &mut self,
                dot: &mut [TangentOf<Self::Entry>],
                $($index: usize, _: NoTangent),*
            ) -> (
                (),
                (),
                impl FnOnce(
                    &mut [Self::Entry],
                    &mut [TangentOf<Self::Entry>],
                    &mut [TangentOf<Self::Entry>],
                    &mut [TangentOf<Self::Entry>],
                    (),
                    (),
                ) -> moves!(type $nones)
                + use<Self>,
            );

            #[doc(hidden)]
            fn $jvp_over_jvp(
                &mut self,
                first: &mut [TangentOf<Self::Entry>],
                second: &mut [TangentOf<Self::Entry>],
                both: &mut [TangentOf<Self::Entry>],
                $($index: usize, _: NoTangent, _: NoTangent, _: NoTangent),*
            ) -> ((), (), (), ());
        }

        impl<T: Differentiable> $trait for [T] {
            type Entry = T;

            #[inline]
            fn $owner(&mut self) -> Owner<Self> {
                Owner::new()
            }

            #[inline]
            fn $vjp(
                &mut self,
                $($index: usize),*
            ) -> ((), impl FnOnce(&mut [T], &mut [T::Tangent], ()) -> moves!(type $none) + use<T>)
            {
                self.$method($($index),*);
                let back = move |this: &mut [T], bar: &mut [T::Tangent], ()| {
                    this.$back($($index),*);
                    bar.$back($($index),*);
                    $none
                };
                ((), back)
            }

            #[inline]
            fn $jvp(
                &mut self,
                dot: &mut [T::Tangent],
                $($index: usize, _: NoTangent),*
            ) -> ((), ()) {
                self.$method($($index),*);
                dot.$method($($index),*);
                ((), ())
            }

            #[inline]
            fn $jvp_over_vjp(
                &mut self,
                dot: &mut [T::Tangent],
                $($index: usize, _: NoTangent),*
            ) -> (
                (),
                (),
                impl FnOnce(
                    &mut [T],
                    &mut [T::Tangent],
                    &mut [T::Tangent],
                    &mut [T::Tangent],
                    (),
                    (),
                ) -> moves!(type $nones)
                + use<T>,
            ) {
                self.$method($($index),*);
                dot.$method($($index),*);
                let back = move |this: &mut [T],
                                 dot: &mut [T::Tangent],
                                 bar: &mut [T::Tangent],
                                 bar_dot: &mut [T::Tangent],
                                 (),
                                 ()| {
                    this.$back($($index),*);
                    for shadow in [dot, bar, bar_dot] {
                        shadow.$back($($index),*);
                    }
                    $nones
                };
                ((), (), back)
            }

            #[inline]
            fn $jvp_over_jvp(
                &mut self,
                first: &mut [T::Tangent],
                second: &mut [T::Tangent],
                both: &mut [T::Tangent],
                $($index: usize, _: NoTangent, _: NoTangent, _: NoTangent),*
            ) -> ((), (), (), ()) {
                self.$method($($index),*);
                for dot in [first, second, both] {
                    dot.$method($($index),*);
                }
                ((), (), (), ())
            }
        }
    };
    (type ($($none:ident),* $(,)?)) => { ($($none,)*) };
}

moves! {
    /// Derivatives of `swap`.
    SwapEntries: swap(i, j), swap, __swap_owner,
    __swap_vjp_needs_differentiate_or_primitive_or_zero_adjoint -> (NoTangent, NoTangent),
    __swap_jvp_needs_differentiate_or_primitive_or_zero_adjoint,
    __swap_jvp_over_vjp_needs_another_differentiate -> (NoTangent, NoTangent, NoTangent, NoTangent),
    __swap_jvp_over_jvp_needs_another_differentiate
}

moves! {
    /// Derivatives of `reverse`.
    ReverseEntries: reverse(), reverse, __reverse_owner,
    __reverse_vjp_needs_differentiate_or_primitive_or_zero_adjoint -> (),
    __reverse_jvp_needs_differentiate_or_primitive_or_zero_adjoint,
    __reverse_jvp_over_vjp_needs_another_differentiate -> (),
    __reverse_jvp_over_jvp_needs_another_differentiate
}

moves! {
    /// Derivatives of `rotate_left`.
    RotateLeft: rotate_left(by), rotate_right, __rotate_left_owner,
    __rotate_left_vjp_needs_differentiate_or_primitive_or_zero_adjoint -> (NoTangent,),
    __rotate_left_jvp_needs_differentiate_or_primitive_or_zero_adjoint,
    __rotate_left_jvp_over_vjp_needs_another_differentiate -> (NoTangent, NoTangent),
    __rotate_left_jvp_over_jvp_needs_another_differentiate
}

moves! {
    /// Derivatives of `rotate_right`.
    RotateRight: rotate_right(by), rotate_left, __rotate_right_owner,
    __rotate_right_vjp_needs_differentiate_or_primitive_or_zero_adjoint -> (NoTangent,),
    __rotate_right_jvp_needs_differentiate_or_primitive_or_zero_adjoint,
    __rotate_right_jvp_over_vjp_needs_another_differentiate -> (NoTangent, NoTangent),
    __rotate_right_jvp_over_jvp_needs_another_differentiate
}

/// Derivatives of `fill`.
pub trait FillEntries {
    /// The type of an entry.
    type Entry: Differentiable;

    #[doc(hidden)]
    fn __fill_owner(&mut self) -> Owner<Self>;

    #[doc(hidden)]
    fn __fill_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        value: Self::Entry,
    ) -> (
        (),
        impl FnOnce(&mut [Self::Entry], &mut [TangentOf<Self::Entry>], ()) -> (TangentOf<Self::Entry>,)
        + use<Self>,
    );

    #[doc(hidden)]
    fn __fill_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        dot: &mut [TangentOf<Self::Entry>],
        value: Self::Entry,
        value_dot: TangentOf<Self::Entry>,
    ) -> ((), ());

    #[doc(hidden)]
    fn __fill_jvp_over_vjp_needs_another_differentiate(
        &mut self,
        dot: &mut [TangentOf<Self::Entry>],
        value: Self::Entry,
        value_dot: TangentOf<Self::Entry>,
    ) -> (
        (),
        (),
        impl FnOnce(
            &mut [Self::Entry],
            &mut [TangentOf<Self::Entry>],
            &mut [TangentOf<Self::Entry>],
            &mut [TangentOf<Self::Entry>],
            (),
            (),
        ) -> (TangentOf<Self::Entry>, TangentOf<Self::Entry>)
        + use<Self>,
    );

    #[doc(hidden)]
    fn __fill_jvp_over_jvp_needs_another_differentiate(
        &mut self,
        first: &mut [TangentOf<Self::Entry>],
        second: &mut [TangentOf<Self::Entry>],
        both: &mut [TangentOf<Self::Entry>],
        value: Self::Entry,
        value_first: TangentOf<Self::Entry>,
        value_second: TangentOf<Self::Entry>,
        value_both: TangentOf<Self::Entry>,
    ) -> ((), (), (), ());
}

impl<T: Differentiable + Clone> FillEntries for [T] {
    type Entry = T;

    #[inline]
    fn __fill_owner(&mut self) -> Owner<Self> {
        Owner::new()
    }

    #[inline]
    fn __fill_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        value: T,
    ) -> ((), impl FnOnce(&mut [T], &mut [T::Tangent], ()) -> (T::Tangent,) + use<T>) {
        let old = self.to_vec();
        let zero = value.zero_tangent();
        self.fill(value);
        let back = move |this: &mut [T], bar: &mut [T::Tangent], ()| {
            let value_bar = taken(bar, &old, zero);
            put_back(this, old);
            (value_bar,)
        };
        ((), back)
    }

    #[inline]
    fn __fill_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        dot: &mut [T::Tangent],
        value: T,
        value_dot: T::Tangent,
    ) -> ((), ()) {
        self.fill(value);
        dot.fill(value_dot);
        ((), ())
    }

    #[inline]
    fn __fill_jvp_over_vjp_needs_another_differentiate(
        &mut self,
        dot: &mut [T::Tangent],
        value: T,
        value_dot: T::Tangent,
    ) -> (
        (),
        (),
        impl FnOnce(
            &mut [T],
            &mut [T::Tangent],
            &mut [T::Tangent],
            &mut [T::Tangent],
            (),
            (),
        ) -> (T::Tangent, T::Tangent)
        + use<T>,
    ) {
        let (old, old_dot) = (self.to_vec(), dot.to_vec());
        let zero = value.zero_tangent();
        self.fill(value);
        dot.fill(value_dot);
        let back = move |this: &mut [T],
                         dot: &mut [T::Tangent],
                         bar: &mut [T::Tangent],
                         bar_dot: &mut [T::Tangent],
                         (),
                         ()| {
            let bars = (taken(bar, &old, zero.clone()), taken(bar_dot, &old, zero));
            put_back(this, old);
            put_back(dot, old_dot);
            bars
        };
        ((), (), back)
    }

    #[inline]
    fn __fill_jvp_over_jvp_needs_another_differentiate(
        &mut self,
        first: &mut [T::Tangent],
        second: &mut [T::Tangent],
        both: &mut [T::Tangent],
        value: T,
        value_first: T::Tangent,
        value_second: T::Tangent,
        value_both: T::Tangent,
    ) -> ((), (), (), ()) {
        self.fill(value);
        first.fill(value_first);
        second.fill(value_second);
        both.fill(value_both);
        ((), (), (), ())
    }
}

/// The sum of the cotangents of entries that were overwritten by one value. Zeros are left.
fn taken<T: Differentiable>(bar: &mut [T::Tangent], old: &[T], zero: T::Tangent) -> T::Tangent {
    let mut sum = zero;
    for (bar, old) in bar.iter_mut().zip(old) {
        sum.accumulate(replace(bar, old.zero_tangent()));
    }
    sum
}

/// Gives entries what they had before.
fn put_back<T>(entries: &mut [T], old: Vec<T>) {
    for (entry, old) in entries.iter_mut().zip(old) {
        *entry = old;
    }
}
