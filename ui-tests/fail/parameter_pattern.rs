use cotangent::differentiate;

#[differentiate]
fn first([x, _]: [f64; 2], y: f64) -> f64 {
    x * y
}

fn main() {
    let _ = first([1.0, 2.0], 3.0);
}
