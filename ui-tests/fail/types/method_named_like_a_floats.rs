use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

#[differentiate]
impl Vector {
    fn abs(&mut self) {
        self.x *= self.y;
    }

    fn floor(&self) -> f64 {
        self.x.min(self.y)
    }
}

#[differentiate]
fn product(vector: &Vector) -> f64 {
    let mut vector = vector.clone();
    vector.abs();
    vector.x
}

#[differentiate]
fn lowest(vector: &Vector) -> f64 {
    vector.floor() * 2.0
}

fn main() {
    let vector = Vector { x: 1.0, y: 2.0 };
    let _ = product(&vector) + lowest(&vector);
}
