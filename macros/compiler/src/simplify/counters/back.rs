//! Loops that go backwards carry counters.

use super::reading::Reading;
use super::trace::{Amount, How, Trace};
use super::{Around, Counter};
use crate::analysis::loops::{Pair, place};
use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Op, Tape, Value, row};
use proc_macro2::Span;

/// The function, as it changes.
pub(super) struct Back<'f> {
    pub(super) function: &'f mut Function,
    /// What counters, and what follows from them, are in loops that go backwards.
    pub(super) known: EntityMap<Value, Value>,
}

impl Back<'_> {
    /// Starts a counter at its last value.
    pub(super) fn start(&mut self, body: &mut Block, counter: &Counter) {
        let last = match counter.around {
            Some(around) => self.keep(body, around, counter.last),
            None => counter.last,
        };
        let (block, at) = place(body, counter.pair.backward).expect("the loop that goes backwards");
        self.count(&mut block.insts[at], &counter.trace, last);
    }

    /// Puts a value on the tape of the loops around. Returns what comes back from there.
    fn keep(&mut self, body: &mut Block, around: Around, value: Value) -> Value {
        let tape = around.tape.unwrap_or_else(|| self.tape(body, around.pair));
        let kept = self.function.renewed(value);
        for (at, is_push) in [(around.pair.forward, true), (around.pair.backward, false)] {
            let (block, at) = place(body, at).expect("a loop around");
            let Op::Loop(repeat) = &mut block.insts[at].op else { unreachable!("a loop") };
            for inst in &mut repeat.body.insts {
                match inst.op {
                    Op::TapePush(other) if other == tape && is_push => inst.args.push(value),
                    Op::TapePop(other) if other == tape && !is_push => inst.results.push(kept),
                    _ => {}
                }
            }
        }
        kept
    }

    /// A tape of its own for the loops around.
    fn tape(&mut self, body: &mut Block, around: Pair) -> Tape {
        let tape = Tape(self.function.tapes);
        self.function.tapes += 1;
        let (block, at) = place(body, around.forward).expect("a loop around");
        let inst = &mut block.insts[at];
        let (span, reserve) = (inst.span, inst.reserve(tape));
        let make = |op| Inst { op, args: Vec::new(), results: Vec::new(), span };
        let Op::Loop(repeat) = &mut inst.op else { unreachable!("a loop") };
        repeat.body.insts.push(make(Op::TapePush(tape)));
        block.insts.splice(at..at, reserve);
        let (block, at) = place(body, around.backward).expect("the loop that goes backwards");
        let Op::Loop(repeat) = &mut block.insts[at].op else { unreachable!("a loop") };
        repeat.body.insts.insert(0, make(Op::TapePop(tape)));
        tape
    }

    /// Lets a loop that goes backwards carry a counter. Returns its value before the loop that counts.
    fn count(&mut self, inst: &mut Inst, trace: &Trace, last: Value) -> Value {
        let [mut now, first] = [(); 2].map(|()| self.function.renewed(trace.next));
        inst.args.push(last);
        inst.results.push(first);
        let span = inst.span;
        let Op::Loop(repeat) = &mut inst.op else { unreachable!("a loop") };
        repeat.body.params.push(now);
        self.known.insert(trace.next, now);
        let mut at = 0;
        for step in &trace.steps {
            match &step.how {
                How::Undone(name, amount) => {
                    let insts = self.undo(name, amount, now, step.before, span);
                    now = insts[insts.len() - 1].results[0];
                    let count = insts.len();
                    repeat.body.insts.splice(at..at, insts);
                    at += count;
                }
                How::Through(pair, inner) => {
                    let is_it = |inst: &Inst| matches!(&inst.op, Op::Loop(inner) if inner.body.id == pair.backward);
                    at = repeat.body.insts.iter().position(is_it).expect("the inner loop");
                    now = self.count(&mut repeat.body.insts[at], inner, now);
                    at += 1;
                }
            }
            self.known.insert(step.before, now);
        }
        repeat.body.results.push(now);
        first
    }

    /// What makes a counter of what an operation left; it is like the one that the operation was given.
    fn undo(
        &mut self,
        name: &str,
        amount: &Amount,
        now: Value,
        like: Value,
        span: Span,
    ) -> Vec<Inst> {
        let mut insts = Vec::new();
        let mut value = amount.value;
        if let Some(literal) = &amount.literal {
            value = self.function.renewed(value);
            let (op, args) = (literal.clone(), Vec::new());
            insts.push(Inst { op, args, results: vec![value], span });
        }
        let before = self.function.renewed(like);
        let (op, args) = (Op::Apply(row(name)), vec![now, value]);
        insts.push(Inst { op, args, results: vec![before], span });
        insts
    }

    /// What stands for something that came from a tape: that, and its successor.
    pub(super) fn read(&mut self, body: &mut Block, reading: Reading) -> (Value, Value) {
        let (block, at) = place(body, reading.backward).expect("the loop that goes backwards");
        let Op::Loop(repeat) = &mut block.insts[at].op else { unreachable!("a loop") };
        let is_pop = |inst: &Inst| matches!(inst.op, Op::TapePop(tape) if tape == reading.tape);
        let at = repeat.body.insts.iter().position(is_pop).expect("a pop");
        let popped = repeat.body.insts[at].results[reading.position];
        let again: Vec<Inst> = reading.insts.iter().filter_map(|inst| self.again(inst)).collect();
        repeat.body.insts.splice(at..at, again);
        (popped, self.known[&reading.value])
    }

    /// An instruction of the loop that counts in the one that goes backwards, unless it is there.
    fn again(&mut self, inst: &Inst) -> Option<Inst> {
        let result = inst.results[0];
        if self.known.contains_key(&result) {
            return None;
        }
        let copy = self.function.renewed(result);
        let args =
            inst.args.iter().map(|arg| self.known.get(arg).copied().unwrap_or(*arg)).collect();
        self.known.insert(result, copy);
        Some(Inst { op: inst.op.clone(), args, results: vec![copy], span: inst.span })
    }
}
