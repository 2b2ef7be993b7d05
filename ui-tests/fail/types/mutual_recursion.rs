use cotangent::differentiate;

#[differentiate]
fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x.sin(), n - 1) }
}

#[differentiate]
fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { 2.0 * x } else { even(x * x, n - 1) }
}

fn main() {
    let _ = even::gradient(1.0, 3);
}
