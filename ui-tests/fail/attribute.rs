use cotangent::differentiate;

#[differentiate(constants(n))]
fn scaled(x: f64, n: f64) -> f64 {
    x * n
}

fn main() {
    let _ = scaled(1.0, 2.0);
}
