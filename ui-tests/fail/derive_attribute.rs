use cotangent::Differentiable;

#[derive(Differentiable)]
#[differentiable(constant)]
struct Whole {
    x: f64,
}

#[derive(Differentiable)]
struct Parts {
    #[differentiable(constant)]
    #[differentiable(constant)]
    twice: f64,
    #[differentiable(fixed)]
    unknown: f64,
    #[differentiable]
    bare: f64,
    #[differentiable()]
    empty: f64,
    #[differentiable(constant, constant)]
    more: f64,
}

#[derive(Differentiable)]
enum Shape {
    #[differentiable(constant)]
    Circle(f64),
}

fn main() {}
