//! What is on tapes, and follows from counters.

use super::Counter;
use super::trace::{How, Trace};
use crate::analysis::loops::{Loops, Pair};
use crate::analysis::residuals::is_slight;
use crate::ir::entity::EntityMap;
use crate::ir::{BlockId, Inst, Loop, Tape, Type, Value};
use rustc_hash::FxHashSet as HashSet;

/// How many sums and products an integer may follow by, each with a number that is written.
const FEW: usize = 4;

/// Something on a tape that follows from counters.
pub(super) struct Reading {
    /// The body of the loop that pops it.
    pub(super) backward: BlockId,
    pub(super) tape: Tape,
    /// Its position in an entry.
    pub(super) position: usize,
    pub(super) value: Value,
    /// The instructions of the loop that counts by which it follows.
    pub(super) insts: Vec<Inst>,
}

/// A counter of a loop, as the one of an outer loop goes through it.
pub(super) struct Level<'t> {
    pub(super) pair: Pair,
    pub(super) trace: &'t Trace,
    /// Which counter that is.
    pub(super) outermost: usize,
}

impl Loops<'_> {
    /// What is on tapes and follows from counters, which are then wanted.
    pub(super) fn readings(&self, levels: &[Level], wanted: &mut HashSet<usize>) -> Vec<Reading> {
        let mut readings = Vec::new();
        for pair in &self.pairs {
            let around = self.enclosing(pair.backward);
            let is_known = |level: &&Level| around.contains(&level.pair.backward);
            let known = levels.iter().filter(is_known);
            let known: EntityMap<Value, usize> = known
                .flat_map(|level| level.trace.known().map(|value| (value, level.outermost)))
                .collect();
            for (tape, position, value) in self.kept(*pair) {
                let repeat = self.loops[&pair.forward].repeat;
                let (needed, insts) = (Vec::new(), Vec::new());
                let mut follow = Follow { loops: self, repeat, known: &known, needed, insts };
                if follow.follows(value) && !follow.needed.is_empty() {
                    wanted.extend(follow.needed);
                    let insts = follow.insts.into_iter().cloned().collect();
                    let backward = pair.backward;
                    readings.push(Reading { backward, tape, position, value, insts });
                }
            }
        }
        readings
    }

    /// What a loop leaves on a tape for the one that goes back, and for nobody else.
    fn kept(&self, pair: Pair) -> Vec<(Tape, usize, Value)> {
        let tapes = self.tapes.iter().filter(|(_, uses)| uses.is_of(pair));
        let entries = tapes.flat_map(|(tape, uses)| {
            let entry = uses.pushed[0].1.args.iter().enumerate();
            entry.map(|(position, value)| (*tape, position, *value))
        });
        entries.collect()
    }
}

/// Counters, and those of inner loops that they go through.
pub(super) fn levels(candidates: &[Counter]) -> Vec<Level<'_>> {
    fn add<'t>(pair: Pair, trace: &'t Trace, outermost: usize, levels: &mut Vec<Level<'t>>) {
        levels.push(Level { pair, trace, outermost });
        for step in &trace.steps {
            if let How::Through(pair, inner) = &step.how {
                add(*pair, inner, outermost, levels);
            }
        }
    }
    let mut levels = Vec::new();
    for (at, counter) in candidates.iter().enumerate() {
        add(counter.pair, &counter.trace, at, &mut levels);
    }
    levels
}

/// Whether an integer follows from counters by a few sums and products.
pub(super) struct Follow<'a, 'f> {
    pub(super) loops: &'a Loops<'f>,
    pub(super) repeat: &'f Loop,
    pub(super) known: &'a EntityMap<Value, usize>,
    /// From which.
    pub(super) needed: Vec<usize>,
    /// By which instructions, in order.
    pub(super) insts: Vec<&'f Inst>,
}

impl Follow<'_, '_> {
    fn follows(&mut self, value: Value) -> bool {
        if let Some(counter) = self.known.get(&value) {
            self.needed.push(*counter);
            return true;
        }
        if self.insts.iter().any(|inst| inst.results == [value]) {
            return true;
        }
        if let Some(literal) = self.loops.literals.get(&value) {
            self.insts.push(literal);
            return true;
        }
        if *self.loops.function.ty(value) != Type::Int || self.loops.top.contains(&value) {
            return self.loops.top.contains(&value);
        }
        let Some(inst) = self.repeat.body.insts.iter().find(|inst| inst.results == [value]) else {
            return false;
        };
        let is_slight = is_slight(&inst.op) && self.insts.len() < 2 * FEW;
        let follows = is_slight && inst.args.iter().all(|arg| self.follows(*arg));
        self.insts.push(inst);
        follows && self.insts.len() <= 2 * FEW
    }
}
