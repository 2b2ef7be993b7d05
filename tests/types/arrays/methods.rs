//! Products, sums, transposes, lines, constructors.

use cotangent::ndarray::*;
use ndarray::{Array1, Array2, Array3, ArrayD, Axis, array};

use crate::{a, b, x, y, z};

corpus! {
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

    fn means(a: &Array2<f64>, x: &Array1<f64>) -> f64 { a.mean().unwrap() * x.mean().unwrap_or(0.0) }
    at (&a(), &x());

    fn mean_of_none(x: Array1<f64>, s: f64) -> f64 { x.mean().unwrap_or(s) }
    at (x(), 0.3), ((Array1::zeros(0)), 0.3);

    fn sums_along_axes(a: &Array2<f64>, z: &Array1<f64>) -> f64 {
        let (rows, columns) = (a.sum_axis(Axis(0)), a.sum_axis(Axis(1)));
        rows.dot(z) * columns.dot(&columns)
    }
    at (&a(), &z());

    fn sums_along_an_axis(a: &ArrayD<f64>, axis: usize) -> ArrayD<f64> { a.sum_axis(Axis(axis)).exp() }
    at (&a().into_dyn(), 0), (&a().into_dyn(), 1);

    fn means_along_an_axis(a: Array2<f64>) -> Array1<f64> { a.mean_axis(Axis(0)).unwrap().sin() }
    at (a());

    fn centred(a: &Array2<f64>, z: &Array1<f64>) -> f64 {
        let centre = a.mean_axis(Axis(1)).unwrap();
        let variance = (a.row(0).to_owned() - centre[0]).powi(2).sum();
        variance + centre.dot(&a.dot(z))
    }
    at (&a(), &z());

    fn assigned(x: Array1<f64>, y: &Array1<f64>) -> Array1<f64> {
        let mut w = &x * y;
        let before = w.sum();
        w.assign(&(y * before));
        w[0] *= x[1];
        w
    }
    at (x(), &y());

    fn assigned_with_repeated_axes(a: &mut Array2<f64>, row: &Array2<f64>) -> f64 {
        let before = a.sum();
        a.assign(row);
        before * a.sum()
    }
    at (&mut a(), &array![[0.3, -0.6, 0.8]]);

    fn filled(x: &Array1<f64>, s: f64) -> Array1<f64> {
        let mut w = x * s;
        w.fill(s * s);
        w[1] = x[0];
        w
    }
    at (&x(), 0.4);

    fn views(a: &Array2<f64>, x: Array1<f64>) -> f64 { a.view().sum() * x.view().to_owned().dot(&x) }
    at (&a(), x());

    fn by_value(a: &Array2<f64>, b: Array2<f64>) -> Array2<f64> { a.clone().reversed_axes().dot(&b.clone().into_owned()) + a.row(0).into_owned()[1] }
    at (&a(), b());

    fn parts(a: &Array2<f64>, i: usize) -> f64 { a.index_axis(Axis(0), i).dot(&a.index_axis(Axis(0), 0)) * a.index_axis(Axis(1), 2).sum() }
    at (&a(), 1);

    fn parts_of_three_axes(a: &Array3<f64>) -> Array2<f64> { a.index_axis(Axis(1), 1).dot(&a.index_axis(Axis(1), 0).t()) }
    at (&Array3::from_shape_fn((2, 2, 3), |(i, j, k)| ((i + 2 * j + 3 * k) as f64).sin()));

    fn variances(a: &Array2<f64>, x: &Array1<f64>) -> f64 { a.var(0.0) * x.var(1.0) }
    at (&a(), &x());

    fn deviations(a: &Array2<f64>, f: f64) -> f64 { a.std(f) + a.var(f * f) }
    at (&a(), 0.4);

    fn standardized(z: &Array1<f64>) -> Array1<f64> {
        let (mean, deviation) = (z.mean().unwrap(), z.std(0.0));
        (z - mean) / deviation
    }
    at (&z());

    fn scaled_and_added(x: Array1<f64>, y: &Array1<f64>, s: f64) -> Array1<f64> {
        let mut w = &x * s;
        w.scaled_add(s * s, y);
        w.scaled_add(-0.5, &x);
        w
    }
    at (x(), &y(), 0.4);

    fn scaled_and_added_to_a_parameter(a: &mut Array2<f64>, row: &Array2<f64>, s: f64) -> f64 { a.scaled_add(s, row); a.sum() * s }
    at (&mut a(), &array![[0.3, -0.6, 0.8]], 0.4);

    fn diagonal(a: &Array2<f64>) -> f64 { a.dot(&a.t()).diag().sum() }
    at (&a()) => 2.0 * a;
}

// With functions of entries, which have first derivatives.
first_order! {
    fn mapped(a: &Array2<f64>) -> Array2<f64> { a.mapv(|x| x.sin() * x) }
    at (&a());

    fn mapped_value(x: Array1<f64>, s: f64) -> f64 { (x * s).mapv(|x| (s * x).exp()).sum() }
    at (x(), 0.4);

    fn mapped_in_place(a: &Array2<f64>, z: &Array1<f64>, s: f64) -> Array1<f64> {
        let mut hidden = a.dot(z);
        hidden.mapv_inplace(f64::tanh);
        hidden.mapv_inplace(|h| h * s + z[1]);
        hidden
    }
    at (&a(), &z(), 0.4);

    fn parameter_mapped_in_place(x: &mut Array1<f64>, s: f64) -> f64 { x.mapv_inplace(|x| (s * x).exp()); x.sum() }
    at (&mut x(), 0.4);

    fn mapped_with_captures(a: &Array2<f64>, z: &Array1<f64>) -> Array1<f64> {
        let hidden = a.dot(z).mapv(f64::tanh);
        hidden.mapv(|h| h * z[1] + hidden.sum())
    }
    at (&a(), &z());
}

#[cotangent::differentiate]
fn deviation(x: &Array1<f64>) -> f64 {
    x.std(0.0)
}

/// Where all entries are equal, a deviation has a corner, and no slope.
#[test]
fn the_deviation_of_equal_entries() {
    assert_eq!(deviation::gradient(&Array1::from_elem(3, 0.5)), Array1::<f64>::zeros(3));
}
