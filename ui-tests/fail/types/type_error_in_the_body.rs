use cotangent::differentiate;

#[differentiate]
fn scaled(x: f64, n: usize) -> f64 {
    x * n
}

fn main() {
    let _ = scaled(1.0, 2);
}
