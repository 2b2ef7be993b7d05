//! Parameters of a function under test: held so that the function can run on fresh copies.
//!
//! In comes what the function was called with; out goes, run after run, the same argument as the
//! function takes it (`get`), and for its tangent or cotangent a slot of the matching form: by value
//! a [`Bare`] tangent, behind a reference a [`Shadow`].

use alloc::string::String;
use alloc::vec::Vec;

use super::random::Random;
use crate::differentiable::Differentiable;
use crate::sharing::Sharing;
use crate::tangent::Tangent;
use crate::visit::{Leaf, Visitor};

/// Types of which the tester can make copies: all that are `Clone`.
///
/// The lifetime means nothing to a type. It lets emitted code state `for<'a> State: Copied<'a>` for
/// any parameter, so that only testing a function needs its parameters to be `Clone`.
#[diagnostic::on_unimplemented(
    message = "testing a derivative runs the function many times, so `{Self}` must be `Clone`"
)]
pub trait Copied<'a> {
    /// A copy.
    fn copied(&self) -> Self;
}

impl<T: Clone> Copied<'_> for T {
    fn copied(&self) -> Self {
        self.clone()
    }
}

/// A tangent of a value that is zero nowhere, the same in every run.
#[doc(hidden)]
pub fn drawn<T: Differentiable + ?Sized>(value: &T) -> T::Tangent {
    let (mut tangent, mut random) = (value.zero_tangent(), Random::new(7));
    tangent.visit_mut(&mut |float| *float = random.weight());
    tangent
}

/// Differentiable parameters that the tester can hold: copyable types, slices of them, and `str`.
pub trait Held: Differentiable {
    /// The copy that is held.
    type Owned: Differentiable<Tangent = Self::Tangent>;
    /// Makes the copy.
    fn hold(&self) -> Self::Owned;
    /// What `&` parameters receive.
    fn lend(owned: &Self::Owned) -> &Self;
    /// What `&mut` parameters receive.
    fn lend_mut(owned: &mut Self::Owned) -> &mut Self;
}

impl<T: Differentiable + for<'a> Copied<'a>> Held for T {
    type Owned = T;

    fn hold(&self) -> T {
        self.copied()
    }

    fn lend(owned: &T) -> &T {
        owned
    }

    fn lend_mut(owned: &mut T) -> &mut T {
        owned
    }
}

impl<T: Differentiable + for<'a> Copied<'a>> Held for [T] {
    type Owned = Vec<T>;

    fn hold(&self) -> Vec<T> {
        self.iter().map(T::copied).collect()
    }

    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }

    fn lend_mut(owned: &mut Vec<T>) -> &mut [T] {
        owned
    }
}

impl Held for str {
    type Owned = String;

    fn hold(&self) -> String {
        self.into()
    }

    fn lend(owned: &String) -> &str {
        owned
    }

    fn lend_mut(owned: &mut String) -> &mut str {
        owned
    }
}

/// How a parameter is passed, and whether it is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Active, by value.
    Value,
    /// Active, behind `&`.
    Shared,
    /// Active, behind `&mut`.
    Unique,
    /// Not differentiated, passed in any way.
    Constant,
}

/// What the tester asks of every parameter, whatever its type.
pub trait Inspect {
    /// How the parameter is passed.
    fn role(&self) -> Role;
    /// Shows its leaves.
    fn visit(&self, visitor: &mut dyn Visitor);
    /// Why there are no fresh copies of it, if so.
    fn obstacle(&self) -> Option<&'static str> {
        None
    }
}

/// A held parameter.
pub trait Parameter: Inspect {
    /// The slot for a tangent or cotangent of this parameter.
    type Slot: Slot;
    /// A fresh copy.
    #[must_use]
    fn copied(&self) -> Self;
    /// A slot with the zero of the present value.
    fn zero(&self) -> Self::Slot;
    /// Moves the parameter along a tangent.
    fn perturb(&mut self, direction: &Self::Slot, step: f64);
}

/// The tangent or cotangent of one parameter.
pub trait Slot {
    /// Shows its leaves.
    fn visit(&self, visitor: &mut dyn Visitor);
    /// Shows its floats for writing.
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64));
}

/// The slot of a parameter that is passed by value.
#[derive(Clone, Debug)]
pub struct Bare<T>(pub(super) T);

impl<T: Tangent> Bare<T> {
    /// The tangent, as `jvp` takes it.
    pub fn get(&self) -> T {
        self.0.clone()
    }

    /// Receives the cotangent that a pullback returns.
    pub fn put(&mut self, cotangent: T) {
        self.0 = cotangent;
    }
}

/// The slot of a parameter that is passed behind a reference.
#[derive(Clone, Debug)]
pub struct Shadow<T>(pub(super) T);

impl<T: Tangent> Shadow<T> {
    /// The tangent or the shadow, as `jvp` and pullbacks take it.
    pub fn get(&mut self) -> &mut T {
        &mut self.0
    }
}

macro_rules! slots {
    ($($slot:ident),*) => {$(
        impl<T: Tangent> Slot for $slot<T> {
            fn visit(&self, visitor: &mut dyn Visitor) {
                self.0.visit(visitor);
            }

            fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
                self.0.visit_mut(visitor);
            }
        }
    )*};
}

