//! The Cholesky factorisation.

use super::Float;
use super::kernel::{add_dots, add_rows, axpy, dot};
use super::shape::{check_entries, check_fit, check_matrix};
use crate::kernels::row;
use crate::{differentiate, primitive};
use alloc::vec;
use alloc::vec::Vec;

/// The lower factor `l` of a symmetric positive definite matrix, `a = l lᵀ`, or `None` where a pivot is not
/// positive.
///
/// `a` is `n` by `n`, and of it only the lower triangle is read; the upper one of `l` is zero. So the function is
/// one of the lower triangle: `ā` is zero above the diagonal, and an entry below stands for both that are
/// equal in the symmetric matrix.
///
/// Derivatives: `ā += Φ(l⁻ᵀ (p + pᵀ) l⁻¹)` with `p = Φ(lᵀ l̄)`, where `Φ` takes the lower triangle and
/// halves the diagonal. It is computed block by block without inverses or temporaries, in twice the
/// operations of the factorisation: I. Murray, "Differentiation of the Cholesky decomposition",
/// arXiv:1602.07527, 2016, section 4, after S. P. Smith, "Differentiation of the Cholesky algorithm", Journal of
/// Computational and Graphical Statistics 4, 1995. The tangent is that of the algorithm's steps, also after Smith.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn log_determinant(a: &[f64], n: usize) -> f64 {
///     let l = linalg::cholesky(a, n).unwrap();
///     (0..n).map(|i| 2.0 * l[i * n + i].ln()).sum()
/// }
///
/// assert_eq!(log_determinant::gradient(&[4.0, 0.0, 0.0, 1.0], 2), [0.25, 0.0, 0.0, 1.0]);
/// assert_eq!(linalg::cholesky(&[-1.0], 1), None);
/// ```
///
/// # Panics
///
/// When `a` has not `n * n` entries.
#[track_caller]
#[primitive(vjp = cholesky_vjp, jvp = cholesky_jvp)]
#[differentiate]
#[differentiate]
pub fn cholesky<T: Float>(a: &[T], n: usize) -> Option<Vec<T>> {
    check_matrix("cholesky", "a", a, n, n);
    let mut l = vec![T::zero(); n * n];
    for i in 0..n {
        let (above, below) = l.split_at_mut(i * n);
        let this = &mut below[..=i];
        this.copy_from_slice(&row(a, i, n)[..=i]);
        eliminate(above, this, n);
        let pivot = this[i] - dot(&this[..i], &this[..i]);
        this[i] = pivot.sqrt();
        if pivot.is_nan() || pivot <= T::zero() {
            return None;
        }
    }
    Some(l)
}

/// Columns that are done together.
const BLOCK: usize = 32;

/// Turns the entries of a row left of the diagonal into those of the factor, whose rows above are known.
fn eliminate<T: Float>(above: &[T], this: &mut [T], n: usize) {
    let i = this.len() - 1;
    for first in (0..i).step_by(BLOCK) {
        let last = i.min(first + BLOCK);
        let (known, rest) = this.split_at_mut(first);
        let unknown = &mut rest[..last - first];
        if first > 0 {
            add_dots(-T::one(), known, |j| &row(above, first + j, n)[..first], unknown);
        }
        for j in first..last {
            let other = &row(above, j, n)[first..=j];
            let (known, unknown) = unknown.split_at_mut(j - first);
            unknown[0] = (unknown[0] - dot(known, &other[..j - first])) / other[j - first];
        }
    }
}

fn cholesky_vjp<T: Float>(
    a: &[T],
    n: usize,
) -> (Option<Vec<T>>, impl FnOnce(&[T], &mut [T], Option<Vec<T>>) + use<T>) {
    let l = cholesky(a, n);
    let residual = l.clone();
    (l, move |_: &[T], a_bar: &mut [T], l_bar: Option<Vec<T>>| {
        let (Some(l), Some(mut l_bar)) = (residual, l_bar) else { return };
        pull_back(&l, &mut l_bar, n);
        add_triangle(&l_bar, a_bar, n);
    })
}

