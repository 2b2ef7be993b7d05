//! Parameters of types without tangents, such as functions and generators of random numbers; and those that cannot be
//! copied.
//!
//! They are constant, and the tester cannot look into them: it does not see whether one behind `&mut`
//! is restored.

use super::parameter::{Bare, Copied, Inspect, Parameter, Role, Shadow, Slot};
use crate::tangent::NoTangent;
use crate::visit::Visitor;

/// An opaque parameter that is passed by value.
#[derive(Debug)]
pub struct Opaque<T>(T);

/// An opaque parameter behind `&`.
#[derive(Debug)]
pub struct OpaqueShared<'r, T: ?Sized>(&'r T);

/// An opaque parameter behind `&mut`.
#[derive(Debug)]
pub struct OpaqueUnique<T>(T);

/// Holds a parameter that is passed by value, of a type without tangents.
pub fn opaque<T>(value: T) -> Opaque<T> {
    Opaque(value)
}

/// Holds a parameter behind `&`, of a type without tangents.
pub fn opaque_shared<T: ?Sized>(place: &T) -> OpaqueShared<'_, T> {
    OpaqueShared(place)
}

/// Holds a parameter behind `&mut`, of a type without tangents. The runs change copies.
pub fn opaque_unique<T: for<'a> Copied<'a>>(place: &mut T) -> OpaqueUnique<T> {
    OpaqueUnique(place.copied())
}

impl<T: for<'a> Copied<'a>> Opaque<T> {
    /// The argument.
    pub fn get(&self) -> T {
        self.0.copied()
    }
}

impl<'r, T: ?Sized> OpaqueShared<'r, T> {
    /// The argument.
    pub fn get(&self) -> &'r T {
        self.0
    }
}

impl<T> OpaqueUnique<T> {
    /// The argument.
    pub fn get(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A parameter of a type that is not `Clone`: there is one argument, and a test needs many.
///
/// It stands for an argument and for its tangent in code that is compiled and never runs: a [`Case`](super::Case) with
/// such a parameter is refused before its function is called.
#[derive(Clone, Copy, Debug)]
pub struct Refused(&'static str);

/// Holds the place of a parameter of which there are no copies, and says why.
pub fn refused<T>(_argument: T, why: &'static str) -> Refused {
    Refused(why)
}

impl Refused {
    /// The argument or its tangent, which is never asked for.
    ///
    /// # Panics
    ///
    /// Always.
    pub fn get<R>(&self) -> R {
        unreachable!("a case with an argument that cannot be copied does not run")
    }

    /// Receives a cotangent, which there never is.
    pub fn put<T>(&mut self, _cotangent: T) {}
}

impl Inspect for Refused {
    fn role(&self) -> Role {
        Role::Constant
    }

    fn visit(&self, _: &mut dyn Visitor) {}

    fn obstacle(&self) -> Option<&'static str> {
        Some(self.0)
    }
}

impl Parameter for Refused {
    type Slot = Refused;

    fn copied(&self) -> Self {
        *self
    }

    fn zero(&self) -> Refused {
        *self
    }

    fn perturb(&mut self, _: &Refused, _: f64) {}
}

impl Slot for Refused {
    fn visit(&self, _: &mut dyn Visitor) {}

    fn visit_mut(&mut self, _: &mut dyn FnMut(&mut f64)) {}
}

macro_rules! opaque {
    ($([$($generics:tt)*] $type:ty: $slot:ident, |$this:ident| $copy:expr;)*) => {$(
        impl<$($generics)*> Inspect for $type {
            fn role(&self) -> Role {
                Role::Constant
            }

            fn visit(&self, _: &mut dyn Visitor) {}
        }

        impl<$($generics)*> Parameter for $type {
            type Slot = $slot<NoTangent>;

            fn copied(&self) -> Self {
                let $this = self;
                $copy
            }

            fn zero(&self) -> Self::Slot {
                $slot(NoTangent)
            }

            fn perturb(&mut self, _: &Self::Slot, _: f64) {}
        }
    )*};
}

opaque! {
    [T: for<'a> Copied<'a>] Opaque<T>: Bare, |this| Opaque(this.0.copied());
    ['r, T: ?Sized] OpaqueShared<'r, T>: Shadow, |this| OpaqueShared(this.0);
    [T: for<'a> Copied<'a>] OpaqueUnique<T>: Shadow, |this| OpaqueUnique(this.0.copied());
}
