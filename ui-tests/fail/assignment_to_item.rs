#![allow(const_item_mutation)]

use cotangent::differentiate;

const TOTALS: [f64; 2] = [0.0; 2];

#[differentiate]
fn recorded(x: f64) -> f64 {
    TOTALS[0] += x;
    x * x
}

fn main() {
    let _ = recorded(1.0);
}
