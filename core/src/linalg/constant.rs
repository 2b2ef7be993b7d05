//! What derivative code hands on and does not differentiate by.
//!
//! In: types that say which operation is meant, or hold what was found out about operands. Out: their tangent, which
//! is none. Invariant: what an operation's value owes to such a parameter, its rule owes to the operands that the
//! parameter was made from.

use super::Float;
use super::lu::Factors;
use super::product::Product;
use super::triangular::Triangle;
use crate::visit::Visitor;
use crate::{Differentiable, NoTangent};

macro_rules! constants {
    ($(($($generics:tt)*) $type:ty),*) => {$(
        impl<$($generics)*> Differentiable for $type {
            type Tangent = NoTangent;

            #[inline(always)]
            fn zero_tangent(&self) -> NoTangent {
                NoTangent
            }

            fn perturb(&mut self, NoTangent: &NoTangent, _: f64) {}

            fn visit(&self, _: &mut dyn Visitor) {}
        }
    )*};
}

constants!(() Product, () Triangle, (T: Float) Factors<T>);
