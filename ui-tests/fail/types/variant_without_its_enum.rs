use cotangent::{Differentiable, differentiate};

#[derive(Differentiable)]
enum Shape {
    Disc { radius: f64 },
    Empty,
}

use Shape::Disc;

#[differentiate]
fn area(shape: &Shape) -> f64 {
    match shape {
        Disc { radius } => radius * radius,
        _ => 0.0,
    }
}

fn main() {
    let _ = area(&Shape::Empty);
}
