//! Sparse matrices, as Jacobians and Hessians come in.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, Mul};

use super::pattern::Pattern;
use crate::matrix::Matrix;
use crate::output::Entry;

/// A sparse matrix: a [`Pattern`] with a value for each entry.
///
/// Entries are in the pattern's order, row after row and by column. So the values are those of the compressed row form
/// ([`Pattern::row_offsets`], [`Pattern::column_indices`]) and at the same time of the list of coordinates
/// ([`row_indices`](Triplets::row_indices), [`column_indices`](Triplets::column_indices)): libraries of sparse matrices
/// take one or the other.
///
/// ```
/// use cotangent::sparse::{Pattern, Triplets};
///
/// let mut matrix = Triplets::zeros(Pattern::new(2, 3, [(0, 0), (1, 2)]));
/// matrix.values_mut().copy_from_slice(&[2.0, 3.0]);
/// assert_eq!(matrix.iter().collect::<Vec<_>>(), [(0, 0, 2.0), (1, 2, 3.0)]);
/// assert_eq!(matrix.times(&[1.0, 10.0, 100.0]), [2.0, 300.0]);
/// assert_eq!(matrix.to_dense().row(1), [0.0, 0.0, 3.0]);
/// ```
#[derive(Clone, PartialEq)]
pub struct Triplets<F = f64> {
    pattern: Pattern,
    row_indices: Vec<usize>,
    values: Vec<F>,
}

impl<F> Triplets<F> {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.pattern.rows()
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.pattern.columns()
    }

    /// Where the entries are.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The row of each entry.
    #[must_use]
    pub fn row_indices(&self) -> &[usize] {
        &self.row_indices
    }

    /// The column of each entry.
    #[must_use]
    pub fn column_indices(&self) -> &[usize] {
        self.pattern.column_indices()
    }

    /// The value of each entry.
    #[must_use]
    pub fn values(&self) -> &[F] {
        &self.values
    }

    /// The value of each entry; this is what [`ColumnPlan::evaluate_into`](super::ColumnPlan::evaluate_into) fills.
    #[must_use]
    pub fn values_mut(&mut self) -> &mut [F] {
        &mut self.values
    }
}

impl<F: Entry> Triplets<F> {
    /// A matrix whose entries are zero.
    #[must_use]
    pub fn zeros(pattern: Pattern) -> Self {
        let row_indices = pattern.entries().map(|(row, _)| row).collect();
        let values = vec![F::narrow(0.0); pattern.len()];
        Triplets { pattern, row_indices, values }
    }

    /// The entries, `(row, column, value)`.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, F)> {
        let places = self.row_indices.iter().zip(self.column_indices());
        places.zip(&self.values).map(|((row, column), value)| (*row, *column, *value))
    }

    /// The dense matrix, with zeros outside of the pattern.
    #[must_use]
    pub fn to_dense(&self) -> Matrix<F> {
        let (rows, columns) = (self.rows(), self.columns());
        let mut dense = Matrix::from_vec(rows, columns, vec![F::narrow(0.0); rows * columns]);
        self.iter().for_each(|(row, column, value)| dense[(row, column)] = value);
        dense
    }

    /// The product with a vector.
    ///
    /// # Panics
    ///
    /// When the vector has another length than the matrix has columns.
    #[must_use]
    #[track_caller]
    pub fn times(&self, vector: &[F]) -> Vec<F>
    where
        F: Add<Output = F> + Mul<Output = F>,
    {
        let (length, columns) = (vector.len(), self.columns());
        assert!(
            length == columns,
            "a vector of {length} entries for a matrix of {columns} columns"
        );
        let mut product = vec![F::narrow(0.0); self.rows()];
        for (row, column, value) in self.iter() {
            product[row] = product[row] + value * vector[column];
        }
        product
    }
}

/// The entries, each with its place.
impl<F: Entry + fmt::Debug> fmt::Debug for Triplets<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Triplets {} by {} ", self.rows(), self.columns())?;
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn entries_keep_the_order_of_the_pattern() {
        let mut matrix = Triplets::zeros(Pattern::new(3, 2, [(2, 0), (0, 1), (2, 1)]));
        matrix.values_mut().copy_from_slice(&[1.0_f32, 2.0, 3.0]);
        assert_eq!(matrix.row_indices(), [0, 2, 2]);
        assert_eq!(matrix.column_indices(), [1, 0, 1]);
        assert_eq!(matrix.to_dense(), Matrix::from_vec(3, 2, vec![0.0, 1.0, 0.0, 0.0, 2.0, 3.0]));
        assert_eq!(
            format!("{matrix:?}"),
            "Triplets 3 by 2 [(0, 1, 1.0), (2, 0, 2.0), (2, 1, 3.0)]"
        );
        assert_eq!(matrix.times(&[10.0, 1.0]), [1.0, 0.0, 23.0]);
    }

    #[test]
    #[should_panic(expected = "a vector of 2 entries for a matrix of 3 columns")]
    fn a_product_needs_a_vector_that_fits() {
        let _ = Triplets::<f64>::zeros(Pattern::dense(2, 3)).times(&[1.0, 2.0]);
    }
}
