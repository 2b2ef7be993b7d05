//! Work that is shared by threads, with the feature `rayon-1`.
//!
//! In differentiated functions, chains of parallel iterators and `rayon::join` have derivatives that run in
//! parallel, too:
//!
//! ```
//! # use rayon_1 as rayon;
//! use cotangent::differentiate;
//! use rayon::prelude::*;
//!
//! #[differentiate]
//! fn misfit(x: &[f64], y: &[f64], rate: f64) -> f64 {
//!     x.par_iter().zip(y).map(|(x, y)| (y - (-rate * x).exp()).powi(2)).sum()
//! }
//!
//! let (x, y) = ([0.0, 1.0, 2.0], [1.0, 0.5, 0.25]);
//! let (x_bar, _, _) = misfit::gradient(&x, &y, 0.0);
//! assert_eq!(x_bar, [0.0, 0.0, 0.0]);
//! ```
//!
//! In derivatives a chain is one of the functions of this module: what is gone through is taken apart into pieces, a few
//! for each thread, and in each piece the chain is a loop like any other. **Invariant:** what a piece takes from outside it
//! only reads. Each piece has a shadow of its own for that, and these are added at the end, in an order that depends on
//! nothing but the number of pieces. So derivatives are the same in each run with as many threads, and
//! the same within rounding with any other number.
//!
//! Derivatives are of the first and the second order.
//!
//! What a piece takes from outside is copied once for each call, and has one shadow for each piece, four for each thread.
//! That is a few additions for each float. Large data should be parameters behind `&` that are declared `constant(..)`: they
//! have no shadow, and are copied for the pullback of `vjp` alone.

use alloc::vec::Vec;
use rayon_1::prelude::*;

use crate::differentiable::Differentiable;
use crate::rules::TangentOf;
use crate::tangent::{NoTangent, Tangent};

mod both;
mod places;
mod values;
mod vectors;

pub use both::join;
pub use places::pieces_mut;
pub use values::pieces;
pub use vectors::collected;

/// How many pieces there are for each thread, so that a thread that is done takes over from one that is not.
const PIECES: usize = 4;

/// How long pieces are of what has so many elements, in multiples of `unit`.
fn room(len: usize, unit: usize) -> usize {
    let pieces = PIECES * rayon_1::current_num_threads();
    len.div_ceil(unit).div_ceil(pieces).max(1) * unit
}

/// The first index of each piece, and the one behind its last.
fn bounds(len: usize) -> impl IndexedParallelIterator<Item = (usize, usize)> {
    let room = room(len, 1);
    (0..len.div_ceil(room))
        .into_par_iter()
        .map(move |piece| (piece * room, len.min((piece + 1) * room)))
}

/// The sum of the pieces' shadows, always in the same order.
fn total<T: Tangent + Send>(mut shadows: Vec<T>) -> Option<T> {
    while shadows.len() > 1 {
        let rest = shadows.split_off(shadows.len().div_ceil(2));
        shadows.par_iter_mut().zip(rest).for_each(|(shadow, other)| shadow.accumulate(other));
    }
    shadows.pop()
}

/// Values, and each of their tangents.
fn in_columns<T: Send, D: Send>(
    rows: impl ParallelIterator<Item = (T, D, D, D)>,
) -> (Vec<T>, Vec<D>, Vec<D>, Vec<D>) {
    let ((values, first), (second, third)) = rows.map(|(t, a, b, c)| ((t, a), (b, c))).collect();
    (values, first, second, third)
}

/// The zeros of a shadow and of its tangent.
fn zeros<S: Differentiable>(state: &S) -> (S::Tangent, S::Tangent) {
    (state.zero_tangent(), state.zero_tangent())
}
