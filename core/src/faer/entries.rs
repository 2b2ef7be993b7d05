//! The entries of matrices and vectors as rules read and change them, piece by piece: a column of a matrix, a vector, and
//! a row are each in one piece.

use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Row};

use crate::{Differentiable, Float, Tangent};

/// What owns its entries.
pub trait Entries<F: Float>: Clone + Tangent + Differentiable<Tangent = Self> {
    /// Zeros, in the same sizes.
    fn zeros_like(&self) -> Self;

    /// All entries, column by column.
    fn pieces<'a>(&'a self) -> impl Iterator<Item = &'a [F]>
    where
        F: 'a;

    /// All entries, to be changed.
    fn pieces_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut [F]>
    where
        F: 'a;

    /// The sum of products of entries.
    fn inner(&self, other: &Self) -> F;

    /// Changes each entry by that of another one of the same sizes.
    #[inline]
    fn update(&mut self, other: &Self, change: impl Fn(&mut F, F)) {
        for (entries, others) in self.pieces_mut().zip(other.pieces()) {
            entries.iter_mut().zip(others).for_each(|(entry, &other)| change(entry, other));
        }
    }

    /// Adds `s` times another one.
    #[inline]
    fn add_scaled(&mut self, s: F, other: &Self) {
        self.update(other, |entry, other| *entry += s * other);
    }
}

impl<F: Float + RealField> Entries<F> for Mat<F> {
    fn zeros_like(&self) -> Self {
        Mat::zeros(self.nrows(), self.ncols())
    }

    fn pieces<'a>(&'a self) -> impl Iterator<Item = &'a [F]>
    where
        F: 'a,
    {
        (0..self.ncols()).map(|column| self.col_as_slice(column))
    }

    fn pieces_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut [F]>
    where
        F: 'a,
    {
        let columns = self.col_iter_mut().map(|column| column.try_as_col_major_mut());
        columns.map(|column| column.expect("a column of a `Mat` is in one piece").as_slice_mut())
    }

    fn inner(&self, other: &Self) -> F {
        let columns = self.col_iter().zip(other.col_iter());
        columns.fold(F::literal(0.0), |sum, (a, b)| sum + a.transpose() * b)
    }
}

impl<F: Float + RealField> Entries<F> for Col<F> {
    fn zeros_like(&self) -> Self {
        Col::zeros(self.nrows())
    }

    fn pieces<'a>(&'a self) -> impl Iterator<Item = &'a [F]>
    where
        F: 'a,
    {
        self.try_as_col_major().map(|column| column.as_slice()).into_iter()
    }

    fn pieces_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut [F]>
    where
        F: 'a,
    {
        self.try_as_col_major_mut().map(|column| column.as_slice_mut()).into_iter()
    }

    fn inner(&self, other: &Self) -> F {
        self.transpose() * other
    }
}

impl<F: Float + RealField> Entries<F> for Row<F> {
    fn zeros_like(&self) -> Self {
        Row::zeros(self.ncols())
    }

    fn pieces<'a>(&'a self) -> impl Iterator<Item = &'a [F]>
    where
        F: 'a,
    {
        self.try_as_row_major().map(|row| row.as_slice()).into_iter()
    }

    fn pieces_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut [F]>
    where
        F: 'a,
    {
        self.try_as_row_major_mut().map(|row| row.as_slice_mut()).into_iter()
    }

    fn inner(&self, other: &Self) -> F {
        self * other.transpose()
    }
}
