//! Sorting and selection, whose derivatives follow the entries to where they go.
//!
//! Invariant: order is that of `total_cmp`, and of entries that are equal in it the one that comes first in the
//! operand comes first. So negative zero is less than zero, NaN is greater than infinity, and the derivative is that of
//! the permutation that the primal found.

use super::Float;
use super::shape::{check_beside, check_entries, check_fit};
use crate::{differentiate, primitive, zero_adjoint};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The entries in ascending order.
///
/// Entries are compared by `total_cmp`, and equals stay in order. Derivative: the cotangent of each
/// place goes to the entry that went there. Where entries are equal, this is one of several one-sided derivatives.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn range(x: &[f64]) -> f64 {
///     let sorted = linalg::sort(x);
///     sorted[x.len() - 1] - sorted[0]
/// }
///
/// assert_eq!(range::value_and_gradient(&[2.0, 5.0, 1.0]), (4.0, vec![0.0, 1.0, -1.0]));
/// ```
#[primitive(vjp = sort_vjp, jvp = sort_jvp)]
#[differentiate]
#[differentiate]
pub fn sort<T: Float>(x: &[T]) -> Vec<T> {
    let mut sorted = x.to_vec();
    sorted.sort_by(compare);
    sorted
}

fn sort_vjp<T: Float>(x: &[T]) -> (Vec<T>, impl FnOnce(&[T], &mut [T], Vec<T>) + use<T>) {
    let order = argsort(x);
    (gather(x, &order), move |x: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        check_beside(x, x_bar);
        scatter(&order, &y_bar, x_bar);
    })
}

#[differentiate]
fn sort_jvp<T: Float>(x: &[T], x_dot: &[T]) -> (Vec<T>, Vec<T>) {
    check_fit(x_dot.len(), x.len());
    let order = argsort(x);
    (gather(x, &order), gather(x_dot, &order))
}

/// The indices of the entries in ascending order: that of [`sort()`], so that `gather(x, &argsort(x))` is `sort(x)`.
///
/// Indices have no derivative.
///
/// ```
/// assert_eq!(cotangent::linalg::argsort(&[2.0, 1.0, 2.0]), [1, 0, 2]);
/// ```
#[zero_adjoint]
#[differentiate]
#[differentiate]
pub fn argsort<T: Float>(x: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&i, &j| compare(&x[i], &x[j]));
    order
}

/// `total_cmp`. That of the wider float orders the narrower alike.
fn compare<T: Float>(x: &T, y: &T) -> Ordering {
    let both = x.to_f64().zip(y.to_f64());
    both.map_or(Ordering::Equal, |(x, y)| x.total_cmp(&y))
}

/// The entry that would be at place `k`, from zero, if the entries were sorted, in time linear in their number.
///
/// Derivative: one by this entry. Of equal entries it is the one that [`sort()`] would put there.
///
/// ```
/// use cotangent::linalg::select;
///
/// assert_eq!(select::value_and_gradient(&[3.0, 1.0, 2.0], 1), (2.0, vec![0.0, 0.0, 1.0]));
/// ```
///
/// # Panics
///
/// When there is no such place.
#[track_caller]
#[primitive(vjp = select_vjp, jvp = select_jvp)]
#[differentiate]
#[differentiate]
pub fn select<T: Float>(x: &[T], k: usize) -> T {
    x[selected(x, k)]
}

/// Where the entry is that [`select()`] selects.
#[track_caller]
#[zero_adjoint]
fn selected<T: Float>(x: &[T], k: usize) -> usize {
    assert!(k < x.len(), "select: place {k} of {} entries", x.len());
    let mut order: Vec<usize> = (0..x.len()).collect();
    let by_entry_and_index = |i: &usize, j: &usize| compare(&x[*i], &x[*j]).then(i.cmp(j));
    *order.select_nth_unstable_by(k, by_entry_and_index).1
}

fn select_vjp<T: Float>(x: &[T], k: usize) -> (T, impl FnOnce(&[T], &mut [T], T) + use<T>) {
    let index = selected(x, k);
    (x[index], move |x: &[T], x_bar: &mut [T], value_bar: T| {
        check_beside(x, x_bar);
        x_bar[index] += value_bar;
    })
}

#[differentiate]
fn select_jvp<T: Float>(x: &[T], x_dot: &[T], k: usize) -> (T, T) {
    check_fit(x_dot.len(), x.len());
    let index = selected(x, k);
    (x[index], x_dot[index])
}

/// The entries at given indices, which may repeat.
///
/// Derivative: the cotangent of each place is added to that of the entry that was taken there.
///
/// ```
/// use cotangent::linalg::gather;
///
/// assert_eq!(gather(&[1.0, 2.0, 3.0], &[2, 0, 2]), [3.0, 1.0, 3.0]);
/// ```
///
/// # Panics
///
/// When an index is not one of `x`.
#[track_caller]
#[primitive(vjp = gather_vjp, jvp = gather_jvp, constant(indices))]
#[differentiate]
#[differentiate]
pub fn gather<T: Float>(x: &[T], indices: &[usize]) -> Vec<T> {
    let mut taken = Vec::with_capacity(indices.len());
    for &index in indices {
        assert!(index < x.len(), "gather: index {index} of {} entries", x.len());
        taken.push(x[index]);
    }
    taken
}

fn gather_vjp<T: Float>(
    x: &[T],
    indices: &[usize],
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[usize], Vec<T>) + use<T>) {
    (gather(x, indices), |x: &[T], x_bar: &mut [T], indices: &[usize], y_bar: Vec<T>| {
        check_beside(x, x_bar);
        scatter(indices, &y_bar, x_bar);
    })
}

/// The transpose of `gather`.
fn scatter<T: Float>(indices: &[usize], y_bar: &[T], x_bar: &mut [T]) {
    check_entries(y_bar, indices.len());
    indices.iter().zip(y_bar).for_each(|(&index, &y_bar)| x_bar[index] += y_bar);
}

#[differentiate]
fn gather_jvp<T: Float>(x: &[T], x_dot: &[T], indices: &[usize]) -> (Vec<T>, Vec<T>) {
    check_fit(x_dot.len(), x.len());
    (gather(x, indices), gather(x_dot, indices))
}
