//! Functions with corners: what is computed depends on each datum.

use cotangent::differentiate;

/// A sum over two arms of a branch, a modulus and a maximum.
#[differentiate]
pub fn branches(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let bent = if x[i] > 0.5 { x[i] * x[i] } else { 2.0 * x[i] - 0.75 };
        sum += bent * (x[i] - 0.3).abs() + bent.max(0.1 * x[i]);
    }
    sum
}

/// [`branches()`] and its gradient, added to `x_bar` (of the length of `x`).
///
/// Derivatives are chosen, not branched to.
pub fn branches_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (x, x_bar) in x.iter().zip(x_bar) {
        let (bent, slope) = if *x > 0.5 { (x * x, 2.0 * x) } else { (2.0 * x - 0.75, 2.0) };
        let (distance, other) = (x - 0.3, 0.1 * x);
        sum += bent * distance.abs() + bent.max(other);
        let by_distance = if distance > 0.0 { bent } else { -bent };
        *x_bar += slope * distance.abs() + by_distance + if bent >= other { slope } else { 0.1 };
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
        let x = sequence(37, -1.0..2.0);
        let (mut ours, mut by_hand) = (vec![0.25; 37], vec![0.25; 37]);
        let (value, ()) = branches::accumulate_gradient(&x, &mut ours);
        assert_eq!(value, branches(&x));
        assert_eq!(branches_by_hand(&x, &mut by_hand), value);
        assert_agreement(&ours, &by_hand);
        assert_gradient(branches, &x, &by_hand, 0.25);
    }
}
