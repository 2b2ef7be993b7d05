use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
enum Side {
    Left(f64),
    Right(f64),
}

#[differentiate]
fn square(side: Side) -> f64 {
    let (Side::Left(x) | Side::Right(x)) = side;
    x * x
}

fn main() {
    let _ = square(Side::Left(1.0));
    let _ = Side::Right(2.0);
}
