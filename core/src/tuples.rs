//! Tuples, from `()` to twelve entries: their tangents are tuples of tangents.

use crate::accumulate::Zero;
use crate::differentiable::Differentiable;
use crate::floats::{floats_of_fields, pairs_of_fields};
use crate::sharing::Sharing;
use crate::tangent::Tangent;
use crate::visit::{Step, Visitor, visit_part};

macro_rules! tuple {
    ($($name:ident $index:tt),*) => {
        impl<$($name: Tangent),*> Tangent for ($($name,)*) {
            const SHARES: bool = false $(|| $name::SHARES)*;

            #[inline(always)]
            fn accumulate(&mut self, _other: Self) {
                $(self.$index.accumulate(_other.$index);)*
            }

            pairs_of_fields!($($index),*);
        }

        impl<$($name: Differentiable),*> Differentiable for ($($name,)*) {
            type Tangent = ($($name::Tangent,)*);

            crate::__stand_ins!(($($name::stand_in(),)*));

            #[inline(always)]
            #[allow(clippy::unused_unit, reason = "the tuple may be empty")]
            fn zero_tangent(&self) -> Self::Tangent {
                ($(self.$index.zero_tangent(),)*)
            }

            #[inline]
            fn conform(&self, _tangent: &mut Self::Tangent) {
                $(self.$index.conform(&mut _tangent.$index);)*
            }

            #[inline]
            fn conforms(&self, _tangent: &Self::Tangent, _layers: usize) -> bool {
                true $(&& self.$index.conforms(&_tangent.$index, _layers))*
            }

            #[inline]
            fn share(&self, _tangent: &mut Self::Tangent, _sharing: &mut Sharing) {
                $(self.$index.share(&mut _tangent.$index, _sharing);)*
            }

            fn perturb(&mut self, _direction: &Self::Tangent, _step: f64) {
                $(self.$index.perturb(&_direction.$index, _step);)*
            }

            fn visit(&self, _visitor: &mut dyn Visitor) {
                $(visit_part(Step::Field(stringify!($index)), _visitor, |visitor| {
                    self.$index.visit(visitor);
                });)*
            }

            floats_of_fields!($($index),*);
        }

        impl<$($name: Zero),*> Zero for ($($name,)*) {
            #[inline(always)]
            #[allow(clippy::unused_unit, reason = "the tuple may be empty")]
            fn nothing() -> Self {
                ($($name::nothing(),)*)
            }
        }
    };
}

tuple!();
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
