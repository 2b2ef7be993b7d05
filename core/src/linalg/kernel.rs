//! The inner loops of rules: those of [`crate::kernels`], and those that only derivatives need.
//!
//! In come slices of one length; rows come by index. Invariant: no loop allocates.

use super::Float;
use super::shape::check_beside;
use crate::kernels::{ROWS, dots};

pub(super) use crate::kernels::{add_rows, axpy, dot};

/// `y[p] += scale Σ x(p)[i] a[i]`: a row of a product with a transposed matrix, whose rows are `x`.
#[inline]
pub(super) fn add_dots<'a, T: Float + 'a>(
    scale: T,
    a: &[T],
    x: impl Fn(usize) -> &'a [T],
    y: &mut [T],
) {
    let (groups, rest) = y.as_chunks_mut::<ROWS>();
    let first = groups.len() * ROWS;
    for (group, y) in groups.iter_mut().enumerate() {
        let sums = dots::<T, ROWS>(core::array::from_fn(|row| x(group * ROWS + row)), a);
        y.iter_mut().zip(sums).for_each(|(y, sum)| *y += scale * sum);
    }
    rest.iter_mut().enumerate().for_each(|(row, y)| *y += scale * dot(x(first + row), a));
}

/// `y += x`.
#[inline]
pub(super) fn add<T: Float>(x: &[T], y: &mut [T]) {
    check_beside(x, y);
    y.iter_mut().zip(x).for_each(|(y, x)| *y += *x);
}
