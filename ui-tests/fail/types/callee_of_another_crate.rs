use cotangent::differentiate;

#[differentiate]
fn outer(x: f64) -> f64 {
    std::convert::identity(x) * 2.0
}

fn main() {
    let _ = outer(1.0);
}
