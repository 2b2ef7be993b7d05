//! Places behind `&mut`: written, swapped through, handed on.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn decay(state: &mut [f64], rate: f64) {
    for i in 0..state.len() {
        state[i] *= 1.0 - rate;
    }
}

#[differentiate]
fn step(state: &mut [f64; 2], total: &mut f64, counts: &mut [usize], h: f64) -> f64 {
    let old = state[0];
    state[0] += h * state[1];
    state[1] = -h * old;
    *total += state[0];
    counts[0] += 1;
    decay(state, 0.5);
    *state = [state[1], state[0]];
    *total * state[0]
}

fn main() {
    let (mut state, mut total, mut counts) = ([1.0, 2.0], 3.0, [0]);
    let (value, pullback) = step::vjp(&mut state, &mut total, &mut counts, 0.5);
    assert_eq!((value, state, total, counts), (-1.25, [-0.25, 1.0], 5.0, [1]));
    let (mut state_bar, mut total_bar) = ([0.0; 2], 0.0);
    let h_bar = pullback(&mut state, &mut state_bar, &mut total, &mut total_bar, &mut counts, 1.0);
    assert_eq!((state, total, counts), ([1.0, 2.0], 3.0, [0]));
    assert_eq!((h_bar, state_bar, total_bar), (-3.0, [-1.5, -0.125], -0.25));
}
