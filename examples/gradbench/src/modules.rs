//! The modules by name.
//!
//! In: the name of a module. Out: the function that evaluates its functions.

use serde_json::Value;

use crate::input::Failure;
use crate::protocol::Answer;
use crate::{hello, kmeans, llsq, lse};

/// Runs the function of the given name on an input.
pub type Evaluate = fn(&str, Value) -> Result<Answer, Failure>;

/// Returns the module of the given name.
pub fn find(module: &str) -> Option<Evaluate> {
    match module {
        "hello" => Some(hello::evaluate),
        "kmeans" => Some(kmeans::evaluate),
        "llsq" => Some(llsq::evaluate),
        "lse" => Some(lse::evaluate),
        _ => None,
    }
}
