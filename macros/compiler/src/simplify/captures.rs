//! What a pullback holds: no float that follows from the others by a few sums and products.
//!
//! A pullback that a loop calls for is kept on a tape, where each float of its costs more than such a sum. Where it is
//! called at once, rustc sees that the value is there already.

use crate::analysis::residuals::is_slight;
use crate::ir::copy::Copied;
use crate::ir::free::Free;
use crate::ir::{Block, Function, Inst, Op, Value};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// How many sums and products a float may follow by.
const FEW: usize = 4;

/// Runs the pass.
pub fn captures(mut function: Function) -> Function {
    let mut body = function.take_body();
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
    let made = super::made(before);
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
    let (mut copied, mut insts) = (Copied::default(), function.new_block());
    insts.insts.extend(again.into_iter().map(|position| before[position].clone()));
    let insts = copied.block(function, &insts).insts;
    pullback.map_uses(&mut |value| *value = copied.value(*value));
    pullback.insts.splice(0..0, insts);
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
        if self.needed.len() > 2 * FEW || !(is_literal(inst) || is_slight(&inst.op)) {
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
