//! The tangent of a constant field in derivative code. Its type says nothing of the field's.
//!
//! In comes `NoTangent` where the macro expects the tangent of a number or of a container, since it does not see the
//! definitions of types. Out comes a zero where a part of the tangent is read, and nothing where something is added to it
//! or put into it. Invariant: no active value is written into a constant field. The compiler writes a proof in front of
//! each write ([`Writable`]), and so nothing that is dropped here could have been seen again.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::{AddAssign, Deref, DerefMut, DivAssign, Index, IndexMut, MulAssign, SubAssign};

use crate::accumulate::Accumulates;
use crate::differentiable::Differentiable;
use crate::tangent::{NoTangent, Tangent};

impl From<NoTangent> for f64 {
    #[inline(always)]
    fn from(NoTangent: NoTangent) -> f64 {
        0.0
    }
}

impl From<NoTangent> for f32 {
    #[inline(always)]
    fn from(NoTangent: NoTangent) -> f32 {
        0.0
    }
}

/// The part that an index leads to is as constant as the whole.
impl<I> Index<I> for NoTangent {
    type Output = NoTangent;

    #[inline(always)]
    fn index(&self, _: I) -> &NoTangent {
        self
    }
}

impl<I> IndexMut<I> for NoTangent {
    #[inline(always)]
    fn index_mut(&mut self, _: I) -> &mut NoTangent {
        self
    }
}

impl<V> AddAssign<V> for NoTangent {
    #[inline(always)]
    fn add_assign(&mut self, _: V) {}
}

impl<V> SubAssign<V> for NoTangent {
    #[inline(always)]
    fn sub_assign(&mut self, _: V) {}
}

impl<V> MulAssign<V> for NoTangent {
    #[inline(always)]
    fn mul_assign(&mut self, _: V) {}
}

impl<V> DivAssign<V> for NoTangent {
    #[inline(always)]
    fn div_assign(&mut self, _: V) {}
}

/// Lets a constant field take values in, without a trace. Derived tangents have such an impl each.
macro_rules! without_trace {
    ($([$($generics:tt)*] $value:ty;)*) => {$(
        impl<$($generics)*> Accumulates<$value> for NoTangent {
            #[inline(always)]
            fn accumulate_into(&mut self, _: $value) {}

            #[inline(always)]
            fn assign(&mut self, _: $value) {}
        }
    )*};
}

without_trace! {
    [] f64;
    [] f32;
    [T: Tangent] Vec<T>;
    [T: Tangent, const N: usize] [T; N];
    [T: Tangent] Option<T>;
    [T: Tangent] Box<T>;
    [A: Tangent, B: Tangent] (A, B);
    [A: Tangent, B: Tangent, C: Tangent] (A, B, C);
}

/// The part of a tangent that belongs to a field of tangent type `T`.
#[diagnostic::on_unimplemented(
    message = "an operator reads a constant field, and the shape of the field's tangent is not known",
    label = "the tangent is of type `{T}`",
    note = "write `stop_gradient(..)` around the field"
)]
pub trait Component<T> {
    /// Returns the tangent of the field: zero, if it is constant.
    fn component(&self) -> T;
}

impl<T: Tangent> Component<T> for T {
    #[inline(always)]
    fn component(&self) -> T {
        self.clone()
    }
}

#[cfg(any(feature = "std", feature = "libm"))]
impl<F: crate::float::Float> Component<F> for NoTangent {
    #[inline(always)]
    fn component(&self) -> F {
        F::zero()
    }
}

/// Returns the tangent of a field.
#[inline(always)]
pub fn component<P: Component<T>, T>(part: &P) -> T {
    part.component()
}

/// A part of a tangent that is lent to a callee. Where it is that of a constant field, the methods of [`NoTangent`] of these
/// names go before, and lend a zero that lives as long as the call.
pub trait Part {
    /// Lends it for reading.
    #[inline(always)]
    fn __lent<T>(&self, _: impl FnOnce() -> T) -> &Self {
        self
    }

    /// Lends it for adding to it.
    #[inline(always)]
    fn __lent_mut<T>(&mut self, _: impl FnOnce() -> T) -> &mut Self {
        self
    }

    /// Copies it.
    #[inline(always)]
    fn __taken<T>(&self, _: impl FnOnce() -> T) -> Self
    where
        Self: Tangent,
    {
        crate::accumulate::copy(self)
    }

