//! What rustc is to know of places: that each of them has its own elements.

/// Places, and what is done with them.
pub trait Apart<F> {
    /// Does it.
    fn lend(self, run: F);
}

macro_rules! apart {
    ($($($place:ident)+;)*) => {$(
        impl<F: FnOnce($($place),+), $($place),+> Apart<F> for ($($place,)+) {
            #[inline(always)]
            #[allow(non_snake_case, reason = "places are named like their types")]
            fn lend(self, run: F) {
                let ($($place,)+) = self;
                run($($place),+);
            }
        }
    )*};
}

apart! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E G;
    A B C D E G H;
    A B C D E G H I;
}

/// Calls `run` with up to eight references. Of the parameters of a function rustc knows that what one of them may write
/// has nothing in common with the others; of vectors, which are somewhere on the heap, it does not.
#[inline(always)]
pub fn apart<P: Apart<F>, F>(places: P, run: F) {
    places.lend(run);
}

#[cfg(test)]
mod tests {
    use super::apart;
    use alloc::vec;

    #[test]
    fn places_are_handed_on() {
        let (mut to, from) = (vec![0.0; 3], vec![1.0, 2.0, 3.0]);
        let mut sum = 0.0;
        apart((&mut to[..], &from[..]), |to, from| {
            to[..2].copy_from_slice(&from[1..]);
            sum = from[0] + from[2];
        });
        assert_eq!((&to[..], sum), (&[2.0, 3.0, 0.0][..], 4.0));
    }
}
