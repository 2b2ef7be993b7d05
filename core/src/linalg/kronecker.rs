//! The Kronecker product.

use super::Float;
use super::kernel::{axpy, dot};
use super::shape::{check_beside, check_entries, check_matrix};
use crate::kernels::row;
use crate::{differentiate, primitive};
use alloc::vec;
use alloc::vec::Vec;

/// The Kronecker product of two matrices, in which each entry of `a` is replaced by its product with `b`.
///
/// `a` is `m` by `n`, `b` is `p` by `q`, and the result `m p` by `n q`. Derivatives: an entry of `ā` is the inner
/// product of its block of the result's cotangent with `b`, and `b̄` is the sum of the blocks weighted with `a`.
///
/// ```
/// use cotangent::linalg::kron;
///
/// assert_eq!(kron(&[1.0, 2.0], &[3.0, 4.0], 1, 2, 2, 1), [3.0, 6.0, 4.0, 8.0]);
/// ```
///
/// # Panics
///
/// When `a` has not `m * n` entries, or `b` has not `p * q`.
#[track_caller]
#[primitive(vjp = kron_vjp, jvp = kron_jvp)]
#[differentiate]
#[differentiate]
pub fn kron<T: Float>(a: &[T], b: &[T], m: usize, n: usize, p: usize, q: usize) -> Vec<T> {
    check_matrix("kron", "a", a, m, n);
    check_matrix("kron", "b", b, p, q);
    let mut c = vec![T::zero(); a.len() * b.len()];
    add_kron(a, b, &mut c, n, q);
    c
}

/// Adds the product of two matrices of `n` and `q` columns to `c`.
fn add_kron<T: Float>(a: &[T], b: &[T], c: &mut [T], n: usize, q: usize) {
    for (index, c) in c.chunks_exact_mut(q.max(1)).enumerate() {
        let place = Place::of(index, a.len(), b.len(), n, q);
        axpy(a[place.a], row(b, place.b, q), c);
    }
}

/// Where a run of `q` entries of the product comes from: one entry of `a`, and one row of `b`.
struct Place {
    a: usize,
    b: usize,
}

impl Place {
    fn of(run: usize, a: usize, b: usize, n: usize, q: usize) -> Self {
        debug_assert!(run * q < a * b);
        let (line, j) = (run / n, run % n);
        let p = b / q;
        Place { a: line / p * n + j, b: line % p }
    }
}

fn kron_vjp<T: Float>(
    a: &[T],
    b: &[T],
    m: usize,
    n: usize,
    p: usize,
    q: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    let c = kron(a, b, m, n, p, q);
    (c, move |a: &[T], a_bar: &mut [T], b: &[T], b_bar: &mut [T], c_bar: Vec<T>| {
        check_entries(&c_bar, a.len() * b.len());
        check_beside(a, a_bar);
        check_beside(b, b_bar);
        for (index, c_bar) in c_bar.chunks_exact(q.max(1)).enumerate() {
            let place = Place::of(index, a.len(), b.len(), n, q);
            a_bar[place.a] += dot(c_bar, row(b, place.b, q));
            axpy(a[place.a], c_bar, &mut b_bar[place.b * q..][..q]);
        }
    })
}

#[differentiate]
fn kron_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    b: &[T],
    b_dot: &[T],
    m: usize,
    n: usize,
    p: usize,
    q: usize,
) -> (Vec<T>, Vec<T>) {
    let mut c_dot = kron(a_dot, b, m, n, p, q);
    let by_b = kron(a, b_dot, m, n, p, q);
    c_dot.iter_mut().zip(&by_b).for_each(|(c_dot, by_b)| *c_dot += *by_b);
    (kron(a, b, m, n, p, q), c_dot)
}
