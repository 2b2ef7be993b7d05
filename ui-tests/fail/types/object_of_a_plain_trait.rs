use cotangent::differentiate;

trait Potential {
    fn energy(&self, x: f64) -> f64;
}

#[differentiate]
fn total(potentials: &[Box<dyn Potential>], x: f64) -> f64 {
    let mut sum = 0.0;
    for potential in potentials {
        sum += potential.energy(x);
    }
    sum
}

fn main() {
    let _ = total(&[], 1.0);
}
