//! Factorisations, and what is solved by them.

use cotangent::differentiate;
use cotangent::faer::*;
use faer::Side;
use faer::linalg::solvers::{DenseSolveCore, Llt, PartialPivLu};
use faer::prelude::*;

use crate::{definite, square, z};

fn right_hand_sides() -> Mat<f64> {
    mat![[0.3, 0.5], [-0.7, 0.2], [0.1, 0.9]]
}

corpus! {
    fn solved(a: &Mat<f64>, z: &Col<f64>) -> Col<f64> { a.partial_piv_lu().solve(z) }
    at (&square(), &z());

    fn solved_twice(a: &Mat<f64>, z: &Col<f64>) -> Col<f64> {
        let lu = a.partial_piv_lu();
        let y = lu.solve(z);
        lu.solve(&y) + y
    }
    at (&square(), &z());

    fn several_right_hand_sides(a: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> { a.partial_piv_lu().solve(b) }
    at (&square(), &right_hand_sides());

    fn temporaries(a: Mat<f64>, z: Col<f64>) -> f64 { (&a + a.transpose()).partial_piv_lu().solve(&(&z * 2.0)).norm_l2() }
    at (square(), z());

    fn by_cholesky(s: &Mat<f64>, z: &Col<f64>) -> Col<f64> { s.llt(Side::Lower).unwrap().solve(z) }
    at (&definite(), &z());

    fn by_the_upper_triangle(s: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> { s.llt(Side::Upper).unwrap().solve(b) }
    at (&definite(), &right_hand_sides());

    fn energy(s: &Mat<f64>, z: &Col<f64>) -> f64 {
        let factor = s.llt(Side::Lower).unwrap();
        z.transpose() * factor.solve(z)
    }
    at (&definite(), &z());

    fn inverse(a: &Mat<f64>) -> Mat<f64> { a.partial_piv_lu().inverse() }
    at (&square());

    fn inverse_by_cholesky(s: &Mat<f64>) -> Mat<f64> { s.llt(Side::Lower).unwrap().inverse() }
    at (&definite());

    fn factor(s: &Mat<f64>) -> Mat<f64> { s.llt(Side::Lower).unwrap().L().to_owned() }
    at (&definite());

    fn factor_of_the_upper_triangle(s: &Mat<f64>, z: &Col<f64>) -> Col<f64> { s.llt(Side::Upper).unwrap().L() * z }
    at (&definite(), &z());

    fn log_determinant(s: &Mat<f64>) -> f64 {
        let factor = s.llt(Side::Lower).unwrap();
        let l = factor.L();
        let mut sum = 0.0;
        for i in 0..3 {
            sum += 2.0 * l[(i, i)].ln();
        }
        sum
    }
    at (&definite()) => {
        let inverse = s.partial_piv_lu().inverse();
        Mat::from_fn(3, 3, |i, j| if i > j { inverse[(i, j)] + inverse[(j, i)] } else if i == j { inverse[(i, i)] } else { 0.0 })
    };

    fn by_given_factors(lu: &PartialPivLu<f64>, z: &Col<f64>) -> Col<f64> { lu.solve(z) }
    at (&square().partial_piv_lu(), &z());

    fn by_a_given_factor(factor: &Llt<f64>, z: &Col<f64>) -> f64 { factor.solve(z).norm_l2() + factor.inverse().sum() + factor.L().sum() }
    at (&definite().llt(Side::Lower).unwrap(), &z());

    fn passed_on(s: &Mat<f64>, z: &Col<f64>) -> f64 { by_a_given_factor::by_a_given_factor(&s.llt(Side::Lower).unwrap(), z) }
    at (&definite(), &z());

    fn single_precision(a: &Mat<f32>, b: &Col<f32>) -> Col<f32> { a.partial_piv_lu().solve(b) }
    at (&mat![[2.0, 0.3], [0.1, 1.5]], &col![0.4, 0.7]);
}

#[differentiate]
#[differentiate(constant(s))]
fn of_a_constant(s: &Mat<f64>, z: &Col<f64>) -> f64 {
    s.llt(Side::Lower).unwrap().solve(z).squared_norm_l2()
}

#[differentiate]
#[differentiate]
fn where_definite(s: &Mat<f64>, z: &Col<f64>) -> f64 {
    match s.llt(Side::Lower) {
        Ok(factor) => factor.solve(z).norm_l2(),
        Err(_) => z.squared_norm_l2(),
    }
}

checks! {
    of_a_constant at (&definite(), &z());
    where_definite at (&definite(), &z()), (&(-definite()), &z());
}

/// A matrix without factors has a cotangent of its sizes.
#[test]
fn the_branch_without_factors() {
    let (s_bar, z_bar) = where_definite::gradient(&-definite(), &z());
    assert_eq!((s_bar, z_bar), (Mat::zeros(3, 3), z() * 2.0));
}
