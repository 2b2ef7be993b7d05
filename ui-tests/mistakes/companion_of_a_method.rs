use cotangent::{Differentiable, differentiate};

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

#[differentiate]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

fn main() {
    println!("{:?}", Spring::energy::gradient(&Spring { stiffness: 1.0 }, 1.0));
}
