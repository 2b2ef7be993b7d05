//! Fusion: a loop and its adjoint become one loop.
//!
//! Where the seed is known before a loop runs (a gradient's is one), and the adjoint's iterations may run
//! in any order, both can go through the range together. What the adjoint would compute again or take
//! from a tape is then at hand. It pays where that is expensive; where it is not, the adjoint alone is
//! the loop that vectorises, and the two stay apart.

use super::order::{is_derived, is_free};
use super::prune::substitute;
use crate::analysis::residuals::is_pure;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Slot, Tape, Value};
use cotangent_rules::Cost;

/// Runs the pass.
pub fn fuse(mut function: Function) -> Function {
    let mut body = function.take_body();
    while let Some(pair) = find(&function, &body) {
        join(&mut body, &pair);
    }
    function.body = body;
    function
}

/// A loop, its adjoint behind it, and what stands between and must come before both.
struct Pair {
    primal: usize,
    adjoint: usize,
    before: Vec<usize>,
    tape: Option<Tape>,
}

/// Only the outermost block has both sweeps.
fn find(function: &Function, body: &Block) -> Option<Pair> {
    for (adjoint, inst) in body.insts.iter().enumerate() {
        let Op::Loop(backwards) = &inst.op else { continue };
        if !is_derived(function, inst) || !is_free(function, backwards, true) {
            continue;
        }
        let primal =
            body.insts[..adjoint].iter().position(|other| is_counterpart(function, other, inst));
        let Some(primal) = primal else { continue };
        let tape = popped(backwards);
        let is_worth = pops(backwards) || backwards_is_expensive(backwards);
        let Some(before) = hoisted(function, body, primal, adjoint).filter(|_| is_worth) else {
            continue;
        };
        let is_apart =
            !touches(function, &body.insts[primal], inst) && only_reads(function, backwards);
        if !is_apart || !is_own(&body.insts[primal], backwards) {
            continue;
        }
        return Some(Pair { primal, adjoint, before, tape });
    }
    None
}

/// A loop of the primal over the same range.
fn is_counterpart(function: &Function, inst: &Inst, adjoint: &Inst) -> bool {
    let (Op::Loop(primal), Op::Loop(backwards)) = (&inst.op, &adjoint.op) else { return false };
    let (LoopKind::Range { inclusive: a, adaptors }, LoopKind::Range { inclusive: b, .. }) =
        (&primal.kind, &backwards.kind)
    else {
        return false;
    };
    let bounds = primal.bounds();
    adaptors.is_empty()
        && a == b
        && !primal.breaks
        && !is_derived(function, inst)
        && bounds == backwards.bounds()
        && inst.args[..bounds] == adjoint.args[..bounds]
        && popped(backwards).is_none_or(|tape| pushed(primal, tape).is_some())
}

/// Whether places that come from the tape are not changed: those that the primal made stand for them.
fn only_reads(function: &Function, backwards: &Loop) -> bool {
    let mut popped = EntitySet::default();
    let mut only_reads = true;
    backwards.body.walk(&mut |inst, _| {
        let slots = inst.results.iter().filter_map(|result| function.slot_of(*result));
        match inst.op {
            Op::TapePop(_) => popped.extend(slots),
            _ => only_reads &= slots.into_iter().all(|slot| !popped.contains(&slot)),
        }
    });
    only_reads
}

/// The tape that a loop's body pops.
fn popped(repeat: &Loop) -> Option<Tape> {
    repeat.body.insts.iter().find_map(|inst| match inst.op {
        Op::TapePop(tape) => Some(tape),
        _ => None,
    })
}

/// What a loop's body pushes on a tape.
fn pushed(repeat: &Loop, tape: Tape) -> Option<&[Value]> {
    let mut insts = repeat.body.insts.iter();
    insts.find_map(|inst| {
        matches!(inst.op, Op::TapePush(pushed) if pushed == tape).then_some(&inst.args[..])
    })
}

/// Whether the adjoint pops all that the primal's loop pushes. What inner loops push in an iteration stays on their
/// tapes until the same iteration of the adjoint pops it.
fn is_own(primal: &Inst, adjoint: &Loop) -> bool {
    let Op::Loop(repeat) = &primal.op else { return false };
    let (mut pushed, mut popped) = (EntitySet::default(), EntitySet::default());
    repeat.body.walk(&mut |inst, _| {
        if let Op::TapePush(tape) = inst.op {
            pushed.insert(tape);
        }
    });
    adjoint.body.walk(&mut |inst, _| {
        if let Op::TapePop(tape) = inst.op {
            popped.insert(tape);
        }
    });
    pushed == popped
}

