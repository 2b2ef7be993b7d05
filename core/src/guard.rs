//! What emitted code asks rustc to prove where the macro sees no types.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};
use core::num::{FpCategory, NonZero, Wrapping};
use core::time::Duration;

use crate::differentiable::Differentiable;
use crate::tangent::{NoTangent, Tangent};

/// A constant parameter's type, for the functions that hand every parameter a tangent.
///
/// The lifetime means nothing to a type. It lets emitted code state the bound for any type, so that
/// constants without tangents are an error only where a tangent is asked for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangent type",
    label = "a constant of this type may be passed to `gradient` and its kin and to `check!`, and not from one differentiated function to another"
)]
pub trait Tangible<'a>: Differentiable {}

impl<T: Differentiable + ?Sized> Tangible<'_> for T {}

/// Carries a constant. Where the constant does not compile, rustc reports it, and says nothing more of types that are made
/// of this one.
pub struct Checked<const HAS_TANGENT_TYPE: bool>;

/// The type `T`, of `fn(T)`.
#[diagnostic::on_unimplemented(
    message = "a type that borrows stands here without its lifetime",
    note = "write the lifetime: `View<'_>` for `View`"
)]
pub trait Argument<Pointer> {
    /// The type.
    type Type: ?Sized;
}

impl<T: ?Sized, const HAS_TANGENT_TYPE: bool> Argument<fn(T)> for Checked<HAS_TANGENT_TYPE> {
    type Type = T;
}

/// Compiles for a type that has a tangent type.
pub const fn has_tangent_type<T: Differentiable + ?Sized>(_: Option<fn(T)>) -> bool {
    true
}

/// The type of a `self` that a method takes by value: its caller keeps it for the pullback.
///
/// The lifetime means nothing to a type. It lets emitted code state the bound for any type, so that it is asked for
/// only where such a method is called.
#[diagnostic::on_unimplemented(
    message = "derivative code needs again what was passed by value, so `{Self}` must be `Clone`",
    label = "this is needed again",
    note = "derive `Clone`, or take it by reference: a method by `&self`"
)]
pub trait Kept<'a> {
    /// A copy for the method.
    fn kept(&self) -> Self;
}

impl<T: Clone> Kept<'_> for T {
    fn kept(&self) -> Self {
        self.clone()
    }
}

/// The results of methods such as `len` and `is_nan`: anything that carries no derivative.
#[diagnostic::on_unimplemented(
    message = "a method of this name is taken to have no derivative, and this one returns `{Self}`",
    note = "give it another name, or call a function with `#[differentiate]`"
)]
pub trait Inactive {}

/// A function and the one that it is taken for: each function has a type of its own.
#[diagnostic::on_unimplemented(
    message = "a function of this path is taken for that of the standard library, and this is another one",
    label = "not the standard library's",
    note = "bring it into scope under another name: `use .. as ..;`"
)]
pub trait TakenFor {}

impl<Function> TakenFor for (Function, Function) {}

/// Compiles only for one function, twice. Not for two arguments, one of which rustc would infer from the other.
pub fn taken_for<Functions: TakenFor>(_written_and_known: Functions) {}

/// A text of the standard library.
#[diagnostic::on_unimplemented(
    message = "this `String` is not the standard library's, which it is taken for",
    label = "this type",
    note = "give it another name"
)]
pub trait IsText {}

impl IsText for String {}

/// Compiles only for a text.
pub fn is_text<T: IsText>() {}

/// The result of a method of a proof.
pub struct Taken;

/// Holds for the results of methods of proofs, and so for no method of a trait of the user's.
#[diagnostic::on_unimplemented(
    message = "a method of this name is taken for that of a number or of a slice, and a trait in scope has another one",
    label = "this is the trait's method",
    note = "write `Trait::method(&x)` for the trait's; for the number's, `f64::sin(*x)`; for the slice's, `x[..].first()`"
)]
pub trait IsTaken {}

impl IsTaken for Taken {}
impl IsTaken for (Taken, Vec<()>) {}
impl IsTaken for (Taken, [(); 0]) {}

impl Taken {
    /// Compiles for the result of a method of a proof, and for that with its receiver: whose elements then are none.
    pub fn is<T: IsTaken>(_: T) {}
}

/// A vector of whose elements rustc knows nothing.
#[must_use]
pub fn vector<T>() -> Vec<T> {
    Vec::new()
}

