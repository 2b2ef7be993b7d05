use cotangent::differentiate;

#[differentiate]
fn both(x: f64) -> (f64, f64) {
    (x, x * x)
}

fn main() {
    let _ = both::gradient(1.0);
}
