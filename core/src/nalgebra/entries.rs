//! The entries of a matrix as rules read and change them, column by column.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, RealField};

use crate::Float;

/// A matrix that owns its entries.
pub trait Entries<T: Float>: Clone {
    /// All entries.
    fn entries(&self) -> &[T];

    /// All entries, to be changed.
    fn entries_mut(&mut self) -> &mut [T];

    /// The numbers of rows and columns.
    fn sizes(&self) -> (usize, usize);

    /// Adds `s` times another matrix.
    #[inline]
    fn add_scaled(&mut self, s: T, x: &Self) {
        let entries = self.entries_mut().iter_mut().zip(x.entries());
        entries.for_each(|(entry, &x)| *entry += s * x);
    }

    /// Adds a float to each entry.
    #[inline]
    fn add_to_each(&mut self, s: T) {
        self.entries_mut().iter_mut().for_each(|entry| *entry += s);
    }

    /// Adds a function of two matrices' entries.
    #[inline]
    fn add_with(&mut self, x: &Self, y: &Self, term: impl Fn(T, T) -> T) {
        let operands = x.entries().iter().zip(y.entries());
        let entries = self.entries_mut().iter_mut().zip(operands);
        entries.for_each(|(entry, (&x, &y))| *entry += term(x, y));
    }
}

impl<T, R, C> Entries<T> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[inline]
    fn entries(&self) -> &[T] {
        self.as_slice()
    }

    #[inline]
    fn entries_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }

    #[inline]
    fn sizes(&self) -> (usize, usize) {
        self.shape()
    }
}
