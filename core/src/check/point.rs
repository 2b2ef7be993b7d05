//! The point at which a function is tested: a tuple of its held parameters.
//!
//! Invariant: the parameters, their slots, and the names given to [`Case`](super::Case) are in one
//! order, that of the function's parameters.

use alloc::vec;
use alloc::vec::Vec;

use super::parameter::{Inspect, Parameter, Slot};

/// A tuple of held parameters, of up to sixteen.
pub trait Point {
    /// The tuple of their slots.
    type Slots;
    /// Fresh copies of all.
    #[must_use]
    fn copied(&self) -> Self;
    /// Zeros in the shape of the present values.
    fn zero(&self) -> Self::Slots;
    /// Moves all along their tangents.
    fn perturb(&mut self, direction: &Self::Slots, step: f64);
    /// The parameters, one by one.
    fn parameters(&self) -> Vec<&dyn Inspect>;
    /// The slots, one by one.
    fn slots(slots: &mut Self::Slots) -> Vec<&mut dyn Slot>;
}

macro_rules! point {
    ($($name:ident $index:tt),*) => {
        #[allow(clippy::unused_unit, reason = "the tuple may be empty")]
        impl<$($name: Parameter),*> Point for ($($name,)*) {
            type Slots = ($($name::Slot,)*);

            fn copied(&self) -> Self {
                ($(self.$index.copied(),)*)
            }

            fn zero(&self) -> Self::Slots {
                ($(self.$index.zero(),)*)
            }

            fn perturb(&mut self, _direction: &Self::Slots, _step: f64) {
                $(self.$index.perturb(&_direction.$index, _step);)*
            }

            fn parameters(&self) -> Vec<&dyn Inspect> {
                vec![$(&self.$index),*]
            }

            fn slots(_slots: &mut Self::Slots) -> Vec<&mut dyn Slot> {
                vec![$(&mut _slots.$index),*]
            }
        }
    };
}

point!();
point!(A 0);
point!(A 0, B 1);
point!(A 0, B 1, C 2);
point!(A 0, B 1, C 2, D 3);
point!(A 0, B 1, C 2, D 3, E 4);
point!(A 0, B 1, C 2, D 3, E 4, F 5);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
point!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);
