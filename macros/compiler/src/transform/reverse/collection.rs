//! Operations that move whole elements, backwards: each is undone by its counterpart.
//!
//! What an insertion put in is taken out of the shadow and is the cotangent of the element; what was taken
//! out goes back in. An exchange is its own counterpart. Places that are to be restored go the same way.

use super::Reverse;
use super::shadow::has_known_shape;
use crate::analysis::residuals::Residual;
use crate::ir::{End, Inst, Op, Path, Slot, Value, index_count};

impl Reverse<'_> {
    /// The place and the indices of an operation, as the reverse sweep knows them.
    fn indices(&mut self, inst: &Inst, count: usize) -> Vec<Value> {
        self.primal_values(&inst.args[1..1 + count])
    }

    /// Whether the reverse sweep brings back the contents of a place.
    pub(super) fn comes_back(&self, slot: Slot) -> bool {
        self.plan.is_restored(slot) && self.memory.contains_key(&slot)
    }

    /// Puts what a part of a place held before `version` back, which is `before` again.
    pub(super) fn put_back(
        &mut self,
        path: &Path,
        indices: &[Value],
        (before, version): (Value, Value),
        span: proc_macro2::Span,
    ) {
        let slot = self.primal.slot_of(version).expect("a version of a place");
        if !self.comes_back(slot) {
            return;
        }
        let old = self.obtain(Residual::Old(version));
        let args = [&[self.memory[&slot]], indices, &[old]].concat();
        self.update_memory(slot, Op::Store(path.clone()), args, before, span);
    }

    pub(super) fn reverse_insert(&mut self, inst: &Inst, end: End, path: &Path) {
        let slot = self.primal.slot_of(inst.results[0]).expect("an insertion makes a version");
        let indices = self.indices(inst, index_count(path) + end.positions());
        let value = *inst.args.last().expect("an element");
        if self.comes_back(slot) {
            let mut args = vec![self.memory[&slot]];
            args.extend(&indices);
            let next = self.next_memory(slot, inst.args[0]);
            let removed = self.builder.value(self.primal.ty(value).clone(), "removed", inst.span);
            let op = Op::Remove(end, path.clone());
            self.builder.push(op, args, vec![next, removed], inst.span);
        }
        if !self.activity.is_active_slot(slot) || !self.shadows.contains_key(&slot) {
            return;
        }
        let mut args = vec![self.shadows[&slot]];
        args.extend(&indices);
        let bar = self.bar_piece(value, inst);
        let next = self.next_shadow(slot);
        self.builder.push(Op::Remove(end, path.clone()), args, vec![next, bar], inst.span);
        self.contribute(value, bar);
    }

    pub(super) fn reverse_remove(&mut self, inst: &Inst, end: End, path: &Path) {
        let (version, element) = (inst.results[0], inst.results[1]);
        let slot = self.primal.slot_of(version).expect("a removal makes a version");
        let indices = self.indices(inst, index_count(path) + end.positions());
        let op = Op::Insert(end, path.clone());
        if let Some(mut args) = self.shadow_operand(slot, element, &indices) {
            let bar = self.taken_bar(element, version);
            args.push(bar);
            self.update_shadow(slot, op.clone(), args, inst.span);
        }
        if self.comes_back(slot) {
            let mut args = vec![self.memory[&slot]];
            args.extend(indices);
            args.push(self.obtain(Residual::Old(version)));
            self.update_memory(slot, op, args, inst.args[0], inst.span);
        }
    }

    pub(super) fn reverse_replace(&mut self, inst: &Inst, path: &Path) {
        let (version, old) = (inst.results[0], inst.results[1]);
        let slot = self.primal.slot_of(version).expect("a replacement makes a version");
        let indices = self.indices(inst, index_count(path));
        if let Some(mut args) = self.shadow_operand(slot, old, &indices) {
            let value = *inst.args.last().expect("a value");
            let bar = self.taken_bar(old, version);
            args.push(bar);
            let (value_bar, next) = (self.bar_piece(value, inst), self.next_shadow(slot));
            self.builder.push(Op::Replace(path.clone()), args, vec![next, value_bar], inst.span);
            self.contribute(value, value_bar);
        }
        self.put_back(path, &indices, (inst.args[0], version), inst.span);
    }

    /// The shadow and the indices, where the operation's reverse does anything to the shadow.
    fn shadow_operand(
        &mut self,
        slot: Slot,
        taken: Value,
        indices: &[Value],
    ) -> Option<Vec<Value>> {
        let is_needed = self.shadows.contains_key(&slot) || self.has_bar(taken);
        if !self.activity.is_active_slot(slot) || !is_needed {
            return None;
        }
        self.ensure_shadow(slot);
        let mut args = vec![self.shadows[&slot]];
        args.extend(indices);
        Some(args)
    }

    fn has_bar(&mut self, value: Value) -> bool {
        match self.primal.slot_of(value) {
            Some(slot) => self.shadows.contains_key(&slot),
            None => self.scope().cotangents.contains_key(&value),
        }
    }

    /// The cotangent of what was taken out of a place, or a zero in its shape.
    fn taken_bar(&mut self, taken: Value, version: Value) -> Value {
        if let Some(bar) = self.take(taken) {
            return bar;
        }
        let data = self.primal.value(taken).clone();
        let args = match has_known_shape(&data.ty) {
            true => Vec::new(),
            false => {
                let slot = self.primal.slot_of(version).expect("a version of a place");
                self.plan.restore(slot);
                vec![self.obtain(Residual::Old(version))]
            }
        };
        let zero = self.piece(data.ty.tangent(), &format!("{}_bar", data.name), data.span);
        self.builder.push(Op::Zero(Vec::new()), args, vec![zero], data.span);
        zero
    }

    fn bar_piece(&mut self, value: Value, inst: &Inst) -> Value {
        let data = self.primal.value(value).clone();
        self.piece(data.ty.tangent(), &format!("{}_bar", data.name), inst.span)
    }

    fn next_shadow(&mut self, slot: Slot) -> Value {
        let shadow = self.shadow_slot(slot);
        let next = self.builder.version(shadow);
        self.shadows.insert(slot, next);
        next
    }

    /// The version of a restored place after it holds `before` again.
    fn next_memory(&mut self, slot: Slot, before: Value) -> Value {
        let reached = self.builder.function.slot_of(self.memory[&slot]).expect("a place");
        let next = self.builder.version(reached);
        self.memory.insert(slot, next);
        self.point.insert(slot, before);
        next
    }

    pub(super) fn reverse_exchange(&mut self, inst: &Inst, a: &Path, b: &Path) {
        let (first, second) = inst.args.split_at(1 + index_count(a));
        let slots =
            [first[0], second[0]].map(|version| self.primal.slot_of(version).expect("a place"));
        let indices = [first, second].map(|operand| self.primal_values(&operand[1..]));
        let op = Op::Exchange(a.clone(), b.clone());
        if slots.iter().all(|slot| self.activity.is_active_slot(*slot))
            && slots.iter().any(|slot| self.shadows.contains_key(slot))
        {
            slots.iter().for_each(|slot| self.ensure_shadow(*slot));
            let args = both(slots.map(|slot| self.shadows[&slot]), &indices);
            let results = distinct(slots).map(|slot| self.next_shadow(slot)).collect();
            self.builder.push(op.clone(), args, results, inst.span);
        }
        let is_restored = slots.iter().any(|slot| self.plan.is_restored(*slot));
        if is_restored && self.can_exchange_back(slots) {
            slots.iter().for_each(|slot| self.plan.restore(*slot));
            let args = both(slots.map(|slot| self.memory[&slot]), &indices);
            slots.iter().for_each(|slot| self.keep(*slot));
            let before = [first[0], second[0]];
            let pairs = slots.into_iter().zip(before).take(distinct(slots).count());
            let results = pairs.collect::<Vec<_>>().into_iter();
            let results = results.map(|(slot, before)| self.next_memory(slot, before)).collect();
            return self.builder.push(op, args, results, inst.span);
        }
        self.restore_exchanged(inst, [a, b], &indices);
    }

    /// Whether the reverse sweep reaches both places of an exchange.
    pub(super) fn can_exchange_back(&self, slots: [Slot; 2]) -> bool {
        slots.iter().all(|slot| self.layout.slot_home(*slot) == self.layout.root)
    }

    /// The other place is out of reach: what was there comes back from a copy.
    fn restore_exchanged(&mut self, inst: &Inst, paths: [&Path; 2], indices: &[Vec<Value>; 2]) {
        for (position, version) in inst.results.iter().enumerate() {
            let before = if position == 0 { 0 } else { 1 + index_count(paths[0]) };
            let versions = (inst.args[before], *version);
            self.put_back(paths[position], &indices[position], versions, inst.span);
        }
    }
}

/// The operands of an exchange.
fn both(roots: [Value; 2], indices: &[Vec<Value>; 2]) -> Vec<Value> {
    let pairs = roots.into_iter().zip(indices);
    pairs.flat_map(|(root, indices)| std::iter::once(root).chain(indices.iter().copied())).collect()
}

/// The slots of an exchange, once each.
fn distinct(slots: [Slot; 2]) -> impl Iterator<Item = Slot> {
    let count = if slots[0] == slots[1] { 1 } else { 2 };
    slots.into_iter().take(count)
}
