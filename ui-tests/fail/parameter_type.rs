use cotangent::differentiate;

#[differentiate]
fn sum(x: f64, rest: &[&f64]) -> f64 {
    x * *rest[0]
}

fn main() {
    let _ = sum(1.0, &[&2.0]);
}
