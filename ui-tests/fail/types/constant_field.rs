use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
struct Spring {
    #[differentiable(constant)]
    rest: f64,
    stiffness: f64,
}

#[differentiate]
fn made(x: f64) -> Spring {
    Spring { rest: x, stiffness: x }
}

fn main() {}
