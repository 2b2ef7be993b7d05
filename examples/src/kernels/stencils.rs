//! Explicit finite differences in two buffers that are exchanged: a linear stencil, and one whose adjoint needs each state.

use cotangent::differentiate;

/// The time step times the diffusivity over the square of the spacing.
const DIFFUSION: f64 = 0.2;
/// Half the time step over the spacing.
const ADVECTION: f64 = 0.05;

/// The sum of squares after `steps` steps of the heat equation, u' = u″, with ends that are kept.
///
/// # Panics
///
/// If `initial` has fewer than two elements.
#[differentiate]
pub fn heat(initial: &[f64], steps: usize) -> f64 {
    let n = initial.len();
    let mut now = initial.to_vec();
    let mut next = initial.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = now[i] + DIFFUSION * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        std::mem::swap(&mut now, &mut next);
    }
    let mut squares = 0.0;
    for i in 0..n {
        squares += now[i] * now[i];
    }
    squares
}

/// The sum of squares after `steps` steps of Burgers' equation, u' = u″ − u u′ (by space), with ends that are kept.
///
/// # Panics
///
/// If `initial` has fewer than two elements.
#[differentiate]
pub fn burgers(initial: &[f64], steps: usize) -> f64 {
    let n = initial.len();
    let mut now = initial.to_vec();
    let mut next = initial.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            let advection = ADVECTION * now[i] * (now[i + 1] - now[i - 1]);
            let diffusion = DIFFUSION * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            next[i] = now[i] - advection + diffusion;
        }
        std::mem::swap(&mut now, &mut next);
    }
    let mut squares = 0.0;
    for i in 0..n {
        squares += now[i] * now[i];
    }
    squares
}

/// [`heat()`] and its gradient, added to `initial_bar`.
///
/// The stencil is its own adjoint within the rod, and nothing is stored. What an end contributes at each step adds up
/// beside.
///
/// # Panics
///
/// If `initial` has fewer than two elements, or `initial_bar` another number.
pub fn heat_by_hand(initial: &[f64], initial_bar: &mut [f64], steps: usize) -> f64 {
    let last = initial.len() - 1;
    let mut now = initial.to_vec();
    let mut next = initial.to_vec();
    for _ in 0..steps {
        for (next, window) in next[1..].iter_mut().zip(now.windows(3)) {
            *next = window[1] + DIFFUSION * (window[0] - 2.0 * window[1] + window[2]);
        }
        std::mem::swap(&mut now, &mut next);
    }
    let squares = squares_and_slopes(&mut now);
    let mut ends = [now[0], now[last]];
    // Within the adjoint steps the ends are zero: nothing flows back from them.
    for buffer in [&mut now, &mut next] {
        (buffer[0], buffer[last]) = (0.0, 0.0);
    }
    for _ in 0..steps {
        if last > 1 {
            ends = [ends[0] + DIFFUSION * now[1], ends[1] + DIFFUSION * now[last - 1]];
        }
        for (next, window) in next[1..].iter_mut().zip(now.windows(3)) {
            *next = window[1] + DIFFUSION * (window[0] - 2.0 * window[1] + window[2]);
        }
        std::mem::swap(&mut now, &mut next);
    }
    (now[0], now[last]) = (ends[0], ends[1]);
    add(initial_bar, &now);
    squares
}

/// [`burgers()`] and its gradient, added to `initial_bar`.
///
/// The states are stored once, one after the other, and each step reads the one before from there. Their memory is kept
/// by the caller. The adjoint gathers: each cotangent is written once.
///
/// # Panics
///
/// If `initial` has fewer than two elements, or `initial_bar` another number.
pub fn burgers_by_hand(
    initial: &[f64],
    initial_bar: &mut [f64],
    steps: usize,
    states: &mut Vec<f64>,
) -> f64 {
    let n = initial.len();
    let last = n - 1;
    if states.len() != (steps + 1) * n {
        states.resize((steps + 1) * n, 0.0);
    }
    states[..n].copy_from_slice(initial);
    for step in 0..steps {
        let (now, next) = states[step * n..(step + 2) * n].split_at_mut(n);
        (next[0], next[last]) = (now[0], now[last]);
        for (next, window) in next[1..].iter_mut().zip(now.windows(3)) {
            let advection = ADVECTION * window[1] * (window[2] - window[0]);
            let diffusion = DIFFUSION * (window[0] - 2.0 * window[1] + window[2]);
            *next = window[1] - advection + diffusion;
        }
    }
    let mut bar = states[steps * n..].to_vec();
    let squares = squares_and_slopes(&mut bar);
    let mut ends = [bar[0], bar[last]];
    (bar[0], bar[last]) = (0.0, 0.0);
    let mut before = vec![0.0; n];
    for now in states[..steps * n].chunks_exact(n).rev() {
        if last > 1 {
            ends[0] += bar[1] * (DIFFUSION + ADVECTION * now[1]);
            ends[1] += bar[last - 1] * (DIFFUSION - ADVECTION * now[last - 1]);
        }
        pull_step(now, &bar, &mut before);
        std::mem::swap(&mut bar, &mut before);
    }
    (bar[0], bar[last]) = (ends[0], ends[1]);
    add(initial_bar, &bar);
    squares
}

/// The adjoint of a step of Burgers' equation, within the rod: from the cotangents after it to those before.
fn pull_step(now: &[f64], bar: &[f64], before: &mut [f64]) {
    let cells = now.windows(3).zip(bar.windows(3));
    for (before, (now, bar)) in before[1..].iter_mut().zip(cells) {
        let from_left = bar[0] * (DIFFUSION - ADVECTION * now[0]);
        let from_right = bar[2] * (DIFFUSION + ADVECTION * now[2]);
        let slope = 1.0 - 2.0 * DIFFUSION - ADVECTION * (now[2] - now[0]);
        *before = bar[1] * slope + (from_left + from_right);
    }
}

/// The sum of squares, whose derivatives replace the values.
fn squares_and_slopes(values: &mut [f64]) -> f64 {
    let mut squares = 0.0;
    for value in values {
        squares += *value * *value;
        *value *= 2.0;
    }
    squares
}

fn add(shadow: &mut [f64], bar: &[f64]) {
    for (shadow, bar) in shadow.iter_mut().zip(bar) {
        *shadow += bar;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    type Primal = fn(&[f64], usize) -> f64;
    type Gradient = fn(&[f64], &mut [f64], usize) -> f64;

    #[test]
    fn gradients_agree() {
        let kernels: [(Primal, Gradient, Gradient); 2] = [
            (heat, |u, u_bar, steps| heat::accumulate_gradient(u, u_bar, steps).0, heat_by_hand),
            (
                burgers,
                |u, u_bar, steps| burgers::accumulate_gradient(u, u_bar, steps).0,
                |u, u_bar, steps| burgers_by_hand(u, u_bar, steps, &mut Vec::new()),
            ),
        ];
        for (primal, ours, by_hand) in kernels {
            for (len, steps) in [(2, 3), (3, 2), (4, 3), (11, 0), (11, 1), (11, 7), (12, 8)] {
                let initial = sequence(len, -1.0..1.5);
                let (mut our_bar, mut hand_bar) = (vec![0.25; len], vec![0.25; len]);
                let value = primal(&initial, steps);
                assert_eq!(ours(&initial, &mut our_bar, steps), value);
                assert_eq!(by_hand(&initial, &mut hand_bar, steps), value);
                assert_agreement(&our_bar, &hand_bar);
                assert_gradient(|u| primal(u, steps), &initial, &hand_bar, 0.25);
            }
        }
    }
}
