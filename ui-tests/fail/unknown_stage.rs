fn main() {
    let _ = cotangent::dump!(
        adjoint,
        fn square(x: f64) -> f64 {
            x * x
        }
    );
}
