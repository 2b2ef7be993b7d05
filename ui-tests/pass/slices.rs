//! Slices and places behind references: read, indexed, borrowed.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn weighted(w: &[f64], rows: &[[f64; 2]], bias: &f64) -> f64 {
    let mut sum = *bias;
    let last = &w[w.len() - 1];
    for i in 0..w.len() {
        let row = &rows[i];
        sum += w[i] * row[0] + row[1] * *last;
    }
    if w.is_empty() {
        0.0
    } else {
        sum
    }
}

fn main() {
    let (w_bar, rows_bar, bias_bar) =
        weighted::gradient(&[2.0, 3.0], &[[1.0, 0.0], [5.0, 1.0]], &7.0);
    assert_eq!((w_bar, rows_bar, bias_bar), (vec![1.0, 6.0], vec![[2.0, 3.0], [3.0, 3.0]], 1.0));
}
