//! Square roots by Newton's method: each loop takes as many turns as its datum needs.

use cotangent::differentiate;

/// Σ √xᵢ for positive numbers.
#[differentiate]
pub fn roots(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let mut root = x[i];
        while (root * root - x[i]).abs() > 1e-12 * x[i] {
            root = 0.5 * (root + x[i] / root);
        }
        sum += root;
    }
    sum
}

/// [`roots()`] and its gradient, added to `x_bar` (of the length of `x`).
///
/// One number goes into a loop and one comes out, so the derivative goes along with it.
pub fn roots_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (x, x_bar) in x.iter().zip(x_bar) {
        let (mut root, mut root_dot) = (*x, 1.0);
        while (root * root - x).abs() > 1e-12 * x {
            let quotient = x / root;
            root_dot = 0.5 * (root_dot + (1.0 - quotient * root_dot) / root);
            root = 0.5 * (root + quotient);
        }
        sum += root;
        *x_bar += root_dot;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    #[test]
    fn gradients_agree() {
        let x = sequence(23, 0.1..50.0);
        let (mut ours, mut by_hand) = (vec![0.25; 23], vec![0.25; 23]);
        let (value, ()) = roots::accumulate_gradient(&x, &mut ours);
        assert_eq!(value, roots(&x));
        assert_eq!(roots_by_hand(&x, &mut by_hand), value);
        assert_agreement(&ours, &by_hand);
        assert_gradient(roots, &x, &by_hand, 0.25);
        let closed: Vec<f64> = x.iter().map(|x| 0.25 + 0.5 / x.sqrt()).collect();
        let error = |(found, expected): (&f64, &f64)| (found - expected).abs();
        assert!(by_hand.iter().zip(&closed).map(error).all(|error| error < 1e-6));
    }
}
