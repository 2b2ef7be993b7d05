use cotangent::{Differentiable, differentiate};

struct Spring {
    stiffness: f64,
}

#[derive(Differentiable)]
struct Model {
    spring: Spring,
    mass: f64,
}

#[differentiate]
fn frequency(m: &Model) -> f64 {
    (m.spring.stiffness / m.mass).sqrt()
}

fn main() {
    let model = Model { spring: Spring { stiffness: 4.0 }, mass: 1.0 };
    println!("{}", frequency::gradient(&model).mass);
}
