use cotangent::differentiate;

#[differentiate]
fn first(x: &[f64]) -> &f64 {
    &x[0]
}

#[differentiate]
fn scaled(x: f64) -> impl Fn(f64) -> f64 {
    move |y| x * y
}

fn main() {
    let _ = first(&[1.0]);
}
