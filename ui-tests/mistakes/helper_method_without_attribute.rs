use cotangent::{Differentiable, differentiate};

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    fn force(&self, x: f64) -> f64 {
        -self.stiffness * x
    }
}

#[differentiate]
fn f(s: &Spring, x: f64) -> f64 {
    s.force(x) + s.force(2.0 * x)
}

fn main() {
    println!("{:?}", f::gradient(&Spring { stiffness: 1.0 }, 1.0));
}
