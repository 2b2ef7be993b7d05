use cotangent::differentiate;

#[differentiate(forward)]
fn inner(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn outer(x: f64) -> f64 {
    inner(x) * 2.0
}

fn main() {
    let _ = outer(1.0);
}
