//! Matrices that are made of floats and of vectors.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    Matrix2, Matrix2x3, Matrix3, Matrix3x4, Matrix4, RowVector2, Vector1, Vector2, Vector3,
    Vector4, Vector5, Vector6,
};

use crate::data::{A, B, X, Y, matrix};

corpus! {
    fn vectors(x: f64, y: f64) -> f64 {
        let (one, two) = (Vector1::new(x), Vector2::new(x, y));
        let three = Vector3::new(x, y, x * y);
        let (four, five) = (Vector4::new(y, x, 1.0, 2.0), Vector5::new(x, y, x, y, 0.5));
        let six = Vector6::new(1.0, x, x * x, y, y * y, x * y);
        one.sum() * two.norm() * three.norm() + four.norm() * five.norm() * six.norm()
    }
    at (0.3, 0.8);

    fn constants_beside(x: f64) -> Vector3<f64> { Vector3::new(x, 1.0, -2.0) * 2.0 + Vector3::new(1.0, 2.0, 3.0) }
    at (0.3);

    fn rotation(angle: f64) -> Matrix3<f64> {
        let (s, c) = angle.sin_cos();
        Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    }
    at (0.4);

    fn matrices(x: f64, y: f64) -> Matrix2x3<f64> {
        Matrix2::new(x, y, x * y, 1.0) * Matrix2x3::new(x, 1.0, y, x * x, 2.0, y * y)
    }
    at (0.3, 0.8);

    fn of_four_columns(x: f64, v: Vector4<f64>) -> Vector3<f64> {
        let camera = Matrix3x4::new(x, 0.0, 0.0, 1.0, 0.0, x, 0.0, 2.0, 0.0, 0.0, 1.0, x * x);
        camera * v
    }
    at (0.3, matrix());

    fn zeros(x: f64) -> Vector3<f64> {
        let mut v = Vector3::zeros();
        v[0] = x;
        v
    }
    at (0.3);

    fn identity(x: f64, a: &Matrix3<f64>) -> Matrix3<f64> { Matrix3::identity() * x + a }
    at (0.3, &A);

    fn filled(x: f64, a: &Matrix3<f64>) -> Matrix3<f64> {
        Matrix3::from_element(x * x) * a + Matrix3::repeat(x) + Matrix3::from_diagonal_element(x.sin()) * a
    }
    at (0.3, &A);

    fn diagonal_of_other_sizes(x: f64) -> Matrix2x3<f64> { Matrix2x3::from_diagonal_element(x) * x }
    at (0.3);

    fn from_columns(x: Vector3<f64>, y: &Vector3<f64>) -> Matrix3<f64> { Matrix3::from_columns(&[x, *y, x.cross(y)]) }
    at (X, &Y);

    fn from_rows(x: Vector3<f64>, y: &Vector3<f64>) -> Matrix2x3<f64> {
        Matrix2x3::from_rows(&[x.transpose(), y.transpose()])
    }
    at (X, &Y);

    fn single_precision(x: f32) -> Vector2<f32> { Vector2::new(x, x * x) }
    at (0.3);
}

first_order! {
    fn of_four_rows(x: f64, v: &Vector4<f64>) -> Vector4<f64> {
        let m = Matrix4::new(x, 1.0, 2.0, 3.0, x * x, 5.0, 6.0, 7.0, 8.0, x.sin(), 9.0, 10.0, 0.0, 0.0, 0.0, x);
        m * v
    }
    at (0.3, &matrix());
}
