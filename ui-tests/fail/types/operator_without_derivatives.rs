use cotangent::{Differentiable, differentiate};
use std::ops::Mul;

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

impl Mul<f64> for Pair {
    type Output = Pair;

    fn mul(self, by: f64) -> Pair {
        Pair(self.0 * by, self.1 * by)
    }
}

#[differentiate]
fn scaled(pair: Pair, by: f64) -> f64 {
    let scaled = pair * by;
    scaled.0 + scaled.1
}

fn main() {}
