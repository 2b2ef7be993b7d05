//! Least squares: a polynomial against the sign function.
//!
//! In: coefficients, and the number of points. Out: half the sum of squares, or its gradient.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// The sign of a number, which is zero at zero.
fn sign(t: f64) -> f64 {
    if t == 0.0 { 0.0 } else { t.signum() }
}

#[differentiate]
pub fn misfit(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let t = -1.0 + 2.0 * i as f64 / (n - 1) as f64;
        let mut residual = sign(t);
        let mut power = 1.0;
        for x in x {
            residual -= x * power;
            power *= t;
        }
        sum += 0.5 * residual * residual;
    }
    sum
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, x, n) = (Runs::of(&input), input::floats(&input, "x")?, input::count(&input, "n")?);
    match function {
        "primal" => Ok(runs.measure(|| misfit(&x, n), |&y| Value::from(y))),
        "gradient" => Ok(runs.measure(|| misfit::gradient(&x, n), |x_bar| Value::from(&x_bar[..]))),
        _ => Err(unknown(function)),
    }
}
