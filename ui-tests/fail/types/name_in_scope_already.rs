use cotangent::differentiate;

mod area {}

#[differentiate]
fn area(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    let _ = area(1.0, 2.0);
}
