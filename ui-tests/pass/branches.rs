//! `if` as statement and expression, `else if`, nested, short-circuit conditions.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn piecewise(x: f64, n: usize) -> f64 {
    let inner = if x > 1.0 {
        x * x
    } else if x > 0.0 && n > 1 {
        let twice = 2.0 * x;
        twice * x
    } else {
        0.0
    };
    let mut y = inner;
    if n == 3 || y < 0.0 {
        y += x;
        if !(y > 2.0) {
            y *= 3.0;
        }
    }
    let late;
    if y > 0.0 {
        late = y;
    } else {
        late = x;
    }
    late
}

fn main() {
    assert_eq!(piecewise::gradient(2.0, 0), 4.0);
    assert_eq!(piecewise::gradient(0.5, 3), 9.0);
    assert_eq!(piecewise::gradient(-1.0, 0), 1.0);
}
