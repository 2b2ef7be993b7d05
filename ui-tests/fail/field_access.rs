use cotangent::differentiate;

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiate(wrt(scale))]
fn product(p: Point, scale: f64) -> f64 {
    scale * p.x
}

fn main() {
    let p = Point { x: 1.0, y: 2.0 };
    let _ = product(p, p.y);
}