/// Puts the cotangent of the matrix in the place of that of its factor.
fn pull_back<T: Float>(l: &[T], l_bar: &mut [T], n: usize) {
    check_entries(l_bar, n * n);
    for first in (0..n).step_by(BLOCK).rev() {
        let block = Block { n, first, last: n.min(first + BLOCK) };
        block.pull_back_rows_below(l, l_bar);
        block.pull_back_diagonal(l, l_bar);
        block.pull_back_left(l, l_bar);
    }
}

/// `y += x`, in the lower triangle.
fn add_triangle<T: Float>(x: &[T], y: &mut [T], n: usize) {
    check_entries(y, n * n);
    for i in 0..n {
        axpy(T::one(), &row(x, i, n)[..=i], &mut y[i * n..][..=i]);
    }
}

/// A block of columns. Murray's names: `D` is on the diagonal, `R` left of it, `C` below it, and `B` left of `C`.
#[derive(Clone, Copy)]
struct Block {
    n: usize,
    first: usize,
    last: usize,
}

impl Block {
    /// `C̄ := C̄ D⁻¹`, `B̄ -= C̄ R`, `D̄ -= tril(C̄ᵀ C)`.
    fn pull_back_rows_below<T: Float>(self, l: &[T], l_bar: &mut [T]) {
        let Block { n, first, last } = self;
        let (above, below) = l_bar.split_at_mut(last * n);
        for (i, this) in below.chunks_exact_mut(n).enumerate() {
            let (b_bar, rest) = this.split_at_mut(first);
            let c_bar = &mut rest[..last - first];
            for j in (first..last).rev() {
                let d = &row(l, j, n)[first..=j];
                let (left, this) = c_bar.split_at_mut(j - first);
                this[0] /= d[j - first];
                axpy(-this[0], &d[..j - first], left);
            }
            add_rows(first..last, |j| -c_bar[j - first], |j| &row(l, j, n)[..first], b_bar);
            let c = &row(l, last + i, n)[first..last];
            for (j, &c_bar) in c_bar.iter().enumerate() {
                axpy(-c_bar, &c[..=j], &mut above[(first + j) * n + first..][..=j]);
            }
        }
    }

    /// The pullback within `D`, column by column.
    fn pull_back_diagonal<T: Float>(self, l: &[T], l_bar: &mut [T]) {
        let Block { n, first, last } = self;
        for j in (first..last).rev() {
            let (above, below) = l_bar.split_at_mut((j + 1) * n);
            let (r_bar, rest) = above[j * n + first..].split_at_mut(j - first);
            let (r, d) = (&row(l, j, n)[first..j], l[j * n + j]);
            for (i, this) in (j + 1..last).zip(below.chunks_exact_mut(n)) {
                rest[0] -= l[i * n + j] * this[j] / d;
                this[j] /= d;
                axpy(-this[j], &row(l, i, n)[first..j], r_bar);
                axpy(-this[j], r, &mut this[first..j]);
            }
            rest[0] /= d;
            axpy(-rest[0], r, r_bar);
            rest[0] /= T::one() + T::one();
        }
    }

    /// `R̄ -= C̄ᵀ B + (D̄ + D̄ᵀ) R`.
    fn pull_back_left<T: Float>(self, l: &[T], l_bar: &mut [T]) {
        let Block { n, first, last } = self;
        let (above, below) = l_bar.split_at_mut(last * n);
        for start in (last..n).step_by(BLOCK) {
            let rows = start..n.min(start + BLOCK);
            for j in first..last {
                let c_bar = |i: usize| -below[(i - last) * n + j];
                let r_bar = &mut above[j * n..][..first];
                add_rows(rows.clone(), c_bar, |i| &row(l, i, n)[..first], r_bar);
            }
        }
        for j in first..last {
            for p in first..last {
                let (high, low) = (j.max(p), j.min(p));
                let d_bar = above[high * n + low];
                let scale = if j == p { d_bar + d_bar } else { d_bar };
                axpy(-scale, &row(l, p, n)[..first], &mut above[j * n..][..first]);
            }
        }
    }
}

