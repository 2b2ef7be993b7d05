//! A function's calls of what may be its own halves.
//!
//! In: the call of a `vjp` or of a pullback that only types tell from the function's own. Out: the same call, which says
//! what `sweep` or `unwind` would be given of its operands. Nothing where these would not take them.

use super::own::{is_direct, is_of_type};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Call, Function, Half, Inst, Op, OpenCall, OwnCall, Passing, Type, Value};
use crate::syntax::signature::{Parameter, Signature};

/// The forward sweep of the level below, or the `vjp` of another function, whose pullback is kept.
pub fn sweep(function: &Function, signature: &Signature, call: &Call, inst: &Inst) -> Option<Inst> {
    if !is_direct(call, signature) || !signature.params.iter().all(is_plain) {
        return None;
    }
    let (mut choice, mut rest) = (Choice::default(), &inst.args[..]);
    for (passing, param) in call.passing.iter().zip(&signature.params) {
        if !is_of_type(function, rest[0], &param.kind) {
            return None;
        }
        for turn in 0..call.times() {
            choice.operand(passing, turn == 0 || param.active);
            rest = &rest[passing.width()..];
        }
    }
    Some(choice.finish(Half::Sweep, inst))
}

/// The reverse sweep of the level below, or the pullback of another function.
pub fn unwind(signature: &Signature, call: &Call, inst: &Inst) -> Option<Inst> {
    if !is_direct(call, signature) {
        return None;
    }
    let Op::Pull(_, shadows) = &inst.op else { return None };
    let (mut choice, mut shadows, mut rest) = (Choice::default(), shadows.iter(), &inst.args[1..]);
    for (passing, param) in call.passing.iter().zip(&signature.params) {
        if *passing == Passing::Value {
            continue;
        }
        let shadow = Passing::Unique(shadows.next()?.clone());
        for (index, passing) in [passing, &shadow].into_iter().enumerate() {
            for turn in 0..call.times() {
                choice.operand(passing, param.active || index == 0 && turn == 0);
                rest = &rest[passing.width()..];
            }
        }
    }
    // Behind the references stand the cotangents of the result.
    rest.iter().for_each(|_| choice.operand(&Passing::Value, true));
    Some(choice.finish(Half::Unwind, inst))
}

/// Whether it is known what the pullback of the function returns for a parameter: nothing, where it is constant.
fn is_plain(param: &Parameter) -> bool {
    let is_constant = matches!(param.kind, Type::Int | Type::Bool | Type::Constant);
    param.active != is_constant || param.reference().is_some()
}

/// What the function itself takes of the operands of a call.
#[derive(Default)]
struct Choice {
    passed: Vec<Passing>,
    operands: Vec<usize>,
    count: usize,
}

impl Choice {
    fn operand(&mut self, passing: &Passing, is_taken: bool) {
        if is_taken {
            self.passed.push(passing.clone());
            self.operands.push(self.count);
        }
        self.count += 1;
    }

    fn finish(self, half: Half, inst: &Inst) -> Inst {
        let open = Some(OpenCall { op: inst.op.clone(), operands: self.operands });
        let own = OwnCall { half, passed: self.passed, returned: 0, open };
        Inst { op: Op::Own(Box::new(own)), ..inst.clone() }
    }
}

/// Takes pullbacks that may be kept out of options: what stands for one says itself whether there is one, and takes no
/// memory where there never is.
pub fn bare(function: &mut Function, body: &mut Block, open: &EntitySet<Value>) {
    let mut bare = Bare { open, same: EntityMap::default(), absent: EntitySet::default() };
    bare.block(body);
    bare.fill(body);
    body.map_uses(&mut |value| {
        while let Some(same) = bare.same.get(value) {
            *value = *same;
        }
    });
    for value in open.iter().chain(&bare.absent) {
        function.values[value.0 as usize].ty = Type::Pullback;
    }
}

struct Bare<'o> {
    open: &'o EntitySet<Value>,
    /// For what was wrapped, or taken out of an option, what it is now.
    same: EntityMap<Value, Value>,
    /// What an arm yields where it makes no call.
    absent: EntitySet<Value>,
}

impl Bare<'_> {
    fn block(&mut self, block: &mut Block) {
        for inst in &mut block.insts {
            match &inst.op {
                Op::Wrap(true) | Op::Unwrap if self.open.contains(&inst.results[0]) => {
                    self.same.insert(inst.results[0], inst.args[0]);
                }
                Op::If(then, other) => {
                    let is_open = |(_, result): &(usize, &Value)| self.open.contains(result);
                    let open = inst.results.iter().enumerate().filter(is_open);
                    let yielded = open.flat_map(|(at, _)| [then.results[at], other.results[at]]);
                    self.absent.extend(yielded.filter(|value| !self.open.contains(value)));
                }
                _ => {}
            }
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
        }
        block.insts.retain(|inst| !inst.results.iter().any(|value| self.same.contains_key(value)));
    }

    fn fill(&self, block: &mut Block) {
        for inst in &mut block.insts {
            if matches!(inst.op, Op::Wrap(false)) && self.absent.contains(&inst.results[0]) {
                inst.op = Op::Undefined;
            }
            inst.op.blocks_mut().for_each(|inner| self.fill(inner));
        }
    }
}
