//! Operators of operands that own memory: by reference, by value, mixed, and used again.

use cotangent::Differentiable;
use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{DMatrix, DVector, Matrix2, OMatrix, RowDVector, Vector2};

fn a() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 3, &[0.3, 0.2, 0.5, 0.1, -0.4, 0.7])
}

fn b() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 2, &[1.1, -0.3, 0.4, 0.8, 0.6, -0.2])
}

fn square() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[0.3, -0.6, 0.8, 0.4])
}

fn x() -> DVector<f64> {
    DVector::from_vec(vec![0.3, 0.5])
}

fn y() -> DVector<f64> {
    DVector::from_vec(vec![-0.7, 0.2])
}

fn z() -> DVector<f64> {
    DVector::from_vec(vec![-0.7, 0.2, 1.1])
}

corpus! {
    fn product_of_parameters(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> { a * b }
    at (&a(), &b());

    fn product_of_written_references(a: DMatrix<f64>, b: DMatrix<f64>) -> DMatrix<f64> { &a * &b + &a * &b }
    at (a(), b());

    fn product_of_values(a: DMatrix<f64>, b: DMatrix<f64>) -> DMatrix<f64> { a * b }
    at (a(), b());

    fn sum_of_values(x: DVector<f64>, y: DVector<f64>) -> DVector<f64> { x + y }
    at (x(), y());

    fn mixed(x: DVector<f64>, y: &DVector<f64>) -> DVector<f64> { (&x + y) - x * 2.0 + y * 0.5 - (-y) }
    at (x(), &y());

    fn used_again(a: &DMatrix<f64>, z: DVector<f64>) -> DVector<f64> {
        let w = a * &z;
        let v = &w * 2.0;
        v - w * z[0]
    }
    at (&a(), z());

    fn with_floats(x: &DVector<f64>, s: f64) -> DVector<f64> { x * s + s * x - x / s + x * s.sin() }
    at (&x(), 0.4);

    fn negative(x: DVector<f64>) -> DVector<f64> { -&x - -(&x * 3.0) + x }
    at (x());

    fn assigning(x: DVector<f64>, y: &DVector<f64>, s: f64) -> DVector<f64> {
        let mut z = x;
        z += y;
        z *= s;
        z -= y * z[0];
        z /= s + 2.0;
        z
    }
    at (x(), &y(), 0.4);

    fn powers(a: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
        let mut y = x.clone();
        for _ in 0..4 {
            y = a * &y + x * y[1];
        }
        y
    }
    at (&square(), &x());

    fn powers_by_value(a: DMatrix<f64>, x: DVector<f64>, n: usize) -> DVector<f64> {
        let mut y = x.clone();
        for _ in 0..n {
            y = &a * y + &x;
        }
        y
    }
    at (square(), x(), 3);

    fn branches(a: &DMatrix<f64>, x: DVector<f64>) -> DVector<f64> { if x[0] > 0.0 { a * &x + &x } else { x * 2.0 } }
    at (&square(), x()), (&square(), y());

    fn entries_between(x: &DVector<f64>, y: &DVector<f64>) -> f64 {
        let mut z = x + y;
        z[0] *= z[1];
        let w = &z * 2.0;
        w[0] * z[1] + w[1]
    }
    at (&x(), &y());

    fn written_to(x: &mut DVector<f64>, a: &DMatrix<f64>) { *x = a * &*x; *x += a * &*x; }
    at (&mut x(), &square());

    fn of_elements(points: &[DVector<f64>], a: &DMatrix<f64>) -> Vec<DVector<f64>> {
        points.iter().map(|x| a * x + x).collect()
    }
    at (&[x(), y()], &square());

    fn sum_of_elements(points: &[DVector<f64>], a: &DMatrix<f64>) -> DVector<f64> {
        let mut sum = DVector::zeros(2);
        for i in 0..points.len() {
            sum += a * &points[i];
        }
        sum
    }
    at (&[x(), y()], &square());

    fn rows_and_columns(x: RowDVector<f64>, y: &DVector<f64>) -> DMatrix<f64> { y * &x * 2.0 - y * x }
    at ((x().transpose()), &y());

    fn in_a_struct(layer: &super::Layer, x: &DVector<f64>) -> DVector<f64> { &layer.weights * x + &layer.bias }
    at (&super::Layer { weights: square(), bias: y() }, &x());

    fn static_sizes_by_reference(a: Matrix2<f64>, x: Vector2<f64>) -> Vector2<f64> { &a * &x + &x * x[0] }
    at ((Matrix2::new(0.3, 0.2, -0.4, 0.6)), (Vector2::new(0.4, 0.7)));
}

corpus! {
    fn with_methods(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        let w = a.transpose() * x;
        let u = &w * 2.0 + &w;
        (u - &w).dot(&w) + w.norm()
    }
    at (&a(), &x());

    fn quadratic_form(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 { 0.5 * x.dot(&(a * x)) + (a * a).trace() }
    at (&square(), &x());

    fn least_squares(a: &DMatrix<f64>, z: &DVector<f64>, y: &DVector<f64>) -> f64 { (a * z - y).norm_squared() }
    at (&a(), &z(), &y()) => {
        let residual = a * z - y;
        ((&residual * z.transpose()) * 2.0, a.transpose() * &residual * 2.0, residual * -2.0)
    };

    fn normalized(x: DVector<f64>) -> DVector<f64> { let n = x.norm(); &x / n + x.normalize() }
    at (x());

    fn perceptron(w: &DMatrix<f64>, v: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        let mut hidden = w * x;
        for i in 0..hidden.len() {
            hidden[i] = hidden[i].tanh();
        }
        (v * &hidden).sum() + hidden.norm_squared()
    }
    at (&b(), &a(), &x());
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer {
    weights: DMatrix<f64>,
    bias: DVector<f64>,
}
