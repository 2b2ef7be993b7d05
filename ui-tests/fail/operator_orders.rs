use cotangent::{Differentiable, differentiate};
use std::ops::Mul;

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

#[differentiate]
#[differentiate]
impl Mul<f64> for Pair {
    type Output = Pair;

    fn mul(self, by: f64) -> Pair {
        Pair(self.0 * by, self.1 * by)
    }
}

fn main() {
    let _ = Pair(1.0, 2.0) * 3.0;
}
