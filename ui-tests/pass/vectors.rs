//! `Vec`: made, grown, read, written, taken and returned.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn running(x: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(x.len());
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
        sums.push(sum * sum);
    }
    sums
}

#[differentiate]
fn built(x: f64, n: usize) -> f64 {
    let mut powers = vec![1.0; n];
    for i in 1..n {
        powers[i] = powers[i - 1] * x;
    }
    let pair = vec![x, powers[n - 1]];
    let mut empty: Vec<f64> = Vec::new();
    empty.push(pair[0] * pair[1]);
    empty[0]
}

#[differentiate]
fn consumed(mut v: Vec<f64>) -> f64 {
    v[0] *= v[1];
    v.push(v[0]);
    v[2] * v[1]
}

fn main() {
    assert_eq!(running::jvp(&[1.0, 2.0], &[1.0, 0.0]), (vec![1.0, 9.0], vec![2.0, 6.0]));
    assert_eq!(built::value_and_gradient(2.0, 3), (8.0, 12.0));
    assert_eq!(consumed::gradient(vec![2.0, 3.0]), [9.0, 12.0]);
}
