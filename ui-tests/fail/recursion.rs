use cotangent::differentiate;

#[differentiate]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

fn main() {
    let _ = power(1.0, 2);
}
