use cotangent::differentiate;

#[differentiate]
fn powered(x: f64, n: usize) -> f64 {
    let power = |k: usize| k + 1;
    x * power(n) as f64
}

fn main() {
    let _ = powered(1.0, 2);
}
