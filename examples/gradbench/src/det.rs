//! A determinant by recursive expansion by minors.
//!
//! In: a matrix. Out: its determinant, or the gradient by its entries.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// The minor of the rows from `row` on, and of the columns that are not in the set `removed`.
#[differentiate]
fn minor(a: &[f64], ell: usize, row: usize, removed: u32) -> f64 {
    if row == ell {
        return 1.0;
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    for column in 0..ell {
        if removed >> column & 1 == 0 {
            sum += sign * a[row * ell + column] * minor(a, ell, row + 1, removed | 1 << column);
            sign = -sign;
        }
    }
    sum
}

#[differentiate]
pub fn determinant(a: &[f64], ell: usize) -> f64 {
    minor(a, ell, 0, 0)
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, a, ell) = (Runs::of(&input), input::floats(&input, "A")?, input::count(&input, "ell")?);
    match function {
        "primal" => Ok(runs.measure(|| determinant(&a, ell), |&y| Value::from(y))),
        "gradient" => Ok(runs.measure(|| determinant::gradient(&a, ell), |a_bar| Value::from(&a_bar[..]))),
        _ => Err(unknown(function)),
    }
}
