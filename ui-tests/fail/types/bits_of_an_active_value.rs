use cotangent::differentiate;

#[differentiate]
fn halved(x: f64) -> f64 {
    f64::from_bits(x.to_bits() - (1 << 52))
}

fn main() {
    let _ = halved(1.0);
}
