use cotangent::differentiate;

#[differentiate]
fn layer(x: f64, n: usize) -> f64 {
    let offset = n.pow(2) as f64;
    f64::from(x.to_ne_bytes()[0]) + offset
}

fn main() {
    let _ = layer(1.0, 2);
}
