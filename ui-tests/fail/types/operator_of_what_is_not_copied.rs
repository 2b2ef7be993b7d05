use cotangent::{Differentiable, differentiate};
use std::ops::Mul;

// A vector is in it, so that it is not `Copy`.
#[derive(Clone, Differentiable)]
struct Polynomial {
    coefficients: Vec<f64>,
}

#[differentiate]
impl Mul<f64> for &Polynomial {
    type Output = Polynomial;

    fn mul(self, by: f64) -> Polynomial {
        Polynomial { coefficients: self.coefficients.iter().map(|c| c * by).collect() }
    }
}

fn main() {}
