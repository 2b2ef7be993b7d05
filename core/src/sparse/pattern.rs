//! Where a matrix may have entries other than zero.
//!
//! Invariants of a [`Pattern`]: the entries of row `i` are `indices[offsets[i]..offsets[i + 1]]`; in each row they
//! ascend, without duplicates, and all are less than `columns`.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::output::Entry;

/// The places of a sparse matrix: its size, and the entries that may be other than zero.
///
/// They are stored in compressed rows, and their order is that everywhere: row after row, and in a row by
/// column.
///
/// ```
/// use cotangent::sparse::Pattern;
///
/// let pattern = Pattern::new(2, 3, [(1, 2), (0, 0), (1, 0), (1, 2)]);
/// assert_eq!(pattern.entries().collect::<Vec<_>>(), [(0, 0), (1, 0), (1, 2)]);
/// assert_eq!(pattern.row(1), [0, 2]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    columns: usize,
    offsets: Vec<usize>,
    indices: Vec<usize>,
}

impl Pattern {
    /// A pattern of `rows` by `columns` with these entries, `(row, column)`, in any order. One that is given
    /// several times is there once.
    ///
    /// # Panics
    ///
    /// When an entry is outside of the matrix.
    #[must_use]
    #[track_caller]
    pub fn new(
        rows: usize,
        columns: usize,
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_unstable();
        entries.dedup();
        if let Some((row, _)) = entries.last() {
            assert!(*row < rows, "row {row} in a pattern of {rows} rows");
        }
        let mut pattern = Pattern::without_rows(rows, columns);
        let mut rest = entries.into_iter().peekable();
        for row in 0..rows {
            pattern.push(core::iter::from_fn(|| {
                rest.next_if(|(of_row, _)| *of_row == row).map(|(_, column)| column)
            }));
        }
        pattern
    }

    /// A pattern from the columns of the entries of each row, in any order.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// let neighbours = [vec![1], vec![0, 2], vec![1]];
    /// assert!(Pattern::from_rows(3, neighbours).is_symmetric());
    /// ```
    ///
    /// # Panics
    ///
    /// When an entry is outside of the matrix.
    #[must_use]
    #[track_caller]
    pub fn from_rows<R: IntoIterator<Item = usize>>(
        columns: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let mut pattern = Pattern::without_rows(0, columns);
        for row in rows {
            let mut row: Vec<usize> = row.into_iter().collect();
            row.sort_unstable();
            row.dedup();
            pattern.push(row);
        }
        pattern
    }

    /// All entries.
    #[must_use]
    pub fn dense(rows: usize, columns: usize) -> Self {
        Pattern::from_rows(columns, (0..rows).map(|_| 0..columns))
    }

    /// The diagonal, so many diagonals below it, and so many above.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// let pattern = Pattern::banded(3, 4, 0, 1);
    /// assert_eq!(pattern, Pattern::from_rows(4, [[0, 1], [1, 2], [2, 3]]));
    /// ```
    #[must_use]
    pub fn banded(rows: usize, columns: usize, below: usize, above: usize) -> Self {
        let end = |row: usize| row.saturating_add(above).saturating_add(1).min(columns);
        Pattern::from_rows(columns, (0..rows).map(|row| row.saturating_sub(below)..end(row)))
    }

