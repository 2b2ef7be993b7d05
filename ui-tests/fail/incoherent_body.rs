//! A write behind `&`, which rustc does not accept either.

use cotangent::differentiate;

#[differentiate]
fn scaled(x: &[f64], k: f64) -> f64 {
    for i in 0..x.len() {
        x[i] *= k;
    }
    x[0]
}

fn main() {
    assert_eq!(scaled(&[1.0], 2.0), 2.0);
}
