use cotangent::differentiate;

#[differentiate]
trait Potential {
    fn energy(&self, x: f64) -> f64;
}

#[differentiate(forward)]
fn total(potential: &dyn Potential, x: f64) -> f64 {
    potential.energy(x)
}

/// Objects of this one are differentiated through, and so their types must have tangents.
#[differentiate(dyn)]
trait Curve {
    fn at(&self, x: f64) -> f64;
}

struct Plain(f64);

#[differentiate]
impl Curve for Plain {
    fn at(&self, x: f64) -> f64 {
        self.0 * x
    }
}

fn main() {
    let _ = Plain(1.0).at(2.0);
}
