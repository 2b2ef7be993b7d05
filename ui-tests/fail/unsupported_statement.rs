use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
enum Side {
    Left(f64),
    Right(f64),
    Neither,
}

#[differentiate]
fn either(x: f64, side: Option<Side>) -> f64 {
    let Some(Side::Left(k) | Side::Right(k)) = side else { return x };
    x * k
}

fn main() {
    let _ = either(1.0, Some(Side::Neither));
    let _ = (Side::Left(1.0), Side::Right(1.0));
}
