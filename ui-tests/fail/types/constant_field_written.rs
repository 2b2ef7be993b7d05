use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
struct Table {
    #[differentiable(constant)]
    entries: Vec<f64>,
    scale: f64,
}

impl Table {
    #[differentiate]
    fn rescale(&mut self, x: f64) {
        for entry in self.entries.iter_mut() {
            *entry *= x;
        }
    }
}

fn main() {}
