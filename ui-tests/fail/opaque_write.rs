use cotangent::differentiate;
use std::cell::Cell;

fn advance(state: &Cell<u64>) -> f64 {
    state.set(state.get() + 1);
    state.get() as f64
}

#[differentiate(constant(state))]
fn noisy(x: f64, state: &Cell<u64>) -> f64 {
    x * advance(state)
}

fn main() {
    let _ = noisy(1.0, &Cell::new(0));
}
