use cotangent::differentiate;

#[differentiate]
fn applied(g: fn(f64) -> f64, x: f64) -> f64 {
    g(2.0) * x + g(x)
}

fn main() {
    let _ = applied(f64::sin, 1.0);
}
