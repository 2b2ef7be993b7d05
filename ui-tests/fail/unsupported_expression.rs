use cotangent::differentiate;

#[differentiate]
fn powered(x: f64) -> f64 {
    x * const { 2.0 * 1.5 }
}

fn main() {
    let _ = powered(1.0);
}
