use cotangent::{Differentiable, differentiate};
use std::ops::AddAssign;

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

#[differentiate]
impl AddAssign for Pair {
    fn add_assign(&mut self, rhs: Pair) {
        self.0 += rhs.0;
        self.1 += rhs.1;
    }
}

fn main() {
    let mut sum = Pair(1.0, 2.0);
    sum += Pair(1.0, 2.0);
}
