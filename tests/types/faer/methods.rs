//! Sums, norms, transposes, columns and rows, determinants.

use cotangent::differentiate;
use cotangent::faer::*;
use faer::prelude::*;

use crate::{a, b, definite, square, x, y, z};

corpus! {
    fn sum(a: &Mat<f64>) -> f64 { a.sum() * a.sum() }
    at (&a()) => Mat::full(2, 3, 2.0 * a.sum());

    fn sums_of_vectors(x: &Col<f64>, y: Row<f64>) -> f64 { x.sum() * y.sum() }
    at (&x(), (y().into_transpose()));

    fn norms(a: &Mat<f64>, x: &Col<f64>, y: &Row<f64>) -> f64 { a.norm_l2() * x.norm_l2() + y.norm_l2().sin() }
    at (&a(), &x(), &y().into_transpose());

    fn squared_norms(a: &Mat<f64>, x: &Col<f64>, y: &Row<f64>) -> f64 { a.squared_norm_l2() * x.squared_norm_l2() + y.squared_norm_l2() }
    at (&a(), &x(), &y().into_transpose());

    fn transposed(a: &Mat<f64>) -> Mat<f64> { a.transpose().to_owned() }
    at (&a());

    fn transposed_product(a: &Mat<f64>, x: &Col<f64>) -> Col<f64> { a.transpose() * x }
    at (&a(), &x());

    fn products_of_transposes(a: &Mat<f64>, b: Mat<f64>) -> Mat<f64> { a.transpose() * b.transpose() + &b * a }
    at (&a(), b());

    fn transposes_behind(a: &Mat<f64>) -> Mat<f64> { a * a.transpose() - a * a.transpose().to_owned() + a * &a.transpose() }
    at (&a());

    fn transposed_sum(a: &Mat<f64>) -> Mat<f64> { a + a.transpose() }
    at (&square());

    fn dot(x: &Col<f64>, y: &Col<f64>) -> f64 { x.transpose() * y }
    at (&x(), &y()) => (y.clone(), x.clone());

    fn outer(x: &Col<f64>, z: &Col<f64>) -> Mat<f64> { x * z.transpose() }
    at (&x(), &z());

    fn quadratic_form(a: &Mat<f64>, z: &Col<f64>) -> f64 { 0.5 * (z.transpose() * (a * z)) + z.transpose() * a * z }
    at (&square(), &z());

    fn back_and_forth(x: &Col<f64>) -> Col<f64> { let row = x.transpose().to_owned(); row.transpose() * 2.0 }
    at (&x());

    fn lines(a: &Mat<f64>, i: usize) -> f64 { a.row(i).squared_norm_l2() * a.col(i).sum() + a.row(0) * a.row(1).transpose() }
    at (&a(), 1);

    fn owned_lines(a: &Mat<f64>, x: &Col<f64>) -> Col<f64> { let column = a.col(2).to_owned(); &column * x[0] + x }
    at (&a(), &x());

    fn determinant(a: &Mat<f64>) -> f64 { a.determinant() }
    at (&square()), (&definite());

    fn determinant_of_a_product(a: &Mat<f64>) -> f64 { (a * a.transpose()).determinant().ln() }
    at (&a());

    fn determinant_of_singular(a: &Mat<f64>) -> f64 { a.determinant() }
    at (&mat![[1.0, 2.0], [2.0, 4.0]]), (&mat![[4.0, 2.0, 0.0], [2.0, 2.0, 1.0], [1.0, 1.5, 1.0]]), (&mat![[0.0]]);

    fn temporaries(x: &Col<f64>, y: &Col<f64>) -> f64 { (x + y).squared_norm_l2() + (x * 2.0 - y).norm_l2() + (x - y).sum() }
    at (&x(), &y());

    fn normalized(x: &Col<f64>) -> Col<f64> { let n = x.norm_l2(); x / n }
    at (&x());

    fn single_precision(x: &Col<f32>) -> f32 { x.norm_l2() * x.sum() }
    at (&col![0.3, 0.5]);
}

#[differentiate]
fn norm(x: &Col<f64>) -> f64 {
    x.norm_l2()
}

/// At its corner a norm has no slope.
#[test]
fn the_norm_of_zero() {
    assert_eq!(norm::gradient(&Col::zeros(2)), Col::<f64>::zeros(2));
}

/// A determinant that `faer` makes no number of has its derivative all the same.
#[test]
fn the_determinant_behind_a_pivot_of_zero() {
    let a = mat![[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.5, 1.0, 3.0]];
    assert_eq!(
        determinant::determinant::gradient(&a),
        mat![[12.0, -6.0, 0.0], [-6.0, 3.0, 0.0], [0.0, 0.0, 0.0]]
    );
}