/// An array of whose elements and length rustc knows nothing.
///
/// # Panics
///
/// Always.
#[must_use]
pub fn array<T, const N: usize>() -> [T; N] {
    never()
}

/// Evaluates for what stands for a comparison of two numbers without an order, if it says that none is greater.
///
/// # Panics
///
/// For `Greater`.
pub const fn less_or_equal(order: core::cmp::Ordering) {
    assert!(
        !matches!(order, core::cmp::Ordering::Greater),
        "in `unwrap_or(..)` of a comparison, `Less` and `Equal` are supported only"
    );
}

/// What has methods such as `floor`, whose derivative is zero because they are those of numbers.
#[diagnostic::on_unimplemented(
    message = "a method of this name is taken for that of a number, and this is one of `{Self}`",
    note = "call it by path, on a reference: `Type::name(&value)`"
)]
pub trait Number {}

macro_rules! marker {
    ($marker:ident: $($type:ty),*) => {$(impl $marker for $type {})*};
}

marker!(Inactive: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool, char);
marker!(Inactive: Ordering, Option<Ordering>, FpCategory, (u64, i16, i8));
marker!(Number: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64);

impl<const N: usize> Inactive for [u8; N] {}

impl<T: Number> Number for &T {}

/// A type that the standard library alone compares: a number, or one of its own types that holds numbers. A type that
/// holds no number is comparable with its own kind: its operator sees no active value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is compared by an operator of its own, and an operand depends on an active parameter",
    label = "the derivative of this operator is not known",
    note = "compare numbers, such as fields of it, or put `stop_gradient(..)` around the operand if what the operator does \
            with it has no derivative"
)]
pub trait Comparable {
    /// Whose operators compare it: operands of two owners may have an operator that sees the number of one.
    type Owner;
}

/// The owner of what the standard library compares.
pub struct Std;

/// A type that holds no number which could be active: it has no tangent, or it is derived and holds nothing else.
///
/// The lifetime means nothing to a type. It lets derived impls state the bound for any type.
pub trait Inert<'a> {}

impl<T: Differentiable<Tangent: Empty> + ?Sized> Inert<'_> for T {}
impl<'a, T: Inert<'a>> Inert<'a> for Option<T> {}
impl<'a, T: Inert<'a>> Inert<'a> for Vec<T> {}
impl<'a, T: Inert<'a>, const N: usize> Inert<'a> for [T; N] {}

/// The tangent of what holds no number, and no other: what is asked of a tangent, so that the error says why.
#[diagnostic::on_unimplemented(
    message = "a value with `{Self}` in it is compared by an operator of its own, and an operand depends on an active parameter",
    label = "the derivative of this operator is not known",
    note = "compare numbers, such as fields of it, or put `stop_gradient(..)` around the operand if what the operator does \
            with it has no derivative"
)]
pub trait Empty {}

impl Empty for NoTangent {}

/// A type with bit operators of the standard library.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a bit operator of its own, and an operand depends on an active parameter",
    label = "the derivative of this operator is not known",
    note = "call a function with `#[differentiate]`, or put `stop_gradient(..)` around the operand if what the operator \
            does with it has no derivative"
)]
pub trait Bits {}

/// Types whose operators are those of a library, by the types of the numbers in them.
macro_rules! comparable {
    ($([$($generics:tt)*] $type:ty => $owner:ty;)*) => {$(
        impl<$($generics)*> $crate::guard::Comparable for $type {
            type Owner = $owner;
        }
    )*};
}
#[cfg(any(
    feature = "faer-0_24",
    feature = "nalgebra-0_35",
    feature = "ndarray-0_17",
    feature = "num-complex-0_4"
))]
pub(crate) use comparable;

macro_rules! compared_by_std {
    ($($type:ty),*) => {comparable!($([] $type => Std;)*);};
}

compared_by_std!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64);
compared_by_std!(bool, char, str, String, Ordering, FpCategory, Duration);

macro_rules! non_zero {
    ($($type:ty),*) => {comparable!($([] NonZero<$type> => Std;)*);};
}

non_zero!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
marker!(Bits: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool);

impl<T: Bits> Bits for &T {}

