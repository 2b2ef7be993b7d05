use cotangent::differentiate;

struct Point {
    x: f64,
    y: f64,
}

#[differentiate]
fn f(r: f64) -> f64 {
    let point = Point { x: r.cos(), y: r.sin() };
    point.x * point.y
}

fn main() {
    println!("{}", f::gradient(1.0));
}
