//! Parts of the primal that run again on the way back.
//!
//! The forward sweep runs such a part as it stands and leaves nothing of it. The reverse sweep puts the places that
//! it writes back to what they held, runs it again, now with its tape, and goes backwards through that. What it
//! defines is at hand there, as what the whole function defines is outside.

use super::{Kept, Reverse};
use crate::analysis::residuals::Residual;
use crate::ir::copy::Copied;
use crate::ir::free::Free;
use crate::ir::{Access, Block, Inst, Loop, LoopKind, Op, Passing, Slot, SlotData, Type, Value};
use crate::simplify::count_uses;
use proc_macro2::Span;
use std::collections::BTreeSet;

impl<'a> Reverse<'a> {
    /// A part that runs again leaves nothing on tapes.
    pub(super) fn forward_once(&mut self, inst: &Inst) {
        let mut once = inst.clone();
        self.mark_calls(&mut once);
        self.builder.block().insts.push(once);
    }

    /// Calls that a further transform is to differentiate.
    fn mark_calls(&self, inst: &mut Inst) {
        let is_active = self.is_active_call(inst);
        if let Op::Call(call) = &mut inst.op {
            call.runs_again = is_active;
        }
        for block in inst.op.blocks_mut() {
            block.insts.iter_mut().for_each(|inner| self.mark_calls(inner));
        }
    }

    pub(super) fn reverse_once(&mut self, inst: &'a Inst, once: &'a Loop) {
        let body = &once.body;
        let bars: Vec<Option<Value>> =
            inst.results.iter().map(|result| self.region_bar(*result)).collect();
        if bars.iter().all(Option::is_none) && !self.has_reverse([body]) {
            return;
        }
        self.rerun(inst, body);
        for (value, bar) in body.results.iter().zip(bars) {
            bar.into_iter().for_each(|bar| self.contribute(*value, bar));
        }
        self.reverse_insts(body.insts.iter().collect(), &body.results);
        for (param, arg) in body.params.iter().zip(&inst.args) {
            match self.primal.slot_of(*param) {
                Some(_) => self.move_point(*param, *arg),
                None => {
                    let bar = self.take(*param);
                    bar.into_iter().for_each(|bar| self.contribute(*arg, bar));
                }
            }
        }
    }

    /// The forward sweep of a part, from what it was given.
    fn rerun(&mut self, inst: &'a Inst, body: &'a Block) {
        let mut copied = Copied::default();
        for (param, arg) in body.params.iter().zip(&inst.args) {
            let start = match self.primal.slot_of(*arg) {
                Some(slot) => self.put_whole(slot, *arg, *param),
                None => self.obtain(Residual::Primal(*arg)),
            };
            self.stand_for(*param, start, &mut copied);
        }
        for value in Free::in_block(body).values {
            let there = self.there(value);
            self.stand_for(value, there, &mut copied);
        }
        self.builder.open();
        self.record(&body.params);
        self.forward_block(body);
        let mut again = self.builder.close(body.results.clone());
        silence(&mut again);
        let again = copied.block(&mut self.builder.function, &again);
        self.builder.block().insts.extend(again.insts);
        self.know(body, &copied);
    }

    /// A loop of which so many states are kept.
    pub(super) fn plan_states(&mut self, inst: &Inst, repeat: &Loop) {
        if repeat.schedule.is_some() {
            let (tape, kind) =
                (self.tape(repeat.body.id, Kept::States), Box::new(repeat.kind.clone()));
            let args = inst.args[..repeat.bounds()].to_vec();
            self.builder.push(Op::TapePlan(tape, kind), args, Vec::new(), inst.span);
        }
    }

    /// At the start of an iteration, pushes the state where the schedule says so.
    pub(super) fn keep_state(&mut self, repeat: &Loop, state: &[Value]) {
        if repeat.schedule.is_none() {
            return;
        }
        let (tape, span) = (self.tape(repeat.body.id, Kept::States), Span::call_site());
        let keeps = self.builder.inst(Op::TapeKeeps(tape), Vec::new(), Type::Bool, "keeps", span);
        self.builder.open();
        let kept = state.iter().map(|value| match self.builder.function.slot_of(*value) {
            Some(slot) => self.copy_of(slot, *value),
            None => *value,
        });
        let kept = kept.collect();
        self.builder.push(Op::TapePush(tape), kept, Vec::new(), span);
        let then = self.builder.close(Vec::new());
        self.builder.open();
        let other = self.builder.close(Vec::new());
        let op = Op::If(Box::new(then), Box::new(other));
        self.builder.push(op, vec![keeps], Vec::new(), span);
    }

