//! Second derivatives in closed form, and derivatives in bodies.

use cotangent::differentiate;
use cotangent::faer::*;
use faer::Side;
use faer::linalg::solvers::DenseSolveCore;
use faer::prelude::*;

use crate::{definite, square, x, z};

#[differentiate]
#[differentiate]
fn norm(z: &Col<f64>) -> f64 {
    z.norm_l2()
}

/// The Hessian of the norm, `(1 - u uᵀ) / |x|` with the direction `u`.
#[test]
fn the_hessian_of_a_norm() {
    let (hessian, z) = (norm::hessian(&z()), z());
    let u = &z / z.norm_l2();
    for row in 0..3 {
        for column in 0..3 {
            let identity = if row == column { 1.0 } else { 0.0 };
            let expected = (identity - u[row] * u[column]) / z.norm_l2();
            assert!((hessian[(row, column)] - expected).abs() < 1e-14);
        }
    }
}

/// At its corner the norm has neither a slope nor a curvature.
#[test]
fn a_norm_of_zero_has_a_zero_hessian() {
    let hessian = norm::hessian(&Col::zeros(3));
    assert!((0..3).all(|row| hessian.row(row).iter().all(|entry| *entry == 0.0)));
}

#[differentiate]
#[differentiate]
fn energy(s: &Mat<f64>, z: &Col<f64>) -> f64 {
    z.transpose() * s.llt(Side::Lower).unwrap().solve(z)
}

/// By the vector alone the Hessian is twice the inverse.
#[test]
fn the_hessian_of_an_energy() {
    let (s, z) = (definite(), z());
    let inverse = s.llt(Side::Lower).unwrap().inverse();
    let hessian = energy::hessian(&s, &z);
    for row in 0..3 {
        for column in 0..3 {
            let expected = 2.0 * inverse[(row, column)];
            assert!((hessian[(9 + row, 9 + column)] - expected).abs() < 1e-13);
        }
    }
}

/// Gradients in the body of another function.
#[differentiate]
fn steepness(s: &Mat<f64>, z: &Col<f64>) -> f64 {
    let (by_s, by_z) = energy::gradient(s, z);
    by_z.squared_norm_l2() + by_s.sum()
}

#[differentiate]
#[differentiate]
fn volume(a: &Mat<f64>) -> f64 {
    a.determinant()
}

#[differentiate]
fn cofactors(a: &Mat<f64>) -> f64 {
    volume::gradient(a).squared_norm_l2()
}

checks! {
    steepness at (&definite(), &z());
    cofactors at (&square()), (&mat![[1.0, 2.0], [2.0, 4.0]]), (&mat![[0.7]]);
}
