use cotangent::{Differentiable, differentiate};

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

#[differentiate]
fn f(s: &Spring, x: f64) -> f64 {
    s.energy(x) + s.energy(2.0 * x)
}

fn main() {
    println!("{:?}", f::gradient(&Spring { stiffness: 1.0 }, 1.0));
}
