//! Ranges that have names, are parameters, or are passed on.

use cotangent::{Differentiable, differentiate};
use std::ops::Range;

#[differentiate]
#[differentiate]
fn sum_of(x: &[f64], part: Range<usize>) -> f64 {
    x[part].iter().map(|v| v * v).sum()
}

fn neighbours(i: usize) -> Range<usize> {
    i..i + 2
}

/// An integer that is known only by its name.
#[derive(Clone, Differentiable)]
pub(crate) struct Shape {
    pub rows: usize,
}

corpus! {
    fn gone_through_twice(x: &[f64]) -> f64 {
        let r = 1..x.len();
        let mut s = 0.0;
        for i in r.clone() {
            s += x[i] * x[i - 1];
        }
        for i in r.rev() {
            s += x[i] * s;
        }
        s
    }
    at (&[0.3, 0.4, 0.9]);

    fn ends_and_length(x: &[f64], n: usize) -> f64 {
        let r = 1..n;
        let all = ..=n;
        let last = if r.is_empty() { 0 } else { r.end - 1 };
        let inside = if r.contains(&2) && all.contains(&n) { x[2] } else { x[0] };
        x[r.start] * x[last] * r.len() as f64 + inside * x[r].iter().sum::<f64>()
    }
    at (&[0.3, 0.4, 0.9], 3), (&[0.3, 0.4, 0.9], 2);

    fn contains_of_floats(x: f64, low: f64) -> f64 {
        let limits = low..2.0 * low;
        let all = low..=3.0 * low;
        match (limits.contains(&x), all.contains(&x)) {
            (true, _) => x * low,
            (false, true) => x * x * low,
            (false, false) => x.sin(),
        }
    }
    at (0.7, 0.5), (1.3, 0.5), (2.0, 0.5);

    fn passed_on(x: &[f64], n: usize) -> f64 {
        let r = 1..n;
        sum_of(x, 0..2) * sum_of(x, r.clone()) + sum_of(x, r.start..x.len()) + sum_of(x, r)
    }
    at (&[0.3, 0.4, 0.9], 3);

    fn of_a_parameter(x: &[f64], r: Range<usize>) -> f64 {
        let mut s = x[r.start];
        for i in r.clone() {
            s += x[i] * x[0];
        }
        for v in &x[r.clone()] {
            s *= v + 1.0;
        }
        s * r.len() as f64 * r.map(|i| x[i]).sum::<f64>()
    }
    at (&[0.3, 0.4, 0.9], 1..3);

    fn of_a_call(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in neighbours(1) {
            s += x[i] * x[i];
        }
        let r = neighbours(0);
        for i in r {
            s += x[i] * x[2];
        }
        s
    }
    at (&[0.3, 0.4, 0.9]);

    fn of_an_array(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for r in [0..2, 1..3].iter() {
            for i in r.clone() {
                s += x[i] * x[0];
            }
        }
        s
    }
    at (&[0.3, 0.4, 0.9]);

    fn chosen(x: &[f64], k: usize) -> f64 {
        let (left, right) = (0..k, k..x.len());
        let a: f64 = left.map(|i| x[i]).sum();
        let b = right.clone().fold(a, |sum, i| sum * x[i] + 0.5);
        let part = if k % 2 == 0 { k..x.len() } else { 0..2 };
        a * b * x[part].iter().sum::<f64>()
    }
    at (&[0.3, 0.4, 0.9], 1), (&[0.3, 0.4, 0.9], 2);

    fn of_fields(x: &[f64], shape: Range<usize>) -> f64 {
        let shape = Shape { rows: shape.end };
        let rows = 0..shape.rows;
        rows.clone().map(|i| x[i]).sum::<f64>() * sum_of(x, rows)
    }
    at (&[0.3, 0.4, 0.9], 0..2);
}
