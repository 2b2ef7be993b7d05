//! The corpus of matrices and vectors of nalgebra whose sizes are known at run time.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../../tests/corpus/rows.rs"]
mod rows;

mod factors;
mod methods;
mod operators;

use nalgebra::{Dim, Dyn, Matrix, VecStorage};

impl<T: rows::Leaves, C: Dim> rows::Leaves for Matrix<T, Dyn, C, VecStorage<T, Dyn, C>> {
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        self.data.as_slice().iter().for_each(|entry| entry.collect(leaves));
    }
}
