//! What floats make in a loop and is the same in each iteration is made once, before it.
//!
//! In: `for i in 0..n { y[i] = a.exp() * x[i]; }`. Out: `let exp = if 0 < n { a.exp() } else { .. };` before the loop, for
//! all that takes floats alone, which nothing in the loop makes. Such an operation neither panics nor writes. It stays
//! behind a test that the loop has an iteration, where that is not known: where there is none, nothing must depend on it,
//! and zero times a derivative that is not finite is not zero. On a primal this keeps results off the tape, and what
//! depends on them is summed up before it goes back through them.

use super::ranges::{Literals, Range};
use crate::analysis::residuals::is_pure;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, LoopKind, Op, Value};

/// Runs the pass.
pub fn invariant(mut function: Function) -> Function {
    if function.is_watched {
        return function;
    }
    let literals = Literals::of(&function);
    let mut body = function.take_body();
    let mut constants = EntitySet::default();
    body.walk(&mut |inst, _| {
        if matches!(inst.op, Op::Literal(_) | Op::Item(_) | Op::Zero(_) | Op::One) {
            constants.extend(&inst.results);
        }
    });
    Invariant { function: &mut function, literals: &literals, constants }.block(&mut body);
    function.body = body;
    function
}

struct Invariant<'f> {
    function: &'f mut Function,
    literals: &'f Literals,
    constants: EntitySet<Value>,
}

impl Invariant<'_> {
    fn block(&mut self, body: &mut Block) {
        for mut inst in std::mem::take(&mut body.insts) {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
            body.insts.extend(self.taken_out(&mut inst));
            body.insts.push(inst);
        }
    }

    /// What is the same in each iteration of a loop that is known to have one, or behind a test that it has.
    fn taken_out(&mut self, inst: &mut Inst) -> Vec<Inst> {
        let (span, args) = (inst.span, inst.args.clone());
        let Op::Loop(repeat) = &mut inst.op else { return Vec::new() };
        if !matches!(repeat.kind, LoopKind::Range { .. }) {
            return Vec::new();
        }
        let range = Range::of(repeat, &args);
        let still = still(self.function, &repeat.body, &self.constants);
        let is_still = |inst: &mut Inst| inst.results.iter().any(|result| still.contains(result));
        let insts: Vec<Inst> = repeat.body.insts.extract_if(.., is_still).collect();
        if insts.is_empty() || self.literals.has_any(range) {
            return insts;
        }
        let mut uses = EntitySet::default();
        repeat.body.each_use(&mut |value| {
            uses.insert(value);
        });
        let made = insts.iter().map(|inst| inst.results[0]);
        let results = made.filter(|value| uses.contains(value)).collect();
        range.made_where_any(self.function, insts, results, span)
    }
}

/// The results of calls that are the same in each iteration, and of what they take.
fn still(function: &Function, body: &Block, constants: &EntitySet<Value>) -> EntitySet<Value> {
    let inside = body.made();
    let mut movable: EntityMap<Value, &Inst> = EntityMap::default();
    let (mut varying, mut open) = (EntitySet::default(), Vec::new());
    for inst in &body.insts {
        let is_from_outside = |arg: &Value| !inside.contains(arg) || movable.contains_key(arg);
        if !is_of_floats(function, inst) || !inst.args.iter().all(is_from_outside) {
            continue;
        }
        let (result, is_outside) = (inst.results[0], |arg: &Value| !inside.contains(arg));
        movable.insert(result, inst);
        let varies = |arg: &Value| varying.contains(arg) || is_outside(arg);
        if inst.args.iter().any(|arg| varies(arg) && !constants.contains(arg)) {
            varying.insert(result);
            open.extend(is_worth(inst).then_some(result));
        }
    }
    let mut still = EntitySet::default();
    while let Some(value) = open.pop() {
        if let Some(inst) = movable.get(&value)
            && still.insert(value)
        {
            open.extend(&inst.args);
        }
    }
    still
}

/// A sign alone is not worth a name of its own, nor is what rustc computes from constants.
fn is_worth(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Apply(rule) if rule.name != "neg")
}

/// A number that is written, or what floats make.
fn is_of_floats(function: &Function, inst: &Inst) -> bool {
    let is_float =
        |value: &Value| function.slot_of(*value).is_none() && function.ty(*value).is_float();
    is_pure(&inst.op)
        && inst.results.len() == 1
        && inst.args.iter().chain(&inst.results).all(is_float)
}
