use cotangent::differentiate;

fn record(x: f64) -> bool {
    x > 0.0
}

#[differentiate]
fn square(x: f64) -> f64 {
    record(x);
    x * x
}

fn main() {
    let _ = square(1.0);
}
