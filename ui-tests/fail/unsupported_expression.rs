use cotangent::differentiate;

#[differentiate]
fn powered(x: f64, n: Option<usize>) -> f64 {
    match n {
        None => 1.0,
        Some(n) => x * n as f64,
    }
}

fn main() {
    let _ = powered(1.0, Some(2));
}
