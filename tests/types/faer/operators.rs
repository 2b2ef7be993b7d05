//! Operators, by value and by reference, of matrices, vectors, scales and floats.

use cotangent::Differentiable;
use cotangent::faer::*;
use faer::prelude::*;

use crate::{a, b, square, x, y, z};

corpus! {
    fn sums(x: &Col<f64>, y: &Col<f64>) -> Col<f64> { x + y - x - (-y) + (y - x) }
    at (&x(), &y());

    fn sums_of_values(a: Mat<f64>, b: Mat<f64>) -> Mat<f64> { -(&a + &b) - b + a }
    at (a(), a());

    fn sums_of_rows(x: Row<f64>, y: &Row<f64>) -> Row<f64> { y - &x - (-x) + y * 2.0 }
    at ((x().into_transpose()), &y().into_transpose());

    fn product_of_parameters(a: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> { a * b }
    at (&a(), &b());

    fn product_of_values(a: Mat<f64>, b: Mat<f64>) -> Mat<f64> { &a * &b + a * b }
    at (a(), b());

    fn matrix_times_vector(a: &Mat<f64>, z: &Col<f64>) -> Col<f64> { a * z }
    at (&a(), &z());

    fn row_times_matrix(x: &Row<f64>, a: &Mat<f64>) -> Row<f64> { x * a }
    at (&x().into_transpose(), &a());

    fn inner_product(x: &Row<f64>, y: &Col<f64>) -> f64 { x * y }
    at (&x().into_transpose(), &y()) => (y.transpose().to_owned(), x.transpose().to_owned());

    fn outer_product(x: &Col<f64>, y: Row<f64>) -> Mat<f64> { x * &y + x * y }
    at (&x(), (z().into_transpose()));

    fn scales(a: &Mat<f64>, x: Col<f64>, s: f64) -> Col<f64> { Scale(s) * a * (x * Scale(2.0)) * Scale(s.sin()) }
    at (&square(), z(), 0.7);

    fn with_floats(x: &Col<f64>, s: f64) -> Col<f64> { x * s + s * x - x / s + x * s.sin() }
    at (&x(), 0.4);

    fn matrices_with_floats(a: &Mat<f64>, s: f64) -> Mat<f64> { 2.0 * a * s - a / 3.0 + s * a / s }
    at (&a(), 0.4);

    fn used_again(a: &Mat<f64>, z: Col<f64>) -> Col<f64> {
        let w = a * &z;
        let v = &w * 2.0;
        v - w * z[0]
    }
    at (&a(), z());

    fn assigning(x: Col<f64>, y: &Col<f64>, s: f64) -> Col<f64> {
        let mut z = x;
        z += y;
        z *= s;
        z -= y * z[0];
        z /= s + 2.0;
        z *= Scale(s);
        z
    }
    at (x(), &y(), 0.4);

    fn powers(a: &Mat<f64>, z: &Col<f64>, n: usize) -> Col<f64> {
        let mut y = z.clone();
        for _ in 0..n {
            y = a * &y + z * y[1];
        }
        y
    }
    at (&square(), &z(), 3);

    fn branches(a: &Mat<f64>, z: Col<f64>) -> Col<f64> { if z[0] > 0.0 { a * &z + &z } else { z * 2.0 } }
    at (&square(), z()), (&square(), (-z()));

    fn written_to(z: &mut Col<f64>, a: &Mat<f64>) { *z = a * &*z; *z += a * &*z; }
    at (&mut z(), &square());

    fn matrix_written_to(a: &mut Mat<f64>, b: &Mat<f64>) { *a = &*a * b; *a -= b; }
    at (&mut square(), &square());

    fn of_elements(points: &[Col<f64>], a: &Mat<f64>) -> Vec<Col<f64>> { points.iter().map(|z| a * z + z).collect() }
    at (&[z(), z()], &square());

    fn sum_of_elements(points: &[Col<f64>], a: &Mat<f64>) -> Col<f64> {
        let mut sum = Col::zeros(3);
        for i in 0..points.len() {
            sum += a * &points[i];
        }
        sum
    }
    at (&[z(), z()], &square());

    fn in_a_struct(layer: &super::Layer, z: &Col<f64>) -> Col<f64> { &layer.weights * z + &layer.bias }
    at (&super::Layer { weights: a(), bias: y() }, &z());

    fn single_precision(a: &Mat<f32>, s: f32) -> Mat<f32> { Scale(s) * a * a }
    at (&mat![[0.3, 0.2], [0.5, -0.1]], 0.7);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer {
    weights: Mat<f64>,
    bias: Col<f64>,
}
