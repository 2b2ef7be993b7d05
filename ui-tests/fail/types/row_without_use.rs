use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Differentiable)]
struct Source {
    charge: f64,
    field: f64,
}

#[differentiate]
impl Source {
    fn powf(&mut self, by: f64) {
        self.charge += by;
        self.field *= self.charge;
    }
}

// A method of the name of a float's that nobody asks for a result may be one that writes its receiver.
#[differentiate]
fn raised(x: f64, y: f64) -> f64 {
    let mut pair = (x, Source { charge: x, field: y });
    pair.1.powf(y);
    pair.1.charge * pair.1.field + pair.0
}

fn main() {
    let _ = raised(1.0, 2.0);
}
