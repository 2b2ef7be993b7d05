//! What the functions of the problems share.

use cotangent::differentiate;

/// `x²`
#[differentiate]
#[differentiate]
pub fn square(x: f64) -> f64 {
    x * x
}

/// The sum of the squares of residuals.
#[differentiate]
#[differentiate]
pub fn sum_of_squares(residuals: &[f64]) -> f64 {
    residuals.iter().map(|residual| residual * residual).sum()
}
