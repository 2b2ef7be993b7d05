use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = square(1.0);
}
