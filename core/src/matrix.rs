//! A dense matrix, as Jacobians and Hessians come in.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Index, IndexMut};

use crate::differentiable::Differentiable;
use crate::floats::{InnerProduct, PairVisitor, floats_of_fields};
use crate::sharing::Sharing;
use crate::tangent::Tangent;
use crate::visit::{Leaf, Visitor};

/// A dense matrix of `rows` by `columns` entries, stored row after row.
///
/// In a Jacobian the rows are outputs and the columns inputs. Entries are indexed
/// `m[(row, column)]`, from zero.
///
/// ```
/// use cotangent::Matrix;
///
/// let mut m = Matrix::from_vec(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// m[(0, 1)] = 20.0;
/// assert_eq!(m[(1, 2)], 6.0);
/// assert_eq!(m.row(0), [1.0, 20.0, 3.0]);
/// assert_eq!((m.rows(), m.columns()), (2, 3));
/// ```
///
/// What fills a matrix in place, such as `f::jacobian_into`, gives it its size, and allocates only where it has not
/// been as large before.
#[cfg_attr(feature = "serde-1", derive(serde_1::Serialize, serde_1::Deserialize))]
#[cfg_attr(
    feature = "serde-1",
    serde(
        crate = "serde_1",
        try_from = "Parts<T>",
        bound(deserialize = "T: serde_1::Deserialize<'de>")
    )
)]
pub struct Matrix<T = f64> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
    #[cfg_attr(feature = "serde-1", serde(skip))]
    /// What a derivative keeps from one time to the next; no part of the value.
    pub(crate) scratch: Vec<T>,
}

/// The parts of a matrix, of which nobody knows yet whether they fit.
#[cfg(feature = "serde-1")]
#[derive(serde_1::Deserialize)]
#[serde(crate = "serde_1", rename = "Matrix")]
struct Parts<T> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
}

#[cfg(feature = "serde-1")]
impl<T> TryFrom<Parts<T>> for Matrix<T> {
    type Error = alloc::string::String;

    fn try_from(parts: Parts<T>) -> Result<Self, Self::Error> {
        let Parts { rows, columns, entries } = parts;
        if rows.checked_mul(columns) == Some(entries.len()) {
            return Ok(Matrix { rows, columns, entries, scratch: Vec::new() });
        }
        let length = entries.len();
        Err(alloc::format!("a matrix of {rows} by {columns} was given {length} entries"))
    }
}

impl<T> Matrix<T> {
    /// A matrix from its entries, row after row.
    ///
    /// # Panics
    ///
    /// When there are not `rows * columns` entries.
    #[must_use]
    #[track_caller]
    pub fn from_vec(rows: usize, columns: usize, entries: Vec<T>) -> Self {
        assert!(
            rows.checked_mul(columns) == Some(entries.len()),
            "a matrix of {rows} by {columns} was given {} entries",
            entries.len()
        );
        Matrix { rows, columns, entries, scratch: Vec::new() }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row(&self, row: usize) -> &[T] {
        assert!(row < self.rows, "row {row} of a matrix of {} rows", self.rows);
        &self.entries[row * self.columns..][..self.columns]
    }

    /// All entries, row after row.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// All entries, row after row.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// The entries, row after row, without a copy.
    ///
    /// ```
    /// let m = cotangent::Matrix::from_vec(1, 2, vec![1.0, 2.0]);
    /// assert_eq!(m.into_vec(), [1.0, 2.0]);
    /// ```
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.entries
    }

    /// Where an entry is stored; panics outside the matrix.
    #[track_caller]
    fn position(&self, row: usize, column: usize) -> usize {
        assert!(
            row < self.rows && column < self.columns,
            "entry ({row}, {column}) of a matrix of {} by {}",
            self.rows,
            self.columns
        );
        row * self.columns + column
    }

    /// Panics where the other has another size.
    #[track_caller]
    fn assert_size_of(&self, other: &Self) {
        let (rows, columns) = (self.rows, self.columns);
        assert!(
            (rows, columns) == (other.rows, other.columns),
            "a tangent of {} by {} was given for one of {rows} by {columns}",
            other.rows,
            other.columns
        );
    }
}

impl<T: Copy> Matrix<T> {
    /// Gives it a size, all entries being one value, in the memory that it has.
    pub(crate) fn reset(&mut self, rows: usize, columns: usize, entry: T) {
        let length = rows.checked_mul(columns).expect("the size of a matrix fits in `usize`");
        self.entries.clear();
        self.entries.resize(length, entry);
        (self.rows, self.columns) = (rows, columns);
    }

