//! LU factors of any square matrix, by elimination with partial pivoting.
//!
//! **In:** a matrix, row after row. **Out:** its factors, which solve systems with it and with its transpose in place.
//! **Invariant:** columns are eliminated in panels, so that most of the work is on rows of the rest of the matrix.

use alloc::vec::Vec;

use super::{Triangle, add_rows, axpy, row};
use crate::float::Float;

/// Columns that are eliminated before the rest of the matrix is brought up to date.
const PANEL: usize = 32;

/// A matrix with its rows exchanged, as the product of a lower triangle with ones on the diagonal and an upper one.
#[derive(Clone)]
pub(crate) struct Factors<T> {
    pub(crate) n: usize,
    pub(crate) entries: Vec<T>,
    /// The row that each row was exchanged with, one after the other.
    exchanges: Vec<usize>,
}

impl<T: Float> Factors<T> {
    /// Those of a matrix of `n` rows, or `None` where a pivot is zero.
    pub(crate) fn of(a: &[T], n: usize) -> Option<Self> {
        let mut factors = Factors { n, entries: a.to_vec(), exchanges: Vec::with_capacity(n) };
        for first in (0..n).step_by(PANEL) {
            let last = n.min(first + PANEL);
            for column in first..last {
                factors.eliminate(column, last)?;
            }
            factors.update(first, last);
        }
        Some(factors)
    }

    /// Eliminates below a pivot, in the columns up to `last`.
    fn eliminate(&mut self, column: usize, last: usize) -> Option<()> {
        let n = self.n;
        let chosen = self.choose(column)?;
        exchange(&mut self.entries, column, chosen, n);
        self.exchanges.push(chosen);
        let (above, below) = self.entries.split_at_mut((column + 1) * n);
        let (pivot, right) = row(above, column, n)[column..last].split_first()?;
        for this in below.chunks_exact_mut(n) {
            this[column] /= *pivot;
            axpy(-this[column], right, &mut this[column + 1..last]);
        }
        Some(())
    }

    /// The row of the largest entry of a column, from the diagonal on; the first of equals.
    fn choose(&self, column: usize) -> Option<usize> {
        let size = |i: usize| self.entries[i * self.n + column].abs();
        let (mut chosen, mut largest) = (None, T::zero());
        for i in column..self.n {
            if size(i) > largest {
                (chosen, largest) = (Some(i), size(i));
            }
        }
        chosen
    }

    /// Eliminates columns `first..last` in the columns to the right of them.
    fn update(&mut self, first: usize, last: usize) {
        let n = self.n;
        for i in first + 1..n {
            let (above, below) = self.entries.split_at_mut(i * n);
            let (factors, rest) = below[..n].split_at_mut(last);
            add_rows(first..last.min(i), |p| -factors[p], |p| &row(above, p, n)[last..], rest);
        }
    }

    fn lower(&self) -> Triangle {
        Triangle { n: self.n, lower: true, transposed: false, unit: true }
    }

    fn upper(&self) -> Triangle {
        Triangle { n: self.n, lower: false, transposed: false, unit: false }
    }

    /// Puts the solution in the place of the right-hand sides.
    pub(crate) fn solve(&self, b: &mut [T]) {
        let columns = columns_of(b.len(), self.n);
        for (i, &other) in self.exchanges.iter().enumerate() {
            exchange(b, i, other, columns);
        }
        self.lower().solve(&self.entries, b);
        self.upper().solve(&self.entries, b);
    }

    /// The same with the transposed matrix.
    pub(crate) fn solve_transposed(&self, b: &mut [T]) {
        let columns = columns_of(b.len(), self.n);
        self.upper().transposed().solve(&self.entries, b);
        self.lower().transposed().solve(&self.entries, b);
        for (i, &other) in self.exchanges.iter().enumerate().rev() {
            exchange(b, i, other, columns);
        }
    }
}

/// Exchanges two rows, of which the second is not before the first.
fn exchange<T>(a: &mut [T], i: usize, other: usize, columns: usize) {
    if i != other {
        let (above, below) = a.split_at_mut(other * columns);
        above[i * columns..][..columns].swap_with_slice(&mut below[..columns]);
    }
}

/// The number of right-hand sides that have so many entries.
pub(crate) fn columns_of(entries: usize, n: usize) -> usize {
    entries.checked_div(n).unwrap_or(0)
}
