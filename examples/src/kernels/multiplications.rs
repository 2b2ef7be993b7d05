//! One block of 400 multiplications.

use cotangent::differentiate;

/// `x[0]` times `x[1]` to the power of 400, by multiplications.
///
/// # Panics
///
/// If there are fewer than two elements.
#[differentiate]
pub fn multiplications(x: &[f64]) -> f64 {
    let (y, a) = (x[0], x[1]);
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    let y = y * a * a * a * a * a * a * a * a * a * a;
    y * a * a * a * a * a * a * a * a * a * a
}

/// [`multiplications()`] and its gradient, added to `x_bar`.
///
/// By the power rule; the power without the first factor is a chain of its own, beside that of the value.
///
/// # Panics
///
/// If there are fewer than two elements.
pub fn multiplications_by_hand(x: &[f64], x_bar: &mut [f64]) -> f64 {
    let (mut y, a) = (x[0], x[1]);
    let mut power = 1.0;
    for _ in 0..399 {
        y *= a;
        power *= a;
    }
    x_bar[0] += power * a;
    x_bar[1] += 400.0 * y;
    y * a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::agreement::assert_agreement;

    #[test]
    fn gradients_agree() {
        let x = [0.9, 0.99];
        let (mut ours, mut by_hand) = ([0.25; 2], [0.25; 2]);
        let (value, ()) = multiplications::accumulate_gradient(&x, &mut ours);
        assert_eq!(value, multiplications(&x));
        assert_eq!(multiplications_by_hand(&x, &mut by_hand), value);
        assert_agreement(&ours, &by_hand);
        let power = 0.99_f64.powi(399);
        assert!((value - 0.9 * power * 0.99).abs() < 1e-14);
        assert_agreement(&by_hand, &[0.25 + power * 0.99, 0.25 + 400.0 * 0.9 * power]);
    }
}
