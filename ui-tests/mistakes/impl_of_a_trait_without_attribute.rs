use cotangent::{Differentiable, differentiate};

#[differentiate]
trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Energy for Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

fn main() {
    println!("{}", Spring { stiffness: 1.0 }.energy_gradient(1.0).1);
}
