use cotangent::{Differentiable, differentiate};

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

#[differentiate]
fn f(s: &Spring, x: f64) -> f64 {
    s.stifness * x + s.stiffness
}

fn main() {
    println!("{:?}", f::gradient(&Spring { stiffness: 1.0 }, 1.0));
}
