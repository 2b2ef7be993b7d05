use cotangent::differentiate;

struct Spring(f64);

#[differentiate]
trait Potential {
    fn energy(&self, x: f64) -> f64;
}

#[differentiate]
impl Potential for Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.0 * x * x
    }
}

fn main() {
    let _ = Spring(1.0).energy(2.0);
}
