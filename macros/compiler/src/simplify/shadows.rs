//! Shadows take no memory that they need not.
//!
//! In: `let mut x_bar = zero_tangent(x); x_bar += mul::vjp_0(..);`, as the reverse transform writes contributions. Out:
//!
//! - `let mut x_bar = mul::vjp_0(..);`, where that is the first,
//! - `mul::add_vjp_0(.., &mut x_bar);`, where it is not,
//! - `let mut x_bar = enclosed(part_bar);`, where the part of an `Option` or a `Result` is all that has a cotangent.
//!
//! Invariant: what is put in place of a sum with a zero has the zero's shape and holds no cells. So it is with what the
//! rows of operators make, and with the shadow of what is held.

use super::count_uses;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Access, Block, Function, Inst, Mode, Op, Path, Projection, Type, Value};

/// Runs the pass.
pub fn shadows(mut function: Function) -> Function {
    if !function.copies_operands || function.is_recursive {
        return function;
    }
    let mut body = function.take_body();
    let uses = count_uses(&body);
    for pass in [begin, add, enclose] {
        pass(&function, &mut body, &uses);
    }
    function.body = body;
    function
}

/// What is added to a zero, and to nothing else, is the place's first contents.
fn begin(function: &Function, block: &mut Block, uses: &EntityMap<Value, usize>) {
    let zeros = fresh(function, block, uses);
    let by_rows: EntitySet<Value> = block
        .insts
        .iter()
        .filter(|inst| matches!(inst.op, Op::Partial(..)))
        .map(|inst| inst.results[0])
        .collect();
    let mut begun = Vec::new();
    for inst in &mut block.insts {
        let is_whole = matches!(&inst.op, Op::Accumulate(path) if path.is_empty());
        if is_whole && zeros.contains(&inst.args[0]) && by_rows.contains(&inst.args[1]) {
            begun.push(inst.args.remove(0));
            inst.op = Op::Duplicate;
        }
    }
    block.insts.retain(|inst| inst.results.first().is_none_or(|made| !begun.contains(made)));
    for inner in block.insts.iter_mut().flat_map(|inst| inst.op.blocks_mut()) {
        begin(function, inner, uses);
    }
}

/// What a row makes only to be added to all of a place, it adds itself.
fn add(function: &Function, block: &mut Block, uses: &EntityMap<Value, usize>) {
    let is_alone = |inst: &&Inst| {
        matches!(&inst.op, Op::Partial(rule, _, Mode::Reverse) if inst.args.len() == rule.params.len() + 2)
            && uses.get(&inst.results[0]) == Some(&1)
    };
    let made: EntityMap<Value, Inst> =
        block.insts.iter().filter(is_alone).map(|inst| (inst.results[0], inst.clone())).collect();
    let mut added = EntitySet::default();
    for inst in &mut block.insts {
        let is_whole = matches!(&inst.op, Op::Accumulate(path) if path.is_empty());
        if is_whole
            && is_unknown(function, inst.args[0])
            && let Some(Inst { op: Op::Partial(rule, index, _), args, span, .. }) =
                made.get(&inst.args[1])
        {
            added.insert(inst.args.remove(1));
            inst.args.extend(args);
            (inst.op, inst.span) = (Op::AccumulatePartial(rule, *index), *span);
        }
    }
    block.insts.retain(|inst| inst.results.first().is_none_or(|made| !added.contains(made)));
    for inner in block.insts.iter_mut().flat_map(|inst| inst.op.blocks_mut()) {
        add(function, inner, uses);
    }
}

/// The shadow of an `Option` or a `Result` to which one cotangent goes, by what it holds.
fn enclose(function: &Function, block: &mut Block, uses: &EntityMap<Value, usize>) {
    let zeros = fresh(function, block, uses);
    let shadows: EntitySet<Value> = block
        .insts
        .iter()
        .filter(|inst| matches!(&inst.op, Op::Load(path) if path.is_empty()))
        .filter(|inst| inst.args.iter().all(|place| is_owned(function, *place)))
        .map(|inst| inst.results[0])
        .collect();
    let handed_on = handed_on(block);
    let mut begun = Vec::new();
    for inst in &mut block.insts {
        let is_held = matches!(&inst.op, Op::Accumulate(path) if is_unwrapped(path));
        if is_held
            && zeros.contains(&inst.args[0])
            && shadows.contains(&inst.args[1])
            && handed_on.contains(&inst.results[0])
            && uses.get(&inst.results[0]) == Some(&1)
        {
            begun.push(inst.args.remove(0));
            inst.op = Op::Enclose;
        }
    }
    block.insts.retain(|inst| inst.results.first().is_none_or(|made| !begun.contains(made)));
    for inner in block.insts.iter_mut().flat_map(|inst| inst.op.blocks_mut()) {
        enclose(function, inner, uses);
    }
}

/// Versions of places that are read as a whole for a pullback alone, which says of what type they are.
fn handed_on(block: &Block) -> EntitySet<Value> {
    let mut handed_on = EntitySet::default();
    for inst in &block.insts {
        if matches!(&inst.op, Op::Load(path) if path.is_empty()) {
            let read = inst.results[0];
            let is_user = |inst: &&Inst| inst.uses().contains(&read);
            let mut users = block.insts.iter().filter(is_user);
            let is_pulled =
                |user: &Inst| matches!(user.op, Op::Pull(..)) && user.args.last() == Some(&read);
            if users.next().is_some_and(is_pulled) && users.next().is_none() {
                handed_on.insert(inst.args[0]);
            }
        }
    }
    handed_on
}

fn is_unwrapped(path: &Path) -> bool {
    matches!(&path[..], [Projection::Unwrap(method, _)] if **method == "unwrap" || **method == "expect")
}

/// Zeros of places that one instruction uses.
pub(super) fn fresh(
    function: &Function,
    block: &Block,
    uses: &EntityMap<Value, usize>,
) -> EntitySet<Value> {
    let zeros = block.insts.iter().filter(|inst| matches!(inst.op, Op::Zero(_)));
    zeros
        .filter(|inst| !inst.args.is_empty())
        .map(|inst| inst.results[0])
        .filter(|zero| uses.get(zero) == Some(&1) && is_owned(function, *zero))
        .collect()
}

/// Whether a place is of a type that the macro does not see.
fn is_unknown(function: &Function, version: Value) -> bool {
    function.slot_of(version).is_some_and(|slot| function.slot(slot).ty == Type::Unknown)
}

/// Whether a place is a variable of a type that the macro does not see.
pub(super) fn is_owned(function: &Function, version: Value) -> bool {
    let slot = function.slot_of(version).map(|slot| function.slot(slot));
    slot.is_some_and(|slot| slot.access == Access::Owned && slot.ty == Type::Unknown)
}
