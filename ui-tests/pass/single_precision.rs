//! Functions of `f32`, and casts between the precisions.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn wave(x: f32, table: &[f32]) -> f32 {
    let mut sum = 0.5;
    for i in 0..table.len() {
        sum += (2.0 * x * table[i]).sin() / 3.0;
    }
    sum
}

#[differentiate]
fn mixed(x: f32, y: f64) -> f64 {
    f64::from(x) * y + 1.0
}

fn main() {
    let (x_bar, table_bar): (f32, Vec<f32>) = wave::gradient(0.0, &[1.5, 3.0]);
    assert!((x_bar - 3.0).abs() < 1e-6 && table_bar == [0.0, 0.0]);
    let gradient: (f32, f64) = mixed::gradient(2.0, 3.0);
    assert_eq!(gradient, (3.0, 2.0));
}
