//! A saddle point, as the lowest of all maxima.
//!
//! In: a start. Out: the point. The derivative of a maximum goes through the steps of the descent that finds it.

use cotangent::differentiate;
use serde_json::Value;

use crate::descent::{self, FIRST_RATE, STEPS_OF_A_RATE, TOLERANCE};
use crate::input::{self, Failure};
use crate::mode::{Mode, modes};
use crate::protocol::{Answer, Runs};

#[differentiate]
#[differentiate]
fn height(x: [f64; 2], y: [f64; 2]) -> f64 {
    x[0] * x[0] + x[1] * x[1] - (y[0] * y[0] + y[1] * y[1])
}

/// The gradient of the height by `y`, by the mode.
#[differentiate(constant(mode))]
fn slope(x: [f64; 2], y: [f64; 2], mode: Mode) -> [f64; 2] {
    match mode {
        Mode::Forward => {
            [height::jvp(x, [0.0; 2], y, [1.0, 0.0]).1, height::jvp(x, [0.0; 2], y, [0.0, 1.0]).1]
        }
        Mode::Reverse => height::gradient(x, y).1,
    }
}

/// The maximum by `y`, which the descent of the suite finds.
#[differentiate(constant(start, mode))]
fn maximum(x: [f64; 2], start: [f64; 2], mode: Mode) -> f64 {
    let mut y = start;
    let mut highest = height(x, y);
    let mut gradient = slope(x, y, mode);
    let (mut rate, mut steps) = (FIRST_RATE, 0);
    while gradient[0] * gradient[0] + gradient[1] * gradient[1] > TOLERANCE * TOLERANCE {
        if steps == STEPS_OF_A_RATE {
            rate *= 2.0;
            steps = 0;
            continue;
        }
        let step = [rate * gradient[0], rate * gradient[1]];
        if step[0] * step[0] + step[1] * step[1] <= TOLERANCE * TOLERANCE {
            break;
        }
        let next = [y[0] + step[0], y[1] + step[1]];
        let reached = height(x, next);
        if reached > highest {
            y = next;
            highest = reached;
            gradient = slope(x, y, mode);
            steps += 1;
        } else {
            rate *= 0.5;
            steps = 0;
        }
    }
    highest
}

/// The saddle point: first `x`, then `y`.
pub fn solve(start: [f64; 2], outer: Mode, inner: Mode) -> [[f64; 2]; 2] {
    let uphill = |&x: &[f64; 2]| match outer {
        Mode::Forward => maximum::jvp_batch(x, [[1.0, 0.0], [0.0, 1.0]], start, inner).1,
        Mode::Reverse => maximum::gradient(x, start, inner),
    };
    let x = descent::minimize(|&x| maximum(x, start, inner), uphill, start);
    let y = descent::minimize(|&y| -height(x, y), |&y| slope(x, y, outer).map(|part| -part), start);
    [x, y]
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, start) = (Runs::of(&input), input::array(&input, "start")?);
    let (outer, inner) = modes(function)?;
    Ok(runs.measure(|| solve(start, outer, inner), |point| Value::from(&point.concat()[..])))
}