    /// The entries of a column, from the first row on.
    pub(crate) fn column_mut(&mut self, column: usize) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().skip(column).step_by(self.columns.max(1))
    }

    /// One row; panics outside the matrix.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.entries[row * self.columns..][..self.columns]
    }
}

impl<T: Default + Clone> Matrix<T> {
    /// A matrix of zeros.
    ///
    /// ```
    /// let m = cotangent::Matrix::<f64>::zeros(2, 2);
    /// assert_eq!(m.as_slice(), [0.0; 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `rows * columns` does not fit in memory.
    #[must_use]
    #[track_caller]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let length = rows.checked_mul(columns).expect("the size of a matrix fits in `usize`");
        Matrix { rows, columns, entries: vec![T::default(); length], scratch: Vec::new() }
    }
}

/// A matrix without rows and columns, to be filled.
impl<T> Default for Matrix<T> {
    fn default() -> Self {
        Matrix { rows: 0, columns: 0, entries: Vec::new(), scratch: Vec::new() }
    }
}

impl<T: Clone> Clone for Matrix<T> {
    fn clone(&self) -> Self {
        Matrix { entries: self.entries.clone(), scratch: Vec::new(), ..*self }
    }
}

impl<T: PartialEq> PartialEq for Matrix<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.rows, self.columns, &self.entries) == (other.rows, other.columns, &other.entries)
    }
}

/// Two matrices are added where they have as many rows and as many columns.
impl<T: Tangent> Tangent for Matrix<T> {
    const SHARES: bool = T::SHARES;

    fn accumulate(&mut self, other: Self) {
        assert!(
            (self.rows, self.columns) == (other.rows, other.columns),
            "tangents of {} by {} and of {} by {} cannot be added",
            self.rows,
            self.columns,
            other.rows,
            other.columns
        );
        self.entries.accumulate(other.entries);
    }

    #[inline]
    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        self.assert_size_of(other);
        self.entries.visit_pairs(&other.entries, visitor);
    }

    #[inline]
    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        self.assert_size_of(other);
        self.entries.add_products(&other.entries, sum);
    }
}

/// In a body that is differentiated, entries are read and written as `m[(row, column)]`.
impl<T: Differentiable> Differentiable for Matrix<T> {
    type Tangent = Matrix<T::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        let (rows, columns) = (self.rows, self.columns);
        Matrix { rows, columns, entries: self.entries.zero_tangent(), scratch: Vec::new() }
    }

    fn conform(&self, tangent: &mut Self::Tangent) {
        self.entries.conform(&mut tangent.entries);
    }

    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        self.entries.conforms(&tangent.entries, layers)
    }

    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        self.entries.share(&mut tangent.entries, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.entries.perturb(&direction.entries, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(self.rows));
        visitor.leaf(Leaf::Shape(self.columns));
        self.entries.visit(visitor);
    }

    floats_of_fields!(entries);
}

/// Entry `m[(row, column)]`; panics outside the matrix.
impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    #[track_caller]
    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.entries[self.position(row, column)]
    }
}

/// Entry `m[(row, column)]`; panics outside the matrix.
impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    #[track_caller]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut T {
        let position = self.position(row, column);
        &mut self.entries[position]
    }
}

/// A list of rows; a matrix without columns shows as many empty rows.
impl<T: fmt::Debug> fmt::Debug for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Matrix ")?;
        f.debug_list().entries((0..self.rows).map(|row| self.row(row))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn entries_are_row_major() {
        let mut m = Matrix::zeros(2, 3);
        m[(1, 0)] = 4.0;
        m.as_mut_slice()[5] = 6.0;
        assert_eq!(m.as_slice(), [0.0, 0.0, 0.0, 4.0, 0.0, 6.0]);
        assert_eq!(m.row(1), [4.0, 0.0, 6.0]);
    }

    #[test]
    fn a_matrix_prints_as_its_rows() {
        let m = Matrix::from_vec(2, 2, vec![1, 2, 3, 4]);
        assert_eq!(format!("{m:?}"), "Matrix [[1, 2], [3, 4]]");
        assert_eq!(format!("{:?}", Matrix::<f64>::zeros(2, 0)), "Matrix [[], []]");
    }

    #[test]
    #[should_panic(expected = "entry (0, 2) of a matrix of 2 by 2")]
    fn a_column_too_far_is_not_the_next_row() {
        let _ = Matrix::<f64>::zeros(2, 2)[(0, 2)];
    }

    #[test]
    #[should_panic(expected = "a matrix of 2 by 2 was given 3 entries")]
    fn the_number_of_entries_must_fit() {
        let _ = Matrix::from_vec(2, 2, vec![1, 2, 3]);
    }
}
