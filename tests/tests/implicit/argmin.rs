//! `argmin`: minima and other points where a gradient is zero.

use super::assert_close;
use cotangent::{check, differentiate, linalg, primitive};

/// The loss of ridge regression, where `x` has a row for each observation.
#[differentiate]
#[differentiate]
fn loss(w: &[f64], x: &[f64], y: &[f64], penalty: f64) -> f64 {
    let mut sum = 0.5 * penalty * linalg::dot(w, w);
    for i in 0..y.len() {
        let residual = linalg::dot(&x[i * w.len()..][..w.len()], w) - y[i];
        sum += 0.5 * residual * residual;
    }
    sum
}

/// The normal equations with a penalty: matrix and right-hand side.
fn normal(x: &[f64], y: &[f64], penalty: f64) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = (y.len(), x.len() / y.len());
    let mut gram = linalg::matmul_tn(x, x, columns, rows, columns);
    (0..columns).for_each(|i| gram[i * columns + i] += penalty);
    (gram, linalg::matvec_t(x, y, rows, columns))
}

#[primitive(argmin = loss, constant(x))]
fn ridge(x: &[f64], y: &[f64], penalty: f64) -> Vec<f64> {
    let (gram, side) = normal(x, y, penalty);
    linalg::lu_solve(&gram, &side, side.len()).unwrap()
}

const X: [f64; 8] = [1.0, 2.0, 3.0, -1.0, 0.5, 0.3, -0.4, 1.5];
const Y: [f64; 4] = [1.0, 2.0, 0.3, -0.8];

#[test]
fn ridge_regression_has_its_closed_derivative() {
    let w = ridge(&X, &Y, 0.7);
    let (gram, _) = normal(&X, &Y, 0.7);
    // (XᵀX + λ) dw = -w dλ
    let by_penalty = linalg::lu_solve(&gram, &w, 2).unwrap();
    let (_, along) = ridge::jvp(&X, &Y, &[0.0; 4], 0.7, 1.0);
    (0..2).for_each(|i| assert_close(along[i], -by_penalty[i], 1e-13));
    check!(ridge(&X, &Y, 0.7)).unwrap();
}

/// The error of a held-out observation, by the penalty.
#[differentiate]
fn validation(y: &[f64], penalty: f64) -> f64 {
    let w = ridge(&X, y, penalty);
    let error = 0.3 * w[0] - 0.9 * w[1] - 0.2;
    error * error
}

#[test]
fn an_outer_problem_has_a_gradient() {
    check!(validation(&Y, 0.7)).unwrap();
}

/// The saddle of a quadratic, which is stationary and no minimum.
#[differentiate]
#[differentiate]
fn saddle(u: [f64; 2], p: f64) -> f64 {
    u[0] * u[0] - u[1] * u[1] + p * u[0] + p * p * u[1]
}

#[primitive(argmin = saddle)]
fn stationary(p: f64) -> [f64; 2] {
    [-p / 2.0, p * p / 2.0]
}

#[test]
fn a_saddle_is_stationary() {
    let (_, along) = stationary::jvp(0.6, 1.0);
    assert_close(along[0], -0.5, 1e-15);
    assert_close(along[1], 0.6, 1e-15);
    check!(stationary(0.6)).unwrap();
}