#[differentiate]
fn cholesky_jvp<T: Float>(a: &[T], a_dot: &[T], n: usize) -> (Option<Vec<T>>, Option<Vec<T>>) {
    check_fit(a_dot.len(), n * n);
    let Some(l) = cholesky(a, n) else { return (None, None) };
    let l_dot = tangent(&l, a_dot, n);
    (Some(l), Some(l_dot))
}

/// The tangent of the factor: the lower `s` with `s lᵀ + l sᵀ = a`, of which the lower triangle is read.
///
/// Derivatives: that of `s` by `a` is the same function, whose transpose is the pullback of the factor; and as
/// `ṡ lᵀ + l ṡᵀ = ȧ - s l̇ᵀ - l̇ sᵀ`, so is that by `l`.
#[primitive(vjp = tangent_vjp, jvp = tangent_jvp)]
fn tangent<T: Float>(l: &[T], a: &[T], n: usize) -> Vec<T> {
    let mut tangent = vec![T::zero(); n * n];
    for i in 0..n {
        let (above, below) = tangent.split_at_mut(i * n);
        let (this, l_i) = (&mut below[..n], row(l, i, n));
        for j in 0..i {
            let (l_j, s_j) = (row(l, j, n), row(above, j, n));
            let products = dot(&this[..j], &l_j[..j]) + dot(&l_i[..j], &s_j[..j]);
            this[j] = (a[i * n + j] - products - l_i[j] * s_j[j]) / l_j[j];
        }
        let half = a[i * n + i] / (T::one() + T::one());
        this[i] = (half - dot(&this[..i], &l_i[..i])) / l_i[i];
    }
    tangent
}

fn tangent_vjp<T: Float>(
    l: &[T],
    a: &[T],
    n: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    let s = tangent(l, a, n);
    let residual = s.clone();
    (s, move |l: &[T], l_bar: &mut [T], _: &[T], a_bar: &mut [T], mut s_bar: Vec<T>| {
        pull_back(l, &mut s_bar, n);
        add_triangle(&s_bar, a_bar, n);
        subtract_symmetric(&s_bar, &residual, l_bar, n);
    })
}

fn tangent_jvp<T: Float>(l: &[T], l_dot: &[T], a: &[T], a_dot: &[T], n: usize) -> (Vec<T>, Vec<T>) {
    let s = tangent(l, a, n);
    let mut right = a_dot.to_vec();
    subtract_products(&s, l_dot, &mut right, n);
    let s_dot = tangent(l, &right, n);
    (s, s_dot)
}

/// `a -= x yᵀ + y xᵀ`, the lower triangle of it, where `x` and `y` are lower triangles.
fn subtract_products<T: Float>(x: &[T], y: &[T], a: &mut [T], n: usize) {
    for i in 0..n {
        let a = &mut a[i * n..][..=i];
        for (x, y) in [(x, y), (y, x)] {
            add_dots(-T::one(), &row(x, i, n)[..=i], |j| &row(y, j, n)[..=i], a);
        }
    }
}

/// `y -= (a + aᵀ) x`, the lower triangle of it, where `a` and `x` are lower triangles: the pullback of the above by `y`.
fn subtract_symmetric<T: Float>(a: &[T], x: &[T], y: &mut [T], n: usize) {
    check_entries(y, n * n);
    for i in 0..n {
        let entry = |j: usize| match j {
            j if j < i => -a[i * n + j],
            j if j > i => -a[j * n + i],
            j => -(a[j * n + j] + a[j * n + j]),
        };
        add_rows(0..n, entry, |j| &row(x, j, n)[..=i], &mut y[i * n..][..=i]);
    }
}
