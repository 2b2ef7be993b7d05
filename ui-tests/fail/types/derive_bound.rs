use cotangent::Differentiable;

#[derive(Differentiable)]
struct Pair<T> {
    left: T,
    right: T,
}

type Long = [f64; 40];

#[derive(Differentiable)]
struct Grid {
    values: Long,
}

fn main() {
    let _ = Pair { left: 'a', right: 'b' }.zero_tangent();
    let _ = Pair { left: std::cell::Cell::new(1.0), right: std::cell::Cell::new(2.0) }.zero_tangent();
    let _ = GridTangent::default();
}
