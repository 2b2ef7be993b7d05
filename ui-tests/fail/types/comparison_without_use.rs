use cotangent::differentiate;
use std::cell::Cell;

thread_local!(static LAST: Cell<f64> = const { Cell::new(0.0) });

struct Meter;

impl PartialEq<f64> for Meter {
    fn eq(&self, other: &f64) -> bool {
        LAST.set(*other);
        true
    }
}

// What the operator does with an active value is not lost, although nobody asks for its result.
#[differentiate]
fn read(x: f64) -> f64 {
    let meter = Meter;
    let _ = meter == x;
    LAST.with(Cell::get) * x
}

fn main() {
    let _ = read(1.0);
}
