use cotangent::differentiate;

struct Spring {
    stiffness: f64,
}

#[differentiate]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

fn main() {
    println!("{}", Spring { stiffness: 1.0 }.energy_gradient(2.0).1);
}
