//! The chained Rosenbrock function: neighbours are read, so shadows of neighbours are written.

use cotangent::differentiate;

/// Σ 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)² over all neighbours (Rosenbrock 1960, chained).
///
/// # Panics
///
/// If `x` is empty.
#[differentiate]
#[differentiate]
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let valley = x[i + 1] - x[i] * x[i];
        let slope = 1.0 - x[i];
        s += 100.0 * valley * valley + slope * slope;
    }
    s
}

/// Elements whose shadows are updated together in [`rosenbrock_by_hand`].
const BLOCK: usize = 8;

/// [`rosenbrock()`] and its gradient, added to `x_bar` (of the length of `x`).
///
/// The additions to the value are a chain that cannot be vectorised, the shadows in gather form (one
/// write each) can. By turns in short blocks, the processor overlaps the two.
///
/// # Panics
///
/// If `x` is empty or `x_bar` is shorter than `x`.
pub fn rosenbrock_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let last = x.len() - 1;
    if last == 0 {
        return 0.0;
    }
    let mut s = term(x[0], x[1]);
    x_bar[0] += from_right(x[0], x[1]);
    let mut done = 1;
    while done + BLOCK <= last {
        s = block(&x[done - 1..], &mut x_bar[done..], s);
        done += BLOCK;
    }
    for i in done..last {
        s += term(x[i], x[i + 1]);
        x_bar[i] += from_both(x[i - 1], x[i], x[i + 1]);
    }
    x_bar[last] += from_left(x[last - 1], x[last]);
    s
}

/// Adds the terms of `x[1..=BLOCK]` to `s` and their derivatives to the first elements of `x_bar`.
fn block(x: &[f64], x_bar: &mut [f64], mut s: f64) -> f64 {
    let (x, x_bar) = (&x[..BLOCK + 2], &mut x_bar[..BLOCK]);
    for i in 0..BLOCK {
        x_bar[i] += from_both(x[i], x[i + 1], x[i + 2]);
    }
    for i in 0..BLOCK {
        s += term(x[i + 1], x[i + 2]);
    }
    s
}

fn term(x: f64, next: f64) -> f64 {
    let valley = next - x * x;
    let slope = 1.0 - x;
    100.0 * valley * valley + slope * slope
}

/// Derivative by `x` of the term that it shares with its left neighbour.
fn from_left(previous: f64, x: f64) -> f64 {
    200.0 * (x - previous * previous)
}

/// Derivative by `x` of the term that it shares with its right neighbour.
fn from_right(x: f64, next: f64) -> f64 {
    x * (2.0 - 400.0 * (next - x * x)) - 2.0
}

/// The sum of both, with like terms collected.
fn from_both(previous: f64, x: f64, next: f64) -> f64 {
    x * (202.0 - 400.0 * (next - x * x)) - (200.0 * (previous * previous) + 2.0)
}

/// The Hessian of [`rosenbrock()`] times `v` (of the length of `x`).
///
/// # Panics
///
/// If `x` is empty or `v` is shorter than `x`.
#[must_use]
pub fn rosenbrock_product_by_hand(x: &[f64], v: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; x.len()];
    // Each entry is written once: a term of two neighbours leaves a part to the right one.
    let mut left = 0.0;
    for i in 0..x.len() - 1 {
        let diagonal = 2.0 - 400.0 * (x[i + 1] - 3.0 * x[i] * x[i]);
        let beside = -400.0 * x[i];
        product[i] = left + diagonal * v[i] + beside * v[i + 1];
        left = beside * v[i] + 200.0 * v[i + 1];
    }
    product[x.len() - 1] = left;
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient, assert_product};

    /// Lengths without a block, with whole blocks and with a rest.
    #[test]
    fn gradients_agree() {
        for len in [1, 2, 3, 9, 10, 11, 18, 37] {
            let x = sequence(len, -1.5..1.5);
            let (mut ours, mut by_hand) = (vec![0.25; len], vec![0.25; len]);
            let (value, ()) = rosenbrock::accumulate_gradient(&x, &mut ours);
            assert_eq!(value, rosenbrock(&x));
            assert_eq!(rosenbrock_by_hand(&x, &mut by_hand), value);
            assert_agreement(&ours, &by_hand);
            assert_gradient(rosenbrock, &x, &by_hand, 0.25);
        }
    }

    #[test]
    fn products_agree() {
        for len in [1, 2, 3, 18] {
            let (x, v) = (sequence(len, -1.5..1.5), sequence(len, -1.0..2.0));
            let by_hand = rosenbrock_product_by_hand(&x, &v);
            assert_agreement(&rosenbrock::hvp(&x, &v), &by_hand);
            assert_product(rosenbrock::gradient, &x, &v, &by_hand);
        }
    }

    #[test]
    fn the_gradient_vanishes_in_the_minimum() {
        let mut x_bar = vec![0.0; 12];
        assert_eq!(rosenbrock_by_hand(&[1.0; 12], &mut x_bar), 0.0);
        assert_eq!(x_bar, [0.0; 12]);
    }
}
