//! Methods that take functions: `map`, `zip_map` and `fold`, with what the functions capture.

use cotangent::nalgebra::*;
use cotangent::{Float, differentiate};
use nalgebra::{DMatrix, DVector, Matrix2x3, Matrix3, SVector, Vector3};

use crate::data::{A, B, X, Y, matrix};

#[differentiate]
fn swish(x: f64) -> f64 {
    x / (1.0 + (-x).exp())
}

first_order! {
    fn mapped(x: &Vector3<f64>) -> Vector3<f64> { Vector3::map(x, |x| x.sin() * x) }
    at (&X);

    fn mapped_value(x: Vector3<f64>) -> f64 { Vector3::map(&x, |x| x * x).sum() }
    at (X) => x * 2.0;

    fn with_a_capture(a: &Matrix3<f64>, s: f64) -> Matrix3<f64> { Matrix3::map(a, |entry| (s * entry).tanh() + s) }
    at (&A, 0.7);

    fn with_captured_matrices(x: &Vector3<f64>, a: Matrix3<f64>) -> Vector3<f64> {
        Vector3::map(x, |entry| entry * a[(0, 1)] + (a * x)[1])
    }
    at (&X, A);

    fn by_name(x: &Vector3<f64>) -> Vector3<f64> { Vector3::map(x, super::swish) + Vector3::map(x, f64::exp) }
    at (&X);

    fn layers(a: &Matrix3<f64>, x: Vector3<f64>) -> f64 {
        let hidden = Vector3::map(&(a * x), |y| y.max(0.0));
        Vector3::map(&(a.transpose() * hidden), f64::tanh).norm()
    }
    at (&A, X);

    fn zipped(x: &Vector3<f64>, y: &Vector3<f64>, s: f64) -> Vector3<f64> { x.zip_map(y, |a, b| (a * s - b).exp() * b) }
    at (&X, &Y, 0.6);

    fn zipped_values(a: Matrix3<f64>, b: Matrix3<f64>) -> f64 { (a * b).zip_map(&(a + b), |a, b| a.hypot(b)).norm() }
    at (A, B);

    fn folded(x: &Vector3<f64>, s: f64) -> f64 { x.fold(s, |sum, entry| sum * 0.5 + entry.sin() * s) }
    at (&X, 0.8);

    fn folded_into_pairs(a: &Matrix2x3<f64>) -> f64 {
        let (sum, squares) = a.fold((0.0, 1.0), |(sum, squares): (f64, f64), x: f64| (sum + x, squares + x * x));
        squares / sum
    }
    at (&matrix());

    fn of_known_size_at_run_time(a: &DMatrix<f64>, x: &DVector<f64>, s: f64) -> f64 {
        let y = DVector::map(&(a * x), |y| y.sin() * s);
        y.zip_map(x, |y, x| y * x).fold(1.0, |product, z| product * (z + s))
    }
    at (&DMatrix::from_row_slice(2, 2, &[0.3, 0.2, 0.5, 0.1]), &DVector::from_vec(vec![0.3, 0.5]), 0.6);

    fn single_precision(x: &Vector3<f32>) -> f32 { Vector3::map(x, |x| x.exp()).sum() }
    at (&X.cast());
}

#[differentiate]
fn generic<T: Float + nalgebra::RealField, const N: usize>(x: &SVector<T, N>, s: T) -> T {
    SVector::map(x, |x| x * x * s).sum()
}

checks! {
    generic at (&matrix::<5, 1>(), 0.3);
}

#[test]
#[should_panic(expected = "Matrix simultaneous traversal error: dimension mismatch.")]
fn matrices_of_different_sizes() {
    #[differentiate]
    fn sum(x: &DVector<f64>, y: &DVector<f64>) -> f64 {
        x.zip_map(y, |x, y| x * y).sum()
    }
    sum::gradient(&DVector::zeros(2), &DVector::zeros(3));
}
