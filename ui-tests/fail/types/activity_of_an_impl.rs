use cotangent::{Differentiable, differentiate};

#[differentiate]
trait Potential {
    #[differentiate(constant(self))]
    fn energy(&self, x: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Spring(f64);

#[differentiate]
impl Potential for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

fn main() {
    let _ = Spring(1.0).energy(2.0);
}
