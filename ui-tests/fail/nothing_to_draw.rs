fn main() {
    let _ = cotangent::dump!(
        graph,
        #[primitive(partials(2.0 * x))]
        fn square(x: f64) -> f64 {
            x * x
        }
    );
}
