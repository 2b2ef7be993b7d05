//! Types without values: what the reverse sweep keeps of an operand that it does not read.
//!
//! A row for operands of unknown type is chosen by the types of all of them, and a partial derivative reads only some:
//! that of a sum reads none. In emitted code a [`Witness`] is told the type of such an operand in the forward sweep, and
//! the reverse sweep asks it for a stand-in. It takes no memory, so that nothing is on a tape for it.

use core::marker::PhantomData;

use crate::Differentiable;

/// The type of a value that is not kept.
pub struct Witness<T>(PhantomData<fn() -> T>);

impl<T> Clone for Witness<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Witness<T> {}

impl<T> Default for Witness<T> {
    #[inline(always)]
    fn default() -> Self {
        Witness::new()
    }
}

impl<T> Witness<T> {
    /// Of a type that rustc finds by [`of`](Self::of).
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Witness(PhantomData)
    }

    /// It is the type of this value.
    #[inline(always)]
    pub fn of(self, _value: &T) {}

    /// Some value of the type, which is that of a number or of a reference to one, for where none is read.
    #[inline(always)]
    #[must_use]
    pub fn stand_in(self) -> T
    where
        T: Differentiable,
    {
        T::stand_in()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_takes_no_memory() {
        assert_eq!(size_of::<Witness<[f64; 9]>>(), 0);
    }

    #[test]
    fn a_stand_in_has_the_type_of_what_was_shown() {
        let (witness, nested) = (Witness::new(), Witness::new());
        let x = 2.5_f32;
        witness.of(&x);
        nested.of(&&x);
        let sum: f32 = witness.stand_in() + nested.stand_in();
        assert_eq!(sum, 0.0);
        let twice = Witness::<&&u8>::new();
        assert_eq!(**twice.stand_in(), 0);
        assert_eq!(***Witness::<&&&i64>::new().stand_in(), 0);
    }

    #[test]
    fn a_witness_outlives_what_it_was_shown() {
        let witness = Witness::new();
        let mut x = [1.0, 2.0];
        for x in &mut x {
            let element = &*x;
            witness.of(&element);
            *x = 3.0;
        }
        assert_eq!(*witness.stand_in(), 0.0);
    }
}
