use cotangent::differentiate;
use std::cell::Cell;

#[differentiate]
fn advance(state: &Cell<f64>, h: f64) -> f64 {
    state.set(state.get() + h);
    state.get()
}

fn main() {
    let _ = advance(&Cell::new(1.0), 0.5);
}
