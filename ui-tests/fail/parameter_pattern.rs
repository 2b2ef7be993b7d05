use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
enum Side {
    Left(f64),
    Right(f64),
}

#[differentiate]
fn first((Side::Left(x) | Side::Right(x)): Side, y: f64) -> f64 {
    x * y
}

fn main() {
    let _ = first(Side::Left(1.0), 3.0);
    let _ = Side::Right(2.0);
}
