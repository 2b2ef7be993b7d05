fn main() {
    let _ = cotangent::dump!();
    let _ = cotangent::dump!(primal);
    let _ = cotangent::dump!(primal fn f(x: f64) -> f64 { x });
    let _ = cotangent::dump!(primal, struct Point;);
    let _ = cotangent::dump!("primal", fn f(x: f64) -> f64 { x });
    let _ = cotangent::dump!(primal, fn f(x: f64) -> f64 { x }, 2);
    let _ = cotangent::dump!(primal, fn f(x: f64) -> f64 { match x { _ => x } });
    let _ = cotangent::dump!(primal, async fn f(x: f64) -> f64 { x });
    let _ = cotangent::dump!(primal, #[differentiate(constants(x))] fn f(x: f64) -> f64 { x });
    let _: &'static str = cotangent::dump!(forward, fn f(self, x: f64) -> f64 { x });
}
