use cotangent::Differentiable;

mod model {
    #[derive(cotangent::Differentiable)]
    pub struct Model {
        pub weight: f64,
        hidden: f64,
    }

    pub fn model() -> Model {
        Model { weight: 1.0, hidden: 2.0 }
    }
}

fn main() {
    let zero = model::model().zero_tangent();
    let _ = (zero.weight, zero.hidden);
}
