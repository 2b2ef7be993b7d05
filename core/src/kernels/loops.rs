//! The inner loops that all products, solves and factorisations are made of.
//!
//! In come slices of one length; rows and coefficients come by index, so that one loop serves matrices, transposed
//! matrices and blocks of them. Invariants: sums run in several lanes, since strict floating point does not
//! vectorise a single one, and in an order that depends on the length alone; no loop allocates.

use core::ops::Range;

use crate::float::Float;

/// Partial sums of a dot product.
const LANES: usize = 8;

/// The number of rows that are taken at once: each entry that is read serves so many products.
pub(crate) const ROWS: usize = 4;

/// `Σ x[i] y[i]`.
#[inline]
pub(crate) fn dot<T: Float>(x: &[T], y: &[T]) -> T {
    dots([x], y)[0]
}

/// Dot products of several vectors with one.
#[inline]
pub(crate) fn dots<T: Float, const N: usize>(x: [&[T]; N], y: &[T]) -> [T; N] {
    x.iter().for_each(|x| check_beside(y, x));
    let mut lanes = [[T::zero(); LANES]; N];
    let (y_chunks, y_rest) = y.as_chunks::<LANES>();
    let x_chunks = x.map(|x| &x.as_chunks::<LANES>().0[..y_chunks.len()]);
    for (chunk, y) in y_chunks.iter().enumerate() {
        for (lanes, x) in lanes.iter_mut().zip(x_chunks) {
            for lane in 0..LANES {
                lanes[lane] += x[chunk][lane] * y[lane];
            }
        }
    }
    let first = y.len() - y_rest.len();
    core::array::from_fn(|row| {
        let sum = if first == 0 { T::zero() } else { total(lanes[row]) };
        let rest = x[row][first..].iter().zip(y_rest);
        rest.fold(sum, |sum, (&x, &y)| sum + x * y)
    })
}

/// The sum of the lanes, by halves.
#[inline(always)]
fn total<T: Float>(mut lanes: [T; LANES]) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// `y += a x`.
#[inline]
pub(crate) fn axpy<T: Float>(a: T, x: &[T], y: &mut [T]) {
    combine([a], [x], y);
}

/// `y += Σ a[p] x[p]`.
#[inline]
fn combine<T: Float, const N: usize>(a: [T; N], x: [&[T]; N], y: &mut [T]) {
    let x = x.map(|x| {
        check_beside(x, y);
        &x[..y.len()]
    });
    for (i, y) in y.iter_mut().enumerate() {
        let mut sum = *y;
        for (a, x) in a.iter().zip(x) {
            sum += *a * x[i];
        }
        *y = sum;
    }
}

/// `y += Σ a(p) x(p)`, the sum over `rows`: a row of a product whose coefficients are `a` and whose rows are `x`.
#[inline]
pub(crate) fn add_rows<'a, T: Float + 'a>(
    rows: Range<usize>,
    a: impl Fn(usize) -> T,
    x: impl Fn(usize) -> &'a [T],
    y: &mut [T],
) {
    let mut p = rows.start;
    while p + ROWS <= rows.end {
        combine::<T, ROWS>(
            core::array::from_fn(|row| a(p + row)),
            core::array::from_fn(|row| x(p + row)),
            y,
        );
        p += ROWS;
    }
    for p in p..rows.end {
        axpy(a(p), x(p), y);
    }
}

/// Row `i` of a matrix that has rows of `columns` entries.
#[inline(always)]
pub(crate) fn row<T>(a: &[T], i: usize, columns: usize) -> &[T] {
    &a[i * columns..][..columns]
}

/// Panics unless the two sides of an inner loop are of one length: a tangent or a shadow is as long as what it
/// belongs to.
#[inline(always)]
#[track_caller]
pub(crate) fn check_beside<T, U>(x: &[T], y: &[U]) {
    check_fit(y.len(), x.len());
}

/// Panics unless a tangent or a cotangent has a number of entries, or what it is multiplied with has.
#[inline(always)]
#[track_caller]
pub(crate) fn check_fit(entries: usize, length: usize) {
    assert!(
        entries == length,
        "a tangent or a cotangent does not fit its value: {entries} entries beside {length}"
    );
}
