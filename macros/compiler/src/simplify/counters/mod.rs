//! An integer that a loop counts is counted back, and is on no tape.
//!
//! In: `while .. { tape.push(k); ..; k += 1; }`, and backwards `let k = tape.pop();`. Out: the loop that goes backwards
//! starts from the last `k`, and takes one off in each iteration. Where inner loops count on, those that go backwards
//! through them count back. What is added must be written, or made at the top of the function; the operation is undone
//! by its inverse, which cannot overflow where it did not. Of a counter of an inner loop that starts anew, each iteration
//! of the outer one keeps where it ended.
//!
//! This comes when the other passes are through: a loop that carries something is fused with none, while a tape is gone
//! where its loop is fused with the one that goes back.

mod back;

mod reading;
mod trace;

use super::prune::substitute;
use crate::analysis::loops::{Loops, Pair};
use crate::ir::entity::EntityMap;
use crate::ir::{BlockId, Function, Inst, Op, Tape, Value};
use back::Back;
use reading::{Reading, levels};
use rustc_hash::FxHashSet as HashSet;
use trace::{How, Trace};

/// Runs the pass.
pub fn counters(mut function: Function) -> Function {
    if function.is_recursive || function.backwards.is_empty() || function.tapes == 0 {
        return function;
    }
    let Counted { counters, readings } = Loops::of(&function).counted();
    let mut body = function.take_body();
    let mut back = Back { function: &mut function, known: EntityMap::default() };
    counters.iter().for_each(|counter| back.start(&mut body, counter));
    let renamed = readings.into_iter().map(|reading| back.read(&mut body, reading)).collect();
    substitute(&mut body, &renamed);
    function.body = body;
    function
}

/// A counter to be counted back.
struct Counter {
    pair: Pair,
    trace: Trace,
    /// Its last value.
    last: Value,
    /// Where that is not at hand: what keeps it.
    around: Option<Around>,
}

/// The loops around a pair, and the tape that the one has for the other, if there is one.
#[derive(Clone, Copy)]
struct Around {
    pair: Pair,
    tape: Option<Tape>,
}

/// What is to be done.
#[derive(Default)]
struct Counted {
    counters: Vec<Counter>,
    readings: Vec<Reading>,
}

impl Loops<'_> {
    /// The counters that are worth it, and what they are for.
    fn counted(&self) -> Counted {
        let candidates = self.candidates();
        let levels = levels(&candidates);
        let mut wanted = HashSet::default();
        let readings = self.readings(&levels, &mut wanted);
        let counters = candidates.into_iter().enumerate();
        let counters = counters.filter(|(at, _)| wanted.contains(at));
        Counted { counters: counters.map(|(_, counter)| counter).collect(), readings }
    }

    /// All that can be counted back. One that an outer loop's counter goes through is not one of its own.
    fn candidates(&self) -> Vec<Counter> {
        let (mut candidates, mut covered) = (Vec::new(), HashSet::default());
        for pair in &self.pairs {
            let Some(around) = self.around(*pair) else { continue };
            let place = &self.loops[&pair.forward];
            for at in 0..place.repeat.carried().len() {
                if covered.contains(&(pair.forward, at)) {
                    continue;
                }
                let Some(trace) = self.trace(pair.forward, at) else { continue };
                cover(pair.forward, &trace, &mut covered);
                candidates.push(Counter {
                    pair: *pair,
                    trace,
                    last: place.inst.results[at],
                    around,
                });
            }
        }
        candidates
    }

    /// What keeps the last values of counters. They are at hand where the loop that goes back stands in the same block, or
    /// in one within.
    fn around(&self, pair: Pair) -> Option<Option<Around>> {
        let [forward, backward] =
            [pair.forward, pair.backward].map(|body| self.loops[&body].parent);
        let outer = |block: &BlockId| self.parents.get(block).copied();
        if std::iter::successors(Some(backward), outer).any(|block| block == forward) {
            return Some(None);
        }
        self.backward.get(&forward).filter(|outer| **outer == backward)?;
        let outer = Pair { forward, backward };
        Some(Some(Around { pair: outer, tape: self.tape(outer, pair.forward) }))
    }

    /// The tape that a loop pushes on behind an inner one.
    fn tape(&self, pair: Pair, inner: BlockId) -> Option<Tape> {
        let insts = &self.loops[&pair.forward].repeat.body.insts;
        let is_inner =
            |inst: &Inst| matches!(&inst.op, Op::Loop(repeat) if repeat.body.id == inner);
        let (_, behind) = insts.split_at(insts.iter().position(is_inner)?);
        behind.iter().find_map(|inst| match inst.op {
            Op::TapePush(tape) if self.tapes[&tape].is_of(pair) => Some(tape),
            _ => None,
        })
    }
}

/// Notes what a counter is to the loops inside.
fn cover(forward: BlockId, trace: &Trace, covered: &mut HashSet<(BlockId, usize)>) {
    covered.insert((forward, trace.carried));
    for step in &trace.steps {
        if let How::Through(pair, inner) = &step.how {
            cover(pair.forward, inner, covered);
        }
    }
}
