//! The kernels over any number type, for `num-dual`: statement by statement what the kernels of the library do.
//!
//! A type of dual numbers carries its derivatives along. So what a user of them writes is the kernel with a type
//! parameter, and what stays constant keeps its own type.

// Written with index loops, as the kernels are.
#![allow(clippy::needless_range_loop)]

use cotangent_examples::kernels::helmholtz::{COMPONENTS, RT};
use cotangent_examples::kernels::perceptron::{HIDDEN, INPUTS};
use num_dual::DualNum;

pub fn rosenbrock<D: DualNum<f64> + Copy>(x: &[D]) -> D {
    let mut s = D::from(0.0);
    for i in 0..x.len() - 1 {
        let valley = x[i + 1] - x[i] * x[i];
        let slope = -(x[i] - 1.0);
        s += valley * valley * 100.0 + slope * slope;
    }
    s
}

pub fn logistic<D: DualNum<f64> + Copy>(w: &[D], features: &[f64], labels: &[f64]) -> D {
    let n = w.len();
    let mut loss = D::from(0.0);
    for i in 0..labels.len() {
        let mut z = D::from(0.0);
        for j in 0..n {
            z += w[j] * features[i * n + j];
        }
        let margin = z * labels[i];
        if margin > 0.0 {
            loss += (-margin).exp().ln_1p();
        } else {
            loss += margin.exp().ln_1p() - margin;
        }
    }
    loss
}

pub fn perceptron<D: DualNum<f64> + Copy>(weights: &[D], samples: &[f64], targets: &[f64]) -> D {
    let (first, rest) = weights.split_at(HIDDEN * (INPUTS + 1));
    let (second, third) = rest.split_at(HIDDEN * (HIDDEN + 1));
    let mut loss = D::from(0.0);
    for i in 0..targets.len() {
        let sample = &samples[i * INPUTS..(i + 1) * INPUTS];
        let hidden = layer(second, &layer(first, sample));
        let error = affine(third, &hidden) - targets[i];
        loss += error * error;
    }
    loss * 0.5 / targets.len() as f64
}

/// What goes in is a sample, which is constant, or the layer before.
fn layer<D, X>(weights: &[D], x: &[X]) -> Vec<D>
where
    D: DualNum<f64> + Copy + std::ops::Mul<X, Output = D>,
    X: Copy,
{
    let width = x.len() + 1;
    weights.chunks_exact(width).map(|row| affine(row, x).tanh()).collect()
}

fn affine<D, X>(row: &[D], x: &[X]) -> D
where
    D: DualNum<f64> + Copy + std::ops::Mul<X, Output = D>,
    X: Copy,
{
    let mut sum = row[x.len()];
    for j in 0..x.len() {
        sum += row[j] * x[j];
    }
    sum
}

pub fn helmholtz<D: DualNum<f64> + Copy>(
    x: &[D; COMPONENTS],
    volumes: &[f64; COMPONENTS],
    attraction: &[[f64; COMPONENTS]; COMPONENTS],
) -> D {
    let mut taken = D::from(0.0);
    for i in 0..COMPONENTS {
        taken += x[i] * volumes[i];
    }
    let mut ideal = D::from(0.0);
    let mut attracted = D::from(0.0);
    for i in 0..COMPONENTS {
        ideal += x[i] * (x[i] / -(taken - 1.0)).ln();
        let mut to_others = D::from(0.0);
        for j in 0..COMPONENTS {
            to_others += x[j] * attraction[i][j];
        }
        attracted += x[i] * to_others;
    }
    let root = 2.0_f64.sqrt();
    let ratio = (taken * (1.0 + root) + 1.0) / (taken * (1.0 - root) + 1.0);
    ideal * RT - attracted * ratio.ln() / (taken * 8.0_f64.sqrt())
}

pub fn moments<D: DualNum<f64> + Copy>(x: &[D; 50]) -> [D; 6] {
    let mut y = [D::from(0.0); 6];
    for i in 0..50 {
        y[0] += x[i] / 50.0;
    }
    let mean = y[0];
    for i in 0..50 {
        let away = x[i] - mean;
        let mut power = away / 50.0;
        for k in 1..6 {
            power *= away;
            y[k] += power;
        }
    }
    y
}

pub fn lanczos<D: DualNum<f64> + Copy>(beta: &[D; 6]) -> [D; 50] {
    let mut y = [D::from(0.0); 50];
    for i in 0..50 {
        let t = 0.05 * i as f64;
        for k in 0..3 {
            y[i] += beta[2 * k] * (-beta[2 * k + 1] * t).exp();
        }
    }
    y
}
