//! Orthogonal factors of matrices with more rows than columns, as many, and fewer, and least squares by them.

use cotangent::differentiate;
use cotangent::faer::*;
use faer::linalg::solvers::{DenseSolveCore, Qr, SolveLstsq};
use faer::prelude::*;

use crate::{a, b, square, x, z};

corpus! {
    fn orthogonal(a: &Mat<f64>) -> Mat<f64> { a.qr().compute_thin_Q() }
    at (&square()), (&b()), (&a());

    fn triangle(a: &Mat<f64>) -> Mat<f64> { a.qr().thin_R().to_owned() }
    at (&square()), (&b()), (&a());

    fn whole_triangle(a: &Mat<f64>) -> Mat<f64> { a.qr().R().to_owned() }
    at (&square()), (&b()), (&a());

    fn both_factors(a: &Mat<f64>, s: f64) -> Mat<f64> {
        let qr = a.qr();
        let q = qr.compute_thin_Q();
        &q * qr.thin_R() * s + &q * 2.0 * qr.thin_R()
    }
    at (&square(), 0.3), (&b(), 0.3), (&a(), 0.3);

    fn product_of_factors(a: &Mat<f64>) -> f64 {
        let qr = a.qr();
        (qr.compute_thin_Q() * qr.thin_R()).squared_norm_l2()
    }
    at (&square()), (&b()) => a * 2.0;

    fn least_squares(a: &Mat<f64>, z: &Col<f64>) -> Col<f64> { a.qr().solve_lstsq(z) }
    at (&b(), &z()), (&square(), &z());

    fn several_least_squares(a: &Mat<f64>, right: &Mat<f64>) -> Mat<f64> { a.qr().solve_lstsq(right) }
    at (&b(), &square());

    fn residual(a: &Mat<f64>, z: &Col<f64>) -> f64 {
        let fitted = a.qr().solve_lstsq(z);
        (a * &fitted - z).squared_norm_l2()
    }
    at (&b(), &z());

    fn solved(a: &Mat<f64>, z: &Col<f64>) -> Col<f64> { a.qr().solve(z) }
    at (&square(), &z());

    fn inverse(a: &Mat<f64>) -> Mat<f64> { a.qr().inverse() }
    at (&square());

    fn by_given_factors(qr: &Qr<f64>, z: &Col<f64>) -> f64 { qr.solve_lstsq(z).norm_l2() + qr.thin_R()[(0, 1)] }
    at (&b().qr(), &z());

    fn logarithm_of_determinant(a: &Mat<f64>) -> f64 {
        let qr = a.qr();
        let r = qr.R();
        let mut sum = 0.0;
        for i in 0..3 {
            sum += r[(i, i)].abs().ln();
        }
        sum
    }
    at (&square()) => a.partial_piv_lu().inverse().transpose().to_owned();
}
