use cotangent::Differentiable;

#[derive(Differentiable)]
union Either {
    a: f64,
    b: f32,
}

fn main() {
    let _ = Either { a: 1.0 };
}
