//! Moments of a sample: many parameters, few values.

use cotangent::differentiate;

/// The mean of 50 numbers, and their central moments from the second to the sixth.
#[differentiate]
pub fn moments(x: &[f64; 50]) -> [f64; 6] {
    let mut y = [0.0; 6];
    for i in 0..50 {
        y[0] += x[i] / 50.0;
    }
    let mean = y[0];
    for i in 0..50 {
        let away = x[i] - mean;
        let mut power = away / 50.0;
        for k in 1..6 {
            power *= away;
            y[k] += power;
        }
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;

    /// The derivative of the k-th moment by a number is k / n (awayᵏ⁻¹ − the moment before).
    #[test]
    fn the_jacobian_is_a_closed_form() {
        let x: [f64; 50] = sequence(50, -1.0..2.0).try_into().unwrap();
        let (y, jacobian) = (moments(&x), moments::jacobian(&x));
        for i in 0..50 {
            assert!((jacobian[(0, i)] - 0.02).abs() < 1e-15);
            for k in 1..6 {
                let before = if k == 1 { 0.0 } else { y[k - 1] };
                let expected = (k + 1) as f64 / 50.0 * ((x[i] - y[0]).powi(k as i32) - before);
                assert!((jacobian[(k, i)] - expected).abs() < 1e-13, "{k}, {i}");
            }
        }
    }
}
