use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, PartialEq, PartialOrd, Differentiable)]
struct Meter(f64);

#[differentiate]
fn limited<T: PartialOrd + Copy>(length: T, limit: T, x: f64) -> f64 {
    if length < limit { x * x } else { x }
}

fn main() {
    let _ = limited::gradient(Meter(1.0), Meter(2.0), 3.0);
}
