use cotangent::differentiate;

#[differentiate]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x[0] * y[0]
}

fn main() {
    let (_, pullback) = dot::vjp(&[1.0], &[2.0]);
    pullback(&[1.0], &[2.0], 1.0);
}
