use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
enum Side {
    Left(f64),
    Right(f64),
    Neither,
}

#[differentiate]
fn square(x: Result<f64, f64>) -> f64 {
    let (Ok(y) | Err(y)) = x;
    y * y
}

#[differentiate]
fn either(x: f64, side: Option<Side>) -> f64 {
    let Some(Side::Left(k) | Side::Right(k)) = side else { return x };
    x * k
}

#[differentiate]
fn matched(x: Option<(f64, Result<f64, f64>)>) -> f64 {
    match x {
        Some((a, Ok(b) | Err(b))) => a * b,
        None => 0.0,
    }
}

#[differentiate]
fn tested(x: Option<(f64, Result<f64, f64>)>) -> f64 {
    if let Some((a, Ok(b) | Err(b))) = x { a * b } else { 0.0 }
}

fn main() {
    let _ = square(Ok(1.0));
    let _ = either(1.0, Some(Side::Neither));
    let _ = (Side::Left(1.0), Side::Right(1.0));
    let _ = matched(None) + tested(None);
}
