use cotangent::{Differentiable, differentiate};
use std::ops::Mul;

#[derive(Clone, Copy, Differentiable)]
struct Angle(f64);

#[differentiate]
impl Mul<f64> for Angle {
    type Output = Angle;

    fn mul(self, by: f64) -> Angle {
        Angle(self.0 * by)
    }
}

fn main() {
    let _ = Angle(1.0) * 2.0;
}
