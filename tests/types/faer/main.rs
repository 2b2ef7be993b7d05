//! The corpus of matrices and vectors of faer: operators, entries, methods, constructors, factors, and what users write with
//! them.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../../tests/corpus/rows.rs"]
mod rows;

mod constructors;
mod eigen;
mod entries;
mod factors;
mod memory;
mod methods;
mod operators;
mod orthogonal;
mod programs;
mod second;
#[path = "../words.rs"]
mod words;

use faer::prelude::*;

macro_rules! leaves {
    ($($type:ident)*) => {$(
        impl<T: rows::Leaves> rows::Leaves for $type<T> {
            const EPSILON: f64 = T::EPSILON;

            fn collect(&self, leaves: &mut Vec<f64>) {
                let columns = (0..self.ncols()).map(|j| (0..self.nrows()).map(move |i| (i, j)));
                columns.flatten().for_each(|(i, j)| self.as_mat()[(i, j)].collect(leaves));
            }
        }
    )*};
}

leaves!(Col Row);

impl<T: rows::Leaves> rows::Leaves for Mat<T> {
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        for j in 0..self.ncols() {
            self.col_as_slice(j).iter().for_each(|entry| entry.collect(leaves));
        }
    }
}

fn a() -> Mat<f64> {
    mat![[0.3, 0.2, 0.5], [0.1, -0.4, 0.7]]
}

fn b() -> Mat<f64> {
    mat![[1.1, -0.3], [0.4, 0.8], [0.6, -0.2]]
}

fn square() -> Mat<f64> {
    mat![[0.3, 0.2, 0.5], [0.1, -0.4, 0.7], [0.9, 0.15, 0.6]]
}

/// Positive definite.
fn definite() -> Mat<f64> {
    let square = square();
    square.transpose() * &square + Mat::<f64>::identity(3, 3)
}

fn x() -> Col<f64> {
    col![0.3, 0.5]
}

fn y() -> Col<f64> {
    col![-0.7, 0.2]
}

fn z() -> Col<f64> {
    col![0.4, 0.9, -1.3]
}
