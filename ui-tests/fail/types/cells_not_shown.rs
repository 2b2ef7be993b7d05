use cotangent::{Differentiable, differentiate};
use std::cell::Cell;

#[derive(Differentiable)]
struct State {
    position: Cell<f64>,
    velocity: f64,
}

fn log(state: &State) {
    println!("{}", state.position.get());
}

#[differentiate]
fn energy(state: &State) -> f64 {
    log(state);
    0.5 * state.velocity * state.velocity
}

fn main() {
    let _ = energy(&State { position: Cell::new(1.0), velocity: 2.0 });
}
