//! Rematerialisation: a loop that goes back computes again the numbers that another loop carries, and needs no tape.
//!
//! In: `for .. { tape.push(p); ..; p *= t; }`, and a loop backwards that pops `p` and whose iterations may come in any
//! order. Out: that loop goes the way of the first one, carries `p` and multiplies it as well, and there is no tape. What
//! is computed again are numbers, by a few cheap operations, of what is there at that loop or follows from what the loops
//! around it count.
//!
//! This comes when the other passes are through: a loop that carries something is fused with none, while a tape is gone
//! where its loop is fused with the one that goes back.

use super::order::is_free;
use super::prune::substitute;
use crate::analysis::loops::{Loops, Pair, Place, place};
use crate::analysis::residuals::is_pure;
use crate::ir::copy::Copied;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, BlockId, Function, Inst, Loop, LoopKind, Op, Tape, Value};
use cotangent_rules::Cost;
use std::collections::{BTreeMap, BTreeSet};

/// Cheap operations that take no longer than to keep a number and to fetch it.
const MOST_OPERATIONS: usize = 4;

/// Runs the pass.
pub fn rematerialize(mut function: Function) -> Function {
    while let Some(found) = find(&function) {
        let mut body = function.take_body();
        found.apply(&mut function, &mut body);
        function.body = body;
    }
    function
}

/// Outer loops have no other tape inside once those inside are done, so any order will do.
fn find(function: &Function) -> Option<Rematerialization> {
    if function.is_recursive || function.backwards.is_empty() || function.tapes == 0 {
        return None;
    }
    let loops = Loops::of(function);
    let defs = definitions(function);
    loops.pairs.iter().find_map(|pair| Search::of(&loops, &defs, *pair)?.found())
}

/// A tape that is to go.
struct Rematerialization {
    pair: Pair,
    tape: Tape,
    /// The instructions in front of the loop that goes back, in order.
    outside: Vec<Inst>,
    /// The indices of the loops around, as those that go back have them.
    renamed: EntityMap<Value, Value>,
    /// The parameters of the carried values, with their first values and the next ones.
    carried: Vec<[Value; 3]>,
    /// The instructions of an iteration, in order.
    inside: Vec<Inst>,
}

/// The blocks in which values are defined, with what defines them.
type Definitions<'f> = EntityMap<Value, (BlockId, Option<&'f Inst>)>;

fn definitions(function: &Function) -> Definitions<'_> {
    let params = function.body.params.iter();
    let mut defs: Definitions = params.map(|param| (*param, (function.body.id, None))).collect();
    function.body.walk(&mut |inst, block| {
        defs.extend(inst.results.iter().map(|result| (*result, (block.id, Some(inst)))));
        for inner in inst.op.blocks() {
            defs.extend(inner.params.iter().map(|param| (*param, (inner.id, None))));
        }
    });
    defs
}

/// What is found of a pair of loops on the way through what the tape's entries follow from.
struct Search<'l, 'f> {
    loops: &'l Loops<'f>,
    defs: &'l Definitions<'f>,
    pair: Pair,
    tape: Tape,
    forward: &'l Place<'f>,
    /// The blocks around the loop that goes back, and so what is there.
    around: BTreeSet<BlockId>,
    seen: EntitySet<Value>,
    outside: Vec<Inst>,
    renamed: EntityMap<Value, Value>,
    carried: BTreeSet<usize>,
    /// By their places in the iteration.
    inside: BTreeMap<usize, Inst>,
}

impl<'l, 'f> Search<'l, 'f> {
    /// Nothing where the order is not free, or where more than one tape is read.
    fn of(loops: &'l Loops<'f>, defs: &'l Definitions<'f>, pair: Pair) -> Option<Self> {
        let [forward, backward] = [pair.forward, pair.backward].map(|body| &loops.loops[&body]);
        let alike = are_alike(forward.repeat, backward.repeat);
        let tape = only_tape(&backward.repeat.body).filter(|tape| loops.tapes[tape].is_of(pair))?;
        (alike && is_free(loops.function, backward.repeat, true)).then(|| Search {
            loops,
            defs,
            pair,
            tape,
            forward,
            around: std::iter::successors(Some(backward.parent), |block| {
                loops.parents.get(block).copied()
            })
            .collect(),
            seen: EntitySet::default(),
            outside: Vec::new(),
            renamed: EntityMap::default(),
            carried: BTreeSet::new(),
            inside: BTreeMap::new(),
        })
    }

