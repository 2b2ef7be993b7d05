use cotangent::differentiate;

#[differentiate]
fn first(x: f64, n: Option<usize>) -> f64 {
    let Some(n) = n else { return 0.0 };
    x * n as f64
}

fn main() {
    let _ = first(1.0, None);
}
