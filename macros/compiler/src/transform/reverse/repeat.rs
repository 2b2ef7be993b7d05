//! Loops backwards.
//!
//! The loop runs the same iterations from last to first. It carries the cotangents of the carried
//! values, the sums of contributions to values from outside, and the places that it writes.

use super::region::Places;
use super::{Kept, Reverse, Scope};
use crate::analysis::residuals::{Residual, is_expensive};
use crate::ir::{Adaptor, End, Inst, Loop, LoopKind, Op, Path, Projection, Slot, Type, Value};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A loop that runs backwards, under construction.
struct Backwards<'a> {
    inst: &'a Inst,
    repeat: &'a Loop,
    kind: LoopKind,
    /// Bounds, then initial values in the order of the parameters.
    args: Vec<Value>,
    /// Positions of the carried values that have a cotangent.
    carried: Vec<usize>,
    /// Slots from outside whose shadow the loop may write.
    shadows: BTreeSet<Slot>,
    /// Slots from outside whose old contents come back in the loop.
    memory: BTreeSet<Slot>,
    /// Values from outside that the loop contributes to.
    outer: Vec<Value>,
}

impl<'a> Reverse<'a> {
    pub(super) fn reverse_loop(&mut self, inst: &'a Inst, repeat: &'a Loop) {
        let carried = self.carried_cotangents(inst, repeat);
        if !self.has_reverse([&repeat.body]) && carried.is_none() {
            return;
        }
        for slot in self.touched(&[&repeat.body]) {
            self.ensure_shadow(slot);
        }
        self.put_back_for_parts(&repeat.body);
        let carried = carried.unwrap_or_default();
        let (kind, args) = self.reversed_kind(inst, repeat);
        let (shadows, memory) = (self.touched(&[&repeat.body]), self.rewritten(&repeat.body));
        let mut backwards =
            Backwards { inst, repeat, kind, args, carried, shadows, memory, outer: Vec::new() };
        let before = self.initial_cotangents(&mut backwards);
        self.builder.open();
        self.scopes.push(Scope { env: HashMap::default(), cotangents: BTreeMap::new() });
        let bars = self.loop_params(&backwards);
        self.carry_places(&backwards);
        self.pop_entry(repeat, inst);
        self.recover_state(inst, repeat);
        self.enter_iteration(inst, repeat);
        self.find_standing(inst, repeat);
        for (index, bar) in backwards.carried.iter().zip(&bars) {
            self.contribute(repeat.next()[*index], *bar);
        }
        self.reverse_insts(repeat.body.insts.iter().collect(), &repeat.body.results);
        self.close_reversed(backwards, before);
    }

    /// Positions of carried values with a cotangent; nothing where no carried value or place is active.
    fn carried_cotangents(&self, inst: &Inst, repeat: &Loop) -> Option<Vec<usize>> {
        let is_active = |index: &usize| {
            self.is_active(repeat.carried()[*index]) || self.is_active(inst.results[*index])
        };
        let active: Vec<usize> = (0..inst.results.len()).filter(is_active).collect();
        let is_value = |index: &usize| self.primal.slot_of(inst.results[*index]).is_none();
        (!active.is_empty()).then(|| active.into_iter().filter(is_value).collect())
    }

    /// The loop that runs backwards, and its bounds.
    fn reversed_kind(&mut self, inst: &Inst, repeat: &Loop) -> (LoopKind, Vec<Value>) {
        match &repeat.kind {
            LoopKind::Range { inclusive, adaptors } if !repeat.breaks => {
                let mut adaptors = adaptors.clone();
                match adaptors.last() {
                    Some(Adaptor::Rev) => drop(adaptors.pop()),
                    _ => adaptors.push(Adaptor::Rev),
                }
                let bounds = self.primal_values(&inst.args[..repeat.kind.bounds()]);
                (LoopKind::Range { inclusive: *inclusive, adaptors }, bounds)
            }
            LoopKind::Repeat => (LoopKind::Repeat, self.primal_values(&inst.args[..1])),
            _ => (LoopKind::Repeat, vec![self.obtain(Residual::Count(repeat.body.id))]),
        }
    }

