//! Entries, read and written, and functions of each entry.

use cotangent::ndarray::*;
use ndarray::{Array1, Array2, Axis, array};

use crate::{a, b, x, y, z};

corpus! {
    fn read(a: &Array2<f64>, x: &Array1<f64>) -> f64 { a[[0, 1]] * x[0] + a[[1, 2]].sin() * x[1] * x[0] }
    at (&a(), &x());

    fn read_by_tuples(a: &Array2<f64>) -> f64 { a[(0, 1)] * a[(1, 2)] }
    at (&a());

    fn written(a: Array2<f64>, s: f64) -> Array2<f64> {
        let mut b = a;
        b[[0, 1]] = s * b[[1, 1]];
        b[[1, 2]] *= b[[0, 1]] + s;
        b
    }
    at (a(), 0.4);

    fn written_behind_a_reference(x: &mut Array1<f64>, s: f64) { x[0] = x[1] * s; x[1] += x[0] * x[1]; }
    at (&mut x(), 0.4);

    fn loops(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                sum += a[[i, j]] * a[[i, j]] * x[i];
            }
        }
        sum
    }
    at (&a(), &x());

    fn sizes(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let (n, m) = a.dim();
        let last = if a.is_square() || x.is_empty() { 0.0 } else { a[[n - 1, m - 1]] };
        last * x[x.dim() - 1] * x.len() as f64 + a[[a.shape()[0] - 1, a.len_of(Axis(1)) - 1]] * a.ndim() as f64
    }
    at (&a(), &x());

    fn filled(x: f64, n: usize) -> Array2<f64> {
        let mut a = Array2::<f64>::zeros((n, n));
        for i in 0..n {
            a[[i, i]] = x.powi(i as i32 + 1);
        }
        a
    }
    at (0.7, 3);

    fn functions(x: &Array1<f64>) -> Array1<f64> { x.sin() + x.exp() * x.sqrt() + x.tanh() - x.ln() }
    at (&z());

    fn powers(x: &Array1<f64>, p: f64) -> Array1<f64> { x.powi(3) + x.powf(p) + x.powi(-1) }
    at (&z(), 1.7);

    fn roots_and_logarithms(x: &Array1<f64>) -> Array1<f64> { x.cbrt() + x.log2() + x.log10() + x.ln_1p() + x.exp_m1() + x.recip() }
    at (&z());

    fn angles(x: &Array1<f64>) -> Array1<f64> { x.cos() * x.tan() + x.asin() + x.acos() * x.atan() + x.abs() }
    at (&x()), (&y());

    fn hyperbolic(x: &Array1<f64>) -> Array1<f64> { x.sinh() * x.cosh() + x.asinh() + x.atanh() }
    at (&x());

    fn sigmoid(x: Array1<f64>) -> Array1<f64> { 1.0 / (1.0 + (-x).exp()) }
    at (y());
}
