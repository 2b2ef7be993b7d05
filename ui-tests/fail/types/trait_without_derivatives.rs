use cotangent::{Differentiable, differentiate};
use std::ops::Rem;

#[derive(Clone, Copy, Differentiable)]
struct Angle(f64);

#[differentiate]
impl Rem<f64> for Angle {
    type Output = Angle;

    fn rem(self, by: f64) -> Angle {
        Angle(self.0 % by)
    }
}

fn main() {
    let _ = Angle(1.0) % 2.0;
}
