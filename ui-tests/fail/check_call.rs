use cotangent::differentiate;

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = cotangent::check!(square);
    let _ = square(1.0);
}
