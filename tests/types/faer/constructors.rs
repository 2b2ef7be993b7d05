//! Constructors, of constants and of active values.

use cotangent::faer::*;
use faer::prelude::*;

use crate::{a, square, x, y, z};

first_order! {
    fn from_fn(x: f64, n: usize) -> Mat<f64> { Mat::from_fn(n, n, |i, j| (x * i as f64).sin() + x * j as f64) }
    at (0.7, 3);

    fn column_from_fn(x: f64, n: usize) -> Col<f64> { Col::from_fn(n, |i| x.powi(i as i32)) }
    at (0.7, 3);

    fn row_from_fn(x: f64, n: usize) -> Row<f64> { Row::from_fn(n, |i| x * i as f64) }
    at (0.7, 3);

    fn of_others(x: &Col<f64>, z: &Col<f64>) -> Mat<f64> { Mat::from_fn(2, 3, |i, j| (x[i] - z[j]).powi(2).exp()) }
    at (&x(), &z());

    fn activation(a: &Mat<f64>, z: &Col<f64>) -> f64 {
        let y = a * z;
        let hidden = Col::from_fn(2, |i| y[i].tanh());
        hidden.sum()
    }
    at (&a(), &z());
}

corpus! {
    fn full(x: f64) -> f64 { Mat::full(2, 3, x * x).sum() }
    at (0.7) => 6.0 * 2.0 * x;

    fn full_vectors(x: f64) -> f64 { Col::full(3, x).squared_norm_l2() + Row::full(2, x * x).sum() }
    at (0.7) => 6.0 * x + 4.0 * x;

    fn constants(a: &Mat<f64>, s: f64) -> Mat<f64> { a + Mat::<f64>::identity(3, 3) * s + Scale(s) * Mat::<f64>::ones(3, 3) }
    at (&square(), 0.7);

    fn sizes_of_others(a: &Mat<f64>, x: &Col<f64>) -> f64 {
        let mut b = Mat::<f64>::zeros(a.nrows(), a.ncols());
        let ones = Mat::<f64>::ones(x.nrows(), x.nrows()) + Mat::<f64>::identity(x.nrows(), x.nrows());
        let mut y = Col::<f64>::zeros(a.ncols());
        for i in 0..a.nrows() {
            b[(i, 0)] = x[i];
            y[i] = x[i] * x[i];
        }
        (ones * (a + b) * y).sum()
    }
    at (&a(), &x());

    fn zeros(x: &Col<f64>) -> Col<f64> { Col::<f64>::zeros(2) + x - Col::<f64>::ones(2) }
    at (&x());
}
