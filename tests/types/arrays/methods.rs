//! Products, sums, transposes, lines, constructors.

use cotangent::ndarray::*;
use ndarray::{Array1, Array2, array};

use crate::{a, b, x, y, z};

first_order! {
    fn sum(a: &Array2<f64>) -> f64 { a.sum() * a.sum() }
    at (&a()) => Array2::from_elem((2, 3), 2.0 * a.sum());

    fn dot_of_vectors(x: &Array1<f64>, y: &Array1<f64>) -> f64 { x.dot(y) }
    at (&x(), &y()) => (y.clone(), x.clone());

    fn matrix_times_vector(a: &Array2<f64>, z: &Array1<f64>) -> Array1<f64> { a.dot(z) }
    at (&a(), &z());

    fn vector_times_matrix(x: &Array1<f64>, a: &Array2<f64>) -> Array1<f64> { x.dot(a) }
    at (&x(), &a());

    fn product(a: &Array2<f64>, b: Array2<f64>) -> Array2<f64> { a.dot(&b.t()) }
    at (&a(), b());

    fn transposed_products(a: Array2<f64>, x: &Array1<f64>) -> Array1<f64> { a.t().dot(x) }
    at (a(), &x());

    fn temporaries(x: &Array1<f64>, y: &Array1<f64>) -> f64 { (x + y).dot(&(x * 2.0)) + (x * y).sum() }
    at (&x(), &y());

    fn rows(a: &Array2<f64>, i: usize) -> f64 { a.row(i).dot(&a.row(0)) + a.column(i).sum() }
    at (&a(), 1);

    fn owned_rows(a: &Array2<f64>, z: &Array1<f64>) -> Array1<f64> { let row = a.row(1).to_owned(); &row * z + &row }
    at (&a(), &z());

    fn from_vec(p: f64, q: f64) -> Array1<f64> { let x = Array1::from_vec(vec![p * q, p - q]); &x * &x }
    at (0.3, 0.7);

    fn normalized(x: &Array1<f64>) -> Array1<f64> { let n = x.dot(x).sqrt(); x / n }
    at (&x());

    fn single_precision(x: &Array1<f32>) -> f32 { x.dot(x) * x.sum() }
    at (&array![0.3, 0.5]);
}
