//! A charged particle that is to hit the origin, past two charges of which one can be moved.
//!
//! In: the position of the charge. Out: the best position, by gradient descent. The force is the gradient of a potential, and the
//! descent takes the derivative of the whole flight.

use cotangent::differentiate;
use serde_json::Value;

use crate::descent;
use crate::input::{self, Failure};
use crate::mode::{Mode, modes};
use crate::protocol::{Answer, Runs};

const TIME_STEP: f64 = 0.1;

#[differentiate]
#[differentiate]
fn potential(x: [f64; 2], w: f64) -> f64 {
    let first = ((x[0] - 10.0) * (x[0] - 10.0) + (x[1] - 10.0 + w) * (x[1] - 10.0 + w)).sqrt();
    let second = ((x[0] - 10.0) * (x[0] - 10.0) + x[1] * x[1]).sqrt();
    1.0 / first + 1.0 / second
}

/// The gradient of the potential, by the mode.
#[differentiate(constant(mode))]
fn slope(x: [f64; 2], w: f64, mode: Mode) -> [f64; 2] {
    match mode {
        Mode::Forward => {
            [potential::jvp(x, [1.0, 0.0], w, 0.0).1, potential::jvp(x, [0.0, 1.0], w, 0.0).1]
        }
        Mode::Reverse => potential::gradient(x, w).0,
    }
}

/// The square of the place where the path meets the axis.
#[differentiate(constant(mode))]
fn miss(w: f64, mode: Mode) -> f64 {
    let (mut x, mut v) = ([0.0, 8.0], [0.75, 0.0]);
    loop {
        let uphill = slope(x, w, mode);
        x = [x[0] + TIME_STEP * v[0], x[1] + TIME_STEP * v[1]];
        if x[1] <= 0.0 {
            let time = -x[1] / v[1];
            let place = x[0] + time * v[0];
            return place * place;
        }
        v = [v[0] - TIME_STEP * uphill[0], v[1] - TIME_STEP * uphill[1]];
    }
}

/// The position of the charge that makes the particle hit the origin.
pub fn solve(start: f64, outer: Mode, inner: Mode) -> f64 {
    let gradient = |w: &[f64; 1]| match outer {
        Mode::Forward => [miss::jvp(w[0], 1.0, inner).1],
        Mode::Reverse => [miss::gradient(w[0], inner)],
    };
    descent::minimize(|w| miss(w[0], inner), gradient, [start])[0]
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, start) = (Runs::of(&input), input::float(&input, "w")?);
    let (outer, inner) = modes(function)?;
    Ok(runs.measure(|| solve(start, outer, inner), |&w| Value::from(w)))
}
