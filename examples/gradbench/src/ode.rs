//! A linear system of differential equations by the classical method of Runge and Kutta.
//!
//! In: the coefficients, and the number of steps from 0 to 2. Out: the end, or the gradient of its last component.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// The derivative of the state `y` by time.
#[differentiate]
fn rate(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut rate = vec![0.0; x.len()];
    rate[0] = x[0];
    for i in 1..x.len() {
        rate[i] = x[i] * y[i - 1];
    }
    rate
}

/// The state `y`, moved by `h` along `rate`.
#[differentiate(constant(h))]
fn moved(y: &[f64], h: f64, rate: &[f64]) -> Vec<f64> {
    let mut moved = vec![0.0; y.len()];
    for i in 0..y.len() {
        moved[i] = y[i] + h * rate[i];
    }
    moved
}

/// The state after a step of the length `h`.
#[differentiate(constant(h))]
fn step(x: &[f64], y: &[f64], h: f64) -> Vec<f64> {
    let k1 = rate(x, y);
    let k2 = rate(x, &moved(y, 0.5 * h, &k1));
    let k3 = rate(x, &moved(y, 0.5 * h, &k2));
    let k4 = rate(x, &moved(y, h, &k3));
    let mut next = vec![0.0; y.len()];
    for i in 0..y.len() {
        next[i] = y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    next
}

#[differentiate]
fn solve(x: &[f64], steps: usize) -> Vec<f64> {
    let h = 2.0 / steps as f64;
    let mut y = vec![0.0; x.len()];
    for _ in 0..steps {
        y = step(x, &y, h);
    }
    y
}

#[differentiate]
fn last(x: &[f64], steps: usize) -> f64 {
    let y = solve(x, steps);
    y[x.len() - 1]
}

/// The state at the end.
pub fn primal(x: &[f64], steps: usize) -> Vec<f64> {
    solve(x, steps)
}

/// The gradient of the last component at the end.
pub fn gradient(x: &[f64], steps: usize) -> Vec<f64> {
    last::gradient(x, steps)
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, x, steps) =
        (Runs::of(&input), input::floats(&input, "x")?, input::count(&input, "s")?);
    match function {
        "primal" => Ok(runs.measure(|| primal(&x, steps), |y| Value::from(&y[..]))),
        "gradient" => Ok(runs.measure(|| gradient(&x, steps), |x_bar| Value::from(&x_bar[..]))),
        _ => Err(unknown(function)),
    }
}
