use cotangent::differentiate;
use std::cmp::Ordering;

struct Meter(f64);

impl PartialEq<f64> for Meter {
    fn eq(&self, other: &f64) -> bool {
        self.0 == *other
    }
}

impl PartialOrd<f64> for Meter {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.0.partial_cmp(other)
    }
}

#[differentiate(constant(limit))]
fn limited(x: f64, limit: &Meter) -> f64 {
    if *limit < x { 0.0 } else { x * x }
}

fn main() {
    let _ = limited(1.0, &Meter(2.0));
}
