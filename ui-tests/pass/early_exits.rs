//! `return`, `break` and `continue` out of every construct.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn search(x: &[f64], limit: f64) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    let mut product = 1.0;
    for i in 0..x.len() {
        if x[i] == 0.0 {
            continue;
        }
        product *= x[i];
        if product > limit {
            return product * limit;
        } else if product < -limit {
            break;
        }
    }
    let result = if product > 0.0 { product } else { return -product };
    result + 1.0
}

fn main() {
    assert_eq!(search::gradient(&[], 1.0), (vec![], 0.0));
    assert_eq!(search::gradient(&[2.0, 0.0, 3.0, 5.0], 5.0), (vec![15.0, 0.0, 10.0, 0.0], 6.0));
    assert_eq!(search::gradient(&[2.0, -3.0], 5.0), (vec![3.0, -2.0], 0.0));
}
