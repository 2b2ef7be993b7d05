//! The square of a number.
//!
//! In: a bare number. Out: its square, or the derivative.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{Failure, unknown};
use crate::protocol::{Answer, Runs};

#[differentiate]
pub fn square(x: f64) -> f64 {
    x * x
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let x = input.as_f64().ok_or("the input is not a number")?;
    let runs = Runs::new(1, 0.0);
    match function {
        "square" => Ok(runs.measure(|| square(x), |&y| Value::from(y))),
        "double" => Ok(runs.measure(|| square::gradient(x), |&x_bar| Value::from(x_bar))),
        _ => Err(unknown(function)),
    }
}
