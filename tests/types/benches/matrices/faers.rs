//! With `faer`: a perceptron of two layers, and a normal density.

use cotangent::differentiate;
use cotangent::faer::*;
use faer::linalg::solvers::DenseSolveCore;
use faer::{Side, prelude::*};

use super::{Kernel, sequence};

#[differentiate(constant(inputs, targets))]
fn perceptron(first: &Mat<f64>, second: &Mat<f64>, inputs: &Mat<f64>, targets: &Mat<f64>) -> f64 {
    let sums = first * inputs;
    let hidden = Mat::from_fn(sums.nrows(), sums.ncols(), |i, j| sums[(i, j)].tanh());
    (second * &hidden - targets).squared_norm_l2()
}

fn perceptron_by_hand(
    first: &Mat<f64>,
    second: &Mat<f64>,
    inputs: &Mat<f64>,
    targets: &Mat<f64>,
) -> (f64, (Mat<f64>, Mat<f64>)) {
    let sums = first * inputs;
    let hidden = Mat::from_fn(sums.nrows(), sums.ncols(), |i, j| sums[(i, j)].tanh());
    let residual = second * &hidden - targets;
    let value = residual.squared_norm_l2();
    let bar = residual * 2.0;
    let by_second = &bar * hidden.transpose();
    let mut hidden_bar = second.transpose() * &bar;
    for j in 0..hidden.ncols() {
        let entries = hidden_bar.col_as_slice_mut(j).iter_mut().zip(hidden.col_as_slice(j));
        entries.for_each(|(bar, y)| *bar *= 1.0 - y * y);
    }
    (value, (hidden_bar * inputs.transpose(), by_second))
}

#[differentiate]
fn log_density(covariance: &Mat<f64>, x: &Col<f64>) -> f64 {
    let factor = covariance.llt(Side::Lower).unwrap();
    let l = factor.L();
    let mut log_determinant = 0.0;
    for i in 0..x.nrows() {
        log_determinant += l[(i, i)].ln();
    }
    -0.5 * (x.transpose() * factor.solve(x)) - log_determinant
}

fn log_density_by_hand(covariance: &Mat<f64>, x: &Col<f64>) -> (f64, (Mat<f64>, Col<f64>)) {
    let factor = covariance.llt(Side::Lower).unwrap();
    let (solution, l) = (factor.solve(x), factor.L());
    let log_determinant: f64 = (0..x.nrows()).map(|i| l[(i, i)].ln()).sum();
    let value = -0.5 * (x.transpose() * &solution) - log_determinant;
    let mut bar = factor.inverse();
    for j in 0..x.nrows() {
        let entries = bar.col_as_slice_mut(j).iter_mut().enumerate();
        entries.for_each(|(i, entry)| {
            let both = solution[i] * solution[j] - *entry;
            *entry = if i > j {
                both
            } else if i == j {
                0.5 * both
            } else {
                0.0
            };
        });
    }
    (value, (bar, -solution))
}

fn matrix(n: usize, seed: usize) -> Mat<f64> {
    Mat::from_fn(n, n, |i, j| sequence(seed, i, j) / (n as f64).sqrt())
}

fn perceptrons(n: usize) -> Kernel {
    let of = move || [1, 2, 3, 4].map(|seed| matrix(n, seed));
    let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (of(), of(), of());
    let ours = perceptron::value_and_gradient(&a, &b, &c, &d);
    let by_hand = perceptron_by_hand(&a, &b, &c, &d);
    assert!(
        (ours.1.0 - by_hand.1.0).norm_l2() + (ours.1.1 - by_hand.1.1).norm_l2() < 1e-8 * ours.0
    );
    Kernel {
        name: "perceptron of faer, 512",
        runs: [
            Box::new(move || perceptron(&a, &b, &c, &d)),
            Box::new(move || perceptron::value_and_gradient(&e, &f, &g, &h).0),
            Box::new(move || perceptron_by_hand(&i, &j, &k, &l).0),
        ],
    }
}

fn densities(n: usize) -> Kernel {
    let of = move || {
        let a = matrix(n, 1);
        (&a * a.transpose() + Mat::<f64>::identity(n, n), Col::from_fn(n, |i| sequence(2, i, 0)))
    };
    let ((a, x), (b, y), (c, z)) = (of(), of(), of());
    let (ours, by_hand) = (log_density::value_and_gradient(&a, &x), log_density_by_hand(&a, &x));
    assert!((ours.1.0 - by_hand.1.0).norm_l2() + (ours.1.1 - by_hand.1.1).norm_l2() < 1e-8);
    Kernel {
        name: "density of faer, 200",
        runs: [
            Box::new(move || log_density(&a, &x)),
            Box::new(move || log_density::value_and_gradient(&b, &y).0),
            Box::new(move || log_density_by_hand(&c, &z).0),
        ],
    }
}

pub fn kernels() -> Vec<Kernel> {
    vec![perceptrons(512), densities(200)]
}
