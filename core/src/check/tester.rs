//! What all tests of one function share: the point, the results there, and how to name their parts.
//!
//! **Results** are the floats that a function makes, in one list: those of its value, then those of
//! its active `&mut` parameters.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::leaves::{Floats, Leaves, Part, floats};
use super::mismatch::{Kind, Mismatch};
use super::parameter::Role;
use super::precision::Precision;
use super::random::Random;
use super::report::Report;
use super::subject::{Sizes, State, Subject, Tangents};

pub(super) struct Tester<'s> {
    pub subject: &'s dyn Subject,
    pub roles: Vec<Role>,
    /// The parameters at the point.
    pub start: Vec<Leaves>,
    /// How many floats the tangents of the parameters have.
    pub sizes: Vec<usize>,
    /// What the function makes of them.
    pub state: State,
    pub results: Vec<f64>,
    after: Sizes,
    pub precision: Precision,
    pub random: Random,
    pub report: Report,
}

impl<'s> Tester<'s> {
    /// Runs the function at the point, twice.
    pub(super) fn new(subject: &'s dyn Subject) -> Result<Self, Mismatch> {
        let (start, sizes) = subject.start();
        let (state, after) = subject.primal();
        let leaves = start.iter().chain(&state.parameters).flatten().chain(&state.output);
        let mut tester = Tester {
            subject,
            roles: subject.roles(),
            precision: Precision::of(leaves),
            start,
            sizes,
            results: Vec::new(),
            state,
            after,
            random: Random::new(1),
            report: Report::new(subject.name()),
        };
        tester.results = tester.results_of(&tester.state);
        tester.compare_states(Kind::Repeat, "a second call", &subject.primal().0)?;
        tester.check_sizes()?;
        Ok(tester)
    }

    /// The tangent of every value has as many floats as the value.
    fn check_sizes(&self) -> Result<(), Mismatch> {
        let parameters = self.start.iter().zip(&self.sizes);
        let after = self.state.parameters.iter().zip(&self.after.parameters);
        for (index, (leaves, size)) in parameters.enumerate().chain(after.enumerate()) {
            self.check_size("the tangent", &self.parameter(index), *size, floats(leaves).len())?;
        }
        let output = floats(&self.state.output).len();
        self.check_size("the tangent", "the output", self.after.output, output)
    }

    pub(super) fn check_size(
        &self,
        what: &str,
        whose: &str,
        found: usize,
        expected: usize,
    ) -> Result<(), Mismatch> {
        if found == expected {
            return Ok(());
        }
        let message = format!("{what} of {whose} has {found} floats, but the value has {expected}");
        Err(self.mismatch(Kind::Shape, message))
    }

    /// The number of floats in the tangent of the output.
    pub(super) fn output_size(&self) -> usize {
        self.after.output
    }

    /// The number of floats in the tangent of each parameter as the function leaves it.
    pub(super) fn sizes_after(&self) -> &[usize] {
        &self.after.parameters
    }

    /// Compares the value and the parameters with those that the function makes.
    pub(super) fn compare_states(
        &self,
        kind: Kind,
        mode: &str,
        found: &State,
    ) -> Result<(), Mismatch> {
        let made = format!("{mode} makes");
        self.compare_leaves(kind, &made, "the output", &found.output, &self.state.output)?;
        for (index, found) in found.parameters.iter().enumerate() {
            self.compare_leaves(
                kind,
                &made,
                &self.parameter(index),
                found,
                &self.state.parameters[index],
            )?;
        }
        Ok(())
    }

    /// Compares the parameters with what they were before the call.
    pub(super) fn check_restored(&self, mode: &str, found: &[Leaves]) -> Result<(), Mismatch> {
        let left = format!("{mode} does not restore its arguments: it leaves");
        for (index, found) in found.iter().enumerate() {
            self.compare_leaves(
                Kind::Restored,
                &left,
                &self.parameter(index),
                found,
                &self.start[index],
            )?;
        }
        Ok(())
    }

    fn compare_leaves(
        &self,
        kind: Kind,
        made: &str,
        whose: &str,
        found: &[Part],
        expected: &[Part],
    ) -> Result<(), Mismatch> {
        let message = if found.len() == expected.len() {
            let Some(leaf) = (0..found.len()).find(|leaf| found[*leaf] != expected[*leaf]) else {
                return Ok(());
            };
            let place = part_of(whose, leaf, found.len());
            format!("{made} {place} {}, expected {}", found[leaf], expected[leaf])
        } else {
            format!("{made} {whose} of {} leaves, expected {}", found.len(), expected.len())
        };
        Err(self.mismatch(kind, message))
    }

    pub(super) fn mismatch(&self, kind: Kind, message: String) -> Mismatch {
        Mismatch::new(self.subject.name(), kind, message)
    }

    /// The name of a parameter, for messages.
    pub(super) fn parameter(&self, index: usize) -> String {
        format!("`{}`", self.subject.parameter_names()[index])
    }

    pub(super) fn is_active(&self, parameter: usize) -> bool {
        self.roles[parameter] != Role::Constant
    }

    /// The results in a state.
    pub(super) fn results_of(&self, state: &State) -> Vec<f64> {
        let parameters = state.parameters.iter().map(|leaves| floats(leaves)).collect();
        self.flat(&Tangents { output: floats(&state.output), parameters })
    }

    /// The tangents of the results in one list.
    pub(super) fn flat(&self, tangents: &Tangents) -> Vec<f64> {
        let parameters = tangents.parameters.iter().zip(&self.roles);
        let unique = parameters.filter(|(_, role)| **role == Role::Unique);
        let unique = unique.flat_map(|(floats, _)| floats);
        tangents.output.iter().chain(unique).copied().collect()
    }

    /// The inverse of [`flat`](Self::flat), with zeros for all other parameters.
    pub(super) fn unflat(&self, flat: &[f64]) -> Tangents {
        let (output, mut rest) = flat.split_at(self.after.output);
        let mut take = |role: Role, size: usize| {
            if role != Role::Unique {
                return vec![0.0; size];
            }
            let (taken, left) = rest.split_at(size);
            rest = left;
            taken.to_vec()
        };
        let sizes = self.roles.iter().zip(&self.after.parameters);
        let parameters: Floats = sizes.map(|(role, size)| take(*role, *size)).collect();
        Tangents { output: output.to_vec(), parameters }
    }

    /// The name of a result, for messages.
    pub(super) fn result(&self, mut index: usize) -> String {
        if index < self.after.output {
            return part_of("the output", index, self.after.output);
        }
        index -= self.after.output;
        for (parameter, size) in self.after.parameters.iter().enumerate() {
            if self.roles[parameter] == Role::Unique {
                if index < *size {
                    return part_of(&self.parameter(parameter), index, *size);
                }
                index -= size;
            }
        }
        unreachable!("every result belongs to the output or to a `&mut` parameter")
    }
}

/// The name of one of the parts of something, for messages.
pub(super) fn part_of(whole: &str, part: usize, parts: usize) -> String {
    if parts == 1 { whole.into() } else { format!("{whole} (number {part})") }
}