    /// Takes the cotangents of the loop's results, and the places as they are.
    fn initial_cotangents(&mut self, backwards: &mut Backwards) -> Places {
        for index in &backwards.carried {
            let result = backwards.inst.results[*index];
            let bar = self.take(result).unwrap_or_else(|| {
                let zero = self.zero_of(result);
                self.merged.insert(zero);
                zero
            });
            backwards.args.push(bar);
        }
        let before = self.places();
        backwards.args.extend(backwards.shadows.iter().map(|slot| before.shadows[slot]));
        backwards.args.extend(backwards.memory.iter().map(|slot| before.memory[slot]));
        before
    }

    /// The index, and a parameter for the cotangent of each carried value.
    fn loop_params(&mut self, backwards: &Backwards) -> Vec<Value> {
        if let LoopKind::Range { .. } = backwards.kind {
            let index = backwards.repeat.body.params[0];
            let data = self.primal.value(index).clone();
            let again = self.builder.value(Type::Int, &data.name, data.span);
            self.builder.param(again);
            self.scope().env.insert(Residual::Primal(index), again);
        }
        let mut bars = Vec::new();
        for (order, position) in backwards.carried.iter().enumerate() {
            let bar = self.bar_value(backwards.inst.results[*position]);
            bars.push(self.builder.param(bar));
            let initial = backwards.args[backwards.kind.bounds() + order];
            self.inherit_through(backwards, order, initial, bar);
        }
        bars
    }

    /// A carried cotangent is zero where the one before the loop is, unless a run of the transform has found that some
    /// iteration makes it zero.
    fn inherit_through(&mut self, backwards: &Backwards, order: usize, from: Value, to: Value) {
        let param = backwards.repeat.carried()[backwards.carried[order]];
        match self.plan.is_doubtful(param) {
            true => _ = self.merged.insert(to),
            false => self.inherit(&[from], to),
        }
    }

    /// Parameters for the places that the loop writes.
    fn carry_places(&mut self, backwards: &Backwards) {
        for slot in &backwards.shadows {
            let next = self.next_version(self.shadows[slot]);
            self.builder.param(next);
            self.shadows.insert(*slot, next);
        }
        for slot in &backwards.memory {
            let next = self.next_version(self.memory[slot]);
            self.builder.param(next);
            self.memory.insert(*slot, next);
        }
    }

    /// A further version of the same place.
    fn next_version(&mut self, version: Value) -> Value {
        let slot = self.builder.function.slot_of(version).expect("a place");
        self.builder.version(slot)
    }

    /// At an iteration's end, places hold the versions that it yields.
    fn enter_iteration(&mut self, inst: &Inst, repeat: &Loop) {
        for (result, next) in inst.results.iter().zip(repeat.next()) {
            self.move_point(*result, *next);
            self.now.extend(self.primal.slot_of(*next).map(|slot| (slot, *next)));
        }
    }

    /// What an iteration puts into the element of its index is there as long as the place holds what the loop left there,
    /// where the loop writes nothing else of it.
    fn find_standing(&mut self, inst: &Inst, repeat: &Loop) {
        for put in &repeat.body.insts {
            let Some(path) = self.own_element(put, inst, repeat) else { continue };
            let slot = self.primal.slot_of(put.results[0]);
            let is_here = |value: &&Value| self.primal.slot_of(**value) == slot;
            let mut writes = 0;
            repeat.body.walk(&mut |inst, _| writes += inst.results.iter().filter(is_here).count());
            let left = inst.results.iter().find(is_here).copied();
            let left = left.filter(|left| writes == 1 && self.readable(*left).is_some());
            let (index, value) = (repeat.body.params[0], *put.args.last().expect("a value"));
            if let Some(left) = left.filter(|_| self.layout.home(value) == repeat.body.id) {
                let (op, args) = (Op::Load(path), vec![left, index]);
                let read = Inst { op, args, results: vec![value], span: put.span };
                self.standing.insert(value, read);
            }
        }
    }

