//! Disjoint parts of one place, borrowed side by side by one call.
//!
//! In: an instruction that borrows. Out: a reference to each element of which it borrows several fields, one of them by `&mut`,
//! so that the fields are parts of a variable: of what is behind an operator, such as a vector's index, rustc sees no
//! parts. **Invariant:** what is written between here and the instruction reads none of these places.

use super::Emit;
use super::effect::split;
use super::place::{Reach, Start};
use crate::ir::{Inst, Op, Passing, Path, Projection, Value, common_steps, index_count};
use proc_macro2::Ident;
use quote::{ToTokens, quote};

/// A part of a place: the version, and a path with the numbers in it.
#[derive(Clone, PartialEq)]
struct Part {
    version: Value,
    path: Path,
    numbers: Vec<Value>,
}

/// What an instruction borrows of one place several times, where it writes some of it.
#[derive(Default)]
pub(super) struct Neighbours {
    versions: Vec<Value>,
    /// Elements of which several fields are borrowed, with the names of references to them.
    elements: Vec<(Part, Ident)>,
}

impl Neighbours {
    /// Returns the innermost element that a part of a place is in, if one is borrowed.
    pub(super) fn element(&self, version: Value, part: (&Path, &[Value])) -> Option<Start> {
        let is_around = |(element, _): &&(Part, Ident)| {
            element.version == version && common_steps(element.place(), part) == element.path.len()
        };
        let (element, name) = self.elements.iter().rev().find(is_around)?;
        Some(Start {
            tokens: name.to_token_stream(),
            steps: element.path.len(),
            numbers: element.numbers.len(),
        })
    }
}

impl Part {
    fn place(&self) -> (&Path, &[Value]) {
        (&self.path, &self.numbers)
    }

    /// Returns the elements that both are in, from the outermost on.
    fn elements_with(&self, other: &Part) -> Vec<Part> {
        let common = common_steps(self.place(), other.place());
        let is_end = |steps: &usize| self.path[*steps - 1] == Projection::Index;
        let ends = (1..=common).filter(is_end);
        ends.map(|steps| {
            let path = self.path[..steps].to_vec();
            let numbers = self.numbers[..index_count(&path)].to_vec();
            Part { version: self.version, path, numbers }
        })
        .collect()
    }
}

impl Emit<'_> {
    /// Borrows the elements of which an instruction is given several fields, until the next instruction.
    pub(super) fn borrow_elements(&mut self, inst: &Inst) {
        self.neighbours = Neighbours::default();
        let borrowed = borrowed(inst);
        for (position, (part, is_unique)) in borrowed.iter().enumerate() {
            for (other, is_other_unique) in &borrowed[..position] {
                if part.version == other.version && (*is_unique || *is_other_unique) {
                    self.neighbours.versions.push(part.version);
                    part.elements_with(other)
                        .into_iter()
                        .for_each(|part| self.borrow_element(part));
                }
            }
        }
    }

    fn borrow_element(&mut self, element: Part) {
        if self.neighbours.elements.iter().any(|(other, _)| *other == element) {
            return;
        }
        let args = [&[element.version], &element.numbers[..]].concat();
        let place = self.place(&args, &element.path, Reach::Unique);
        let name = self.names.holder("element");
        self.statements.push(quote!(let #name = &mut #place;));
        self.neighbours.elements.push((element, name));
    }
}

/// The parts that an instruction borrows, and whether by `&mut`.
fn borrowed(inst: &Inst) -> Vec<(Part, bool)> {
    let operands: Vec<(Passing, &[Value])> = match inst.op.written() {
        Op::Call(call) | Op::CallVjp(call) | Op::CallJvp(call) => {
            let operands = split(call, &inst.args).into_iter();
            operands.map(|(passing, args, _)| (passing.clone(), args)).collect()
        }
        Op::Pull(call, shadows) => super::effect::pulled_operands(call, shadows, inst),
        Op::Own(call) => {
            let mut rest = &inst.args[..];
            let next = |passing: &Passing| {
                let operand;
                (operand, rest) = rest.split_at(passing.width());
                (passing.clone(), operand)
            };
            call.passed.iter().map(next).collect()
        }
        _ => Vec::new(),
    };
    let part = |(passing, args): (Passing, &[Value])| {
        let (path, numbers) = (passing.path()?.clone(), args[1..].to_vec());
        let is_unique = matches!(passing, Passing::Unique(_));
        Some((Part { version: args[0], path, numbers }, is_unique))
    };
    operands.into_iter().filter_map(part).collect()
}
