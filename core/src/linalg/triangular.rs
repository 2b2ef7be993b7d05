//! Systems with a triangular matrix.
//!
//! Invariants: only the triangle is read, and only it has a cotangent. All solves run in place, along rows of the
//! matrix where there is one right-hand side, and along rows of the right-hand sides where there are several.

use super::Float;
use super::kernel::{add, add_dots, add_rows, axpy};
use super::shape::{check_entries, check_fit, check_matrix, columns};
use crate::kernels::{Triangle, row};
use crate::{differentiate, primitive};
use alloc::vec::Vec;
use core::ops::Range;

impl Triangle {
    fn of(n: usize, lower: bool) -> Self {
        Triangle { n, lower, transposed: false, unit: false }
    }

    /// The stored entries of row `i`.
    fn stored(self, i: usize) -> Range<usize> {
        if self.lower { 0..i + 1 } else { i..self.n }
    }

    /// The pullback of a solve with the solution `x`: puts the cotangents of the right-hand sides in the place of
    /// those of the solutions.
    fn pull_back<T: Float>(self, t: &[T], t_bar: &mut [T], x: &[T], bar: &mut [T]) {
        check_entries(t_bar, self.n * self.n);
        check_entries(bar, x.len());
        self.transposed().solve(t, bar);
        self.subtract_outer(bar, x, t_bar);
    }

    /// `t -= u vᵀ`, in the triangle; of the transposed triangle, `t -= v uᵀ`.
    fn subtract_outer<T: Float>(self, u: &[T], v: &[T], t: &mut [T]) {
        let (u, v) = if self.transposed { (v, u) } else { (u, v) };
        let columns = u.len().checked_div(self.n).unwrap_or(0);
        for i in 0..self.n {
            let stored = self.stored(i);
            let t = &mut t[i * self.n..][stored.clone()];
            if columns == 1 {
                axpy(-u[i], &v[stored], t);
            } else {
                let first = stored.start;
                add_dots(-T::one(), row(u, i, columns), |p| row(v, first + p, columns), t);
            }
        }
    }

    /// `r -= t x`, where `t` is the triangle or its transpose.
    fn subtract_product<T: Float>(self, t: &[T], x: &[T], r: &mut [T]) {
        let columns = x.len().checked_div(self.n).unwrap_or(0);
        for i in 0..self.n {
            let known = if self.transposed { self.transposed_range(i) } else { self.stored(i) };
            let r = &mut r[i * columns..][..columns];
            add_rows(known, |p| -self.coefficient(t, i, p), |p| row(x, p, columns), r);
        }
    }

    /// The rows in which column `i` has stored entries.
    fn transposed_range(self, i: usize) -> Range<usize> {
        if self.lower { i..self.n } else { 0..i + 1 }
    }

    /// A copy of the right-hand sides, solved.
    fn solved<T: Float>(self, of: &str, name: &str, t: &[T], b: &[T]) -> Vec<T> {
        check_matrix(of, name, t, self.n, self.n);
        columns(of, "b", b, self.n);
        let mut x = b.to_vec();
        self.solve(t, &mut x);
        x
    }
}

/// Puts the solutions in the place of the right-hand sides: what the tangents of solves are made of, so that they have
/// derivatives.
#[primitive(vjp = solve_vjp, jvp = solve_jvp, constant(triangle))]
fn solve<T: Float>(t: &[T], b: &mut [T], triangle: Triangle) {
    triangle.solve(t, b);
}

fn solve_vjp<T: Float>(
    t: &[T],
    b: &mut [T],
    triangle: Triangle,
) -> ((), impl FnOnce(&[T], &mut [T], &mut [T], &mut [T], ()) + use<T>) {
    let before = b.to_vec();
    solve(t, b, triangle);
    let x = b.to_vec();
    ((), move |t: &[T], t_bar: &mut [T], b: &mut [T], b_bar: &mut [T], (): ()| {
        b.copy_from_slice(&before);
        triangle.pull_back(t, t_bar, &x, b_bar);
    })
}

fn solve_jvp<T: Float>(
    t: &[T],
    t_dot: &[T],
    b: &mut [T],
    b_dot: &mut [T],
    triangle: Triangle,
) -> ((), ()) {
    solve(t, b, triangle);
    subtract_product(t_dot, b, b_dot, triangle);
    solve(t, b_dot, triangle);
    ((), ())
}

/// `r -= t x`, likewise.
#[primitive(vjp = subtract_product_vjp, jvp = subtract_product_jvp, constant(triangle))]
fn subtract_product<T: Float>(t: &[T], x: &[T], r: &mut [T], triangle: Triangle) {
    triangle.subtract_product(t, x, r);
}

fn subtract_product_vjp<T: Float>(
    t: &[T],
    x: &[T],
    r: &mut [T],
    triangle: Triangle,
) -> ((), impl FnOnce(&[T], &mut [T], &[T], &mut [T], &mut [T], &mut [T], ()) + use<T>) {
    let before = r.to_vec();
    subtract_product(t, x, r, triangle);
    let pullback = move |t: &[T],
                         t_bar: &mut [T],
                         x: &[T],
                         x_bar: &mut [T],
                         r: &mut [T],
                         r_bar: &mut [T],
                         (): ()| {
        r.copy_from_slice(&before);
        triangle.subtract_outer(r_bar, x, t_bar);
        triangle.transposed().subtract_product(t, r_bar, x_bar);
    };
    ((), pullback)
}

