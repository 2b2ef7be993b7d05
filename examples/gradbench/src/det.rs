//! A determinant by recursive expansion by minors.
//!
//! In: a matrix. Out: its determinant, or the gradient by its entries.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// The minor of the last two rows, and of the columns in the set `columns`.
#[differentiate]
fn last_minor(a: &[f64], ell: usize, columns: u32) -> f64 {
    let (first, second) = (columns.trailing_zeros() as usize, columns.ilog2() as usize);
    let row = (ell - 2) * ell;
    a[row + first] * a[row + ell + second] - a[row + second] * a[row + ell + first]
}

/// The minor of the rows from `row` on, and of the columns in the set `columns`.
#[differentiate]
fn minor(a: &[f64], ell: usize, row: usize, columns: u32) -> f64 {
    if row + 2 == ell {
        return last_minor(a, ell, columns);
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    let mut rest = columns;
    while rest != 0 {
        let column = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        sum += sign * a[row * ell + column] * minor(a, ell, row + 1, columns ^ 1 << column);
        sign = -sign;
    }
    sum
}

#[differentiate]
pub fn determinant(a: &[f64], ell: usize) -> f64 {
    match ell {
        1 => return a[0],
        2 => return last_minor(a, ell, 3),
        _ => (),
    }
    let mut sum = 0.0;
    for column in 0..ell {
        let sign = if column % 2 == 0 { 1.0 } else { -1.0 };
        let columns = ((1 << ell) - 1) ^ 1 << column;
        sum += sign * a[column] * minor(a, ell, 1, columns);
    }
    sum
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
