//! The corpus of arrays of ndarray: operators, entries, functions of entries, methods, and what users write with them.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../../tests/corpus/rows.rs"]
mod rows;

mod constructors;
mod entries;
mod memory;
mod methods;
mod operators;
mod programs;
mod rules;
mod second;
mod views;
#[path = "../words.rs"]
mod words;

use ndarray::{Array, Array1, Array2, Dimension, array};

impl<T: rows::Leaves, D: Dimension> rows::Leaves for Array<T, D> {
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        self.iter().for_each(|entry| entry.collect(leaves));
    }
}

fn a() -> Array2<f64> {
    array![[0.3, 0.2, 0.5], [0.1, -0.4, 0.7]]
}

fn b() -> Array2<f64> {
    array![[1.1, -0.3, 0.4], [0.8, 0.6, -0.2]]
}

fn x() -> Array1<f64> {
    array![0.3, 0.5]
}

fn y() -> Array1<f64> {
    array![-0.7, 0.2]
}

fn z() -> Array1<f64> {
    array![0.4, 0.9, 1.3]
}
