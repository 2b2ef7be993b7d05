use cotangent::Differentiable;

#[derive(Clone, Copy, Differentiable)]
union Bits {
    float: f64,
    bits: u64,
}

fn main() {
    let _ = Bits { float: 1.0 };
}
