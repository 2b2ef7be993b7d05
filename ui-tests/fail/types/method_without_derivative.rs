use cotangent::{Differentiable, differentiate};

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    fn soft(stiffness: f64) -> Self {
        Spring { stiffness }
    }

    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

#[differentiate]
fn total(spring: &Spring, x: f64) -> f64 {
    spring.energy(x) + x
}

#[differentiate]
fn made(x: f64) -> f64 {
    let spring = Spring::soft(x);
    spring.stiffness
}

fn main() {
    let _ = (total(&Spring::soft(1.0), 2.0), made(1.0));
}
