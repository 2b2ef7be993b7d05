//! Operators, by value and by reference, and what assigns by them.

use cotangent::differentiate;
use nalgebra::{Matrix2x3, Matrix3, Matrix3x2, Matrix4, SMatrix, SVector, Vector3, Vector4};

use crate::data::{A, B, X, Y, matrix};

corpus! {
    fn product_of_values(a: Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> { a * x }
    at (A, X);

    fn product_of_parameters(a: &Matrix3<f64>, x: &Vector3<f64>) -> Vector3<f64> { a * x }
    at (&A, &X);

    fn product_of_references(a: Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> { &a * &x }
    at (A, X);

    fn product_of_both(a: &Matrix3<f64>, b: Matrix3<f64>) -> Matrix3<f64> { a * b * a }
    at (&A, B);

    fn products_do_not_commute(a: &Matrix3<f64>, b: &Matrix3<f64>) -> Matrix3<f64> {
        let c = a * b;
        let d = b * a;
        c - d * c + a * b
    }
    at (&A, &B);

    fn product_of_other_sizes(a: Matrix2x3<f64>, b: Matrix3x2<f64>) -> Matrix3<f64> { b * (a * b) * a }
    at (matrix(), matrix());

    fn product_of_four_rows(a: &Matrix4<f64>, x: Vector4<f64>) -> Vector4<f64> { a * (a * x) }
    at (&matrix(), matrix());

    fn float_on_the_right(x: Vector3<f64>, s: f64) -> Vector3<f64> { x * s }
    at (X, 0.4) , (X, 0.0);

    fn float_on_the_left(x: &Vector3<f64>, s: f64) -> Vector3<f64> { s * x }
    at (&X, 0.4);

    fn quotient(x: Vector3<f64>, s: f64) -> Vector3<f64> { x / s }
    at (X, 0.4);

    fn literals(x: &Vector3<f64>) -> Vector3<f64> { 2.0 * x * 0.5 + x / 3.0 }
    at (&X);

    fn computed_floats(x: &Vector3<f64>, s: f64) -> Vector3<f64> { x * s.sin() + x * (s * x[0]) / (1.0 + s * s) }
    at (&X, 0.4);

    fn sums(x: &Vector3<f64>, y: Vector3<f64>) -> Vector3<f64> { x + y - x * 2.0 + (-y) }
    at (&X, Y);

    fn negative(x: &Vector3<f64>) -> Vector3<f64> { -x - -(x * 3.0) }
    at (&X);

    fn assigning_sums(x: Vector3<f64>, y: &Vector3<f64>) -> Vector3<f64> {
        let mut z = x;
        z += y;
        z -= x * y[0];
        z
    }
    at (X, &Y);

    fn assigning_products(x: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut z = x;
        z *= s;
        z /= s + 3.0;
        z
    }
    at (X, 0.7);

    fn assigning_matrices(a: Matrix3<f64>, b: &Matrix3<f64>) -> Matrix3<f64> {
        let mut c = a;
        c *= b;
        c -= a;
        c
    }
    at (A, &B);

    fn outer_by_columns(x: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut y = x;
        for _ in 0..4 {
            y = y * s + x;
        }
        y
    }
    at (X, 0.7);

    fn powers(a: &Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> {
        let mut y = x;
        for _ in 0..4 {
            y = a * y + x * y[1];
        }
        y
    }
    at (&A, X);

    fn branches(a: &Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> {
        if x[0] > 0.0 { a * x } else { x * x[1] }
    }
    at (&A, X), (&A, -X);

    fn single_precision(a: Matrix3<f32>, x: Vector3<f32>, s: f32) -> Vector3<f32> { a * x * s - x / s }
    at (A.cast(), X.cast(), 0.7);

    fn written_to(x: &mut Vector3<f64>, a: &Matrix3<f64>) { *x = a * *x; }
    at (&mut X.clone(), &A);

    fn of_elements(points: &[Vector3<f64>], a: &Matrix3<f64>) -> Vec<Vector3<f64>> {
        points.iter().map(|x| a * x).collect()
    }
    at (&[X, Y], &A);

    fn until_it_is_long(x: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut y = x;
        loop {
            if y[0] * y[0] + y[1] * y[1] > 2.0 {
                break;
            }
            y *= 1.5 + s;
        }
        y * s
    }
    at (X, 0.2);

    fn exchanged(x: Vector3<f64>, y: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut pair = [x, y];
        pair.swap(0, 1);
        pair[0] *= s;
        let first = pair[0];
        pair[1] += first * x[1];
        pair[1] - pair[0]
    }
    at (X, Y, 0.4);

    fn in_an_option(x: Vector3<f64>, y: Vector3<f64>, s: f64) -> Vector3<f64> {
        let longer = if s > 0.0 { Some(x * s) } else { None };
        if let Some(longer) = longer { longer + y } else { y }
    }
    at (X, Y, 0.4), (X, Y, -0.4);

    fn in_a_closure(a: &Matrix3<f64>, x: Vector3<f64>, s: f64) -> Vector3<f64> {
        let apply = |x: Vector3<f64>| a * x * s;
        apply(apply(x))
    }
    at (&A, X, 0.4);

    fn sum_of_elements(points: &[Vector3<f64>]) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        for x in points {
            sum += x * x[0];
        }
        sum
    }
    at (&[X, Y]);
}

#[differentiate]
#[differentiate]
fn any_size<const N: usize>(a: SMatrix<f64, N, N>, x: &SVector<f64, N>, s: f64) -> SVector<f64, N> {
    a * x * s + x
}

checks! {
    any_size at (matrix::<5, 5>(), &matrix::<5, 1>(), 0.3), (matrix::<2, 2>(), &matrix::<2, 1>(), 0.3);
}
