//! What emitted code asks rustc to prove where the macro sees no types.

use core::cmp::Ordering;
use core::num::FpCategory;

use crate::differentiable::Differentiable;
use crate::tangent::Tangent;

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

/// What has methods such as `floor`, whose derivative is zero because they are those of numbers.
#[diagnostic::on_unimplemented(
    message = "a method of this name is taken for that of a number, and this is one of `{Self}`",
    note = "give it another name, or call a function with `#[differentiate]`"
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
