use cotangent::differentiate;

#[differentiate(constant(weights))]
fn weighted(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

#[differentiate(wrt(z))]
fn squared(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = weighted(1.0, &[2.0]);
}