    /// The path to the element of its index that an iteration puts a float into, if it does: by a store, or by a push where
    /// the vector was empty. The vector is held for the way back, so what a push puts there is worth that.
    fn own_element(&self, put: &Inst, inst: &Inst, repeat: &Loop) -> Option<Path> {
        match &put.op {
            Op::Store(path) if repeat.is_own_element(put) && self.is_kept_as_is(put, path) => {
                Some(path.clone())
            }
            Op::Insert(End::Last, path) if path.is_empty() && self.is_counted_from_zero(inst) => {
                let (vector, value) = (put.args[0], put.args[1]);
                let at = repeat.carried().iter().position(|param| *param == vector)?;
                let made = self.layout.def(inst.args[repeat.bounds() + at])?;
                let computed = self.layout.def(value)?;
                let is_float = self.primal.ty(value).is_float()
                    && *self.primal.ty(vector)
                        == Type::Vec(Box::new(self.primal.ty(value).clone()));
                let is_worth = matches!(made.op, Op::VecNew(_)) && is_expensive(&computed.op);
                let is_held = !self.is_moved(self.primal.slot_of(vector)?);
                (is_float && is_worth && is_held).then(|| vec![Projection::Index])
            }
            _ => None,
        }
    }

    /// Whether a loop goes through all numbers below one.
    fn is_counted_from_zero(&self, inst: &Inst) -> bool {
        let Op::Loop(repeat) = &inst.op else { return false };
        let LoopKind::Range { inclusive: false, adaptors } = &repeat.kind else { return false };
        let start = self.layout.def(inst.args[0]).map(|start| &start.op);
        let is_zero = match start {
            Some(Op::Literal(syn::Lit::Int(literal))) => literal.base10_digits() == "0",
            _ => false,
        };
        is_zero && adaptors.is_empty() && !repeat.breaks
    }

    /// What an iteration kept comes off the tape.
    fn pop_entry(&mut self, repeat: &Loop, inst: &Inst) {
        let stored = self.plan.stored(repeat.body.id).to_vec();
        if stored.is_empty() {
            return;
        }
        let tape = self.tape(repeat.body.id, Kept::Iterations);
        let mut results = Vec::new();
        for residual in &stored {
            let value = self.popped(residual, inst);
            results.push(value);
            self.scope().env.insert(residual.clone(), value);
            self.reach_kept(residual, value);
        }
        self.builder.push(Op::TapePop(tape), Vec::new(), results, inst.span);
    }

    /// A copy of a place that nothing writes is read in its stead.
    fn reach_kept(&mut self, residual: &Residual, copy: Value) {
        let Residual::Contents(version) = residual else { return };
        let slot = self.primal.slot_of(*version).expect("a version of a place");
        let is_place = self.builder.function.slot_of(copy).is_some();
        if is_place && !self.layout.is_written(slot) {
            self.memory.insert(slot, copy);
            self.point.insert(slot, *version);
        }
    }

    /// A value for one part of a tape's entry; places get a place again.
    fn popped(&mut self, residual: &Residual, inst: &Inst) -> Value {
        let made =
            self.made_value(residual).map(|value| self.builder.function.value(value).clone());
        match made {
            Some(data) if data.slot.is_some() => {
                self.builder.place(data.ty, &data.name, data.span, false)
            }
            Some(data) => self.builder.value(data.ty, &data.name, data.span),
            None => self.builder.value(Type::Unknown, "pending", inst.span),
        }
    }

