//! More parameters than the longest tuple that has traits.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn by_value(
    a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64, j: f64, k: f64, l: f64, m: f64, n: f64,
) -> f64 {
    (a + b + c + d) * (e + f + g + h) * (i + j + k + l) * (m - n)
}

#[differentiate]
fn behind_references(
    a: &f64, b: &[f64], c: &mut f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64, j: f64, k: f64, l: f64, m: f64, n: usize,
) -> f64 {
    *c *= *a;
    (b[n] + *c) * (d + e + f + g + h + i + j + k + l) * m
}

fn main() {
    let gradient = by_value::gradient(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0);
    assert_eq!((gradient.0, gradient.12, gradient.13), (16.0, 64.0, -64.0));
    let gradient = behind_references::gradient(&2.0, &[3.0], &mut 5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0);
    assert_eq!((gradient.0, gradient.1, gradient.2, gradient.12), (5.0, vec![1.0], 2.0, 13.0));
}
