//! A place that an iteration leaves behind is put on the tape itself.
//!
//! In: `let kept = z.clone(); .. f(&z) ..; tape.push(kept);`, as the reverse transform keeps the contents of a place that an
//! iteration makes. Out: `.. f(&z) ..; tape.push(z);`, where nothing is done with the place behind that.
//!
//! Invariants: from the copy to the end of the block, the place is only read, by numbers and lengths and by functions that
//! are lent it, so that it holds what was copied, and nothing borrows it.

use super::count_uses;
use super::prune::substitute;
use crate::ir::entity::EntityMap;
use crate::ir::{Access, Block, Function, Inst, Op, Passing, Slot, Value};

/// Runs the pass.
pub fn hand_over(mut function: Function) -> Function {
    if function.tapes == 0 {
        return function;
    }
    let uses = count_uses(&function.body);
    let mut handed = EntityMap::default();
    each_block(&function.body, &mut |block| handed.extend(copies(&function, block, &uses)));
    function.body.retain(&|inst| !inst.results.iter().any(|copy| handed.contains_key(copy)));
    substitute(&mut function.body, &handed);
    function
}

fn each_block(block: &Block, visit: &mut dyn FnMut(&Block)) {
    visit(block);
    let inner = block.insts.iter().flat_map(|inst| inst.op.blocks());
    inner.for_each(|block| each_block(block, visit));
}

/// The copies of a block that are nowhere but on a tape, with what is handed over in their stead.
fn copies(
    function: &Function,
    block: &Block,
    uses: &EntityMap<Value, usize>,
) -> Vec<(Value, Value)> {
    let mut handed: Vec<(Value, Value)> = Vec::new();
    for (position, inst) in block.insts.iter().enumerate() {
        let (Op::Clone(path), [version], [copy]) = (&inst.op, &inst.args[..], &inst.results[..])
        else {
            continue;
        };
        let is_twice = handed.iter().any(|(_, other)| other == version);
        let is_whole = path.is_empty() && function.ty(*version) == function.ty(*copy);
        if is_whole && !is_twice && uses.get(copy) == Some(&1) {
            let (before, behind) = block.insts.split_at(position + 1);
            let slot = function.slot_of(*version).filter(|slot| is_made(function, before, *slot));
            let is_left = slot.is_some_and(|slot| is_left(function, block, behind, (slot, *copy)));
            handed.extend(is_left.then_some((*copy, *version)));
        }
    }
    handed
}

/// Whether instructions make a place that owns what it holds.
fn is_made(function: &Function, insts: &[Inst], slot: Slot) -> bool {
    let is_here = |value: &Value| function.slot_of(*value) == Some(slot);
    let first = insts.iter().find(|inst| inst.touches(function, slot));
    function.slot(slot).access == Access::Owned
        && first.is_some_and(|inst| !inst.op.has_blocks() && !inst.args.iter().any(is_here))
}

/// Whether a place is only read before its copy goes to a tape, and left alone behind that, as is what may have come from
/// it by reference.
fn is_left(
    function: &Function,
    block: &Block,
    behind: &[Inst],
    (slot, copy): (Slot, Value),
) -> bool {
    let is_push = |inst: &Inst| matches!(inst.op, Op::TapePush(_)) && inst.args.contains(&copy);
    let Some(push) = behind.iter().position(is_push) else { return false };
    let is_read = |inst: &Inst| only_reads(function, inst, slot);
    let mut last: Vec<Value> = block.results.clone();
    last.extend(behind[push + 1..].iter().flat_map(Inst::uses));
    let is_apart = |value: &Value| match function.slot_of(*value) {
        Some(other) => other != slot,
        None => function.ty(*value).is_copy(),
    };
    behind[..push].iter().all(|inst| all(inst, &is_read)) && last.iter().all(is_apart)
}

/// Whether an instruction and those in its blocks are of a kind.
fn all(inst: &Inst, is_fine: &dyn Fn(&Inst) -> bool) -> bool {
    let mut is_all = is_fine(inst);
    let blocks = inst.op.blocks();
    blocks.for_each(|block| block.walk(&mut |inst, _| is_all &= is_fine(inst)));
    is_all
}

/// Whether an instruction does no more with a place than to look at it while it runs.
fn only_reads(function: &Function, inst: &Inst, slot: Slot) -> bool {
    if !inst.touches(function, slot) {
        return true;
    }
    match &inst.op {
        Op::Load(_) => function.ty(inst.results[0]).is_copy(),
        Op::Measure(..) => true,
        Op::Call(call) | Op::CallVjp(call) if call.order == 0 => {
            let mut operands = call.operands(inst);
            let is_lent = |passing: &Passing| matches!(passing, Passing::Shared(_));
            let is_here = |value: &Value| function.slot_of(*value) == Some(slot);
            operands.all(|passed| !passed.args.iter().any(is_here) || is_lent(passed.passing))
        }
        _ => false,
    }
}
