//! Numbers and arrays out of JSON.
//!
//! In: the input of an evaluation, and the name of a field. Out: its value, or an error that names the field.

use serde_json::Value;

/// An error message for the harness.
pub type Failure = String;

/// The error for a function that a module does not have.
pub fn unknown(function: &str) -> Failure {
    format!("no function `{function}`")
}

/// Reads a number.
pub fn float(object: &Value, name: &str) -> Result<f64, Failure> {
    object[name].as_f64().ok_or_else(|| format!("`{name}` is not a number"))
}

/// Reads an integer that is not negative.
pub fn count(object: &Value, name: &str) -> Result<usize, Failure> {
    let count = object[name].as_u64().ok_or_else(|| format!("`{name}` is not a count"))?;
    usize::try_from(count).map_err(|error| error.to_string())
}

/// Reads an array of numbers, or nested arrays of numbers, as one flat array.
pub fn floats(object: &Value, name: &str) -> Result<Vec<f64>, Failure> {
    let mut floats = Vec::new();
    flatten(&object[name], &mut floats)
        .ok_or_else(|| format!("`{name}` is not an array of numbers"))?;
    Ok(floats)
}

fn flatten(value: &Value, floats: &mut Vec<f64>) -> Option<()> {
    match value {
        Value::Number(number) => floats.push(number.as_f64()?),
        Value::Array(values) => values.iter().try_for_each(|value| flatten(value, floats))?,
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => return None,
    }
    Some(())
}

/// Reads an array of `N` numbers.
pub fn array<const N: usize>(object: &Value, name: &str) -> Result<[f64; N], Failure> {
    floats(object, name)?.try_into().map_err(|_| format!("`{name}` does not have {N} numbers"))
}

/// Reads an array of integers, or nested arrays of integers, as one flat array.
pub fn integers(object: &Value, name: &str) -> Result<Vec<i64>, Failure> {
    let integer = |float: f64| float as i64;
    Ok(floats(object, name)?.into_iter().map(integer).collect())
}

/// The number of rows of a nested array.
pub fn rows(object: &Value, name: &str) -> Result<usize, Failure> {
    object[name].as_array().map(Vec::len).ok_or_else(|| format!("`{name}` is not an array"))
}

/// An array of rows of `width` numbers.
pub fn nested(flat: &[f64], rows: usize, width: usize) -> Value {
    (0..rows).map(|row| Value::from(&flat[row * width..(row + 1) * width])).collect()
}
