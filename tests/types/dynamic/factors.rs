//! Factorisations and what is solved by them, of sizes that are known at run time and of others.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

fn a() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[0.3, 0.2, 0.5, 0.1, -0.4, 0.7, 0.9, 0.15, 0.6])
}

/// Positive definite.
fn s() -> DMatrix<f64> {
    let a = a();
    a.tr_mul(&a) + DMatrix::identity(3, 3)
}

fn x() -> DVector<f64> {
    DVector::from_vec(vec![0.3, 0.5, -0.2])
}

const A: Matrix3<f64> = Matrix3::new(0.3, 0.2, 0.5, 0.1, -0.4, 0.7, 0.9, 0.15, 0.6);
const S: Matrix3<f64> = Matrix3::new(2.0, 0.2, 0.5, 0.2, 1.4, 0.7, 0.5, 0.7, 1.6);
const X: Vector3<f64> = Vector3::new(0.3, 0.5, -0.2);

first_order! {
    fn solved(a: DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> { a.lu().solve(x).unwrap() }
    at (a(), &x());

    fn solved_twice(a: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
        let lu = a.clone().lu();
        let y = lu.solve(x).unwrap();
        lu.solve(&y).unwrap() + y
    }
    at (&a(), &x());

    fn several_right_hand_sides(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> { a.clone().lu().solve(b).unwrap() }
    at (&a(), &s());

    fn solved_of_known_size(a: Matrix3<f64>, x: &Vector3<f64>) -> f64 { a.lu().solve(x).unwrap().norm() }
    at (A, &X);

    fn solved_where_regular(a: Matrix3<f64>, x: Vector3<f64>) -> f64 {
        match a.lu().solve(&x) {
            Some(y) => y.dot(&x),
            None => x.norm(),
        }
    }
    at (A, X);

    fn by_cholesky(s: DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> { s.cholesky().unwrap().solve(x) }
    at (s(), &x());

    fn by_cholesky_of_known_size(s: Matrix3<f64>, x: &Vector3<f64>) -> Vector3<f64> { s.cholesky().unwrap().solve(x) }
    at (S, &X);

    fn factor(s: &DMatrix<f64>) -> DMatrix<f64> { s.clone().cholesky().unwrap().l() }
    at (&s());

    fn inverse(s: &DMatrix<f64>) -> DMatrix<f64> { s.clone().cholesky().unwrap().inverse() }
    at (&s());

    fn determinants(s: Matrix3<f64>) -> f64 {
        let factor = s.cholesky().unwrap();
        factor.determinant() * factor.ln_determinant()
    }
    at (S);

    fn log_density(s: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        match s.clone().cholesky() {
            Some(factor) => -0.5 * x.dot(&factor.solve(x)) - 0.5 * factor.ln_determinant(),
            None => 0.0,
        }
    }
    at (&s(), &x());
}

#[differentiate]
fn definite(s: DMatrix<f64>, x: &DVector<f64>) -> f64 {
    match s.cholesky() {
        Some(factor) => factor.solve(x).norm(),
        None => x.norm_squared(),
    }
}

/// A matrix without factors has a cotangent of its sizes.
#[test]
fn the_branch_without_factors() {
    let (s_bar, x_bar) = definite::gradient(-s(), &x());
    assert_eq!((s_bar, x_bar), (DMatrix::zeros(3, 3), x() * 2.0));
    cotangent::check!(definite(-s(), &x())).unwrap();
}