    fn found(mut self) -> Option<Rematerialization> {
        let pushed = self.loops.tapes[&self.tape].pushed[0].1;
        if !pushed.args.iter().all(|value| self.follows(*value)) {
            return None;
        }
        let is_literal = |inst: &&Inst| matches!(inst.op, Op::Literal(_));
        let literals = self.inside.values().filter(is_literal).count();
        if self.inside.len() - literals > pushed.args.len() * MOST_OPERATIONS {
            return None;
        }
        let repeat = self.forward.repeat;
        let inits = &self.forward.inst.args[repeat.bounds()..];
        let carried =
            self.carried.iter().map(|at| [repeat.carried()[*at], inits[*at], repeat.next()[*at]]);
        Some(Rematerialization {
            pair: self.pair,
            tape: self.tape,
            carried: carried.collect(),
            outside: self.outside,
            renamed: self.renamed,
            inside: self.inside.into_values().collect(),
        })
    }

    /// Whether a value follows in an iteration from its index, from what is carried, and from outside.
    fn follows(&mut self, value: Value) -> bool {
        if self.seen.contains(&value) {
            return true;
        }
        let (block, inst) = self.defs[&value];
        let body = &self.forward.repeat.body;
        if block != body.id {
            return self.is_there(value);
        }
        self.seen.insert(value);
        let Some(inst) = inst else {
            return index(self.forward.repeat) == Some(value) || self.is_carried(value);
        };
        let at = body.insts.iter().position(|other| other.results == inst.results);
        self.inside.extend(at.map(|at| (at, inst.clone())));
        self.is_of_numbers(inst, Cost::Cheap) && inst.args.iter().all(|arg| self.follows(*arg))
    }

    fn is_carried(&mut self, param: Value) -> bool {
        let repeat = self.forward.repeat;
        let at = repeat.carried().iter().position(|other| *other == param).expect("a parameter");
        self.carried.insert(at);
        let init = self.forward.inst.args[repeat.bounds() + at];
        self.loops.function.ty(param).is_copy()
            && self.loops.function.slot_of(param).is_none()
            && self.is_there(init)
            && self.follows(repeat.next()[at])
    }

    /// Whether a value from outside is there at the loop that goes back, or can be.
    fn is_there(&mut self, value: Value) -> bool {
        let (block, inst) = self.defs[&value];
        if self.loops.function.slot_of(value).is_some() {
            return false;
        }
        if self.around.contains(&block) || !self.seen.insert(value) {
            return true;
        }
        let Some(back) = self.back(block) else { return false };
        match inst {
            Some(inst) => {
                let is_there = self.is_of_numbers(inst, Cost::Division)
                    && inst.args.iter().all(|arg| self.is_there(*arg));
                self.outside.push(inst.clone());
                is_there
            }
            None => {
                let is_index = index(self.loops.loops[&block].repeat) == Some(value);
                self.renamed.extend(is_index.then_some((value, back.body.params[0])));
                is_index
            }
        }
    }

    /// The loop around that goes back through the same indices as the one with a body.
    fn back(&self, body: BlockId) -> Option<&'l Loop> {
        let pairs = &self.loops.function.backwards;
        let (back, _) =
            pairs.iter().find(|(back, on)| **on == body && self.around.contains(back))?;
        let loops = [body, *back].map(|body| self.loops.loops.get(&body));
        let [Some(on), Some(back)] = loops else { return None };
        (is_range(on.repeat) && is_range(back.repeat)).then_some(back.repeat)
    }

    /// Whether an instruction computes numbers of numbers, and what that costs at most.
    fn is_of_numbers(&self, inst: &Inst, most: Cost) -> bool {
        let function = self.loops.function;
        let is_number =
            |value: &Value| function.ty(*value).is_copy() && function.slot_of(*value).is_none();
        let is_within = match &inst.op {
            Op::Apply(rule) => rule.cost <= most,
            op => is_pure(op),
        };
        is_within && inst.args.iter().chain(&inst.results).all(is_number)
    }
}

