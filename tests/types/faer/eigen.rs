//! Eigenvalues and eigenvectors of symmetric matrices, and diagonal matrices.

use cotangent::differentiate;
use cotangent::faer::*;
use faer::Side;
use faer::diag::Diag;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::prelude::*;

use crate::{a, square, x, z};

/// Positive definite, with eigenvalues far from each other.
fn apart() -> Mat<f64> {
    mat![[3.0, 0.2, 0.1], [0.2, 1.5, -0.3], [0.1, -0.3, 0.4]]
}

corpus! {
    fn values(s: &Mat<f64>) -> Vec<f64> { s.self_adjoint_eigenvalues(Side::Lower).unwrap() }
    at (&apart());

    fn values_of_the_upper_triangle(s: &Mat<f64>) -> f64 {
        let values = s.self_adjoint_eigenvalues(Side::Upper).unwrap();
        values[0] * values[2].ln()
    }
    at (&apart());

    fn by_factors(s: &Mat<f64>) -> f64 {
        let eigen = s.self_adjoint_eigen(Side::Lower).unwrap();
        let values = eigen.S();
        values[0] * values[1].sin() + values[2]
    }
    at (&apart());

    fn vectors(s: &Mat<f64>) -> Mat<f64> { s.self_adjoint_eigen(Side::Lower).unwrap().U().to_owned() }
    at (&apart());

    fn vectors_of_the_upper_triangle(s: &Mat<f64>, z: &Col<f64>) -> Col<f64> { s.self_adjoint_eigen(Side::Upper).unwrap().U() * z }
    at (&apart(), &z());

    fn put_together(s: &Mat<f64>) -> f64 {
        let eigen = s.self_adjoint_eigen(Side::Lower).unwrap();
        let product = eigen.U() * eigen.S() * eigen.U().transpose();
        product.squared_norm_l2()
    }
    at (&apart()) => Mat::from_fn(3, 3, |i, j| if i > j { 4.0 * s[(i, j)] } else if i == j { 2.0 * s[(i, i)] } else { 0.0 });

    fn exponential(s: &Mat<f64>) -> Mat<f64> {
        let eigen = s.self_adjoint_eigen(Side::Lower).unwrap();
        let mut values = eigen.S().column_vector().to_owned();
        for i in 0..values.nrows() {
            values[i] = values[i].exp();
        }
        eigen.U() * values.as_diagonal() * eigen.U().transpose()
    }
    at (&apart());

    fn sum_of_values(s: &Mat<f64>) -> f64 { s.self_adjoint_eigenvalues(Side::Lower).unwrap().iter().sum() }
    at (&apart()) => Mat::<f64>::identity(3, 3);

    fn of_given_factors(eigen: &SelfAdjointEigen<f64>, z: &Col<f64>) -> f64 { (eigen.U() * z)[0] * eigen.S()[1] }
    at (&apart().self_adjoint_eigen(Side::Lower).unwrap(), &z());

    fn trace(a: &Mat<f64>) -> f64 { a.diagonal().column_vector().to_owned().sum() }
    at (&square()) => Mat::<f64>::identity(3, 3);

    fn diagonals(a: &Mat<f64>, z: &Col<f64>) -> Mat<f64> { a.diagonal() * (z.as_diagonal() * a) + a * z.as_diagonal() }
    at (&square(), &z());

    fn of_a_diagonal(d: &Diag<f64>, z: &Col<f64>) -> f64 { (d * z).sum() * d[1] + (d + d.column_vector().as_diagonal())[0] }
    at (&z().into_diagonal(), &z());

    fn diagonal_times_vector(z: Col<f64>, a: &Mat<f64>) -> Col<f64> { a.diagonal() * &z + z.clone().into_diagonal() * (a * a.col(0)) }
    at (z(), &square());
}

#[differentiate]
#[differentiate]
fn where_found(s: &Mat<f64>) -> f64 {
    match s.self_adjoint_eigen(Side::Lower) {
        Ok(eigen) => eigen.S()[0],
        Err(_) => 0.0,
    }
}

checks! {
    where_found at (&apart());
}

/// Equal eigenvalues: their sum has a derivative all the same, and a Hessian of zeros.
#[test]
fn equal_eigenvalues() {
    let identity = Mat::<f64>::identity(3, 3);
    assert!((sum_of_values::sum_of_values::gradient(&identity) - &identity).norm_max() < 1e-15);
    let hessian = sum_of_values::sum_of_values::hessian(&identity);
    assert!((0..9).all(|row| hessian.row(row).iter().all(|entry| entry.abs() < 1e-14)));
}