comparable! {
    [T: Comparable + ?Sized] &T => T::Owner;
    [T: Comparable + ?Sized] &mut T => T::Owner;
    [T: Comparable + ?Sized] Box<T> => T::Owner;
    [T: Comparable + ?Sized] Rc<T> => T::Owner;
    [T: Comparable + ?Sized] Arc<T> => T::Owner;
    [T: Comparable + ?Sized + alloc::borrow::ToOwned] Cow<'_, T> => T::Owner;
    [T: Comparable] [T] => T::Owner;
    [T: Comparable, const N: usize] [T; N] => T::Owner;
    [T: Comparable] Vec<T> => T::Owner;
    [T: Comparable] VecDeque<T> => T::Owner;
    [T: Comparable] BTreeSet<T> => T::Owner;
    [K: Comparable, V: Comparable] BTreeMap<K, V> => (K::Owner, V::Owner);
    [T: Comparable] Option<T> => T::Owner;
    [T: Comparable, E] Result<T, E> => T::Owner;
    [T: Comparable] Reverse<T> => T::Owner;
    [T: Comparable] Wrapping<T> => T::Owner;
}

macro_rules! comparable_tuples {
    ($first:ident $($rest:ident)*) => {
        impl<$first: Comparable, $($rest: Comparable),*> Comparable for ($first, $($rest,)*) {
            type Owner = ($first::Owner, $($rest::Owner,)*);
        }
        comparable_tuples!($($rest)*);
    };
    () => {
        impl Comparable for () {
            type Owner = Std;
        }
    };
}

comparable_tuples!(A B C D E F G H I J K L);

/// Compares what the standard library compares.
#[inline(always)]
pub fn compare<A: Comparable + ?Sized, B: Comparable<Owner = A::Owner> + ?Sized, R>(
    left: &A,
    right: &B,
    operator: impl FnOnce(&A, &B) -> R,
) -> R {
    operator(left, right)
}

/// Combines the bits of two integers or truth values.
#[inline(always)]
pub fn combine<A: Bits, B: Bits, R>(left: A, right: B, operator: impl FnOnce(A, B) -> R) -> R {
    operator(left, right)
}

/// Inverts the bits of an integer, or a truth value.
#[inline(always)]
pub fn invert<A: Bits, R>(operand: A, operator: impl FnOnce(A) -> R) -> R {
    operator(operand)
}

/// Rustc is asked to prove that a value is compared by the standard library alone.
pub fn is_comparable<T: Comparable<Owner = Std> + ?Sized>(_: &T) {}

/// Rustc is asked to prove that a value has a tangent.
pub fn has_tangent<T: Differentiable + ?Sized>(_: &T) {}

/// Stands for a value of the same type in code that is compiled and never runs.
#[cold]
pub fn like<T>(_: &T) -> T {
    unreachable!("only types are asked for")
}

/// The value, which is none that could carry a derivative.
#[inline(always)]
pub fn inactive<T: Inactive>(value: T) -> T {
    value
}

/// What a method makes of a receiver, which is a number.
#[inline(always)]
pub fn of_number<T: Number, R>(receiver: &T, method: impl FnOnce(&T) -> R) -> R {
    method(receiver)
}

/// A tangent that does not fit the variant of its value: derivative code would have to guess.
#[cold]
#[track_caller]
pub fn mismatch() -> ! {
    panic!("a tangent or cotangent is of another variant than its value")
}

/// Stands for a value behind a panic, where control never comes.
#[cold]
pub fn never<T>() -> T {
    unreachable!("a panic stands before this")
}

/// Rustc is asked to prove that a value holds no cells: what is not known to hold any may be passed by `&` to
/// functions that have no derivative, and those cannot change it.
#[inline(always)]
pub const fn separate<T: Differentiable + ?Sized>(_: &T) {
    const { separate_type::<T>() }
}

/// Likewise, where there is no value.
#[track_caller]
pub const fn separate_type<T: Differentiable + ?Sized>() {
    assert!(
        !<T::Tangent as Tangent>::SHARES,
        "a parameter holds cells, which the function's text does not show: write \
         `#[differentiate(shared)]`"
    );
}

/// An `Option` or a `Result`.
#[diagnostic::on_unimplemented(
    message = "`unwrap_or` is known of an `Option` or a `Result`, and this is a `{Self}`"
)]
pub trait Holds {
    /// Whether there is a value inside.
    fn holds(&self) -> bool;
}

impl<T> Holds for Option<T> {
    #[inline(always)]
    fn holds(&self) -> bool {
        self.is_some()
    }
}

impl<T, E> Holds for Result<T, E> {
    #[inline(always)]
    fn holds(&self) -> bool {
        self.is_ok()
    }
}

/// Whether an `Option` or a `Result` holds a value.
#[inline(always)]
pub fn holds<T: Holds>(value: &T) -> bool {
    value.holds()
}
