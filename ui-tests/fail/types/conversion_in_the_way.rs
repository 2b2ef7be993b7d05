use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

impl Pair {
    fn from(a: f64) -> Pair {
        Pair(a, 1.0)
    }
}

#[differentiate]
impl From<f64> for Pair {
    fn from(a: f64) -> Pair {
        Pair(a, a * a)
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Angle(f64);

impl Angle {
    fn into(self) -> Pair {
        Pair(self.0, 1.0)
    }
}

#[differentiate]
impl From<Angle> for [f64; 2] {
    fn from(a: Angle) -> [f64; 2] {
        [a.0.sin(), a.0.cos()]
    }
}

fn main() {
    let _ = (Pair::from(1.0), Angle(1.0).into());
}
