//! What the iterations of a loop keep of neighbouring elements is kept at once.
//!
//! In: `for i in a..b { tape.push(x[i]); x[i] = ..; }`, and backwards `x[i] = tape.pop()`. Out: `tape.save(&x, a..b)`
//! before the loop, and `tape.restore(a..b, &mut x)` before the one that goes backwards. Both loops are then without a
//! tape, and rustc can compute iterations side by side as in the primal.
//!
//! This comes after all passes that know tapes. A loop that goes forwards looks at each element of the place in its own
//! iteration only, and the one that goes backwards at nothing of the place.

use super::{dce, forwards, prune};
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Projection, Slot, Tape, Type};
use rustc_hash::FxHashMap as HashMap;

/// Runs the pass.
pub fn bulk(mut function: Function) -> Function {
    // The levels of a recursion share tapes, and what is on them is looked at once more.
    let tapes = if function.is_recursive { Vec::new() } else { tapes(&function) };
    if tapes.is_empty() {
        return function;
    }
    let mut body = function.take_body();
    for tape in tapes {
        Bulk { function: &mut function, tape }.block(&mut body);
    }
    function.body = body;
    // Without a tape, iterations may have no order any more.
    forwards(dce(prune(function)))
}

/// Tapes that hold elements of a place, in the order of the place.
fn tapes(function: &Function) -> Vec<Tape> {
    let mut found: HashMap<Tape, Vec<bool>> = HashMap::default();
    function.body.walk(&mut |inst, _| {
        if let Op::Loop(repeat) = &inst.op {
            for (tape, is_elementwise) in uses(function, repeat) {
                found.entry(tape).or_default().push(is_elementwise);
            }
        }
    });
    let mut others = HashMap::default();
    function.body.walk(&mut |inst, _| {
        if let Some(tape) = inst.op.tape().filter(|_| !matches!(inst.op, Op::TapeReserve(..))) {
            *others.entry(tape).or_insert(0) += 1;
        }
    });
    let is_pair =
        |(tape, uses): &(Tape, Vec<bool>)| uses[..] == [true, true] && others.get(tape) == Some(&2);
    let mut tapes: Vec<Tape> = found.into_iter().filter(is_pair).map(|(tape, _)| tape).collect();
    tapes.sort();
    tapes
}

/// The tapes that a loop's body pushes on or pops from, and whether that is one element of a place and nothing else.
fn uses(function: &Function, repeat: &Loop) -> Vec<(Tape, bool)> {
    let uses = repeat.body.insts.iter().filter_map(|inst| match inst.op {
        Op::TapePush(tape) => Some((tape, pushed(function, repeat, inst).is_some())),
        Op::TapePop(tape) => Some((tape, popped(function, repeat, inst).is_some())),
        _ => None,
    });
    uses.collect()
}

/// The place, by its position in what the loop carries, of which each iteration pushes the element of its index as it was
/// before the loop.
fn pushed(function: &Function, repeat: &Loop, push: &Inst) -> Option<usize> {
    let [value] = push.args[..] else { return None };
    let load = repeat.body.insts.iter().find(|inst| inst.results == [value])?;
    let place = *load.args.first()?;
    let carried = repeat.carried().iter().position(|param| *param == place)?;
    let slot = function.slot_of(place)?;
    let is_forward =
        matches!(&repeat.kind, LoopKind::Range { adaptors, .. } if adaptors.is_empty());
    let is_load = matches!(load.op, Op::Load(_)) && function.ty(value).is_float();
    (repeat.is_plain() && is_forward && is_load && is_elementwise(function, repeat, slot))
        .then_some(carried)
}

/// Likewise the place of which each iteration puts the element back that it pops, and with which the loop does nothing
/// else. The element may be used besides.
fn popped(function: &Function, repeat: &Loop, pop: &Inst) -> Option<usize> {
    let [value] = pop.results[..] else { return None };
    let store = repeat
        .body
        .insts
        .iter()
        .find(|inst| matches!(inst.op, Op::Store(_)) && inst.args.last() == Some(&value))?;
    let carried = repeat.carried().iter().position(|param| *param == store.args[0])?;
    let slot = function.slot_of(store.args[0])?;
    let mut touching = 0;
    repeat.body.walk(&mut |inst, _| touching += usize::from(is_at(function, inst, slot)));
    let is_only = touching == 1 && repeat.next()[carried] == store.results[0];
    (repeat.is_plain() && is_only && is_elementwise(function, repeat, slot)).then_some(carried)
}

/// Whether an instruction is on a place itself; loops and branches only pass it on.
fn is_at(function: &Function, inst: &Inst, slot: Slot) -> bool {
    inst.op.blocks().is_empty() && inst.touches(function, slot)
}

/// Whether a loop looks at the element of its index only, of floats in a row.
fn is_elementwise(function: &Function, repeat: &Loop, slot: Slot) -> bool {
    let mut is_elementwise = match &function.slot(slot).ty {
        Type::Vec(item) | Type::Slice(item) | Type::Array(item, _) => item.is_float(),
        _ => false,
    };
    repeat.body.walk(&mut |inst, _| {
        is_elementwise &= !is_at(function, inst, slot) || repeat.is_own_element(inst);
    });
    is_elementwise
}

struct Bulk<'f> {
    function: &'f mut Function,
    tape: Tape,
}

impl Bulk<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            match &inst.op {
                Op::TapeReserve(tape, _) if *tape == self.tape => continue,
                Op::Loop(_) => block.insts.extend(self.before(&mut inst)),
                _ => {}
            }
            block.insts.push(inst);
        }
    }

    /// What comes before a loop in the place of what its iterations do with the tape.
    fn before(&mut self, inst: &mut Inst) -> Option<Inst> {
        let Op::Loop(repeat) = &mut inst.op else { return None };
        let is_of_tape = |inst: &Inst| matches!(inst.op, Op::TapePush(tape) | Op::TapePop(tape) if tape == self.tape);
        let position = repeat.body.insts.iter().position(is_of_tape)?;
        let (first, bounds) = (&repeat.body.insts[position], repeat.bounds());
        let is_push = matches!(first.op, Op::TapePush(_));
        let carried = match is_push {
            true => pushed(self.function, repeat, first)?,
            false => popped(self.function, repeat, first)?,
        };
        let version = inst.args[bounds + carried];
        let args = vec![version, inst.args[0], inst.args[1]];
        let (op, results) = if is_push {
            repeat.body.insts.remove(position);
            (Op::TapeSave(self.tape), Vec::new())
        } else {
            read_instead(repeat, position, carried);
            let next = self.function.renewed(version);
            inst.args[bounds + carried] = next;
            (Op::TapeRestore(self.tape), vec![next])
        };
        Some(Inst { op, args, results, span: inst.span })
    }
}

/// An element that was popped and put back is there already.
fn read_instead(repeat: &mut Loop, position: usize, carried: usize) {
    let (param, index) = (repeat.carried()[carried], repeat.body.params[0]);
    repeat.body.insts.retain(|inst| inst.args.first() != Some(&param));
    repeat.body.results[carried] = param;
    let pop = &mut repeat.body.insts[position];
    pop.op = Op::Load(vec![Projection::Index]);
    pop.args = vec![param, index];
}
