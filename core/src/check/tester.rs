//! What all tests of one function share: the point, the results there, and how to name their parts.
//!
//! **Results** are the floats that a function makes, in one list: those of its value, then those of
//! its active `&mut` parameters.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::leaves::{Floats, Leaves, Part, floats, moving};
use super::mismatch::{Kind, Mismatch, Mode};
use super::parameter::Role;
use super::place::{Place, Whose, listing, path, quoted};
use super::precision::Precision;
use super::random::Random;
use super::report::Report;
use super::reverse::largest;
use super::subject::{Primal, Sizes, State, Subject, Tangents};

pub(super) struct Tester<'s> {
    pub subject: &'s dyn Subject,
    pub roles: Vec<Role>,
    /// The parameters at the point.
    pub start: Vec<Leaves>,
    /// How many floats the tangents of the parameters have.
    pub sizes: Vec<usize>,
    /// How far a direction moves each of their floats.
    pub scales: Floats,
    /// What the function makes of them.
    pub state: State,
    pub results: Vec<f64>,
    after: Sizes,
    /// Whether the function leaves the buffers of each parameter where they are.
    stay: Vec<bool>,
    /// How often the function allocates.
    allocations: usize,
    pub precision: Precision,
    pub random: Random,
    pub report: Report,
}

/// How many numbers of a point or a direction are listed.
pub(super) const LISTED: usize = 24;

impl<'s> Tester<'s> {
    /// Runs the function at the point.
    pub(super) fn new(subject: &'s dyn Subject) -> Self {
        let (start, sizes) = subject.start();
        let Primal { state, sizes: after, memory, .. } = subject.primal();
        let mut leaves = start.iter().chain(&state.parameters).flatten().chain(&state.output);
        let single =
            subject.settings().is_single() || leaves.any(|leaf| matches!(leaf, Part::F32(_)));
        let kept = start.iter().zip(&state.parameters).map(|(before, after)| fits(before, after));
        let memory = memory[0].iter().zip(&memory[1]).map(|(before, after)| before == after);
        let scales =
            start.iter().map(|leaves| floats(leaves).iter().map(|at| scale(*at)).collect());
        let mut tester = Tester {
            subject,
            scales: scales.collect(),
            roles: subject.roles(),
            precision: Precision::of(single).with(subject.settings()),
            stay: kept.zip(memory).map(|(kept, memory)| kept && memory).collect(),
            start,
            sizes,
            results: Vec::new(),
            state,
            after,
            allocations: 0,
            random: Random::new(1),
            report: Report { single, ..Report::new(subject.name()) },
        };
        tester.results = tester.results_of(&tester.state);
        tester
    }

    /// Tests the function itself, by a second run.
    pub(super) fn test_function(&mut self) -> Result<(), Mismatch> {
        let again = self.subject.primal();
        self.allocations = again.allocations;
        self.compare_states(Kind::Repeat, Mode::Function, &again.state)?;
        self.check_sizes()
    }

    /// The tangent of every value has as many floats as the value.
    fn check_sizes(&self) -> Result<(), Mismatch> {
        let parameters = self.start.iter().zip(&self.sizes);
        let after = self.state.parameters.iter().zip(&self.after.parameters);
        for (index, (leaves, size)) in parameters.enumerate().chain(after.enumerate()) {
            let whose = Whose::Before(index);
            self.check_size(Mode::Function, "the tangent", whose, *size, floats(leaves).len())?;
        }
        let output = floats(&self.state.output).len();
        let (mode, whose) = (Mode::Function, Whose::Output);
        self.check_size(mode, "the tangent", whose, self.after.output, output)
    }

