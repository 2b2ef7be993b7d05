//! The corpus of matrices and vectors of nalgebra: operators, entries, methods, constructors, and what users write with
//! them.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../../tests/corpus/rows.rs"]
mod rows;

mod constructors;
mod data;
mod entries;
mod functions;
mod isometries;
mod methods;
mod operators;
mod plane;
mod points;
mod poses;
mod rotations;
mod square;

use nalgebra::{ArrayStorage, Const, Matrix, Point, Quaternion};

impl<T: rows::Leaves, const R: usize, const C: usize> rows::Leaves
    for Matrix<T, Const<R>, Const<C>, ArrayStorage<T, R, C>>
{
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        self.data.as_slice().iter().for_each(|entry| entry.collect(leaves));
    }
}

impl<T: rows::Leaves + nalgebra::Scalar, const D: usize> rows::Leaves for Point<T, D> {
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        self.coords.collect(leaves);
    }
}

impl<T: rows::Leaves + nalgebra::Scalar> rows::Leaves for Quaternion<T> {
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        self.coords.collect(leaves);
    }
}
