//! The plain sum: nothing but memory traffic and one chain of additions.

use cotangent::differentiate;

/// Σ xᵢ
#[differentiate]
pub fn sum(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

/// [`sum()`] and its gradient, 1 everywhere, added to `x_bar` (of the length of `x`).
pub fn sum_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for (x, x_bar) in x.iter().zip(x_bar) {
        s += x;
        *x_bar += 1.0;
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    #[test]
    fn gradients_agree() {
        let x = sequence(37, -1.0..1.0);
        let (mut ours, mut by_hand) = (vec![0.25; 37], vec![0.25; 37]);
        let (value, ()) = sum::accumulate_gradient(&x, &mut ours);
        assert_eq!(value, sum(&x));
        assert_eq!(sum_by_hand(&x, &mut by_hand), value);
        assert_agreement(&ours, &by_hand);
        assert_gradient(sum, &x, &by_hand, 0.25);
    }
}