fn subtract_product_jvp<T: Float>(
    t: &[T],
    t_dot: &[T],
    x: &[T],
    x_dot: &[T],
    r: &mut [T],
    r_dot: &mut [T],
    triangle: Triangle,
) -> ((), ()) {
    subtract_product(t, x, r, triangle);
    subtract_product(t_dot, x, r_dot, triangle);
    subtract_product(t, x_dot, r_dot, triangle);
    ((), ())
}

/// A function that solves with one of the triangles, and its rules.
macro_rules! solves {
    ($($(#[$attribute:meta])* $name:ident, $vjp:ident, $jvp:ident, $t:ident => $triangle:ident;)*) => {$(
        $(#[$attribute])*
        #[track_caller]
        #[primitive(vjp = $vjp, jvp = $jvp)]
        #[differentiate]
        #[differentiate]
        pub fn $name<T: Float>($t: &[T], b: &[T], n: usize) -> Vec<T> {
            $triangle(n).solved(stringify!($name), stringify!($t), $t, b)
        }

        fn $vjp<T: Float>(
            t: &[T],
            b: &[T],
            n: usize,
        ) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
            let x = $name(t, b, n);
            let residual = x.clone();
            (x, move |t: &[T], t_bar: &mut [T], _: &[T], b_bar: &mut [T], mut x_bar: Vec<T>| {
                $triangle(n).pull_back(t, t_bar, &residual, &mut x_bar);
                add(&x_bar, b_bar);
            })
        }

        #[differentiate]
        fn $jvp<T: Float>(t: &[T], t_dot: &[T], b: &[T], b_dot: &[T], n: usize) -> (Vec<T>, Vec<T>) {
            let x = $name(t, b, n);
            check_fit(t_dot.len(), t.len());
            check_fit(b_dot.len(), b.len());
            let mut x_dot = b_dot.to_vec();
            subtract_product(t_dot, &x, &mut x_dot, $triangle(n));
            solve(t, &mut x_dot, $triangle(n));
            (x, x_dot)
        }
    )*};
}

fn lower(n: usize) -> Triangle {
    Triangle::of(n, true)
}

fn lower_t(n: usize) -> Triangle {
    lower(n).transposed()
}

fn upper(n: usize) -> Triangle {
    Triangle::of(n, false)
}

fn upper_t(n: usize) -> Triangle {
    upper(n).transposed()
}

solves! {
    /// The solution of `l x = b`, where `l` is the lower triangle of a matrix of `n` by `n`.
    ///
    /// `b` has `n` rows, of one entry for each right-hand side. Only the triangle of `l` is read. A zero on the
    /// diagonal divides as floats do.
    ///
    /// Derivatives: with `s` for the solution of `lᵀ s = x̄`, `b̄ += s` and `l̄ -= s xᵀ`, the latter in the
    /// triangle (Giles 2008, section 2.3.1).
    ///
    /// ```
    /// use cotangent::{differentiate, linalg};
    ///
    /// #[differentiate]
    /// fn second(l: &[f64], b: &[f64]) -> f64 {
    ///     linalg::solve_lower(l, b, 2)[1]
    /// }
    ///
    /// let (l_bar, b_bar) = second::gradient(&[2.0, 0.0, 4.0, 1.0], &[2.0, 9.0]);
    /// assert_eq!((l_bar, b_bar), (vec![2.0, 0.0, -1.0, -5.0], vec![-2.0, 1.0]));
    /// ```
    ///
    /// # Panics
    ///
    /// When `l` has not `n * n` entries, or those of `b` are not a multiple of `n`.
    solve_lower, solve_lower_vjp, solve_lower_jvp, l => lower;

    /// The solution of `lᵀ x = b`, where `l` is the lower triangle of a matrix of `n` by `n`, as it is stored.
    ///
    /// Otherwise as [`solve_lower()`]. After that of a factor by [`cholesky`](super::cholesky()), it is the second half of
    /// the solution of a system with a positive definite matrix:
    ///
    /// ```
    /// use cotangent::linalg::{cholesky, solve_lower, solve_lower_t};
    ///
    /// let l = cholesky(&[4.0, 2.0, 2.0, 2.0], 2).unwrap();
    /// assert_eq!(solve_lower_t(&l, &solve_lower(&l, &[8.0, 6.0], 2), 2), [1.0, 2.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `l` has not `n * n` entries, or those of `b` are not a multiple of `n`.
    solve_lower_t, solve_lower_t_vjp, solve_lower_t_jvp, l => lower_t;

    /// The solution of `u x = b`, where `u` is the upper triangle of a matrix of `n` by `n`.
    ///
    /// Otherwise as [`solve_lower()`].
    ///
    /// ```
    /// use cotangent::linalg::solve_upper;
    ///
    /// assert_eq!(solve_upper(&[1.0, 4.0, 0.0, 2.0], &[9.0, 2.0], 2), [5.0, 1.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `u` has not `n * n` entries, or those of `b` are not a multiple of `n`.
    solve_upper, solve_upper_vjp, solve_upper_jvp, u => upper;

    /// The solution of `uᵀ x = b`, where `u` is the upper triangle of a matrix of `n` by `n`, as it is stored.
    ///
    /// Otherwise as [`solve_lower()`].
    ///
    /// ```
    /// use cotangent::linalg::solve_upper_t;
    ///
    /// assert_eq!(solve_upper_t(&[2.0, 4.0, 0.0, 1.0], &[2.0, 9.0], 2), [1.0, 5.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `u` has not `n * n` entries, or those of `b` are not a multiple of `n`.
    solve_upper_t, solve_upper_t_vjp, solve_upper_t_jvp, u => upper_t;
}
