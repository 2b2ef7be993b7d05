//! Which values of a `jvp` there are as many of as directions, when it carries several at once.
//!
//! In: a function of the forward transform, and those of its parameters that are tangents. Out: the values and the
//! slots that depend on them; all others, a primal and what it alone leads to, are computed once. Nothing where an
//! instruction does both and has no form for several directions.

use crate::ir::entity::EntitySet;
use crate::ir::{
    Block, Call, Callee, Function, Inst, Loop, LoopKind, Op, Passing, Slot, Tape, Value,
};
use rustc_hash::FxHashSet as HashSet;

/// What has lanes, one for each direction.
#[derive(Default)]
pub struct Lanes {
    values: EntitySet<Value>,
    slots: EntitySet<Slot>,
    /// Parts of the entries of tapes.
    entries: HashSet<(Tape, usize)>,
}

impl Lanes {
    /// Whether a value, or the place that it is a version of, has lanes.
    pub fn has(&self, function: &Function, value: Value) -> bool {
        match function.slot_of(value) {
            Some(slot) => self.has_place(slot),
            None => self.values.contains(&value),
        }
    }

    /// Whether a place has lanes.
    pub fn has_place(&self, slot: Slot) -> bool {
        self.slots.contains(&slot)
    }

    /// Whether an instruction reads or makes something with lanes.
    pub fn touch(&self, function: &Function, inst: &Inst) -> bool {
        inst.args.iter().chain(&inst.results).any(|value| self.has(function, *value))
    }

    /// Whether a part of a tape's entries has lanes.
    pub fn has_entry(&self, tape: Tape, part: usize) -> bool {
        self.entries.contains(&(tape, part))
    }

    fn add(&mut self, function: &Function, value: Value) -> bool {
        match function.slot_of(value) {
            Some(slot) => self.slots.insert(slot),
            None => self.values.insert(value),
        }
    }
}

/// All that has lanes where these parameters do.
pub fn lanes(function: &Function, tangents: &[Value]) -> Option<Lanes> {
    let mut search = Search { function, lanes: Lanes::default(), is_changed: true };
    search.mark_all(tangents);
    while std::mem::take(&mut search.is_changed) {
        search.block(&function.body);
    }
    let mut is_supported = true;
    function.body.walk(&mut |inst, _| is_supported &= search.has_form(inst));
    is_supported.then_some(search.lanes)
}

struct Search<'f> {
    function: &'f Function,
    lanes: Lanes,
    is_changed: bool,
}

