//! Operators, by value and by reference, with arrays of the same shape, with repeated axes, and with floats.

use cotangent::ndarray::*;
use ndarray::{Array1, Array2, ArrayD, array};

use crate::{a, b, x, y, z};

corpus! {
    fn sums(x: &Array1<f64>, y: &Array1<f64>) -> Array1<f64> { x + y - x * 2.0 - (-y) }
    at (&x(), &y());

    fn products(x: &Array1<f64>, y: &Array1<f64>) -> Array1<f64> { x * y * x }
    at (&x(), &y());

    fn quotients(x: &Array1<f64>, y: &Array1<f64>) -> Array1<f64> { x / y + y / x }
    at (&x(), &y());

    fn of_values(x: Array1<f64>, y: Array1<f64>) -> Array1<f64> { x + y }
    at (x(), y());

    fn written_references(a: Array2<f64>, b: Array2<f64>) -> Array2<f64> { &a * &b + &a / &b - a * &b }
    at (a(), b());

    fn with_floats(x: &Array1<f64>, s: f64) -> Array1<f64> { x * s + s * x + x / s + (x + s) * (x - s) * (s - x) * (s + x) + s / x }
    at (&x(), 0.7);

    fn literals(x: &Array1<f64>) -> Array1<f64> { 2.0 * x * 0.5 + x / 3.0 - 1.0 + 1.0 / (1.0 + x) }
    at (&x());

    fn negative(x: Array1<f64>) -> Array1<f64> { -&x - -(&x * 3.0) + x }
    at (x());

    fn assigning(x: Array1<f64>, y: &Array1<f64>, s: f64) -> Array1<f64> {
        let mut z = x;
        z += y;
        z *= s;
        z -= &(y * s);
        z /= s + 2.0;
        z
    }
    at (x(), &y(), 0.4);

    fn repeated_row(a: &Array2<f64>, row: Array2<f64>) -> Array2<f64> { a + &row - a * &row + &row / a - row }
    at (&a(), (array![[0.3, -0.6, 0.8]]));

    fn repeated_column(a: Array2<f64>, column: &Array2<f64>) -> Array2<f64> { column * &a + (column - a) }
    at (a(), &array![[0.3], [-0.6]]);

    fn repeated_both(column: Array2<f64>, row: Array2<f64>) -> Array2<f64> { &column * &row + &column - &row }
    at ((array![[0.3], [-0.6]]), (array![[0.3, -0.6, 0.8]]));

    fn vectors_for_rows(a: &Array2<f64>, z: &Array1<f64>) -> Array2<f64> { a + z - a * z + a / z }
    at (&a(), &z());

    fn vectors_for_rows_by_value(a: Array2<f64>, z: Array1<f64>) -> Array2<f64> { (&a * &z - &a) / (z * 2.0) + a }
    at (a(), z());

    fn vectors_for_the_only_row(row: &Array2<f64>, z: &Array1<f64>) -> Array2<f64> { row * z + z.dot(z) }
    at (&array![[0.3, -0.6, 0.8]], &z());

    fn layer(inputs: &Array2<f64>, w: &Array2<f64>, bias: &Array1<f64>) -> Array2<f64> { (inputs.dot(w) + bias).tanh() }
    at (&a(), &b().t().to_owned(), &x());

    fn vectors_added_to_rows(a: Array2<f64>, z: &Array1<f64>) -> Array2<f64> {
        let mut b = a;
        b += z;
        b *= z;
        b
    }
    at (a(), &z());

    fn loops(x: &Array1<f64>, y: &Array1<f64>, n: usize) -> Array1<f64> {
        let mut z = x.clone();
        for _ in 0..n {
            z = &z * y + x;
        }
        z
    }
    at (&x(), &y(), 3);

    fn branches(x: Array1<f64>, y: &Array1<f64>) -> Array1<f64> { if x[0] > 0.0 { &x * y } else { x + y } }
    at (x(), &y()), (y(), &x());

    fn any_number_of_axes(x: &ArrayD<f64>, y: &ArrayD<f64>) -> ArrayD<f64> { x * y + x }
    at (&a().into_dyn(), &b().into_dyn());

    fn single_precision(x: &Array1<f32>, s: f32) -> Array1<f32> { x * s + 1.0 / x }
    at (&array![0.3, 0.5], 0.7);

    fn written_to(x: &mut Array1<f64>, y: &Array1<f64>) { *x = &*x * y; *x += y; }
    at (&mut x(), &y());

    fn of_elements(points: &[Array1<f64>], y: &Array1<f64>) -> Vec<Array1<f64>> { points.iter().map(|x| x * y + x).collect() }
    at (&[x(), y()], &x());
}
