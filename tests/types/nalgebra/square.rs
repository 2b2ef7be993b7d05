//! Traces, determinants, inverses and diagonals.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{Matrix1, Matrix2, Matrix3, Matrix4, SMatrix, Vector3};

use crate::data::{A, B, X, Y, matrix};

/// A name that a trait of the rules bears, too.
pub(crate) struct Square;

/// Two rows are the same.
const SINGULAR: Matrix4<f64> =
    Matrix4::new(1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 0.5, 0.3, 0.2, 0.1, 0.9, 0.8, 0.3, 0.2);

corpus! {
    fn trace(a: Matrix3<f64>, b: &Matrix3<f64>) -> f64 { (a * b).trace() }
    at (A, &B) => (b.transpose(), a.transpose());

    fn determinant_of_one(a: Matrix1<f64>) -> f64 { a.determinant() * a.determinant() }
    at (Matrix1::new(0.7)) => Matrix1::new(2.0 * a.x);

    fn determinant_of_two(a: Matrix2<f64>) -> f64 { a.determinant() }
    at (matrix()), (Matrix2::new(1.0, 2.0, 2.0, 4.0)) => Matrix2::new(a.m22, -a.m21, -a.m12, a.m11);

    fn determinant(a: &Matrix3<f64>) -> f64 { a.determinant() }
    at (&A) => a.try_inverse().unwrap().transpose() * a.determinant();

    fn determinant_of_a_singular_matrix(a: &Matrix3<f64>) -> f64 { a.determinant() }
    at (&Matrix3::zeros()), (&(X * Y.transpose()));

    fn determinant_of_four(a: Matrix4<f64>) -> f64 { a.determinant() }
    at (matrix()), (SINGULAR);

    fn determinant_of_five(a: SMatrix<f64, 5, 5>) -> f64 { a.determinant() }
    at (matrix());

    fn determinant_of_six(a: &SMatrix<f64, 6, 6>) -> f64 { a.determinant() }
    at (&matrix());

    fn inverse(a: Matrix3<f64>) -> Matrix3<f64> { a.try_inverse().unwrap() }
    at (A);

    fn inverse_of_six(a: &SMatrix<f64, 6, 6>) -> f64 { a.try_inverse().expect("a regular matrix").norm() }
    at (&matrix());

    fn inverse_where_there_is_one(a: Matrix3<f64>) -> f64 {
        if let Some(inverse) = a.try_inverse() { inverse.norm() } else { a.norm() }
    }
    at (A);

    fn solution(a: &Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> { a.try_inverse().unwrap() * x }
    at (&A, X);

    fn diagonals(a: &Matrix3<f64>, x: Vector3<f64>) -> Matrix3<f64> {
        Matrix3::from_diagonal(&a.diagonal()) * a + Matrix3::from_diagonal(&x)
    }
    at (&A, X);
}

/// Beside a singular matrix the function jumps, so that there are no differences to compare with.
#[test]
fn a_matrix_without_an_inverse_takes_the_other_branch() {
    let singular = Matrix3::repeat(0.5);
    let (value, gradient) =
        inverse_where_there_is_one::inverse_where_there_is_one::value_and_gradient(singular);
    assert_eq!((value, gradient), (singular.norm(), singular / singular.norm()));
}

/// Of a regular matrix the second derivative of the determinant along `v` and `w` is `d (tr(z v) tr(z w) - tr(z v z w))` with
/// the inverse `z`.
#[test]
fn the_second_derivative_of_a_determinant() {
    let (v, w, z) = (B, B * B - A, A.try_inverse().unwrap());
    let along = determinant::determinant::hvp(&A, &v);
    let expected = A.determinant() * ((z * v).trace() * (z * w).trace() - (z * v * z * w).trace());
    assert!((along.dot(&w) - expected).abs() < 1e-13, "{} {expected}", along.dot(&w));
}
