//! Entries, read and written.

use cotangent::faer::*;
use faer::prelude::*;

use crate::{a, square, x, y, z};

corpus! {
    fn read(a: &Mat<f64>, x: &Col<f64>) -> f64 { a[(0, 1)] * x[0] + a[(1, 2)].sin() * x[1] * x[0] }
    at (&a(), &x());

    fn read_of_a_row(x: &Row<f64>) -> f64 { x[0] * x[1].exp() }
    at (&x().into_transpose());

    fn written(a: Mat<f64>, s: f64) -> Mat<f64> {
        let mut b = a;
        b[(0, 1)] = s * b[(1, 1)];
        b[(1, 2)] *= b[(0, 1)] + s;
        b
    }
    at (a(), 0.4);

    fn written_behind_a_reference(x: &mut Col<f64>, s: f64) { x[0] = x[1] * s; x[1] += x[0] * x[1]; }
    at (&mut x(), 0.4);

    fn matrix_behind_a_reference(a: &mut Mat<f64>, s: f64) { a[(0, 1)] = a[(1, 0)] * s; a[(0, 0)] += a[(0, 1)].cos(); }
    at (&mut a(), 0.4);

    fn loops(a: &Mat<f64>, x: &Col<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                sum += a[(i, j)] * a[(i, j)] * x[i];
            }
        }
        sum
    }
    at (&a(), &x());

    fn filled(x: f64, n: usize) -> Mat<f64> {
        let mut a = Mat::<f64>::zeros(n, n);
        for i in 0..n {
            a[(i, i)] = x.powi(i as i32 + 1);
        }
        a
    }
    at (0.7, 3);

    fn iterated(x: &Col<f64>, y: &Row<f64>) -> f64 {
        let squares: f64 = x.iter().map(|x| x * x).sum();
        let mixed: f64 = x.iter().zip(y.iter()).map(|(x, y)| x * y.sin()).sum();
        let mut sum = 0.0;
        for entry in x.iter() {
            sum += entry * squares;
        }
        sum * mixed
    }
    at (&x(), &y().into_transpose());

    fn iterated_and_written(x: Col<f64>, s: f64) -> Col<f64> {
        let mut w = x;
        for entry in w.iter_mut() {
            *entry = (*entry * s).tanh();
        }
        w[1] += w[0];
        w
    }
    at (x(), 0.4);

    fn activation(x: &Col<f64>) -> Col<f64> {
        let mut y = x.clone();
        for i in 0..y.nrows() {
            y[i] = y[i].tanh();
        }
        y
    }
    at (&z());
}

corpus! {
    fn sizes(a: &Mat<f64>, x: &Col<f64>) -> f64 {
        let (n, m) = (a.nrows(), a.ncols());
        a[(n - 1, m - 1)] * x[x.nrows() - 1] / n as f64 + a[(0, 0)] * (a.shape().0 + a.shape().1) as f64
    }
    at (&a(), &x());

    fn trace(a: &Mat<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.nrows() {
            sum += a[(i, i)];
        }
        sum
    }
    at (&square()) => Mat::<f64>::identity(3, 3);
}
