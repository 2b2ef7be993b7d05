//! The corpus of complex numbers of num-complex: operators, parts, functions, and what users write with them.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../../tests/corpus/rows.rs"]
mod rows;

mod collections;
mod functions;
mod operators;
mod parts;
mod programs;

use num_complex::Complex;

impl<T: rows::Leaves> rows::Leaves for Complex<T> {
    const EPSILON: f64 = T::EPSILON;

    fn collect(&self, leaves: &mut Vec<f64>) {
        self.re.collect(leaves);
        self.im.collect(leaves);
    }
}

/// Of no quadrant in common, and none on an axis.
const Z: Complex<f64> = Complex::new(0.3, 0.5);
const W: Complex<f64> = Complex::new(-0.8, 1.1);
const V: Complex<f64> = Complex::new(-0.6, -0.4);
const U: Complex<f64> = Complex::new(1.2, -0.7);