    /// Finds the pattern of a Jacobian at a point.
    ///
    /// The closure is as for [`ColumnPlan::evaluate`](super::ColumnPlan::evaluate). It is given NaN at some places and
    /// zeros elsewhere, and what depends on those is NaN in the product: NaN remains under products with zero,
    /// so that derivatives that happen to be zero at the point are found as well. Blocks of columns that no row has in
    /// common are tried at once, and halved: the number of products grows with the logarithm of the number of columns
    /// where the entries are near a diagonal, and is less than twice the number of columns in any case.
    ///
    /// With the `vjp` of a function the result is the transposed pattern. With products of a Hessian, it is that of
    /// the Hessian.
    ///
    /// ```
    /// use cotangent::differentiate;
    /// use cotangent::sparse::Pattern;
    ///
    /// #[differentiate]
    /// fn f(x: &[f64]) -> [f64; 2] {
    ///     [x[0] * x[1], x[2] * x[2]]
    /// }
    ///
    /// // At this point the whole Jacobian is zero.
    /// let x = [0.0; 3];
    /// let pattern = Pattern::detect(3, |x_dot| f::jvp(&x, x_dot).1);
    /// assert_eq!(pattern, Pattern::new(2, 3, [(0, 0), (0, 1), (1, 2)]));
    /// ```
    ///
    /// # What it promises
    ///
    /// Nothing is missing that the function computes **at this point**, on the branches, the iterations and the
    /// indices that it takes there; a rule's own branches, as that of `norm2` at zero, are among them. Where these
    /// depend on `x`, entries may be missing at another point: then detect at several, and take the
    /// [union](Pattern::union). There may be too many entries, above all where values or partial derivatives are not
    /// finite.
    ///
    /// It holds for derivatives that are sums and products of tangents, as those that `#[differentiate]` emits and
    /// those of this crate's own rules: they never compare tangents or make integers of them. A `jvp` that is
    /// written by hand must not either: `f64::max` of two tangents loses a NaN. Derivatives with
    /// `#[differentiate(debug)]` panic instead, since NaN is what they look for.
    ///
    /// # Panics
    ///
    /// When products differ in length.
    #[must_use]
    #[track_caller]
    pub fn detect<F, Y>(columns: usize, product: impl FnMut(&[F]) -> Y) -> Self
    where
        F: Entry + PartialOrd,
        Y: AsRef<[F]>,
    {
        super::detection::detect(columns, product)
    }

    /// So many rows without entries.
    fn without_rows(rows: usize, columns: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows.saturating_add(1));
        offsets.push(0);
        Pattern { columns, offsets, indices: Vec::new() }
    }

    /// Puts a row below the others, whose columns ascend.
    #[track_caller]
    fn push(&mut self, row: impl IntoIterator<Item = usize>) {
        for column in row {
            let columns = self.columns;
            assert!(column < columns, "column {column} in a pattern of {columns} columns");
            self.indices.push(column);
        }
        self.offsets.push(self.indices.len());
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The columns of the entries of one row, ascending.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row(&self, row: usize) -> &[usize] {
        assert!(row < self.rows(), "row {row} of a pattern of {} rows", self.rows());
        &self.indices[self.offsets[row]..self.offsets[row + 1]]
    }

    /// Where each row begins among the entries, and at last their number: the row offsets of the compressed form.
    #[must_use]
    pub fn row_offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The columns of all entries: the column indices of the compressed form.
    #[must_use]
    pub fn column_indices(&self) -> &[usize] {
        &self.indices
    }

    /// All entries, `(row, column)`.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.rows()).flat_map(|row| self.row(row).iter().map(move |column| (row, *column)))
    }

    /// Whether an entry is in the pattern; what is outside of the matrix is not.
    #[must_use]
    pub fn contains(&self, row: usize, column: usize) -> bool {
        row < self.rows() && self.row(row).binary_search(&column).is_ok()
    }

    /// Whether it is square, and has `(j, i)` where it has `(i, j)`.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.rows() == self.columns && self.mirrored().is_ok()
    }

    /// For each entry of a square pattern, which entry lies opposite the diagonal; or the first that has none.
    pub(super) fn mirrored(&self) -> Result<Vec<usize>, (usize, usize)> {
        // Rows are read in order, so that those in which column `i` is met are in the order of row `i`.
        let mut next = self.offsets[..self.columns].to_vec();
        let mut mirrored = Vec::with_capacity(self.len());
        for (row, column) in self.entries() {
            let opposite = next[column];
            if opposite == self.offsets[column + 1] || self.indices[opposite] != row {
                return Err(self.first_alone());
            }
            mirrored.push(opposite);
            next[column] += 1;
        }
        Ok(mirrored)
    }

    /// The first entry of a pattern that is not symmetric whose opposite is not there.
    fn first_alone(&self) -> (usize, usize) {
        let mut entries = self.entries();
        entries.find(|(row, column)| !self.contains(*column, *row)).expect("one has no opposite")
    }

    /// Entry `(j, i)` for each `(i, j)`.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut offsets = vec![0; self.columns + 1];
        for column in &self.indices {
            offsets[column + 1] += 1;
        }
        for column in 0..self.columns {
            offsets[column + 1] += offsets[column];
        }
        let mut next = offsets.clone();
        let mut indices = vec![0; self.len()];
        for (row, column) in self.entries() {
            indices[next[column]] = row;
            next[column] += 1;
        }
        Pattern { columns: self.rows(), offsets, indices }
    }

    /// The entries of both.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// let upper = Pattern::banded(3, 3, 0, 1);
    /// assert_eq!(upper.union(&upper.transposed()), Pattern::banded(3, 3, 1, 1));
    /// ```
    ///
    /// # Panics
    ///
    /// When they differ in size.
    #[must_use]
    #[track_caller]
    pub fn union(&self, other: &Pattern) -> Self {
        assert!(
            (self.rows(), self.columns) == (other.rows(), other.columns),
            "the union of a pattern of {} by {} with one of {} by {}",
            self.rows(),
            self.columns,
            other.rows(),
            other.columns
        );
        let row = |row| self.row(row).iter().chain(other.row(row)).copied();
        Pattern::from_rows(self.columns, (0..self.rows()).map(row))
    }

    /// The number of entries in the fullest row.
    pub(super) fn fullest(&self) -> usize {
        self.offsets.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0)
    }
}

