use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

#[differentiate]
#[differentiate]
#[differentiate]
impl From<f64> for Pair {
    fn from(a: f64) -> Pair {
        Pair(a, a * a)
    }
}

#[differentiate(reverse)]
impl From<[f64; 2]> for Pair {
    fn from(a: [f64; 2]) -> Pair {
        Pair(a[0], a[1])
    }
}

fn main() {
    let _ = (Pair::from(1.0), Pair::from([1.0, 2.0]));
}
