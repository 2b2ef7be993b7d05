//! Σ sin cos exp xᵢ: a map and a reduction, in three ways.

use cotangent::differentiate;

/// With a buffer.
#[differentiate]
pub fn map_by_loop(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = x[i].exp().cos().sin();
    }
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += y[i];
    }
    sum
}

/// With a vector that is collected.
#[differentiate]
pub fn map_collected(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().map(|x| x.exp().cos().sin()).collect();
    y.iter().sum()
}

/// Without a buffer.
#[differentiate]
pub fn map_fused(x: &[f64]) -> f64 {
    x.iter().map(|x| x.exp().cos().sin()).sum()
}

/// Any of them and its gradient, added to `x_bar` (of the length of `x`).
pub fn map_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (x, x_bar) in x.iter().zip(x_bar) {
        let exp = x.exp();
        let (sin_exp, cos_exp) = exp.sin_cos();
        let (sin, cos) = cos_exp.sin_cos();
        sum += sin;
        *x_bar -= cos * sin_exp * exp;
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
        let x = sequence(23, -2.0..1.0);
        let mut by_hand = vec![0.25; x.len()];
        let value = map_by_hand(&x, &mut by_hand);
        assert_gradient(map_by_loop, &x, &by_hand, 0.25);
        type Gradient = fn(&[f64], &mut [f64]) -> (f64, ());
        let all: [(f64, Gradient); 3] = [
            (map_by_loop(&x), |x, x_bar| map_by_loop::accumulate_gradient(x, x_bar)),
            (map_collected(&x), |x, x_bar| map_collected::accumulate_gradient(x, x_bar)),
            (map_fused(&x), |x, x_bar| map_fused::accumulate_gradient(x, x_bar)),
        ];
        for (primal, gradient) in all {
            let mut ours = vec![0.25; x.len()];
            assert_eq!(gradient(&x, &mut ours).0, value);
            assert_eq!(primal, value);
            assert_agreement(&ours, &by_hand);
        }
    }
}
