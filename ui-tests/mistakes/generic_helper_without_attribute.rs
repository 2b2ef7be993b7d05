use cotangent::{Float, differentiate};

fn square<T: Float>(v: T) -> T {
    v * v
}

#[differentiate]
fn f(v: f64) -> f64 {
    square(v) + square::<f64>(2.0 * v)
}

fn main() {
    println!("{}", f::gradient(1.0));
}
