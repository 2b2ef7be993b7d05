//! The logarithm of a sum of exponentials.
//!
//! In: an array. Out: the value, or its gradient.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

#[differentiate]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let mut top = 0;
    for i in 1..x.len() {
        if x[i] > x[top] {
            top = i;
        }
    }
    let max = x[top];
    let terms: Vec<f64> = x.iter().map(|x| (x - max).exp()).collect();
    max + terms.iter().sum::<f64>().ln()
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, x) = (Runs::of(&input), input::floats(&input, "x")?);
    match function {
        "primal" => Ok(runs.measure(|| log_sum_exp(&x), |&y| Value::from(y))),
        "gradient" => {
            Ok(runs.measure(|| log_sum_exp::gradient(&x), |x_bar| Value::from(&x_bar[..])))
        }
        _ => Err(unknown(function)),
    }
}
