use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

#[differentiate]
impl Vector {
    fn abs(&self) -> f64 {
        self.x.hypot(self.y)
    }

    fn floor(&self) -> f64 {
        self.x.min(self.y)
    }
}

#[differentiate]
fn length(vector: &Vector) -> f64 {
    vector.abs()
}

#[differentiate]
fn lowest(vector: &Vector) -> f64 {
    vector.floor() * 2.0
}

fn main() {
    let vector = Vector { x: 1.0, y: 2.0 };
    let _ = length(&vector) + lowest(&vector);
}