slots!(Bare, Shadow);

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident in $slot:ident by $copy:ident $([$owned:ident])?;)*) => {$(
        $(#[$doc])*
        pub struct $name<T: Held $(<$owned = <T as Differentiable>::Tangent>)? + ?Sized> {
            held: T::Owned,
            role: Role,
            /// Whether it leads to no cells but its own.
            is_fresh: bool,
        }

        impl<T: Held $(<$owned = <T as Differentiable>::Tangent>)? + ?Sized> $name<T> {
            /// The same parameter, not differentiated: its tangent and its cotangent are zero.
            #[must_use]
            pub fn constant(self) -> Self {
                $name { role: Role::Constant, ..self }
            }
        }

        impl<T: Held $(<$owned = <T as Differentiable>::Tangent>)? + ?Sized> Inspect for $name<T> {
            fn role(&self) -> Role {
                self.role
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                Differentiable::visit(&self.held, visitor);
            }

            fn obstacle(&self) -> Option<&'static str> {
                let handles = "a copy of it leads to the same cells, as one of an `Rc` does";
                (!self.is_fresh).then_some(handles)
            }
        }

        impl<T: Held $(<$owned = <T as Differentiable>::Tangent>)? + ?Sized> Parameter for $name<T> {
            type Slot = $slot<T::Tangent>;

            fn copied(&self) -> Self {
                $name {
                    held: $copy(T::lend(&self.held)),
                    role: self.role,
                    is_fresh: self.is_fresh,
                }
            }

            fn zero(&self) -> Self::Slot {
                $slot(self.held.zero_tangent())
            }

            fn perturb(&mut self, direction: &Self::Slot, step: f64) {
                self.held.perturb(&direction.0, step);
            }
        }
    )*};
}

parameters! {
    /// A parameter that is passed by value.
    Value in Bare by hold;
    /// A parameter behind `&`.
    Shared in Shadow by hold;
    /// A parameter behind `&mut`.
    Unique in Shadow by hold;
    /// A tangent with cells, behind `&` or `&mut`.
    Celled in Shadow by apart [Owned];
}

/// Holds an active parameter that is passed by value.
pub fn value<T: Held<Owned = T>>(value: T) -> Value<T> {
    Value { is_fresh: is_fresh(&value, &value.hold()), held: value, role: Role::Value }
}

/// Holds an active parameter behind `&`. What holds cells may be changed like one behind `&mut`.
pub fn shared<T: Held + ?Sized>(place: &T) -> Shared<T> {
    let held = place.hold();
    Shared { is_fresh: is_fresh(place, &held), held, role: role_of(place) }
}

/// What holds cells may be changed.
fn role_of<T: Held + ?Sized>(_: &T) -> Role {
    if T::Tangent::SHARES { Role::Unique } else { Role::Shared }
}

/// Whether a run may change a copy, and the next one begin afresh.
fn is_fresh<T: Held + ?Sized>(place: &T, copy: &T::Owned) -> bool {
    !T::Tangent::SHARES || crate::sharing::are_apart(place, copy)
}

/// A copy.
fn hold<T: Held + ?Sized>(place: &T) -> T::Owned {
    place.hold()
}

/// A copy of a tangent, with cells of its own.
fn apart<T: Held<Owned = <T as Differentiable>::Tangent> + ?Sized>(tangent: &T) -> T::Tangent {
    let (mut copy, mut floats) = (tangent.zero_tangent(), Vec::new());
    let _ = Sharing::new().join(tangent, &mut copy);
    tangent.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    let mut floats = floats.into_iter();
    copy.visit_mut(&mut |float| *float = floats.next().expect("a tangent of the same shape"));
    copy
}

/// Holds a parameter that is a tangent with cells. A run may change them, and a copy of a handle is no copy of them.
pub fn celled<T: Held<Owned = <T as Differentiable>::Tangent> + ?Sized>(tangent: &T) -> Celled<T> {
    Celled { held: apart(tangent), role: role_of(tangent), is_fresh: true }
}

/// Holds an active parameter behind `&mut`. The runs change copies; the place stays as it is.
pub fn unique<T: Held + ?Sized>(place: &mut T) -> Unique<T> {
    let held = place.hold();
    Unique { is_fresh: is_fresh(place, &held), held, role: Role::Unique }
}

impl<T: Held<Owned = T>> Value<T> {
    /// The argument.
    pub fn get(&self) -> T {
        self.held.hold()
    }
}

impl<T: Held + ?Sized> Shared<T> {
    /// The argument.
    pub fn get(&self) -> &T {
        T::lend(&self.held)
    }
}

impl<T: Held + ?Sized> Unique<T> {
    /// The argument.
    pub fn get(&mut self) -> &mut T {
        T::lend_mut(&mut self.held)
    }
}

impl<T: Held<Owned = <T as Differentiable>::Tangent> + ?Sized> Celled<T> {
    /// The argument.
    pub fn get(&mut self) -> &mut T {
        T::lend_mut(&mut self.held)
    }
}
