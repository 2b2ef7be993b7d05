//! How a counter comes from what an iteration leaves back to what the iteration began with.

use crate::analysis::loops::{Loops, Pair};
use crate::ir::{BlockId, Loop, Op, Type, Value};

/// How a counter comes from its value at an iteration's end to that at its beginning.
pub(super) struct Trace {
    /// Its position among what the loop carries.
    pub(super) carried: usize,
    /// What the iteration leaves.
    pub(super) next: Value,
    pub(super) steps: Vec<Step>,
}

pub(super) struct Step {
    pub(super) how: How,
    /// The counter before.
    pub(super) before: Value,
}

pub(super) enum How {
    /// By the operation that undoes what was done with this amount.
    Undone(&'static str, Amount),
    /// By a loop that goes backwards.
    Through(Pair, Trace),
}

/// What is added or taken off: made at the top of the function, or written.
pub(super) struct Amount {
    pub(super) value: Value,
    pub(super) literal: Option<Op>,
}

impl Trace {
    /// What is known of the counter as an iteration of the loop that goes backwards begins.
    pub(super) fn known(&self) -> impl Iterator<Item = Value> {
        let undone = self.steps.iter().take_while(|step| matches!(step.how, How::Undone(..)));
        std::iter::once(self.next).chain(undone.map(|step| step.before))
    }
}

impl Loops<'_> {
    /// How what a loop carries at a position is counted, if it is.
    pub(super) fn trace(&self, forward: BlockId, carried: usize) -> Option<Trace> {
        let repeat = self.loops[&forward].repeat;
        let (param, next) = (repeat.carried()[carried], repeat.next()[carried]);
        if *self.function.ty(param) != Type::Int || param == next {
            return None;
        }
        let (mut steps, mut now) = (Vec::new(), next);
        while now != param {
            let step = self.step(forward, repeat, now)?;
            now = step.before;
            steps.push(step);
        }
        Some(Trace { carried, next, steps })
    }

    fn step(&self, forward: BlockId, repeat: &Loop, now: Value) -> Option<Step> {
        let inst = repeat.body.insts.iter().find(|inst| inst.results.contains(&now))?;
        match (&inst.op, &inst.args[..]) {
            (Op::Apply(rule), [a, b]) => {
                let (undo, before, amount) = match (rule.name, self.amount(*a), self.amount(*b)) {
                    ("add", _, Some(amount)) => ("sub", *a, amount),
                    ("add", Some(amount), None) => ("sub", *b, amount),
                    ("sub", _, Some(amount)) => ("add", *a, amount),
                    _ => return None,
                };
                Some(Step { how: How::Undone(undo, amount), before })
            }
            (Op::Loop(inner), args) => {
                let pair =
                    Pair { forward: inner.body.id, backward: *self.backward.get(&inner.body.id)? };
                let is_inside = self.loops[&pair.backward].parent == self.backward[&forward];
                let carried = inst.results.iter().position(|result| *result == now)?;
                let trace = self.trace(inner.body.id, carried).filter(|_| is_inside)?;
                Some(Step {
                    how: How::Through(pair, trace),
                    before: args[inner.bounds() + carried],
                })
            }
            _ => None,
        }
    }

    /// An integer that is there wherever the function goes backwards, for nothing.
    fn amount(&self, value: Value) -> Option<Amount> {
        let literal = self.literals.get(&value).map(|inst| inst.op.clone());
        let is_there = self.top.contains(&value) && *self.function.ty(value) == Type::Int;
        (literal.is_some() || is_there).then_some(Amount { value, literal })
    }
}
