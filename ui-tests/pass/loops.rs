//! Loops: ranges in every form, `while`, `loop`, nested and labelled.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn ranges(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i];
    }
    for i in (1..=n).rev() {
        sum *= x[i - 1];
    }
    for i in (0..n).step_by(2) {
        for j in i..n {
            sum += x[i] * x[j];
        }
    }
    for _ in 0..2 {
        sum += 1.0;
    }
    sum
}

#[differentiate]
fn conditional(x: f64, limit: f64) -> f64 {
    let (mut y, mut steps) = (x, 0);
    while y < limit && steps < 100 {
        y *= x;
        steps += 1;
    }
    let root = loop {
        y = 0.5 * (y + x / y);
        if steps > 110 {
            break y;
        }
        steps += 1;
    };
    'outer: for i in 0..3 {
        for j in 0..3 {
            if i + j == 3 {
                continue 'outer;
            }
            if i * j == 4 {
                break 'outer;
            }
            y += root;
        }
    }
    y
}

fn main() {
    assert_eq!(ranges::gradient(&[2.0, 3.0], 2).len(), 2);
    let (_, (x_bar, limit_bar)) = conditional::value_and_gradient(2.0, 10.0);
    assert!(x_bar.is_finite() && limit_bar == 0.0);
}