impl Search<'_> {
    fn has(&self, value: Value) -> bool {
        self.lanes.has(self.function, value)
    }

    fn mark(&mut self, value: Value) {
        if !self.has(value) {
            self.is_changed |= self.lanes.add(self.function, value);
        }
    }

    fn mark_all(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.mark(*value));
    }

    /// Where one of these places has lanes, all of them have.
    fn join(&mut self, values: &[Value]) {
        if values.iter().any(|value| self.has(*value)) {
            let places = values.iter().filter(|value| self.function.slot_of(**value).is_some());
            places.for_each(|value| self.mark(*value));
        }
    }

    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            inst.op.blocks().for_each(|block| self.block(block));
            self.inst(inst);
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match &inst.op {
            Op::If(then, other) => self.branch(inst, then, other),
            Op::Loop(repeat) => self.repeat(inst, repeat),
            Op::CallJvp(call) => self.call(inst, call),
            Op::TapePush(tape) => self.push(inst, *tape),
            Op::TapePop(tape) => self.pop(inst, *tape),
            _ if self.lanes.touch(self.function, inst) => self.mark_all(&inst.results),
            _ => {}
        }
    }

    /// A place has lanes in both arms or in none; a value of one arm that has none is spread over them.
    fn branch(&mut self, inst: &Inst, then: &Block, other: &Block) {
        let arms = then.results.iter().zip(&other.results);
        for (result, (a, b)) in inst.results.iter().zip(arms) {
            if self.has(*a) || self.has(*b) {
                self.mark(*result);
            }
            if self.function.slot_of(*result).is_some() {
                self.join(&[*result, *a, *b]);
            }
        }
    }

    fn repeat(&mut self, inst: &Inst, repeat: &Loop) {
        let starts = &inst.args[repeat.bounds()..];
        let each = repeat.carried().iter().zip(repeat.next()).zip(starts).zip(&inst.results);
        for (position, (((param, next), start), result)) in each.enumerate() {
            if ![*param, *next, *start].iter().any(|value| self.has(*value)) {
                continue;
            }
            self.mark_all(&[*param, *result]);
            if let LoopKind::While { condition } = &repeat.kind {
                self.mark(condition.params[position]);
            }
            if self.function.slot_of(*param).is_some() {
                self.mark_all(&[*next, *start]);
            }
        }
    }

    /// The tangents of what a call returns and leaves, and the places of tangents that it writes.
    fn call(&mut self, inst: &Inst, call: &Call) {
        if !has_lanes(&self.lanes, self.function, inst) {
            return;
        }
        self.mark(inst.results[1]);
        for (passing, _, tangent) in operands(call, inst) {
            if passing.writes() {
                self.mark(tangent[0]);
            }
        }
    }

    fn push(&mut self, inst: &Inst, tape: Tape) {
        for (part, value) in inst.args.iter().enumerate() {
            if self.has(*value) {
                self.is_changed |= self.lanes.entries.insert((tape, part));
            }
        }
    }

    fn pop(&mut self, inst: &Inst, tape: Tape) {
        for (part, value) in inst.results.iter().enumerate() {
            if self.lanes.has_entry(tape, part) {
                self.mark(*value);
            }
        }
    }

    /// Whether an instruction can be written for several directions.
    fn has_form(&self, inst: &Inst) -> bool {
        if !self.lanes.touch(self.function, inst) {
            return true;
        }
        match &inst.op {
            Op::CallJvp(call) => {
                is_plain(call) && !has_neighbours(call, inst)
                    || !has_lanes(&self.lanes, self.function, inst)
            }
            Op::Call(_)
            | Op::CallVjp(_)
            | Op::Pull(..)
            | Op::Own(_)
            | Op::Macro(_)
            | Op::Closure(_)
            | Op::TapeReserve(..)
            | Op::Watch(_)
            | Op::Touch
            | Op::Measure(..)
            | Op::Matches(..)
            | Op::Proof(_) => false,
            Op::If(..) => !self.has(inst.args[0]),
            Op::Loop(repeat) => self.is_uniform(inst, repeat),
            _ => true,
        }
    }

    /// Whether all directions go through a loop as often.
    fn is_uniform(&self, inst: &Inst, repeat: &Loop) -> bool {
        let mut deciding = inst.args[..repeat.bounds()].to_vec();
        deciding.extend(repeat.breaks.then(|| repeat.body.results[0]));
        if let LoopKind::While { condition } = &repeat.kind {
            deciding.extend(&condition.results);
        }
        !deciding.into_iter().any(|value| self.has(value))
    }
}

/// Whether a call of a `jvp` is given a tangent with lanes.
pub fn has_lanes(lanes: &Lanes, function: &Function, inst: &Inst) -> bool {
    inst.args.iter().any(|arg| lanes.has(function, *arg))
}

/// A call of a function by its path, whose companion has a form for several directions.
fn is_plain(call: &Call) -> bool {
    let is_path = match &call.callee {
        Callee::Path(path) | Callee::Stopped(path) => !crate::ir::is_associated(path),
        _ => false,
    };
    is_path
        && call.order == 1
        && !call.is_own
        && !call.is_watched
        && call.functions.iter().all(Option::is_none)
        && !call.passing.iter().any(|passing| matches!(passing, Passing::Interior(_)))
}

/// Whether a call is given several parts of one place and writes some of it: each direction's tangent would have to be borrowed
/// as often.
fn has_neighbours(call: &Call, inst: &Inst) -> bool {
    let references: Vec<(&Passing, Value)> = operands(call, inst)
        .filter(|(passing, ..)| passing.path().is_some())
        .map(|(passing, _, tangent)| (passing, tangent[0]))
        .collect();
    let count = |version: Value| references.iter().filter(|(_, other)| *other == version).count();
    references.iter().any(|(passing, tangent)| passing.writes() && count(*tangent) > 1)
}

/// The operands of a `jvp`: how each is passed, its arguments, and those of its tangent.
pub fn operands<'c>(
    call: &'c Call,
    inst: &'c Inst,
) -> impl Iterator<Item = (&'c Passing, &'c [Value], &'c [Value])> {
    let mut rest = &inst.args[..];
    call.passing.iter().map(move |passing| {
        let (primal, tail) = rest.split_at(passing.width());
        let (tangent, tail) = tail.split_at(passing.width());
        rest = tail;
        (passing, primal, tangent)
    })
}
