//! Slices, and loops over rows, columns and parts.

use cotangent::ndarray::*;
use ndarray::{Array1, Array2, Array3, Axis, array, s};

use crate::{a, b, x, y, z};

fn cube() -> Array3<f64> {
    Array3::from_shape_fn((2, 2, 3), |(i, j, k)| ((i + 2 * j + 3 * k) as f64).sin())
}

corpus! {
    fn slices(a: &Array2<f64>, z: &Array1<f64>) -> f64 { a.slice(s![.., 1..]).sum() * z.slice(s![..2]).dot(&z.slice(s![1..3])) }
    at (&a(), &z());

    fn slices_by_variables(a: &Array2<f64>, i: usize, n: usize) -> Array1<f64> {
        let row = a.slice(s![i, ..]);
        let column = a.slice(s![.., i]).sum();
        row.slice(s![n - 2..n]).to_owned() * column
    }
    at (&a(), 1, 3);

    fn slices_from_the_end(z: &Array1<f64>) -> f64 { z.slice(s![..-1]).dot(&z.slice(s![1..])) + z.slice(s![..=1]).sum() * z.slice(s![1..=-1]).sum() }
    at (&z());

    fn slices_with_steps(z: &Array1<f64>) -> f64 { z.slice(s![..;2]).dot(&z.slice(s![..;-2])) * z.slice(s![0..3;2]).sum() }
    at (&z());

    fn slices_of_three_axes(c: &Array3<f64>, i: usize) -> Array2<f64> { c.slice(s![i, .., 1..]).dot(&c.slice(s![.., i, ..2])) }
    at (&cube(), 0);

    fn slices_of_sizes(a: &Array2<f64>, i: usize) -> f64 {
        let n = a.ncols();
        a.slice(s![i, 1..n]).dot(&a.slice(s![0_usize, ..n - 1]))
    }
    at (&a(), 1);

    fn differences(u: &Array1<f64>) -> f64 {
        let steps = u.slice(s![1..]).to_owned() - u.slice(s![..-1]);
        steps.dot(&steps)
    }
    at (&array![0.3, 0.5, -0.2, 0.7]) => array![
        2.0 * (u[0] - u[1]),
        2.0 * (2.0 * u[1] - u[0] - u[2]),
        2.0 * (2.0 * u[2] - u[1] - u[3]),
        2.0 * (u[3] - u[2])
    ];

    fn rows(a: &Array2<f64>, z: &Array1<f64>) -> f64 {
        let mut sum = 0.0;
        for row in a.rows() {
            sum += row.dot(z).sin();
        }
        sum
    }
    at (&a(), &z());

    fn columns(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let mut product = 1.0;
        for column in a.columns() {
            product *= column.dot(x);
        }
        product
    }
    at (&a(), &x());

    fn rows_in_a_chain(a: &Array2<f64>, z: &Array1<f64>, y: &[f64]) -> f64 {
        a.rows().into_iter().zip(y).map(|(row, y)| (row.dot(z) - y).powi(2)).sum()
    }
    at (&a(), &z(), &[0.3, -0.2]);

    fn outer_parts(a: &Array2<f64>, z: &Array1<f64>) -> Vec<f64> { a.outer_iter().map(|row| row.dot(z)).collect() }
    at (&a(), &z());

    fn parts_along_an_axis(a: &Array2<f64>) -> f64 {
        let mut sum = 0.0;
        for (i, column) in a.axis_iter(Axis(1)).enumerate() {
            sum += column.dot(&column) * i as f64;
        }
        sum
    }
    at (&a());

    fn parts_of_a_cube(c: &Array3<f64>) -> f64 {
        let mut sum = 0.0;
        for part in c.outer_iter() {
            sum += part.dot(&part.t()).sum();
        }
        sum
    }
    at (&cube());
}

#[cotangent::differentiate]
#[cotangent::differentiate(constant(inputs))]
fn of_constant_rows(weights: &Array1<f64>, inputs: &Array2<f64>) -> f64 {
    let mut loss = 0.0;
    for row in inputs.rows() {
        loss += row.dot(weights).tanh() * weights.dot(&row);
    }
    loss
}

checks! {
    of_constant_rows at (&z(), &a());
}
