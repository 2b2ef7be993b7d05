//! What a pullback holds: no float that follows from the others by a few sums and products.
//!
//! A pullback that a loop calls for is kept on a tape, where each float of its costs more than such a sum. Where it is
//! called at once, rustc sees that the value is there already.

use crate::ir::free::Free;
use crate::ir::{Block, Function, Inst, Op, Value};
use std::collections::{BTreeSet, HashMap};

/// How many sums and products a float may follow by.
const FEW: usize = 4;

/// Runs the pass.
pub fn captures(mut function: Function) -> Function {
    let mut body = function.body.clone();
    let is_pullback = |inst: &Inst| matches!(inst.op, Op::Closure(_));
    if let Some(position) = body.insts.iter().position(is_pullback) {
        let (before, rest) = body.insts.split_at_mut(position);
        if let Op::Closure(pullback) = &mut rest[0].op {
            narrow(&mut function, before, pullback);
        }
    }
    function.body = body;
    function
}

/// Computes in a pullback again what follows from what it holds besides.
fn narrow(function: &mut Function, before: &[Inst], pullback: &mut Block) {
    let made: HashMap<Value, usize> = before
        .iter()
        .enumerate()
        .flat_map(|(position, inst)| inst.results.iter().map(move |result| (*result, position)))
        .collect();
    let mut held = Free::in_block(pullback).values;
    let is_float =
        |value: &Value| function.ty(*value).is_float() && function.slot_of(*value).is_none();
    let mut from_others: Vec<(usize, Value)> = held
        .iter()
        .filter(|value| is_float(value))
        .filter_map(|value| made.get(value).map(|position| (*position, *value)))
        .collect();
    from_others.sort();
    let mut again = BTreeSet::new();
    for (_, value) in from_others {
        held.remove(&value);
        let mut follow = Follow { before, made: &made, held: &held, needed: Vec::new() };
        let follows = follow.follows(value);
        let cost = follow.needed.iter().filter(|position| !is_literal(&before[**position])).count();
        if follows && cost <= FEW {
            again.extend(follow.needed);
        } else {
            held.insert(value);
        }
    }
    compute(function, again.into_iter().map(|position| &before[position]), pullback);
}

struct Follow<'a> {
    before: &'a [Inst],
    /// Which instruction makes a value.
    made: &'a HashMap<Value, usize>,
    held: &'a BTreeSet<Value>,
    /// The instructions by which it follows.
    needed: Vec<usize>,
}

impl Follow<'_> {
    fn follows(&mut self, value: Value) -> bool {
        let Some(position) = self.made.get(&value).copied() else { return false };
        let inst = &self.before[position];
        if self.needed.len() > 2 * FEW || !(is_literal(inst) || is_cheap(inst)) {
            return false;
        }
        let args = inst.args.iter();
        let follows = args.into_iter().all(|arg| self.held.contains(arg) || self.follows(*arg));
        self.needed.push(position);
        follows
    }
}

fn is_literal(inst: &Inst) -> bool {
    matches!(inst.op, Op::Literal(_))
}

fn is_cheap(inst: &Inst) -> bool {
    matches!(inst.op, Op::Apply(rule) if ["add", "sub", "mul", "neg"].contains(&rule.name))
}

/// Puts instructions at the start of a pullback, for which they make the values anew.
fn compute<'i>(
    function: &mut Function,
    insts: impl Iterator<Item = &'i Inst>,
    pullback: &mut Block,
) {
    let (mut names, mut again) = (HashMap::new(), Vec::new());
    for inst in insts {
        let mut inst = inst.clone();
        inst.args.iter_mut().for_each(|arg| *arg = names.get(arg).copied().unwrap_or(*arg));
        for result in &mut inst.results {
            let copy = function.renewed(*result);
            names.insert(*result, copy);
            *result = copy;
        }
        again.push(inst);
    }
    pullback.map_uses(&mut |value| *value = names.get(value).copied().unwrap_or(*value));
    pullback.insts.splice(0..0, again);
}
