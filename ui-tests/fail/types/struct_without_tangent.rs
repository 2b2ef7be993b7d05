use cotangent::differentiate;

struct Point(f64, f64);

fn first(p: &Point) -> f64 {
    p.0
}

#[differentiate]
fn scaled(p: &Point, x: f64) -> f64 {
    first(p) * x
}

fn main() {
    let _ = scaled(&Point(1.0, 2.0), 3.0);
}