/// Whether something is taken from a tape.
fn pops(repeat: &Loop) -> bool {
    let mut pops = false;
    repeat.body.walk(&mut |inst, _| pops |= matches!(inst.op, Op::TapePop(_)));
    pops
}

/// Calls of the mathematical library: worth sharing, and never vectorised.
fn backwards_is_expensive(repeat: &Loop) -> bool {
    let mut found = false;
    repeat.body.walk(&mut |inst, _| {
        found |= matches!(&inst.op, Op::Apply(rule) if rule.cost == Cost::Call);
    });
    found
}

/// The instructions between the loops that the adjoint needs, if they do not need the primal loop.
pub fn hoisted(
    function: &Function,
    body: &Block,
    primal: usize,
    adjoint: usize,
) -> Option<Vec<usize>> {
    let mut needed: EntitySet<Value> = body.insts[adjoint].uses();
    let mut before = Vec::new();
    for index in (primal + 1..adjoint).rev() {
        let inst = &body.insts[index];
        if !inst.results.iter().any(|result| needed.contains(result)) {
            continue;
        }
        if !is_movable(function, inst) {
            return None;
        }
        needed.extend(inst.uses());
        before.push(index);
    }
    before.reverse();
    let results = &body.insts[primal].results;
    (!results.iter().any(|result| needed.contains(result))).then_some(before)
}

/// Whether an instruction can run before the primal loop as well: it computes, or makes a place, or chooses between such.
fn is_movable(function: &Function, inst: &Inst) -> bool {
    let is_new_place = matches!(inst.op, Op::Zero(_) | Op::Duplicate | Op::VecRepeat);
    let is_choice = matches!(inst.op, Op::If(..));
    let computes = is_pure(&inst.op) || matches!(inst.op, Op::Measure(..));
    let writes = inst.args.iter().any(|arg| {
        let slot = function.slot_of(*arg);
        slot.is_some() && inst.results.iter().any(|result| function.slot_of(*result) == slot)
    });
    let mut arms = inst.op.blocks().flat_map(|arm| &arm.insts);
    (computes || is_new_place || is_choice)
        && !writes
        && arms.all(|inst| is_movable(function, inst))
}

/// Whether the primal loop writes a place that the adjoint reads or writes.
fn touches(function: &Function, primal: &Inst, adjoint: &Inst) -> bool {
    let written: EntitySet<Slot> =
        primal.results.iter().filter_map(|result| function.slot_of(*result)).collect();
    adjoint
        .uses()
        .iter()
        .filter_map(|value| function.slot_of(*value))
        .any(|slot| written.contains(&slot))
}

/// Puts the adjoint's body behind the primal's.
fn join(body: &mut Block, pair: &Pair) {
    let mut adjoint = body.insts.remove(pair.adjoint);
    let mut moved: Vec<Inst> =
        pair.before.iter().rev().map(|index| body.insts.remove(*index)).collect();
    moved.reverse();
    let primal = pair.primal;
    fuse_loops(&mut body.insts[primal], &mut adjoint, pair.tape);
    body.insts.splice(primal..primal, moved);
    if let Some(tape) = pair.tape {
        body.insts
            .retain(|inst| !matches!(inst.op, Op::TapeReserve(reserved, _) if reserved == tape));
    }
}

fn fuse_loops(primal: &mut Inst, adjoint: &mut Inst, tape: Option<Tape>) {
    let (Op::Loop(forwards), Op::Loop(backwards)) = (&mut primal.op, &mut adjoint.op) else {
        return;
    };
    let mut renamed = EntityMap::from_iter([(backwards.body.params[0], forwards.body.params[0])]);
    if let Some(tape) = tape {
        let entry = pushed(forwards, tape).map(<[Value]>::to_vec).unwrap_or_default();
        let pops = backwards.body.insts.iter().find(|inst| matches!(inst.op, Op::TapePop(_)));
        renamed
            .extend(pops.iter().flat_map(|inst| inst.results.iter().copied().zip(entry.clone())));
        forwards
            .body
            .insts
            .retain(|inst| !matches!(inst.op, Op::TapePush(pushed) if pushed == tape));
        backwards.body.insts.retain(|inst| !matches!(inst.op, Op::TapePop(_)));
    }
    substitute(&mut backwards.body, &renamed);
    let bounds = backwards.bounds();
    primal.args.extend(&adjoint.args[bounds..]);
    primal.results.append(&mut adjoint.results);
    forwards.body.params.extend(&backwards.body.params[1..]);
    forwards.body.insts.append(&mut backwards.body.insts);
    forwards.body.results.append(&mut backwards.body.results);
}
