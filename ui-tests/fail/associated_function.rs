use cotangent::differentiate;

struct Spring;

impl Spring {
    fn energy(x: f64) -> f64 {
        x * x
    }
}

#[differentiate]
fn total(x: f64) -> f64 {
    Spring::energy(x) + x
}

fn main() {
    total::gradient(1.0);
}