    pub(super) fn check_size(
        &self,
        mode: Mode,
        what: &str,
        whose: Whose,
        found: usize,
        expected: usize,
    ) -> Result<(), Mismatch> {
        if found == expected {
            return Ok(());
        }
        let place = self.whole(whose);
        let message = format!(
            "{what} of {} has {found} floats, but the value has {expected}",
            quoted(&place)
        );
        Err(self.mismatch(Kind::Shape, mode, place, message))
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
        mode: Mode,
        found: &State,
    ) -> Result<(), Mismatch> {
        let made = match mode {
            Mode::Function => "in a second run".into(),
            mode => format!("in {mode}"),
        };
        let parameters = found.parameters.iter().enumerate();
        let parameters = parameters
            .map(|(index, found)| (Whose::After(index), found, &self.state.parameters[index]));
        let output = (Whose::Output, &found.output, &self.state.output);
        for (whose, found, expected) in core::iter::once(output).chain(parameters) {
            self.compare_leaves((kind, mode), &made, whose, found, expected)?;
        }
        Ok(())
    }

    /// Compares the parameters with what they were before the call.
    pub(super) fn check_restored(&self, mode: Mode, found: &[Leaves]) -> Result<(), Mismatch> {
        let left = format!("{mode} does not restore its arguments:");
        for (index, (found, start)) in found.iter().zip(&self.start).enumerate() {
            let whose = Whose::Before(index);
            self.compare_leaves((Kind::Restored, mode), &left, whose, found, start)?;
        }
        Ok(())
    }

    fn compare_leaves(
        &self,
        (kind, mode): (Kind, Mode),
        made: &str,
        whose: Whose,
        found: &[Part],
        expected: &[Part],
    ) -> Result<(), Mismatch> {
        let common = found.len().min(expected.len());
        let tolerance = self.rounding(expected);
        let differs = |leaf: &usize| !agree(&found[*leaf], &expected[*leaf], tolerance);
        let Some(leaf) = (0..common).find(differs) else {
            let (found, expected) = (found.len(), expected.len());
            if found == expected {
                return Ok(());
            }
            let place = self.whole(whose);
            let message =
                format!("{made} {} has {found} parts, expected {expected}", quoted(&place));
            return Err(self.mismatch(kind, mode, place, message));
        };
        let place = self.place(whose, Place::Leaf(leaf));
        let (a, b) = (&found[leaf], &expected[leaf]);
        let message = format!("{made} {} is {a}, expected {b}", quoted(&place));
        let mismatch = self.mismatch(kind, mode, place, message);
        Err(match (a.float(), b.float()) {
            (Some(found), Some(expected)) => mismatch.between(found, expected),
            _ => mismatch,
        })
    }

    /// By how much the floats of a value may differ: not at all, but where it is itself a derivative.
    fn rounding(&self, expected: &[Part]) -> f64 {
        match self.subject.settings().is_rounded() {
            true => self.precision.rounding * largest(&floats(expected)),
            false => 0.0,
        }
    }

    /// A shadow or a tangent is where it was, if what it belongs to is.
    ///
    /// What is behind `&mut` may have been replaced although it is at the same address, which the allocator gives
    /// again. Only where nothing is allocated it has not.
    pub(super) fn check_stay(&self, mode: Mode, stay: &[bool]) -> Result<(), Mismatch> {
        let counts = self.subject.settings().counts();
        let belongs_to_what_stays = |index: usize| match self.roles[index] {
            Role::Shared => true,
            Role::Unique => self.stay[index] && counts && self.allocations == 0,
            Role::Value | Role::Constant => false,
        };
        let moved = |index: &usize| !stay[*index] && belongs_to_what_stays(*index);
        let Some(index) = (0..stay.len()).find(moved) else {
            return Ok(());
        };
        let place = self.whole(Whose::Before(index));
        let what = if mode == Mode::Jvp { "tangent" } else { "shadow" };
        let message = format!(
            "{mode} moves the {what} of {} to other memory, instead of changing it in place",
            quoted(&place)
        );
        Err(self.mismatch(Kind::Moved, mode, place, message))
    }

