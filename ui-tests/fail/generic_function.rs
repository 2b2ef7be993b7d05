use cotangent::differentiate;
use std::ops::Mul;

#[differentiate]
fn square<T: Copy + Mul<Output = T>>(x: T) -> T {
    x * x
}

fn main() {
    let _ = square(1.0);
}