    /// On the way back: the state that an iteration started from, out of the last one kept before it.
    pub(super) fn recover_state(&mut self, inst: &'a Inst, repeat: &'a Loop) {
        if repeat.schedule.is_none() {
            return;
        }
        let bounds = self.primal_values(&inst.args[..repeat.kind.bounds()]);
        let tape = self.tape(repeat.body.id, Kept::States);
        let [start, here] =
            ["start", "here"].map(|name| self.builder.value(Type::Int, name, inst.span));
        self.builder.push(Op::TapeRewind(tape), Vec::new(), vec![start, here], inst.span);
        let kept: Vec<Value> =
            repeat.carried().iter().map(|param| self.like_kept(*param)).collect();
        self.builder.push(Op::TapePop(tape), Vec::new(), kept.clone(), inst.span);
        let state = self.advance(inst, repeat, &bounds, [start, here], &kept);
        for (param, value) in repeat.carried().iter().zip(state) {
            let residual = match self.primal.slot_of(*param) {
                Some(_) => Residual::Contents(*param),
                None => Residual::Primal(*param),
            };
            self.scope().env.insert(residual, value);
        }
        if repeat.breaks {
            let index = self.index_of(repeat, &bounds, here);
            self.scope().env.insert(Residual::Primal(repeat.body.params[0]), index);
        }
    }

    /// The index of the iteration of a number.
    fn index_of(&mut self, repeat: &Loop, bounds: &[Value], number: Value) -> Value {
        let data = self.primal.value(repeat.body.params[0]).clone();
        let op = Op::Nth(Box::new(repeat.kind.clone()));
        self.builder.inst(op, [bounds, &[number]].concat(), Type::Int, &data.name, data.span)
    }

    /// A value or a place for what is kept of one.
    fn like_kept(&mut self, value: Value) -> Value {
        let data = self.primal.value(value).clone();
        match data.slot {
            Some(_) => self.builder.place(data.ty.owned(), &data.name, data.span, false),
            None => self.builder.value(data.ty, &data.name, data.span),
        }
    }

    /// The iterations from one whose state is there up to another one, once more.
    fn advance(
        &mut self,
        inst: &'a Inst,
        repeat: &'a Loop,
        bounds: &[Value],
        [start, here]: [Value; 2],
        kept: &[Value],
    ) -> Vec<Value> {
        let mut part = repeat.body.insts.last().expect("an iteration runs again").clone();
        self.mark_calls(&mut part);
        let Op::Loop(once) = &mut part.op else { unreachable!("an iteration runs again") };
        silence(&mut once.body);
        let (index, mut copied) = (repeat.body.params[..1].to_vec(), Copied::default());
        for value in
            Free::in_block(&once.body).values.into_iter().filter(|value| !index.contains(value))
        {
            let there = self.there(value);
            self.stand_for(value, there, &mut copied);
        }
        self.builder.open();
        let number = self.builder.value(Type::Int, "step", inst.span);
        let state: Vec<Value> =
            kept.iter().map(|value| self.builder.function.renewed(*value)).collect();
        self.builder.block().params = [&[number], &state[..]].concat();
        self.keep_state(repeat, &state);
        copied.values.insert(index[0], self.index_of(repeat, bounds, number));
        for (param, value) in once.body.params.iter().zip(&state) {
            copied.values.insert(*param, *value);
            let slots = (self.primal.slot_of(*param), self.builder.function.slot_of(*value));
            copied.slots.extend(slots.0.zip(slots.1));
        }
        if repeat.breaks {
            let goes = *once.body.params.last().expect("whether to go on");
            copied.values.insert(goes, self.builder.goes_on(inst.span));
        }
        let body = copied.block(&mut self.builder.function, &once.body);
        self.builder.block().insts.extend(body.insts);
        let mut body = self.builder.close(body.results);
        body.results.truncate(kept.len());
        let results: Vec<Value> =
            kept.iter().map(|value| self.builder.function.renewed(*value)).collect();
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let op = Op::Loop(Box::new(Loop { kind, schedule: None, breaks: false, body }));
        let args = [&[start, here], kept].concat();
        self.builder.push(op, args, results.clone(), inst.span);
        results
    }

