use cotangent::differentiate;

#[differentiate]
fn rotated(x: &mut Vec<f64>) -> f64 {
    x.rotate_left(1);
    x[0]
}

#[differentiate]
fn smallest(x: &mut [f64]) -> f64 {
    x.sort_by_key(|v| v.to_bits());
    x[0]
}

fn main() {
    let _ = rotated(&mut vec![1.0, 2.0]);
}
