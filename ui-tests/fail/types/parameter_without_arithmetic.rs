use cotangent::differentiate;

trait Scalar: num_traits::Float {}
impl Scalar for f64 {}

#[differentiate]
fn square<T: Scalar>(x: T) -> T {
    x * x
}

fn main() {
    let _ = square(1.0);
}
