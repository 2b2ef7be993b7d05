//! Methods of matrices of any sizes: norms, sums, products of entries, transposes, lines.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    Matrix2, Matrix2x4, Matrix3, Matrix3x2, Matrix3x4, RowVector3, SVector, Vector2, Vector3,
    Vector4,
};

use crate::data::{A, B, X, Y, matrix};

corpus! {
    fn dot(x: &Vector3<f64>, y: &Vector3<f64>) -> f64 { x.dot(y) }
    at (&X, &Y) => (*y, *x);

    fn dot_of_temporaries(x: Vector3<f64>, y: Vector3<f64>) -> f64 { (x + y).dot(&(x * 2.0)) }
    at (X, Y);

    fn norm(x: Vector3<f64>) -> f64 { x.norm() }
    at (X) => x / x.norm();

    fn norm_of_a_matrix(a: &Matrix3<f64>) -> f64 { a.norm() * a.norm_squared() }
    at (&A) => a * (3.0 * a.norm());

    fn distance(x: &Vector3<f64>, y: &Vector3<f64>) -> f64 { x.metric_distance(y) * (x - y).norm_squared() }
    at (&X, &Y);

    fn normalized(x: Vector3<f64>, a: &Matrix3<f64>) -> Vector3<f64> { a * x.normalize() }
    at (X, &A);

    fn sums(a: Matrix3<f64>) -> f64 { a.sum() * a.mean() }
    at (A) => Matrix3::repeat(2.0 / 9.0 * a.sum());

    fn products_of_entries(a: Matrix3<f64>, b: &Matrix3<f64>) -> Matrix3<f64> { a.component_mul(b) + a.component_div(b) }
    at (A, &B);

    fn scaled(a: Matrix3<f64>, s: f64) -> Matrix3<f64> { a.scale(s) + a.unscale(s + 2.0) + a.add_scalar(s * s) }
    at (A, 0.3);

    fn transpose(a: Matrix3<f64>, x: &Vector3<f64>) -> RowVector3<f64> { x.transpose() * a.transpose() }
    at (A, &X);

    fn transpose_of_other_sizes(a: &Matrix3x2<f64>) -> Matrix2<f64> { a.transpose() * a }
    at (&matrix());

    fn outer_product(x: Vector3<f64>, y: &Vector3<f64>) -> Matrix3<f64> { x * y.transpose() }
    at (X, &Y);

    fn transposed_product(a: &Matrix3x2<f64>, b: &Matrix3x4<f64>) -> Matrix2x4<f64> { a.tr_mul(b) }
    at (&matrix(), &matrix());

    fn columns(a: &Matrix3<f64>, i: usize) -> f64 {
        let column = a.column(i).into_owned();
        column.dot(&a.column(0).into_owned()) + a.row(1)[i] * a.column(2).norm()
    }
    at (&A, 1);

    fn rows(a: Matrix3<f64>, x: &Vector3<f64>) -> f64 {
        let row = a.row(1).clone_owned();
        row.dot(&x.transpose()) * a.row(2).sum()
    }
    at (A, &X);

    fn lines_written(a: Matrix3<f64>, x: &Vector3<f64>) -> Matrix3<f64> {
        let mut b = a;
        b.set_column(1, x);
        b.set_row(2, &(a * x).transpose());
        b * b
    }
    at (A, &X);

    fn lines_of_a_parameter_written(a: &mut Matrix3<f64>, x: &Vector3<f64>) -> f64 {
        let before = a.column(1).norm();
        a.set_column(1, x);
        before * a.norm()
    }
    at (&mut A.clone(), &X);

    fn cross(x: &Vector3<f64>, y: &Vector3<f64>) -> Vector3<f64> { x.cross(y) }
    at (&X, &Y);

    fn cross_of_rows(x: RowVector3<f64>, y: RowVector3<f64>) -> f64 { x.cross(&y).norm() }
    at (X.transpose(), Y.transpose());

    fn cross_matrix(x: Vector3<f64>, y: &Vector3<f64>) -> Vector3<f64> { x.cross_matrix() * (x.cross_matrix() * y) }
    at (X, &Y);

    fn coordinates(v: Vector4<f64>) -> f64 {
        let p = v.xyz() / v.w;
        p.xy().norm() * p.z + v.xy().norm()
    }
    at (Vector4::new(0.3, 0.2, 0.7, 0.5));

    fn extremes(a: &Matrix3<f64>, x: Vector3<f64>) -> f64 { a.max() * x.min() + (a * x).max() }
    at (&A, X);

    fn largest(a: Matrix3<f64>) -> f64 { a.max() }
    at (A) => Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);

    fn between(x: &Vector3<f64>, y: Vector3<f64>, t: f64) -> Vector3<f64> { x.lerp(&y, t) }
    at (&X, Y, 0.3);

    fn single_precision(a: &Matrix3<f32>, x: Vector3<f32>) -> f32 { (a * x).norm() * x.dot(&x.normalize()) }
    at (&A.cast(), X.cast());

    fn of_elements(points: &[Vector3<f64>], a: &Matrix3<f64>) -> f64 {
        points.iter().map(|x| (a * x - x).norm_squared()).sum()
    }
    at (&[X, Y], &A);
}

#[differentiate]
#[differentiate]
fn any_size<const N: usize>(x: &SVector<f64, N>, y: SVector<f64, N>) -> f64 {
    (x - y).norm() * x.dot(&y)
}

checks! {
    force at (&A, Y);
    any_size at (&matrix::<5, 1>(), matrix::<5, 1>().map(f64::cos)), (&matrix::<2, 1>(), matrix::<2, 1>().map(f64::cos));
}

/// At corners, where differences say nothing.
#[test]
fn a_norm_of_zero_has_a_zero_gradient() {
    assert_eq!(norm::norm::gradient(Vector3::zeros()), Vector3::zeros());
    assert_eq!(norm::norm::jvp(Vector3::zeros(), X), (0.0, 0.0));
    assert_eq!(distance::distance::gradient(&X, &X), (Vector3::zeros(), Vector3::zeros()));
}

/// Beside zero there are no differences either.
#[test]
fn a_norm_of_zero_has_a_zero_hessian() {
    let hessian = norm::norm::hessian(Vector3::zeros());
    assert!((0..3).all(|row| hessian.row(row).iter().all(|entry| *entry == 0.0)));
}

/// The Hessian of the norm, `(1 - u uᵀ) / |x|` with the direction `u`.
#[test]
fn the_hessian_of_a_norm() {
    let (hessian, u) = (norm::norm::hessian(X), X.normalize());
    let expected = (Matrix3::identity() - u * u.transpose()) / X.norm();
    for row in 0..3 {
        for column in 0..3 {
            assert!((hessian[(row, column)] - expected[(row, column)]).abs() < 1e-14);
        }
    }
}

#[differentiate]
#[differentiate]
fn stored(a: &Matrix3<f64>, x: Vector3<f64>) -> f64 {
    0.5 * (a * x).norm_squared() + x.dot(&X).sin() * x.norm()
}

#[differentiate]
fn force(a: &Matrix3<f64>, x: Vector3<f64>) -> f64 {
    let (by_a, by_x) = stored::gradient(a, x);
    by_x.norm() + by_a.dot(a)
}

/// Of equal entries, the first has all.
#[test]
fn of_equal_entries_the_first_is_the_largest() {
    let ones = Matrix3::repeat(1.0);
    let mut first = Matrix3::zeros();
    first[0] = 1.0;
    assert_eq!(largest::largest::gradient(ones), first);
    assert_eq!(largest::largest::jvp(ones, A), (1.0, A[0]));
}
