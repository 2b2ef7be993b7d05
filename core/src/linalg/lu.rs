//! Systems with any square matrix.

use super::Float;
use super::kernel::{add, add_rows, axpy};
use super::product::{Product, add as add_product, add_scaled_nt, row};
use super::shape::{check_entries, check_fit, check_matrix, columns};
use super::triangular::Triangle;
use crate::{differentiate, primitive, zero_adjoint};
use alloc::vec;
use alloc::vec::Vec;

/// The solution of `a x = b` by elimination with partial pivoting, or `None` where `a` is singular: where no pivot
/// of a column differs from zero, or all are NaN.
///
/// `a` is `n` by `n`, and `b` has `n` rows, of one entry for each right-hand side.
///
/// Derivatives: with `s` for the solution of `aᵀ s = x̄`, `b̄ += s` and `ā -= s xᵀ` (M. Giles, "Collected matrix
/// derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.3.1). It comes
/// from the factors of the call; there is no second elimination.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn first(a: &[f64], b: &[f64]) -> f64 {
///     linalg::lu_solve(a, b, 2).unwrap()[0]
/// }
///
/// let (a_bar, b_bar) = first::gradient(&[0.0, 2.0, 4.0, 0.0], &[2.0, 12.0]);
/// assert_eq!((a_bar, b_bar), (vec![0.0, 0.0, -0.75, -0.25], vec![0.0, 0.25]));
/// assert_eq!(linalg::lu_solve(&[1.0, 2.0, 2.0, 4.0], &[1.0, 1.0], 2), None);
/// ```
///
/// # Panics
///
/// When `a` has not `n * n` entries, or those of `b` are not a multiple of `n`.
#[track_caller]
#[primitive(vjp = lu_solve_vjp, jvp = lu_solve_jvp)]
#[differentiate]
#[differentiate]
pub fn lu_solve<T: Float>(a: &[T], b: &[T], n: usize) -> Option<Vec<T>> {
    Some(factors_and_solution(a, b, n)?.1)
}

fn lu_solve_vjp<T: Float>(
    a: &[T],
    b: &[T],
    n: usize,
) -> (Option<Vec<T>>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Option<Vec<T>>) + use<T>) {
    let found = factors_and_solution(a, b, n);
    let x = found.as_ref().map(|(_, x)| x.clone());
    (x, move |_: &[T], a_bar: &mut [T], _: &[T], b_bar: &mut [T], x_bar: Option<Vec<T>>| {
        let (Some((factors, x)), Some(mut x_bar)) = (found, x_bar) else { return };
        factors.pull_back(a_bar, &x, &mut x_bar);
        add(&x_bar, b_bar);
    })
}

#[differentiate]
fn lu_solve_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    b: &[T],
    b_dot: &[T],
    n: usize,
) -> (Option<Vec<T>>, Option<Vec<T>>) {
    let Some(factors) = factors(a, b, n) else { return (None, None) };
    check_fit(a_dot.len(), a.len());
    check_fit(b_dot.len(), b.len());
    let mut x = b.to_vec();
    solve(&factors, a, &mut x);
    let mut x_dot = b_dot.to_vec();
    subtract_product(a_dot, &x, &mut x_dot, n);
    solve(&factors, a, &mut x_dot);
    (Some(x), Some(x_dot))
}

/// Puts the solution in the place of the right-hand sides: what the tangent is made of, so that it has derivatives. The
/// factors are those of `a`, and the derivative by both is that by `a`.
#[primitive(vjp = solve_vjp, jvp = solve_jvp, constant(factors))]
fn solve<T: Float>(factors: &Factors<T>, a: &[T], b: &mut [T]) {
    debug_assert_eq!(factors.entries.len(), a.len(), "the factors are those of the matrix");
    factors.solve(b);
}

fn solve_vjp<T: Float>(
    factors: &Factors<T>,
    a: &[T],
    b: &mut [T],
) -> ((), impl FnOnce(&Factors<T>, &[T], &mut [T], &mut [T], &mut [T], ()) + use<T>) {
    let before = b.to_vec();
    solve(factors, a, b);
    let x = b.to_vec();
    let pullback = move |factors: &Factors<T>,
                         _: &[T],
                         a_bar: &mut [T],
                         b: &mut [T],
                         b_bar: &mut [T],
                         (): ()| {
        b.copy_from_slice(&before);
        factors.pull_back(a_bar, &x, b_bar);
    };
    ((), pullback)
}

fn solve_jvp<T: Float>(
    factors: &Factors<T>,
    a: &[T],
    a_dot: &[T],
    b: &mut [T],
    b_dot: &mut [T],
) -> ((), ()) {
    solve(factors, a, b);
    subtract_product(a_dot, b, b_dot, factors.n);
    solve(factors, a, b_dot);
    ((), ())
}

/// `r -= a x`, where `a` is `n` by `n`.
#[differentiate]
fn subtract_product<T: Float>(a: &[T], x: &[T], r: &mut [T], n: usize) {
    let mut product = vec![T::zero(); x.len()];
    add_product(a, x, &mut product, Product::nn(n, n, columns_of(x.len(), n)));
    r.iter_mut().zip(&product).for_each(|(r, product)| *r -= *product);
}

/// The number of right-hand sides that have so many entries.
fn columns_of(entries: usize, n: usize) -> usize {
    entries.checked_div(n).unwrap_or(0)
}

/// The factors of `a`, if the right-hand sides fit.
#[track_caller]
#[zero_adjoint]
fn factors<T: Float>(a: &[T], b: &[T], n: usize) -> Option<Factors<T>> {
    check_matrix("lu_solve", "a", a, n, n);
    columns("lu_solve", "b", b, n);
    Factors::of(a, n)
}

#[track_caller]
fn factors_and_solution<T: Float>(a: &[T], b: &[T], n: usize) -> Option<(Factors<T>, Vec<T>)> {
    let factors = factors(a, b, n)?;
    let mut x = b.to_vec();
    factors.solve(&mut x);
    Some((factors, x))
}

/// Columns that are eliminated before the rest of the matrix is brought up to date.
const PANEL: usize = 32;

/// A matrix with its rows exchanged, as the product of a lower triangle with ones on the diagonal and an upper one.
#[derive(Clone)]
pub(crate) struct Factors<T> {
    n: usize,
    entries: Vec<T>,
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

    /// The pullback of a solution `x`: puts the cotangents of the right-hand sides in the place of those of the
    /// solutions.
    fn pull_back(&self, a_bar: &mut [T], x: &[T], bar: &mut [T]) {
        check_entries(bar, x.len());
        self.solve_transposed(bar);
        add_scaled_nt(-T::one(), bar, x, a_bar, (self.n, columns_of(x.len(), self.n), self.n));
    }
}

/// Exchanges two rows, of which the second is not before the first.
fn exchange<T>(a: &mut [T], i: usize, other: usize, columns: usize) {
    if i != other {
        let (above, below) = a.split_at_mut(other * columns);
        above[i * columns..][..columns].swap_with_slice(&mut below[..columns]);
    }
}
