//! The right side of a compound assignment comes first: it may read, and borrow, what is assigned to.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x[0] * y[0] + x[1] * y[1]
}

#[differentiate]
fn doubled(x: &mut [f64; 2]) -> f64 {
    x[0] *= 2.0;
    x[0]
}

#[differentiate]
fn everything(x: &[f64], n: usize) -> f64 {
    let mut local = [x[0], x[1]];
    let mut sum = 1.0;
    for _ in 0..n {
        local[1] += dot(x, &local);
        local[0] *= local[0] + local[1];
        local[1] -= doubled(&mut local);
        sum += sum * local[0];
    }
    local[0] + local[1] * sum
}

fn main() {
    let x = [0.5, 0.25];
    let (value, gradient) = everything::value_and_gradient(&x, 2);
    let (same, tangent) = everything::jvp(&x, &[1.0, 0.0], 2);
    assert_eq!((value.to_bits(), same.to_bits()), (everything(&x, 2).to_bits(), value.to_bits()));
    assert!((gradient[0] - tangent).abs() < 1e-12 * tangent.abs().max(1.0));
}
