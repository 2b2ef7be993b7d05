//! Chooses how the tester holds an argument, by what its type can do: autoref specialization.
//!
//! In: an argument of a type that the macro does not know. Out: a holder. `(&&&Argument::new(x)).hold()` takes the first
//! implementation in the order of the references in front of it whose bounds hold: rustc tries a receiver as it is, and
//! takes one reference away after the other. So emitted code compiles for every type, and a type of which there are no
//! copies is refused when it runs.
//!
//! D. Tolnay, "Autoref-based stable specialization" (case studies of the crate `dtolnay/case-studies`).

use core::cell::RefCell;

use super::opaque::{
    Opaque, OpaqueShared, OpaqueUnique, Refused, opaque, opaque_shared, opaque_unique, refused,
};
use super::parameter::{Copied, Held, Shared, Unique, Value, shared, unique, value};

/// Says why an argument is refused.
const NO_COPIES: &str = "its type is not `Clone`";

/// An argument that is passed by value.
#[derive(Debug)]
pub struct Argument<T>(RefCell<Option<T>>);

/// An argument behind `&`.
#[derive(Debug)]
pub struct ArgumentRef<'r, T: ?Sized>(&'r T);

/// An argument behind `&mut`.
#[derive(Debug)]
pub struct ArgumentMut<'r, T: ?Sized>(RefCell<Option<&'r mut T>>);

impl<T> Argument<T> {
    /// Takes the argument.
    pub fn new(argument: T) -> Self {
        Argument(RefCell::new(Some(argument)))
    }

    fn take(&self) -> T {
        self.0.take().expect("an argument is held once")
    }
}

impl<'r, T: ?Sized> ArgumentRef<'r, T> {
    /// Takes the argument.
    pub fn new(argument: &'r T) -> Self {
        ArgumentRef(argument)
    }

    fn take(&self) -> &'r T {
        self.0
    }
}

impl<'r, T: ?Sized> ArgumentMut<'r, T> {
    /// Takes the argument.
    pub fn new(argument: &'r mut T) -> Self {
        ArgumentMut(RefCell::new(Some(argument)))
    }

    fn take(&self) -> &'r mut T {
        self.0.take().expect("an argument is held once")
    }
}

/// Holds an active argument.
pub trait Hold {
    /// The holder.
    type Holder;
    /// Makes the holder.
    fn hold(&self) -> Self::Holder;
}

/// Holds a constant argument.
pub trait HoldConstant {
    /// The holder.
    type Holder;
    /// Makes the holder.
    fn hold_constant(&self) -> Self::Holder;
}

macro_rules! holders {
    ($trait:ident $hold:ident: $([$($generics:tt)*] $argument:ty => $holder:ty, |$taken:ident| $made:expr;)*) => {$(
        impl<$($generics)*> $trait for $argument {
            type Holder = $holder;

            fn $hold(&self) -> $holder {
                let $taken = self.take();
                $made
            }
        }
    )*};
}

holders! {
    Hold hold:
    [T: Held<Owned = T>] &Argument<T> => Value<T>, |x| value(x);
    [T] Argument<T> => Refused, |x| refused(x, NO_COPIES);
    [T: Held + ?Sized] &ArgumentRef<'_, T> => Shared<T>, |x| shared(x);
    [T: ?Sized] ArgumentRef<'_, T> => Refused, |x| refused(x, NO_COPIES);
    [T: Held + ?Sized] &ArgumentMut<'_, T> => Unique<T>, |x| unique(x);
    [T: ?Sized] ArgumentMut<'_, T> => Refused, |x| refused(x, NO_COPIES);
}

holders! {
    HoldConstant hold_constant:
    [T: Held<Owned = T>] &&Argument<T> => Value<T>, |x| value(x).constant();
    [T: for<'a> Copied<'a>] &Argument<T> => Opaque<T>, |x| opaque(x);
    [T] Argument<T> => Refused, |x| refused(x, NO_COPIES);
    [T: Held + ?Sized] &ArgumentRef<'_, T> => Shared<T>, |x| shared(x).constant();
    ['r, T: ?Sized] ArgumentRef<'r, T> => OpaqueShared<'r, T>, |x| opaque_shared(x);
    [T: Held + ?Sized] &&ArgumentMut<'_, T> => Unique<T>, |x| unique(x).constant();
    [T: for<'a> Copied<'a>] &ArgumentMut<'_, T> => OpaqueUnique<T>, |x| opaque_unique(x);
    [T: ?Sized] ArgumentMut<'_, T> => Refused, |x| refused(x, NO_COPIES);
}
