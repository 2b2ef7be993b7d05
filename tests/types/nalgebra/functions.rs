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
    fn mapped(x: &Vector3<f64>) -> Vector3<f64> { x.map(|x| x.sin() * x) }
    at (&X);

    fn mapped_value(x: Vector3<f64>) -> f64 { x.map(|x| x * x).sum() }
    at (X) => x * 2.0;

    fn with_a_capture(a: &Matrix3<f64>, s: f64) -> Matrix3<f64> { a.map(|entry| (s * entry).tanh() + s) }
    at (&A, 0.7);

    fn with_captured_matrices(x: &Vector3<f64>, a: Matrix3<f64>) -> Vector3<f64> {
        x.map(|entry| entry * a[(0, 1)] + (a * x)[1])
    }
    at (&X, A);

    fn by_name(x: &Vector3<f64>) -> Vector3<f64> { x.map(super::swish) + x.map(f64::exp) }
    at (&X);

    fn of_a_product(a: &Matrix3<f64>, x: &Vector3<f64>) -> f64 { (a * x).map(|y| y.max(0.0)).norm() }
    at (&A, &X);

    fn of_variables(a: &Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> {
        let hidden = a * x;
        let activated = hidden.map(|h| h.tanh());
        let twice = activated.clone().map(|h| 2.0 * h).component_mul(&x);
        let made = Vector3::new(x[0], x[1], 1.0).map(f64::cos);
        let typed: Vector3<f64> = a.transpose() * twice + made;
        typed.map(|t| t * t)
    }
    at (&A, X);

    fn of_columns(a: &Matrix3<f64>) -> Vector3<f64> { a.column(1).map(|x| x.exp()) }
    at (&A);

    fn of_elements(points: &[Vector3<f64>], s: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..points.len() {
            sum += points[i].map(|x| x.powf(s).abs()).sum();
        }
        sum
    }
    at (&[Y.abs(), X.abs()], 1.7);

    fn of_options(a: Matrix3<f64>, s: f64) -> f64 {
        let scale = Some(s).map(|s| s * s).unwrap_or(0.0);
        a.try_inverse().map(|inverse| inverse.norm()).unwrap_or(1.0) * scale
    }
    at (A, 0.4);

    fn of_solutions(a: Matrix3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
        let inverse = a.try_inverse().unwrap();
        let solution = a.lu().solve(x).expect("a regular matrix").map(|x| x * x);
        inverse.map(|entry| entry.sin()) * solution
    }
    at (A, &X);

    fn by_the_name_of_the_type(x: &Vector3<f64>) -> Vector3<f64> { Vector3::map(x, |x| x * x) }
    at (&X);

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
        let y = (a * x).map(|y| y.sin() * s);
        y.zip_map(x, |y, x| y * x).fold(1.0, |product, z| product * (z + s))
    }
    at (&DMatrix::from_row_slice(2, 2, &[0.3, 0.2, 0.5, 0.1]), &DVector::from_vec(vec![0.3, 0.5]), 0.6);

    fn single_precision(x: &Vector3<f32>) -> f32 { x.map(|x| x.exp()).sum() }
    at (&X.cast());
}

#[differentiate]
fn generic<T: Float + nalgebra::RealField, const N: usize>(x: &SVector<T, N>, s: T) -> T {
    x.map(|x| x * x * s).sum()
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
