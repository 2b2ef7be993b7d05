use cotangent::differentiate;

#[differentiate]
fn powered(x: f64, n: usize) -> f64 {
    match n {
        0 => 1.0,
        _ => x * n as f64,
    }
}

fn main() {
    let _ = powered(1.0, 2);
}