/// The columns of each row.
impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern {} by {} ", self.rows(), self.columns)?;
        f.debug_list().entries((0..self.rows()).map(|row| self.row(row))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn entries_are_sorted_and_single() {
        let pattern = Pattern::new(3, 2, [(2, 1), (0, 1), (2, 0), (0, 1)]);
        assert_eq!(pattern.row_offsets(), [0, 1, 1, 3]);
        assert_eq!(pattern.column_indices(), [1, 0, 1]);
        assert_eq!(pattern, Pattern::from_rows(2, [vec![1, 1], vec![], vec![1, 0]]));
        assert_eq!(format!("{pattern:?}"), "Pattern 3 by 2 [[1], [], [0, 1]]");
        assert!(pattern.contains(2, 0) && !pattern.contains(0, 0) && !pattern.contains(3, 0));
    }

    #[test]
    fn bands_end_at_the_edges() {
        assert_eq!(Pattern::banded(2, 5, 9, usize::MAX), Pattern::dense(2, 5));
        assert_eq!(Pattern::banded(4, 2, 1, 0), Pattern::from_rows(2, [0..1, 0..2, 1..2, 2..2]));
        assert_eq!(Pattern::banded(0, 0, 1, 1).len(), 0);
    }

    #[test]
    fn symmetry_asks_for_each_opposite() {
        let arrow = Pattern::new(4, 4, (0..4).flat_map(|i| [(i, i), (0, i), (i, 0)]));
        assert!(arrow.is_symmetric());
        assert_eq!(arrow.mirrored().unwrap(), [0, 4, 6, 8, 1, 5, 2, 7, 3, 9]);
        assert!(!Pattern::dense(2, 3).is_symmetric());
        let lower = Pattern::new(3, 3, [(0, 0), (1, 0), (2, 1), (1, 2)]);
        assert_eq!(lower.mirrored(), Err((1, 0)));
        assert_eq!(Pattern::new(3, 3, [(0, 1), (2, 0)]).mirrored(), Err((0, 1)));
    }

    #[test]
    fn a_pattern_transposed_twice_is_itself() {
        let pattern = Pattern::new(3, 4, [(2, 3), (0, 1), (2, 0), (1, 1)]);
        assert_eq!(pattern.transposed(), Pattern::new(4, 3, [(3, 2), (1, 0), (0, 2), (1, 1)]));
        assert_eq!(pattern.transposed().transposed(), pattern);
    }

    #[test]
    fn detection_finds_entries_that_are_zero_at_the_point() {
        let jvp = |x_dot: &[f32]| [0.0 * x_dot[0], x_dot[1] + x_dot[0] * 2.0];
        let pattern = Pattern::detect(2, jvp);
        assert_eq!(pattern, Pattern::new(2, 2, [(0, 0), (1, 0), (1, 1)]));
        assert_eq!(Pattern::detect(0, |_: &[f64]| [1.0; 2]), Pattern::new(2, 0, []));
    }

    #[test]
    #[should_panic(expected = "column 2 in a pattern of 2 columns")]
    fn entries_are_in_the_matrix() {
        let _ = Pattern::new(2, 2, [(0, 2)]);
    }

    #[test]
    #[should_panic(expected = "row 2 in a pattern of 2 rows")]
    fn rows_are_in_the_matrix() {
        let _ = Pattern::new(2, 2, [(2, 0)]);
    }

    #[test]
    #[should_panic(expected = "the union of a pattern of 2 by 2 with one of 2 by 3")]
    fn a_union_is_of_equals_in_size() {
        let _ = Pattern::dense(2, 2).union(&Pattern::dense(2, 3));
    }
}