    /// In front of a loop that goes backwards, puts back the places that parts in it only read: the loop does not carry
    /// them.
    pub(super) fn put_back_for_parts(&mut self, body: &Block) {
        let mut read = BTreeSet::new();
        body.walk(&mut |inst, _| {
            if let Op::Loop(once) = &inst.op
                && matches!(once.kind, LoopKind::Once)
            {
                read.extend(Free::in_block(&once.body).values);
            }
        });
        for value in read {
            let is_outside = !self.layout.is_inside(self.layout.home(value), body.id);
            if is_outside && self.primal.slot_of(value).is_some() {
                self.there(value);
            }
        }
    }

    /// What a part that runs again takes from outside.
    fn there(&mut self, value: Value) -> Value {
        match self.primal.slot_of(value) {
            Some(slot) if self.can_reread(value) => self.memory[&slot],
            Some(slot) => self.put_whole(slot, value, value),
            None => self.obtain(Residual::Primal(value)),
        }
    }

    /// What stands for a value or a place while a part runs again.
    fn stand_for(&mut self, value: Value, again: Value, copied: &mut Copied) {
        copied.values.insert(value, again);
        match (self.primal.slot_of(value), self.builder.function.slot_of(again)) {
            (Some(from), Some(to)) => drop(copied.slots.insert(from, to)),
            _ => drop(self.scope().env.insert(Residual::Primal(value), again)),
        }
    }

    /// Puts back what a place held at a version, which is that of a part's parameter now.
    fn put_whole(&mut self, slot: Slot, version: Value, param: Value) -> Value {
        let contents = self.obtain(Residual::Contents(version));
        let data = self.primal.slot(slot).clone();
        let span = data.span;
        let next = match self.memory.get(&slot).copied() {
            Some(current) => {
                self.plan.restore(slot);
                let reached = self.builder.function.slot_of(current).expect("a place");
                self.builder.update(Op::Store(Vec::new()), vec![current, contents], reached, span)
            }
            None => {
                let own = SlotData { access: Access::Owned, ty: data.ty.clone().owned(), ..data };
                let own = self.builder.function.new_slot(own);
                self.builder.update(Op::Duplicate, vec![contents], own, span)
            }
        };
        self.memory.insert(slot, next);
        self.point.insert(slot, param);
        next
    }

    /// What ran again is at hand: its values, what its sweep made, and the places that it left.
    fn know(&mut self, body: &Block, copied: &Copied) {
        let is_here = |value: &Value| {
            (value.0 as usize) < self.primal.values.len() && self.layout.home(*value) == body.id
        };
        let values = copied.values.iter().filter(|(value, _)| is_here(value));
        let values = values.filter(|(value, _)| self.primal.slot_of(**value).is_none());
        let made = self.made.iter().filter(|(residual, _)| self.home(residual) == body.id);
        let known: Vec<(Residual, Value)> = values
            .map(|(value, again)| (Residual::Primal(*value), *again))
            .chain(made.map(|(residual, value)| (residual.clone(), copied.value(*value))))
            .collect();
        self.scope().env.extend(known);
        let own = self.layout.all_slots().filter(|slot| self.layout.slot_home(*slot) == body.id);
        let own = own.map(|slot| (slot, self.layout.last_version(slot)));
        let given =
            body.results.iter().zip(&body.params).filter_map(|(result, param)| {
                self.primal.slot_of(*param).map(|slot| (slot, *result))
            });
        let places: Vec<(Slot, Value)> = own.chain(given).collect();
        for (slot, version) in places {
            self.memory.insert(slot, copied.value(version));
            self.point.insert(slot, version);
            self.now.insert(slot, version);
        }
    }
}

/// Takes away what was there for its effect only: that happens once.
fn silence(block: &mut Block) {
    let uses = count_uses(block);
    silence_within(block, &|inst| {
        let is_unused = inst.results.iter().all(|result| !uses.contains_key(result));
        let is_effect = match &inst.op {
            Op::Macro(_) | Op::Proof(_) => true,
            Op::Call(call) => !call.passing.iter().any(Passing::writes),
            _ => false,
        };
        is_unused && is_effect
    });
}

fn silence_within(block: &mut Block, is_silent: &dyn Fn(&Inst) -> bool) {
    block.insts.retain(|inst| !is_silent(inst));
    for inst in &mut block.insts {
        inst.op.blocks_mut().for_each(|inner| silence_within(inner, is_silent));
    }
}
