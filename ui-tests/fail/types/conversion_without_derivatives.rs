use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

impl From<f64> for Pair {
    fn from(a: f64) -> Pair {
        Pair(a, a * a)
    }
}

#[differentiate(reverse)]
fn by_path(a: f64) -> f64 {
    let pair = Pair::from(a);
    pair.0 * pair.1
}

#[differentiate(reverse)]
fn by_method(a: f64) -> f64 {
    let pair: Pair = a.into();
    pair.0 * pair.1
}

fn main() {
    let _ = by_path(1.0) + by_method(1.0);
}
