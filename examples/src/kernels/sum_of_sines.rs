//! A sum of library calls: sine and cosine of one argument cost little more than either.

use cotangent::differentiate;

/// Σ sin xᵢ
#[differentiate]
pub fn sum_of_sines(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i].sin();
    }
    s
}

/// [`sum_of_sines()`] and its gradient, cos xᵢ, added to `x_bar` (of the length of `x`).
pub fn sum_of_sines_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for (x, x_bar) in x.iter().zip(x_bar) {
        let (sin, cos) = x.sin_cos();
        s += sin;
        *x_bar += cos;
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
        let x = sequence(37, -3.0..3.0);
        let (mut ours, mut by_hand) = (vec![0.25; 37], vec![0.25; 37]);
        let (value, ()) = sum_of_sines::accumulate_gradient(&x, &mut ours);
        assert_eq!(value, sum_of_sines(&x));
        assert_eq!(sum_of_sines_by_hand(&x, &mut by_hand), value);
        assert_agreement(&ours, &by_hand);
        assert_gradient(sum_of_sines, &x, &by_hand, 0.25);
    }
}