/// Whether a loop goes through the iterations of another one, and may go on instead: over the same numbers, or as often.
fn are_alike(forward: &Loop, backward: &Loop) -> bool {
    let is_while = matches!(forward.kind, LoopKind::While { .. } | LoopKind::Repeat);
    let is_repeated = matches!(backward.kind, LoopKind::Repeat);
    let is_whole = !forward.breaks && forward.schedule.is_none();
    is_whole && is_while && is_repeated || is_range(forward) && is_range(backward)
}

/// The index of a loop over numbers.
fn index(repeat: &Loop) -> Option<Value> {
    repeat.body.params.first().copied().filter(|_| repeat.index_params() == 1)
}

/// A loop over numbers that goes through all of them.
fn is_range(repeat: &Loop) -> bool {
    matches!(repeat.kind, LoopKind::Range { .. }) && !repeat.breaks && repeat.schedule.is_none()
}

/// The tape that an iteration reads first, if it reads no other.
fn only_tape(body: &Block) -> Option<Tape> {
    let mut pops = 0;
    body.walk(&mut |inst, _| pops += usize::from(inst.op.tape().is_some()));
    body.insts.iter().find_map(|inst| match inst.op {
        Op::TapePop(tape) if pops == 1 => Some(tape),
        _ => None,
    })
}

impl Rematerialization {
    fn apply(self, function: &mut Function, body: &mut Block) {
        let (kind, index, pushed) = self.forget(body);
        let (block, at) = place(body, self.pair.backward).expect("the loop that goes backwards");
        let mut copied = Copied { values: self.renamed.clone(), ..Copied::default() };
        let outside = copied.insts(function, &self.outside);
        let inst = &mut block.insts[at];
        for [param, first, _] in &self.carried {
            inst.args.push(copied.value(*first));
            inst.results.push(function.renewed(*param));
        }
        let Op::Loop(repeat) = &mut inst.op else { unreachable!("a loop") };
        if let Some(index) = index {
            repeat.kind = kind;
            copied.values.insert(index, repeat.body.params[0]);
        }
        for [param, ..] in &self.carried {
            let again = function.renewed(*param);
            repeat.body.params.push(again);
            copied.values.insert(*param, again);
        }
        let inside = copied.insts(function, &self.inside);
        self.read(repeat, inside, pushed.iter().map(|value| copied.value(*value)));
        repeat.body.results.extend(self.carried.iter().map(|[.., next]| copied.value(*next)));
        block.insts.splice(at..at, outside);
    }

    /// Takes the tape out of the loop that pushes on it. Returns how that goes, its index, and what it pushed.
    fn forget(&self, body: &mut Block) -> (LoopKind, Option<Value>, Vec<Value>) {
        let (block, at) = place(body, self.pair.forward).expect("the loop that pushes");
        let Op::Loop(repeat) = &mut block.insts[at].op else { unreachable!("a loop") };
        let is_push = |inst: &Inst| matches!(inst.op, Op::TapePush(tape) if tape == self.tape);
        let push = repeat.body.insts.iter().position(is_push).expect("a push");
        let pushed = repeat.body.insts.remove(push).args;
        let (kind, index) = (repeat.kind.clone(), index(repeat));
        without_reserve(body, self.tape);
        (kind, index, pushed)
    }

    /// Puts what is computed in the place of what came from the tape.
    fn read(&self, repeat: &mut Loop, inside: Vec<Inst>, pushed: impl Iterator<Item = Value>) {
        let is_pop = |inst: &Inst| matches!(inst.op, Op::TapePop(tape) if tape == self.tape);
        let at = repeat.body.insts.iter().position(is_pop).expect("a pop");
        let popped = repeat.body.insts[at].results.iter().copied();
        let read: EntityMap<Value, Value> = popped.zip(pushed).collect();
        repeat.body.insts.splice(at..=at, inside);
        substitute(&mut repeat.body, &read);
    }
}

fn without_reserve(block: &mut Block, tape: Tape) {
    block.insts.retain(|inst| !matches!(inst.op, Op::TapeReserve(other, _) if other == tape));
    let inner = block.insts.iter_mut().flat_map(|inst| inst.op.blocks_mut());
    inner.for_each(|inner| without_reserve(inner, tape));
}
