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

/// The expansion along the first of at least three rows.
#[differentiate]
fn expansion(a: &[f64], ell: usize) -> f64 {
    let mut sum = 0.0;
    for column in 0..ell {
        let sign = if column % 2 == 0 { 1.0 } else { -1.0 };
        let columns = ((1 << ell) - 1) ^ 1 << column;
        sum += sign * a[column] * minor(a, ell, 1, columns);
    }
    sum
}

/// The determinant of a matrix with at least two rows.
pub fn determinant(a: &[f64], ell: usize) -> f64 {
    if ell == 2 { last_minor(a, ell, 3) } else { expansion(a, ell) }
}

/// The gradient of the determinant.
pub fn gradient(a: &[f64], ell: usize) -> Vec<f64> {
    if ell == 2 { last_minor::gradient(a, ell, 3) } else { expansion::gradient(a, ell) }
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, a, ell) =
        (Runs::of(&input), input::floats(&input, "A")?, input::count(&input, "ell")?);
    if ell < 2 {
        return Err("a matrix has at least two rows here".to_string());
    }
    match function {
        "primal" => Ok(runs.measure(|| determinant(&a, ell), |&y| Value::from(y))),
        "gradient" => Ok(runs.measure(|| gradient(&a, ell), |a_bar| Value::from(&a_bar[..]))),
        _ => Err(unknown(function)),
    }
}
