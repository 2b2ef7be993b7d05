//! The modules by name.
//!
//! In: the name of a module. Out: the function that evaluates its functions.

use serde_json::Value;

use crate::input::Failure;
use crate::protocol::Answer;
use crate::{ba, det, gmm, hello, ht, kmeans, llsq, lse, lstm, ode, particle, saddle};

/// Runs the function of the given name on an input.
pub type Evaluate = fn(&str, Value) -> Result<Answer, Failure>;

/// Returns the module of the given name.
pub fn find(module: &str) -> Option<Evaluate> {
    match module {
        "ba" => Some(ba::evaluate),
        "det" => Some(det::evaluate),
        "gmm" => Some(gmm::evaluate),
        "hello" => Some(hello::evaluate),
        "ht" => Some(ht::evaluate),
        "kmeans" => Some(kmeans::evaluate),
        "llsq" => Some(llsq::evaluate),
        "lse" => Some(lse::evaluate),
        "lstm" => Some(lstm::evaluate),
        "ode" => Some(ode::evaluate),
        "particle" => Some(particle::evaluate),
        "saddle" => Some(saddle::evaluate),
        _ => None,
    }
}