    fn close_reversed(&mut self, mut backwards: Backwards<'a>, before: Places) {
        let mut yields = Vec::new();
        for (order, index) in backwards.carried.iter().enumerate() {
            let param = backwards.repeat.carried()[*index];
            let bar = self.take(param).unwrap_or_else(|| self.zero_of(param));
            yields.push(bar);
            let initial = backwards.args[backwards.kind.bounds() + order];
            if self.sure.contains(&initial) && !self.sure.contains(&bar) {
                self.plan.doubt(param);
            }
        }
        yields.extend(backwards.shadows.iter().map(|slot| self.shadows[slot]));
        yields.extend(backwards.memory.iter().map(|slot| self.memory[slot]));
        self.sum_contributions(&mut backwards, &mut yields);
        let body = self.builder.close(yields);
        self.builder.function.backwards.insert(body.id, backwards.repeat.body.id);
        self.scopes.pop();
        self.set_places(before);
        for value in &backwards.outer {
            let start = self.scope().cotangents.remove(value);
            let start = start.unwrap_or_else(|| self.zero_of(*value));
            backwards.args.push(start);
        }
        let results = self.loop_results(&backwards);
        for (order, result) in results.iter().take(backwards.carried.len()).enumerate() {
            let initial = backwards.args[backwards.kind.bounds() + order];
            self.inherit_through(&backwards, order, initial, *result);
        }
        let outer = results.len() - backwards.outer.len();
        self.merged.extend(&results[outer..]);
        let (inst, repeat) = (backwards.inst, backwards.repeat);
        let (kind, args) = (backwards.kind.clone(), std::mem::take(&mut backwards.args));
        let op = Op::Loop(Box::new(Loop { kind, schedule: None, breaks: false, body }));
        self.builder.push(op, args, results.clone(), inst.span);
        self.leave_loop(&backwards, results);
        for (init, result) in inst.args[repeat.bounds()..].iter().zip(&inst.results) {
            self.move_point(*result, *init);
        }
    }

    /// Contributions to values from outside are summed over the iterations.
    fn sum_contributions(&mut self, backwards: &mut Backwards, yields: &mut Vec<Value>) {
        for (value, bar) in self.scope().cotangents.clone() {
            let sum = self.bar_value(value);
            self.builder.param(sum);
            let data = self.builder.function.value(sum).clone();
            let next = self.builder.inst(Op::Sum, vec![sum, bar], data.ty, &data.name, data.span);
            yields.push(next);
            backwards.outer.push(value);
        }
    }

    fn loop_results(&mut self, backwards: &Backwards) -> Vec<Value> {
        let mut results = Vec::new();
        for index in &backwards.carried {
            results.push(self.bar_value(backwards.repeat.carried()[*index]));
        }
        for slot in &backwards.shadows {
            results.push(self.next_version(self.shadows[slot]));
        }
        for slot in &backwards.memory {
            results.push(self.next_version(self.memory[slot]));
        }
        for value in &backwards.outer {
            results.push(self.bar_value(*value));
        }
        results
    }

    /// A cotangent without definition yet.
    fn bar_value(&mut self, value: Value) -> Value {
        let data = self.primal.value(value).clone();
        self.builder.value(data.ty.tangent(), &format!("{}_bar", data.name), data.span)
    }

    /// The loop's results become the places' versions and the values' cotangents.
    fn leave_loop(&mut self, backwards: &Backwards, results: Vec<Value>) {
        let mut results = results.into_iter();
        let bars: Vec<Value> = results.by_ref().take(backwards.carried.len()).collect();
        self.shadows.extend(backwards.shadows.iter().copied().zip(results.by_ref()));
        self.memory.extend(backwards.memory.iter().copied().zip(results.by_ref()));
        for (value, bar) in backwards.outer.iter().zip(results) {
            self.scope().cotangents.insert(*value, bar);
        }
        let inits = &backwards.inst.args[backwards.repeat.bounds()..];
        for (index, bar) in backwards.carried.iter().zip(bars) {
            self.contribute(inits[*index], bar);
        }
    }
}
