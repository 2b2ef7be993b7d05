//! Loops whose iterations may run in any order.
//!
//! The adjoint of a loop that only reads runs backwards for no reason: it adds to shadows and to sums.
//! Forwards it is easier to vectorise, and to [`fuse`](super::fuse).

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Call, Function, Inst, Loop, LoopKind, Op, Passing, Slot, Value};
use rustc_hash::FxHashSet as HashSet;

/// Turns derived loops around.
pub fn forwards(mut function: Function) -> Function {
    let mut body = function.take_body();
    turn(&function, &mut body);
    function.body = body;
    function
}

fn turn(function: &Function, block: &mut Block) {
    for inst in &mut block.insts {
        let is_derived = is_derived(function, inst);
        if let Op::Loop(repeat) = &mut inst.op
            && is_derived
            && is_free(function, repeat, false)
            && writes_once(function, repeat)
        {
            repeat.turn();
        }
        inst.op.blocks_mut().for_each(|inner| turn(function, inner));
    }
}

/// Whether each place is added to at one spot. Where neighbours are added to, the order matters after all:
/// forwards, an iteration waits for what the one before it has just stored.
fn writes_once(function: &Function, repeat: &Loop) -> bool {
    let (mut written, mut once) = (HashSet::default(), true);
    repeat.body.walk(&mut |inst, _| {
        if let Op::Accumulate(_) = inst.op {
            once &= written.insert(function.slot_of(inst.args[0]));
        }
    });
    once
}

/// Whether a loop over a range is one that the reverse transform made.
pub fn is_derived(function: &Function, inst: &Inst) -> bool {
    let Op::Loop(repeat) = &inst.op else { return false };
    let index = repeat.body.params.first().filter(|_| repeat.index_params() == 1);
    index.is_some_and(|index| index.0 >= function.primal_values)
}

/// How often each value is used.
type Uses = EntityMap<Value, usize>;

/// Whether nothing passes from one iteration to the next but sums. With `taped`, a tape may be read. Places of the
/// iteration's own may be changed in any way.
pub fn is_free(function: &Function, repeat: &Loop, taped: bool) -> bool {
    let uses = super::count_uses(&repeat.body);
    let mut outside = outside(function, repeat, &uses);
    elementwise(function, repeat, &mut outside);
    let slots = |values: &[Value]| -> EntitySet<Slot> {
        let slots = values.iter().filter_map(|value| function.slot_of(*value));
        slots.filter(|slot| outside.contains(slot)).collect()
    };
    let mut written: EntitySet<Slot> = EntitySet::default();
    let mut read: EntitySet<Slot> = EntitySet::default();
    let mut is_free = !repeat.breaks;
    repeat.body.walk(&mut |inst, _| match &inst.op {
        Op::Accumulate(_) => written.extend(slots(&inst.args[..1])),
        Op::Load(_) | Op::Measure(..) => read.extend(slots(&inst.args[..1])),
        Op::TapeKeeps(_) | Op::TapeRewind(_) => is_free = false,
        Op::TapePop(_) => is_free &= taped,
        Op::Pull(call, _) if only_adds(call) => {
            let (added, used) = (slots(&inst.results), slots(&inst.args));
            read.extend(used.difference(&added));
            written.extend(added);
        }
        Op::If(..) => {}
        Op::Loop(inner) => is_free &= ends(inner),
        op if is_value(op) && !makes_place(function, inst) => {}
        op => {
            is_free &= makes_own(op) && slots(&inst.results).is_empty();
            read.extend(slots(&inst.args));
        }
    });
    is_free && written.is_disjoint(&read) && sums(function, repeat, &uses)
}

/// The places of which an iteration finds versions that it did not make.
fn outside(function: &Function, repeat: &Loop, uses: &Uses) -> EntitySet<Slot> {
    let mut made: EntitySet<Value> = EntitySet::default();
    repeat.body.walk(&mut |inst, _| {
        made.extend(&inst.results);
        made.extend(inst.op.blocks().flat_map(|block| &block.params));
    });
    let found = uses.keys().filter(|value| !made.contains(value));
    found.filter_map(|value| function.slot_of(*value)).collect()
}

/// Leaves out places of which an iteration has an element to itself, that of its index.
fn elementwise(function: &Function, repeat: &Loop, outside: &mut EntitySet<Slot>) {
    let mut shared = EntitySet::default();
    repeat.body.walk(&mut |inst, _| {
        let is_own = repeat.is_own_element(inst) || inst.op.has_blocks();
        let values = inst.args.iter().chain(&inst.results);
        let places = values.filter_map(|value| function.slot_of(*value));
        shared.extend(places.filter(|_| !is_own));
    });
    outside.retain(|slot| shared.contains(slot));
}

/// Operations on places, for those of the iteration's own.
fn makes_own(op: &Op) -> bool {
    matches!(op, Op::Zero(_) | Op::Duplicate | Op::Clone(_) | Op::Store(_))
}

/// Whether a pullback only adds to shadows: it does not where the function writes.
fn only_adds(call: &Call) -> bool {
    call.times() == 1
        && call.passing.iter().all(|passing| matches!(passing, Passing::Value | Passing::Shared(_)))
}

/// An inner loop may carry anything from one of its own iterations to the next, but it must end by itself.
fn ends(inner: &Loop) -> bool {
    !inner.breaks && !matches!(inner.kind, LoopKind::While { .. })
}

/// Operations on values alone.
fn is_value(op: &Op) -> bool {
    crate::analysis::residuals::is_pure(op)
        || matches!(
            op,
            Op::Sum
                | Op::Zero(_)
                | Op::One
                | Op::CastLike
                | Op::Partial(..)
                | Op::NoTangent
                | Op::Attest(_)
                | Op::StandIn(_)
        )
}

fn makes_place(function: &Function, inst: &Inst) -> bool {
    inst.results.iter().any(|result| function.slot_of(*result).is_some())
}

/// Whether every carried value is a sum: added to once, and read nowhere else, neither before nor after.
fn sums(function: &Function, repeat: &Loop, uses: &Uses) -> bool {
    repeat.carried().iter().zip(repeat.next()).all(|(param, next)| {
        let once = |value: &Value| uses.get(value) == Some(&1);
        function.slot_of(*param).is_some()
            || (once(param) && once(next) && adds_to(&repeat.body, *next, *param))
    })
}

pub fn adds_to(body: &Block, next: Value, param: Value) -> bool {
    let sum = body.insts.iter().find(|inst| inst.results == [next]);
    sum.is_some_and(|inst| match &inst.op {
        Op::Sum => inst.args.contains(&param),
        Op::Apply(rule) => matches!(rule.name, "add" | "sub") && inst.args[0] == param,
        _ => false,
    })
}
