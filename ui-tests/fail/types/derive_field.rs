use cotangent::Differentiable;

struct Plain {
    value: f64,
}

#[derive(Differentiable)]
struct Model {
    plain: Plain,
    weight: f64,
}

fn main() {}
