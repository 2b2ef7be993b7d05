//! Sizes that are known at run time: entries and methods.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{DMatrix, DVector};

fn matrix() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 3, &[0.3, 0.2, 0.5, 0.1, -0.4, 0.7])
}

fn vector() -> DVector<f64> {
    DVector::from_vec(vec![0.3, 0.5])
}

corpus! {
    fn entries(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                sum += a[(i, j)] * x[i].sin();
            }
        }
        sum
    }
    at (&matrix(), &vector());

    fn sizes(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        let (n, m) = a.shape();
        let first = if a.is_square() || x.is_empty() { 0.0 } else { x[x.nrows() - 1] };
        first * a[(n - 1, m - 1)] * x.len() as f64 + a.column(a.ncols() - 1).norm() * (n * m) as f64
    }
    at (&matrix(), &vector());

    fn entries_written(x: &mut DVector<f64>, s: f64) { x[0] = x[1] * s; x[1] += s; }
    at (&mut vector(), 0.4);

    fn methods(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 { a.tr_mul(x).norm() * x.dot(x) + a.column(1).norm() }
    at (&matrix(), &vector());

    fn results(a: &DMatrix<f64>, s: f64) -> DMatrix<f64> { a.transpose().scale(s) }
    at (&matrix(), 0.4);

    fn determinant(a: &DMatrix<f64>) -> f64 { a.tr_mul(a).determinant() + a.column(0).norm() }
    at (&DMatrix::from_row_slice(2, 2, &[0.3, 0.2, 0.5, 0.1]));
}
