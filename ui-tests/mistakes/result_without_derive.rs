use cotangent::differentiate;

struct Point {
    x: f64,
    y: f64,
}

#[differentiate]
fn polar(r: f64, angle: f64) -> Point {
    Point { x: r * angle.cos(), y: r * angle.sin() }
}

fn main() {
    println!("{}", polar::jvp(1.0, 1.0, 0.5, 0.0).0.x + polar(1.0, 0.5).y);
}
