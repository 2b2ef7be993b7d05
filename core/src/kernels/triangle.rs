//! Systems with a triangular matrix, solved in place.
//!
//! Invariants: only the triangle is read. Solves run along rows of the matrix where there is one right-hand side, and
//! along rows of the right-hand sides where there are several.

use core::ops::Range;

use super::{add_rows, axpy, dot, row};
use crate::float::Float;

/// Which system a square matrix of `n` rows stands for.
#[derive(Clone, Copy)]
pub(crate) struct Triangle {
    pub n: usize,
    /// Whether the lower triangle is meant, as it is stored.
    pub lower: bool,
    pub transposed: bool,
    /// Whether the diagonal is one, whatever is stored there.
    pub unit: bool,
}

impl Triangle {
    pub(crate) fn transposed(self) -> Self {
        Triangle { transposed: !self.transposed, ..self }
    }

    /// The unknowns in the order in which they are found.
    fn unknowns(self) -> impl Iterator<Item = usize> {
        let forward = self.lower != self.transposed;
        (0..self.n).map(move |step| if forward { step } else { self.n - 1 - step })
    }

    /// The stored entries of row `i`, without the diagonal.
    fn beside(self, i: usize) -> Range<usize> {
        if self.lower { 0..i } else { i + 1..self.n }
    }

    /// The coefficient of unknown `p` in equation `i`.
    pub(crate) fn coefficient<T: Float>(self, t: &[T], i: usize, p: usize) -> T {
        if self.transposed { t[p * self.n + i] } else { t[i * self.n + p] }
    }

    fn diagonal<T: Float>(self, t: &[T], i: usize) -> T {
        if self.unit { T::one() } else { t[i * self.n + i] }
    }

    /// Puts the solutions in the place of the right-hand sides, of which a row of `b` has one entry each.
    pub(crate) fn solve<T: Float>(self, t: &[T], b: &mut [T]) {
        match b.len().checked_div(self.n) {
            Some(1) if self.transposed => self.solve_by_columns(t, b),
            Some(1) => self.solve_by_rows(t, b),
            Some(columns) => self.solve_several(t, b, columns),
            None => {}
        }
    }

    fn solve_by_rows<T: Float>(self, t: &[T], b: &mut [T]) {
        for i in self.unknowns() {
            let beside = self.beside(i);
            let sum = dot(&row(t, i, self.n)[beside.clone()], &b[beside]);
            b[i] = (b[i] - sum) / self.diagonal(t, i);
        }
    }

    fn solve_by_columns<T: Float>(self, t: &[T], b: &mut [T]) {
        for i in self.unknowns() {
            b[i] /= self.diagonal(t, i);
            let (x, beside) = (b[i], self.beside(i));
            axpy(-x, &row(t, i, self.n)[beside.clone()], &mut b[beside]);
        }
    }

    fn solve_several<T: Float>(self, t: &[T], b: &mut [T], columns: usize) {
        for i in self.unknowns() {
            let (before, rest) = b.split_at_mut(i * columns);
            let (this, after) = rest.split_at_mut(columns);
            let coefficient = |p| -self.coefficient(t, i, p);
            if self.lower != self.transposed {
                add_rows(0..i, coefficient, |p| row(before, p, columns), this);
            } else {
                add_rows(i + 1..self.n, coefficient, |p| row(after, p - i - 1, columns), this);
            }
            if !self.unit {
                let diagonal = self.diagonal(t, i);
                this.iter_mut().for_each(|x| *x /= diagonal);
            }
        }
    }
}
