//! Systems with any square matrix.

use super::Float;
use super::kernel::add;
use super::product::{Product, add as add_product, add_scaled_nt};
use super::shape::{check_entries, check_fit, check_matrix, columns};
use crate::kernels::{Factors, columns_of};
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

impl<T: Float> Factors<T> {
    /// The pullback of a solution `x`: puts the cotangents of the right-hand sides in the place of those of the
    /// solutions.
    fn pull_back(&self, a_bar: &mut [T], x: &[T], bar: &mut [T]) {
        check_entries(bar, x.len());
        self.solve_transposed(bar);
        add_scaled_nt(-T::one(), bar, x, a_bar, (self.n, columns_of(x.len(), self.n), self.n));
    }
}
