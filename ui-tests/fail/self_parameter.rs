use cotangent::differentiate;

struct Spring(f64);

impl Spring {
    #[differentiate]
    fn energy(self: Box<Self>, x: f64) -> f64 {
        0.5 * self.0 * x * x
    }
}

fn main() {
    let _ = Box::new(Spring(1.0)).energy(2.0);
}
