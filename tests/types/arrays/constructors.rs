//! Constructors, of constants and of active values.

use cotangent::ndarray::*;
use ndarray::{Array, Array1, Array2, array};

use crate::{a, b, x, y, z};

corpus! {
    fn from_vec(p: f64, q: f64) -> Array1<f64> { let x = Array1::from_vec(vec![p * q, p - q]); &x * &x }
    at (0.3, 0.7);

    fn from(p: f64, q: f64) -> f64 { let x = Array1::from(vec![p * q, p - q]); x.dot(&x) }
    at (0.3, 0.7);

    fn from_rows(p: f64, q: f64) -> Array2<f64> { let x = Array2::from(vec![[p, q], [p * q, 1.0]]); x.dot(&x) }
    at (0.3, 0.7);

    fn from_shape_vec(p: f64, q: f64) -> Array2<f64> {
        let x = Array2::from_shape_vec((2, 2), vec![p, q, p * q, 1.0]).unwrap();
        x.dot(&x.t())
    }
    at (0.3, 0.7);

    fn of_another_length(p: f64, n: usize) -> f64 {
        match Array1::from_shape_vec(n, vec![p, p * p]) {
            Ok(x) => x.sum(),
            Err(_) => p.sin(),
        }
    }
    at (0.3, 2), (0.3, 3);

    fn of_one_float(s: f64, n: usize) -> f64 { (Array2::from_elem((n, 2), s * s) + Array2::from_elem([n, 2], s)).sum() }
    at (0.3, 3) => 6.0 * (2.0 * s + 1.0);

    fn sizes_of_others(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let mut b = Array2::<f64>::zeros((a.nrows(), a.ncols()));
        let mut y = Array1::<f64>::ones(a.ncols());
        for i in 0..a.nrows() {
            b[[i, 0]] = x[i];
            y[i] *= x[i];
        }
        let shifted = a + b + Array2::<f64>::ones(a.dim());
        (Array2::<f64>::eye(x.len()) * 2.0).dot(&shifted).dot(&y).sum()
    }
    at (&a(), &x());

    fn array_of_entries(p: f64, q: f64) -> Array1<f64> { let x = array![p, q * p, 1.0]; &x * p }
    at (0.3, 0.7);

    fn array_of_rows(theta: f64, x: &Array1<f64>) -> Array1<f64> {
        let turn = array![[theta.cos(), -theta.sin()], [theta.sin(), theta.cos()]];
        turn.dot(x)
    }
    at (0.3, &x());

    fn array_at_the_end(p: f64) -> Array2<f64> { array![[p, 1.0], [2.0, p * p]] }
    at (0.3);
}

// With functions of indices, which have first derivatives.
first_order! {
    fn from_shape_fn(p: f64, n: usize) -> Array1<f64> { Array1::from_shape_fn(n, |i| (p * i as f64).sin()) }
    at (0.7, 3);

    fn matrix_from_shape_fn(x: &Array1<f64>, p: f64) -> Array2<f64> {
        Array2::from_shape_fn((2, 2), |(i, j)| (-p * (x[i] - x[j]).powi(2)).exp())
    }
    at (&x(), 0.7);

    fn of_the_same_sizes(a: &Array2<f64>) -> f64 {
        let squares = Array2::from_shape_fn(a.dim(), |(i, j)| a[[i, j]] * a[[i, j]]);
        squares.dot(&a.t()).sum()
    }
    at (&a());
}