    /// Lends it where the value is lent as well, and cannot be read.
    #[inline(always)]
    fn __lent_default(&mut self) -> &mut Self {
        self
    }
}

impl<T: ?Sized> Part for T {}

impl NoTangent {
    /// Lends a zero.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __lent<T>(&self, zero: impl FnOnce() -> T) -> Lent<T> {
        Lent(zero())
    }

    /// Lends a zero, of which nobody sees what is added to it.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __lent_mut<T>(&mut self, zero: impl FnOnce() -> T) -> Lent<T> {
        Lent(zero())
    }

    /// Lends a zero where the value is not at hand.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __lent_default<T: Default>(&mut self) -> Lent<T> {
        Lent(T::default())
    }

    /// Makes a zero.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __taken<T>(&self, zero: impl FnOnce() -> T) -> T {
        zero()
    }

    /// The end of a constant collection.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push<T>(&mut self, _: T) {}

    /// The end of a constant collection.
    #[doc(hidden)]
    #[inline(always)]
    pub fn pop(&mut self) -> Option<NoTangent> {
        Some(NoTangent)
    }

    /// Rustc is asked to prove that what is written into a constant field is constant.
    #[doc(hidden)]
    pub fn __takes<T: Differentiable<Tangent: Unvaried> + ?Sized>(&self, _: &T) {}
}

/// A zero in the place of a constant field's tangent.
pub struct Lent<T>(T);

impl<T> Deref for Lent<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Lent<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A part of a tangent into which active values may be written: any that is not [`NoTangent`], whose method of this name
/// goes before.
pub trait Writable {
    /// Nothing is to be proved.
    fn __takes<T: ?Sized>(&self, _: &T) {}
}

impl<T: ?Sized> Writable for T {}

/// The tangent of what cannot vary.
#[diagnostic::on_unimplemented(
    message = "an active value is written into a field with `#[differentiable(constant)]`",
    label = "what is written here depends on an active parameter, and the field has no derivative",
    note = "put `stop_gradient(..)` around the value, or take the attribute from the field"
)]
pub trait Unvaried {}

impl Unvaried for NoTangent {}
impl<T: Unvaried> Unvaried for Vec<T> {}
impl<T: Unvaried> Unvaried for Option<T> {}
impl<T: Unvaried> Unvaried for Box<T> {}
impl<T: Unvaried, const N: usize> Unvaried for [T; N] {}

/// The type of a field of which only the zero of its tangent is asked: a type without tangent has the one of a constant.
pub struct Zeros<'a, T: ?Sized>(pub &'a T);

impl<T: Differentiable + ?Sized> Zeros<'_, T> {
    /// The zero in the shape of the value.
    #[inline(always)]
    pub fn zero(&self) -> T::Tangent {
        self.0.zero_tangent()
    }
}

/// The zero of a type without tangent: the method of [`Zeros`] goes before.
pub trait WithoutTangent {
    /// The tangent of a constant.
    #[inline(always)]
    fn zero(&self) -> NoTangent {
        NoTangent
    }
}

impl<T: ?Sized> WithoutTangent for Zeros<'_, T> {}

/// Some value of a constant field's type, for where none is read. It is found by what the type has, in this order: a
/// default, a stand-in as that of a number, nothing.
pub struct Stand<T>(PhantomData<fn() -> T>);

impl<T> Stand<T> {
    /// Asks for a value of the type.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Stand(PhantomData)
    }
}

impl<T> Default for Stand<T> {
    fn default() -> Self {
        Stand::new()
    }
}

/// The first choice.
pub trait StandByDefault<T> {
    /// The default.
    fn stand_in(&self) -> T;
}

impl<T: Default> StandByDefault<T> for &&Stand<T> {
    fn stand_in(&self) -> T {
        T::default()
    }
}

/// The second choice.
pub trait StandByTangent<T> {
    /// The type's own.
    fn stand_in(&self) -> T;
}

impl<T: Differentiable> StandByTangent<T> for &Stand<T> {
    fn stand_in(&self) -> T {
        T::stand_in()
    }
}

/// The last choice.
pub trait StandByNothing<T> {
    /// Unreachable for types whose operators have derivatives, unless a constant field of them has neither.
    fn stand_in(&self) -> T;
}

impl<T> StandByNothing<T> for Stand<T> {
    fn stand_in(&self) -> T {
        panic!(
            "an operator's derivative needs some value of its operand's type, and a constant field has no `Default`"
        )
    }
}
