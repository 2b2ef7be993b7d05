//! A linear system of differential equations by the classical method of Runge and Kutta.
//!
//! In: the coefficients, and the number of steps from 0 to 2. Out: the end, or the gradient of its last component.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// Writes the derivative of the state `y` by time to `rate`.
#[differentiate]
fn rate(x: &[f64], y: &[f64], rate: &mut [f64]) {
    rate[0] = x[0];
    for i in 1..x.len() {
        rate[i] = x[i] * y[i - 1];
    }
}

/// The state `y`, moved by `h` along `rate`.
#[differentiate(constant(h))]
fn moved(y: &[f64], h: f64, rate: &[f64], moved: &mut [f64]) {
    for i in 0..y.len() {
        moved[i] = y[i] + h * rate[i];
    }
}

#[differentiate]
fn solve(x: &[f64], steps: usize) -> Vec<f64> {
    let n = x.len();
    let h = 2.0 / steps as f64;
    let mut y = vec![0.0; n];
    let (mut k1, mut k2, mut k3, mut k4) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut stage = vec![0.0; n];
    for _ in 0..steps {
        rate(x, &y, &mut k1);
        moved(&y, 0.5 * h, &k1, &mut stage);
        rate(x, &stage, &mut k2);
        moved(&y, 0.5 * h, &k2, &mut stage);
        rate(x, &stage, &mut k3);
        moved(&y, h, &k3, &mut stage);
        rate(x, &stage, &mut k4);
        for i in 0..n {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
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
    let (runs, x, steps) = (Runs::of(&input), input::floats(&input, "x")?, input::count(&input, "s")?);
    match function {
        "primal" => Ok(runs.measure(|| primal(&x, steps), |y| Value::from(&y[..]))),
        "gradient" => Ok(runs.measure(|| gradient(&x, steps), |x_bar| Value::from(&x_bar[..]))),
        _ => Err(unknown(function)),
    }
}
