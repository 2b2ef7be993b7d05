//! A planet on its orbit by the classical Runge-Kutta method: small arrays, and functions that are called in a loop.

use cotangent::differentiate;

/// The sum of both coordinates after `steps` steps of length `h` from `start` = [x, y, ẋ, ẏ].
///
/// r̈ = −r / |r|³.
#[differentiate(constant(h))]
pub fn kepler(start: [f64; 4], h: f64, steps: usize) -> f64 {
    let mut state = start;
    for _ in 0..steps {
        let first = velocity(state);
        let second = velocity(along(state, first, 0.5 * h));
        let third = velocity(along(state, second, 0.5 * h));
        let fourth = velocity(along(state, third, h));
        for i in 0..4 {
            state[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]);
        }
    }
    state[0] + state[1]
}

/// How the state changes.
#[differentiate]
fn velocity(state: [f64; 4]) -> [f64; 4] {
    let [x, y, u, v] = state;
    let square = x * x + y * y;
    let cube = square * square.sqrt();
    [u, v, -x / cube, -y / cube]
}

#[differentiate(constant(by))]
fn along(state: [f64; 4], direction: [f64; 4], by: f64) -> [f64; 4] {
    let mut there = state;
    for i in 0..4 {
        there[i] += by * direction[i];
    }
    there
}

/// [`kepler()`] and its gradient by `start`.
///
/// With four inputs the sensitivities ride along, hidden behind the roots and divisions of the step itself; four are
/// as wide as the registers, and nothing is stored.
#[must_use]
pub fn kepler_by_hand(start: [f64; 4], h: f64, steps: usize) -> (f64, [f64; 4]) {
    let mut state = start;
    let mut sensitivities = [[0.0; 4]; 4];
    for i in 0..4 {
        sensitivities[i][i] = 1.0;
    }
    for _ in 0..steps {
        let (first, first_dot) = velocity_by_hand(state, &sensitivities);
        let (second, second_dot) = velocity_by_hand(
            along(state, first, 0.5 * h),
            &rows_along(&sensitivities, &first_dot, 0.5 * h),
        );
        let (third, third_dot) = velocity_by_hand(
            along(state, second, 0.5 * h),
            &rows_along(&sensitivities, &second_dot, 0.5 * h),
        );
        let (fourth, fourth_dot) =
            velocity_by_hand(along(state, third, h), &rows_along(&sensitivities, &third_dot, h));
        for i in 0..4 {
            state[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]);
            for k in 0..4 {
                let outer = first_dot[i][k] + fourth_dot[i][k];
                let inner = second_dot[i][k] + third_dot[i][k];
                sensitivities[i][k] += h / 6.0 * (outer + 2.0 * inner);
            }
        }
    }
    let [x_dot, y_dot, ..] = sensitivities;
    (state[0] + state[1], std::array::from_fn(|k| x_dot[k] + y_dot[k]))
}

/// Rows are entries of a state, columns are what it is differentiated by.
type Rows = [[f64; 4]; 4];

fn velocity_by_hand(state: [f64; 4], rows: &Rows) -> ([f64; 4], Rows) {
    let [x, y, u, v] = state;
    let square = x * x + y * y;
    let cube = square * square.sqrt();
    let inverse = 1.0 / cube;
    let slope = 3.0 / square * inverse;
    let [x_dot, y_dot, u_dot, v_dot] = *rows;
    let (mut x_force, mut y_force) = ([0.0; 4], [0.0; 4]);
    for k in 0..4 {
        let along = slope * (x * x_dot[k] + y * y_dot[k]);
        x_force[k] = x * along - inverse * x_dot[k];
        y_force[k] = y * along - inverse * y_dot[k];
    }
    ([u, v, -x / cube, -y / cube], [u_dot, v_dot, x_force, y_force])
}

fn rows_along(rows: &Rows, direction: &Rows, by: f64) -> Rows {
    let mut there = *rows;
    for (there, direction) in there.iter_mut().zip(direction) {
        for (there, direction) in there.iter_mut().zip(direction) {
            *there += by * direction;
        }
    }
    there
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    const START: [f64; 4] = [1.0, 0.1, -0.2, 0.9];

    #[test]
    fn gradients_agree() {
        let (value, start_bar) = kepler::accumulate_gradient(START, 0.02, 60);
        let (by_hand_value, by_hand) = kepler_by_hand(START, 0.02, 60);
        assert_eq!((value, by_hand_value), (kepler(START, 0.02, 60), value));
        assert_agreement(&start_bar, &by_hand);
        let by_start = |start: &[f64]| kepler(start.try_into().unwrap(), 0.02, 60);
        assert_gradient(by_start, &START, &by_hand, 0.0);
    }

    /// On a circle the period is a turn.
    #[test]
    fn a_circle_closes() {
        let h = std::f64::consts::TAU / 1000.0;
        assert!((kepler([1.0, 0.0, 0.0, 1.0], h, 1000) - 1.0).abs() < 1e-9);
    }
}
