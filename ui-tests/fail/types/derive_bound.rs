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
    let _ = Pair { left: std::marker::PhantomPinned, right: std::marker::PhantomPinned }.zero_tangent();
    let _ = GridTangent::default();
}
