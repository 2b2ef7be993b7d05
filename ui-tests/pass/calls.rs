//! Calls of differentiated functions, by every way of passing; calls without active arguments.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

#[differentiate(constant(by))]
fn scale(x: &mut [f64], by: f64, count: usize) -> (f64, usize) {
    x[0] *= by;
    (x[0], count + 1)
}

fn half(n: usize) -> usize {
    n / 2
}

fn offset() -> f64 {
    0.5
}

#[differentiate]
fn everything(x: &[f64], n: usize) -> f64 {
    let mut local = [square(x[0]), x[1]];
    let (first, count): (f64, usize) = scale(&mut local, 2.0, half(n));
    for _ in 0..half(count) {
        let addend = dot(x, &local);
        local[1] += addend;
    }
    dot(x, x) + square(square(first)) * offset() + dot(&local, &[1.0, 0.0])
}

fn main() {
    let x = [0.5, 2.0];
    let (value, gradient) = everything::value_and_gradient(&x, 6);
    let (same, tangent) = everything::jvp(&x, &[1.0, 0.0], 6);
    assert_eq!(value.to_bits(), same.to_bits());
    assert!((gradient[0] - tangent).abs() < 1e-12);
}
