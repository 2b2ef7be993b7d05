//! Second derivatives in closed form, and derivatives in bodies.

use cotangent::differentiate;
use cotangent::ndarray::*;
use ndarray::{Array1, Array2};

use crate::{a, x, z};

#[differentiate]
#[differentiate]
fn energy(a: &Array2<f64>, z: &Array1<f64>) -> f64 {
    let stretched = a.dot(z);
    0.5 * stretched.dot(&stretched)
}

/// By the vector alone the Hessian is `aᵀ a`, and by row `i` of the matrix and itself `z zᵀ`.
#[test]
fn the_hessian_of_an_energy() {
    let (a, z) = (a(), z());
    let (hessian, square) = (energy::hessian(&a, &z), a.t().dot(&a));
    for row in 0..3 {
        for column in 0..3 {
            assert!((hessian[(6 + row, 6 + column)] - square[[row, column]]).abs() < 1e-14);
            assert!((hessian[(row, column)] - z[row] * z[column]).abs() < 1e-14);
            assert_eq!(hessian[(row, 3 + column)], 0.0);
        }
    }
}

/// Gradients in the body of another function.
#[differentiate]
fn steepness(a: &Array2<f64>, z: &Array1<f64>) -> f64 {
    let (by_a, by_z) = energy::gradient(a, z);
    by_z.dot(&by_z) + by_a.sum()
}

checks! {
    steepness at (&a(), &z());
}