    /// What does not allocate has derivatives that do not.
    pub(super) fn check_allocations(&self, mode: Mode, found: usize) -> Result<(), Mismatch> {
        let is_tape = mode == Mode::AccumulateGradient && self.subject.settings().allows_tape();
        if found == 0 || self.allocations > 0 || is_tape {
            return Ok(());
        }
        let times = if found == 1 { "once".into() } else { format!("{found} times") };
        let message = format!("{mode} allocates {times}, and the function does not");
        let mismatch = self.mismatch(Kind::Allocation, mode, String::new(), message);
        Err(mismatch.between(found as f64, 0.0))
    }

    pub(super) fn mismatch(
        &self,
        kind: Kind,
        mode: Mode,
        place: String,
        message: String,
    ) -> Mismatch {
        Mismatch::new(self.subject.name(), kind, mode, place, message)
    }

    /// The name of a value.
    pub(super) fn whole(&self, whose: Whose) -> String {
        match whose {
            Whose::Before(index) | Whose::After(index) => {
                self.subject.parameter_names()[index].into()
            }
            Whose::Output => "output".into(),
        }
    }

    /// The name of a part of a value.
    pub(super) fn place(&self, whose: Whose, part: Place) -> String {
        let path = path(part, |visitor| self.subject.show(whose, visitor));
        self.whole(whose) + &path.unwrap_or_default()
    }

    /// The name of a float of a parameter.
    pub(super) fn input(&self, parameter: usize, index: usize) -> String {
        self.place(Whose::Before(parameter), Place::Float(index))
    }

    /// The name of a result.
    pub(super) fn result(&self, mut index: usize) -> String {
        if index < self.after.output {
            return self.place(Whose::Output, Place::Float(index));
        }
        index -= self.after.output;
        for (parameter, size) in self.after.parameters.iter().enumerate() {
            if self.roles[parameter] == Role::Unique {
                if index < *size {
                    return self.place(Whose::After(parameter), Place::Float(index));
                }
                index -= size;
            }
        }
        unreachable!("every result belongs to the output or to a `&mut` parameter")
    }

    /// The arguments, number by number.
    pub(super) fn point(&self) -> String {
        let mut entries = Vec::new();
        for index in 0..self.start.len() {
            let whole = self.whole(Whose::Before(index));
            let show = |visitor: &mut dyn crate::Visitor| {
                self.subject.show(Whose::Before(index), visitor);
            };
            let parts = listing(LISTED + 1, show).into_iter();
            let parts = parts.filter(|(_, part)| !matches!(part, Part::Shape(_)));
            entries.extend(parts.map(|(path, part)| format!("{whole}{path} = {part}")));
        }
        abridged(entries)
    }

    /// A direction, number by number.
    pub(super) fn describe(&self, direction: &Floats) -> String {
        let entry =
            |(p, i): (usize, usize)| format!("{:?} in {}", direction[p][i], self.input(p, i));
        let moving = moving(direction).take(LISTED + 1);
        abridged(moving.map(entry).collect())
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
}

/// Whether two leaves are the same, or floats that are close enough.
fn agree(found: &Part, expected: &Part, tolerance: f64) -> bool {
    let close = |(a, b): (f64, f64)| tolerance > 0.0 && (a - b).abs() <= tolerance;
    found == expected || found.float().zip(expected.float()).is_some_and(close)
}

/// Whether two values have the same lengths.
fn fits(before: &[Part], after: &[Part]) -> bool {
    let shapes = |leaves: &[Part]| -> Vec<Part> {
        leaves.iter().filter(|part| matches!(part, Part::Shape(_))).cloned().collect()
    };
    before.len() == after.len() && shapes(before) == shapes(after)
}

/// How far a float may move. Very small ones move a little further than in proportion, or rounding
/// would hide what comes of it.
fn scale(at: f64) -> f64 {
    if at == 0.0 { 1.0 } else { at.abs().max(1e-3) }
}

/// A list of not too many entries.
pub(super) fn abridged(mut entries: Vec<String>) -> String {
    if entries.len() > LISTED {
        entries.truncate(LISTED);
        entries.push("..".into());
    }
    entries.join(", ")
}
