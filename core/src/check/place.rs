//! Names of the parts of values, for messages: `state.velocity[2]`.
//!
//! In comes a value, by its `visit`, and the number of one of its leaves; out goes the way to it. Names are made only
//! when there is something to report.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::leaves::Part;
use crate::visit::{Leaf, Step, Visitor};

/// A value that the tester knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// A parameter, before the call.
    Before(usize),
    /// A parameter, as the function leaves it.
    After(usize),
    Output,
}

/// A part of a value.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Leaf(usize),
    /// By its number among the floats, which tangents and cotangents have in the same order.
    Float(usize),
}

/// The way to a place; nothing when there is no such place.
pub(super) fn path(place: Place, visit: impl FnOnce(&mut dyn Visitor)) -> Option<String> {
    let (from, floats_only) = match place {
        Place::Leaf(number) => (number, false),
        Place::Float(number) => (number, true),
    };
    let mut all = Listing { from, floats_only, limit: 1, ..Listing::default() };
    visit(&mut all);
    all.leaves.pop().map(|(path, _)| path)
}

/// The first leaves of a value with the ways to them.
pub(super) fn listing(limit: usize, visit: impl FnOnce(&mut dyn Visitor)) -> Vec<(String, Part)> {
    let mut all = Listing { limit, ..Listing::default() };
    visit(&mut all);
    all.leaves
}

#[derive(Default)]
struct Listing {
    path: String,
    /// How long the path was before each step.
    marks: Vec<usize>,
    /// How many leaves to pass over.
    from: usize,
    limit: usize,
    floats_only: bool,
    leaves: Vec<(String, Part)>,
}

impl Visitor for Listing {
    fn leaf(&mut self, leaf: Leaf<'_>) {
        if self.floats_only && leaf.float().is_none() {
            return;
        }
        if self.from > 0 {
            self.from -= 1;
        } else if self.leaves.len() < self.limit {
            self.leaves.push((self.path.clone(), leaf.into()));
        }
    }

    fn enter(&mut self, step: Step<'_>) {
        self.marks.push(self.path.len());
        self.path.push_str(&step.to_string());
    }

    fn leave(&mut self) {
        self.path.truncate(self.marks.pop().unwrap_or_default());
    }
}

/// The name of a place in a sentence.
pub(super) fn quoted(place: &str) -> String {
    if place == "output" { "the output".into() } else { format!("`{place}`") }
}
