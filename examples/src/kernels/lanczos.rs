//! Three exponentials: few parameters, many values.

use cotangent::differentiate;

/// The function of C. Lanczos (Applied Analysis, 1956), to which the NIST's data sets `Lanczos1` to `Lanczos3`
/// belong: β₁ e^(−β₂ t) + β₃ e^(−β₄ t) + β₅ e^(−β₆ t), at 50 times t.
#[differentiate]
pub fn lanczos(beta: &[f64; 6]) -> [f64; 50] {
    let mut y = [0.0; 50];
    for i in 0..50 {
        let t = 0.05 * i as f64;
        for k in 0..3 {
            y[i] += beta[2 * k] * (-beta[2 * k + 1] * t).exp();
        }
    }
    y
}

/// The parameters that the data were made with.
pub const CERTIFIED: [f64; 6] = [0.0951, 1.0, 0.8607, 3.0, 1.5576, 5.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_and_the_last_are_known() {
        let jacobian = lanczos::jacobian(&CERTIFIED);
        assert_eq!(jacobian.row(0), [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        let t: f64 = 2.45;
        for k in 0..3 {
            let (scale, rate) = (CERTIFIED[2 * k], CERTIFIED[2 * k + 1]);
            let exp = (-rate * t).exp();
            assert!((jacobian[(49, 2 * k)] - exp).abs() < 1e-15);
            assert!((jacobian[(49, 2 * k + 1)] + scale * t * exp).abs() < 1e-15);
        }
    }
}
