//! Loops that rustc would go through one by one are taken apart into strips of eight iterations.
//!
//! In: an adjoint's loop that carries sums, or numbers from one iteration to the next; or a loop of the primal whose
//! iterations wait for each other, as those of a sum do, and its adjoint, which does not need it. Out: a loop over
//! strips, in which each of them goes through eight elements, and behind it the same loops for what is left. In a strip
//! the elements are those of short slices, so that indices need no checks, and rustc takes several at a time; sums have
//! a lane for each place in the strip; and while a strip of the primal waits, that of the adjoint runs.
//!
//! **Invariant:** values of the primal are computed in its order, bit for bit, and panics are its own: where an index
//! may not be there, all is left to the loops behind. This comes after all passes that know loops but `guard`.

mod fits;
mod kernel;
mod split;

use self::kernel::{Carried, Kernel};
use self::split::Split;
use super::fuse::hoisted;
use super::order::is_derived;
use super::ranges::Literals;
use crate::ir::entity::EntitySet;
use crate::ir::{Block, Function, Inst, Op, Slot, Value};

/// As many iterations make a strip: for four registers of two floats, two of four, or one of eight.
const WIDTH: u128 = 8;

/// More would not be kept in registers.
const MOST_SUMS: usize = 2;
const MOST_NUMBERS: usize = 4;

/// Runs the pass.
pub fn strips(mut function: Function) -> Function {
    let mut body = function.body.clone();
    let literals = Literals::of(&function);
    let done = EntitySet::default();
    let mut pass = Strips { function: &mut function, literals: &literals, done };
    pass.block(&mut body);
    let has_changed = !pass.done.is_empty();
    function.body = body;
    if has_changed { super::dce(function) } else { function }
}

struct Strips<'f> {
    function: &'f mut Function,
    literals: &'f Literals,
    /// The indices of loops that are what strips left.
    done: EntitySet<Value>,
}

impl Strips<'_> {
    fn block(&mut self, block: &mut Block) {
        for inst in &mut block.insts {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
        }
        let mut position = 0;
        while position < block.insts.len() {
            position = match self.partner(block, position) {
                Some((adjoint, moved)) => self.together(block, position, adjoint, &moved),
                None if self.is_worth(&block.insts[position]) => self.alone(block, position),
                None => position + 1,
            };
        }
    }

    /// Whether an adjoint's loop gains by itself.
    fn is_worth(&self, inst: &Inst) -> bool {
        is_derived(self.function, inst)
            && self.is_long(inst)
            && Kernel::of(self.function, inst).is_some_and(|kernel| {
                is_small(&kernel) && kernel.count(Carried::Sum) + kernel.count(Carried::Number) > 0
            })
    }

    /// Whether it is whole, and may have more than one strip.
    fn is_long(&self, inst: &Inst) -> bool {
        let Op::Loop(repeat) = &inst.op else { return false };
        if repeat.body.params.first().is_some_and(|index| self.done.contains(index)) {
            return false;
        }
        let [start, end] = [0, 1].map(|bound| inst.args.get(bound).copied());
        let known = |value: Option<_>| value.and_then(|value| self.literals.get(value));
        !matches!((known(start), known(end)), (Some(start), Some(end)) if end < start + 2 * WIDTH)
    }

    /// For a loop of the primal whose iterations wait: its adjoint further on, and what must come before both.
    fn partner(&self, block: &Block, position: usize) -> Option<(usize, Vec<usize>)> {
        let inst = &block.insts[position];
        if is_derived(self.function, inst) || !self.is_long(inst) {
            return None;
        }
        let primal = Kernel::of(self.function, inst)?;
        let is_safe = fits::is_safe(&primal, self.literals);
        if primal.count(Carried::Place) > 0 || !primal.is_serial() || !is_safe {
            return None;
        }
        (position + 1..block.insts.len()).find_map(|adjoint| {
            let other = &block.insts[adjoint];
            let is_fit = is_derived(self.function, other)
                && Kernel::of(self.function, other).is_some_and(|kernel| is_small(&kernel))
                && inst.args[..2] == other.args[..2]
                && self.is_apart(&block.insts[position..adjoint], other);
            let moved = is_fit.then(|| hoisted(self.function, block, position, adjoint))??;
            Some((adjoint, moved))
        })
    }

    /// Whether nothing before an adjoint's loop looks at the places that it writes.
    fn is_apart(&self, before: &[Inst], adjoint: &Inst) -> bool {
        let written: EntitySet<Slot> =
            adjoint.results.iter().filter_map(|result| self.function.slot_of(*result)).collect();
        let touched = before.iter().flat_map(|inst| {
            let made = inst.results.iter().copied().filter(|_| is_looked_at(inst));
            made.chain(inst.uses())
        });
        !touched
            .filter_map(|value| self.function.slot_of(value))
            .any(|slot| written.contains(&slot))
    }

    /// The position behind what stands for the loop.
    fn alone(&mut self, block: &mut Block, position: usize) -> usize {
        let inst = block.insts.remove(position);
        let kernel = Kernel::of(self.function, &inst).expect("what was found");
        self.done.insert(kernel.repeat.body.params[0]);
        let Split { before, rest } = Split::of(self.function, self.literals, &[kernel]);
        let made: Vec<Inst> = before.into_iter().chain(rest.into_iter().flatten()).collect();
        let count = made.len();
        block.insts.splice(position..position, made);
        position + count
    }

    fn together(
        &mut self,
        block: &mut Block,
        primal: usize,
        adjoint: usize,
        moved: &[usize],
    ) -> usize {
        let insts = [primal, adjoint].map(|position| block.insts[position].clone());
        let kernels = insts.each_ref().map(|inst| Kernel::of(self.function, inst));
        let kernels = kernels.map(|kernel| kernel.expect("what was found"));
        self.done.extend(kernels.iter().map(|kernel| kernel.repeat.body.params[0]));
        let Split { before, rest } = Split::of(self.function, self.literals, &kernels);
        let [first, second] = rest.try_into().unwrap_or_else(|_| unreachable!("one for each"));
        block.insts.splice(adjoint..=adjoint, second);
        let mut ahead: Vec<Inst> =
            moved.iter().rev().map(|position| block.insts.remove(*position)).collect();
        ahead.reverse();
        ahead.extend(before);
        ahead.extend(first);
        let count = ahead.len();
        block.insts.splice(primal..=primal, ahead);
        primal + count
    }
}

/// Whether what is carried stays in registers, and does not make iterations wait.
fn is_small(kernel: &Kernel) -> bool {
    kernel.count(Carried::Sum) <= MOST_SUMS
        && kernel.count(Carried::Number) <= MOST_NUMBERS
        && !kernel.is_serial()
}

/// Whether an instruction does more than make a place.
fn is_looked_at(inst: &Inst) -> bool {
    !matches!(inst.op, Op::Zero(_) | Op::Duplicate | Op::VecRepeat | Op::ArrayRepeat(_))
}
