use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiate]
fn distance(a: Point, b: Point) -> f64 {
    if a == b { 0.0 } else { (a.x - b.x).hypot(a.y - b.y) }
}

fn main() {
    let _ = distance(Point { x: 1.0, y: 2.0 }, Point { x: 2.0, y: 2.0 });
}
