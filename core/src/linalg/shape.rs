//! Checks of sizes.
//!
//! Invariant: what an operation finds wrong with its operands it says in terms of its parameters' names. A rule
//! begins with its primal or with the same check, so that derivatives panic with the same words.

use super::Float;
pub(super) use crate::kernels::{check_beside, check_fit};

/// Panics unless two operands are of one length.
#[track_caller]
pub(super) fn check_same<T: Float>(of: &str, (a, x): (&str, &[T]), (b, y): (&str, &[T])) {
    let (x, y) = (x.len(), y.len());
    assert!(x == y, "{of}: `{a}` has {x} entries and `{b}` has {y}");
}

/// Panics unless an operand has the entries of a matrix.
#[track_caller]
pub(super) fn check_matrix<T>(of: &str, name: &str, a: &[T], rows: usize, columns: usize) {
    let entries = a.len();
    assert!(
        rows.checked_mul(columns) == Some(entries),
        "{of}: `{name}` has {entries} entries and should be a matrix of {rows} by {columns}"
    );
}

/// Panics unless an operand has a number of entries.
#[track_caller]
pub(super) fn check_length<T>(of: &str, name: &str, x: &[T], length: usize) {
    let entries = x.len();
    assert!(entries == length, "{of}: `{name}` has {entries} entries and should have {length}");
}

/// The number of columns of an operand of `rows` rows: of right-hand sides. Panics where the rows are not full.
#[track_caller]
pub(super) fn columns<T>(of: &str, name: &str, b: &[T], rows: usize) -> usize {
    let entries = b.len();
    let columns = entries.checked_div(rows).unwrap_or(0);
    assert!(
        rows * columns == entries,
        "{of}: `{name}` has {entries} entries, which are not {rows} rows of one length"
    );
    columns
}

/// Panics unless a tangent or a cotangent has a number of entries, or what it is multiplied with has.
#[inline(always)]
#[track_caller]
pub(super) fn check_entries<T>(x: &[T], length: usize) {
    check_fit(x.len(), length);
}
