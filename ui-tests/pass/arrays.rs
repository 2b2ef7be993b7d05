//! Arrays by value and behind references, nested, written to and returned.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn product(a: [[f64; 2]; 2], x: &[f64; 2]) -> [f64; 2] {
    let mut y = [0.0; 2];
    for i in 0..2 {
        for j in 0..2 {
            y[i] += a[i][j] * x[j];
        }
    }
    y
}

#[differentiate]
fn determinant(m: [[f64; 2]; 2]) -> f64 {
    let row = m[1];
    let first = [m[0][0], row[1]];
    first[0] * first[1] - m[0][1] * row[0]
}

fn main() {
    let a = [[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(product::jvp(a, [[0.0; 2]; 2], &[1.0, 1.0], &[1.0, 0.0]), ([3.0, 7.0], [1.0, 3.0]));
    assert_eq!(determinant::gradient(a), [[4.0, -3.0], [-2.0, 1.0]]);
}
