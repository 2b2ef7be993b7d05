//! Cotangents of values and shadows of places: contributions, zeros, and what a zero's shape is.

use super::{Boundary, Reverse};
use crate::analysis::residuals::Residual;
use crate::ir::{Access, FloatKind, Inst, Op, Slot, SlotData, Type, Value};
use cotangent_rules::Slopes;
use proc_macro2::Span;

impl Reverse<'_> {
    pub(super) fn shadow_slot(&mut self, slot: Slot) -> Slot {
        if let Some(shadow) = self.shadow_slots.get(&slot) {
            return *shadow;
        }
        let data = self.primal.slot(slot).clone();
        let shadow = SlotData {
            name: format!("{}_bar", data.name),
            ty: data.ty.tangent().owned(),
            access: Access::Owned,
            is_tangent: true,
            tangent_of: None,
            ..data
        };
        let shadow = self.builder.function.new_slot(shadow);
        self.shadow_slots.insert(slot, shadow);
        shadow
    }

    /// Adds to the cotangent of a value or place.
    pub(super) fn contribute(&mut self, value: Value, bar: Value) {
        if !self.is_active(value) {
            return;
        }
        if let Some(slot) = self.primal.slot_of(value) {
            return self.contribute_whole(slot, bar);
        }
        let data = self.primal.value(value).clone();
        let name = format!("{}_bar", data.name);
        let total = match self.scope().cotangents.get(&value).copied() {
            None => bar,
            Some(sum) => {
                let terms = vec![sum, bar];
                let total =
                    self.builder.inst(Op::Sum, terms.clone(), data.ty.tangent(), &name, data.span);
                self.inherit(&terms, total);
                total
            }
        };
        if total.0 >= self.builder.function.primal_values {
            self.builder.function.values[total.0 as usize].name = name;
        }
        self.scope().cotangents.insert(value, total);
    }

    /// The slopes from which on a cotangent meets strong products. Where it is zero because another way was taken, any
    /// operand of the way not taken may be infinite; where it comes from a shadow or a caller, slopes alone are guarded.
    pub(super) fn guarded(&self, bar: Value) -> Option<Slopes> {
        let is_seed = self.sure.contains(&bar);
        match self.boundary {
            _ if self.merged.contains(&bar) => Some(Slopes::Finite),
            Boundary::Accumulate if is_seed => None,
            Boundary::Accumulate | Boundary::Pullback => Some(Slopes::Pole),
        }
    }

    /// A sum or a multiple of cotangents is zero but by chance only where all of them are.
    pub(super) fn inherit(&mut self, bars: &[Value], result: Value) {
        if bars.iter().any(|bar| self.sure.contains(bar)) {
            self.sure.insert(result);
        } else if bars.iter().any(|bar| self.merged.contains(bar)) {
            self.merged.insert(result);
        }
    }

    /// A cotangent of all of a place: it becomes the shadow, or is added to it.
    pub(super) fn contribute_whole(&mut self, slot: Slot, bar: Value) {
        let span = self.primal.slot(slot).span;
        let shadow = self.shadow_slot(slot);
        let op = match self.vacant.remove(&slot) {
            Some(_) => Op::Store(Vec::new()),
            None => Op::Accumulate(Vec::new()),
        };
        let version = match self.shadows.get(&slot) {
            Some(version) => self.builder.update(op, vec![*version, bar], shadow, span),
            None => self.builder.update(Op::Duplicate, vec![bar], shadow, span),
        };
        self.shadows.insert(slot, version);
    }

    /// The cotangent of an instruction's result, which is complete when the instruction is reached.
    pub(super) fn take(&mut self, value: Value) -> Option<Value> {
        match self.primal.slot_of(value) {
            Some(slot) => self.shadows.remove(&slot).inspect(|_| {
                self.shadow_slots.remove(&slot);
            }),
            None => self.scope().cotangents.remove(&value),
        }
    }

    /// The zero cotangent of a value.
    pub(super) fn zero_of(&mut self, value: Value) -> Value {
        let data = self.primal.value(value).clone();
        let name = format!("{}_bar", data.name);
        if data.ty.is_constant() {
            let ty = data.ty.of_nothing();
            return self.builder.inst(Op::NoTangent, Vec::new(), ty, &name, data.span);
        }
        let witness = self.witness(value);
        let (op, args) = match self.primal.slot_of(witness) {
            Some(slot) => {
                self.now.insert(slot, witness);
                self.zero_shape(slot, &data.ty, data.span)
            }
            None if has_known_shape(&data.ty) => (Op::Zero(Vec::new()), Vec::new()),
            None => (Op::Zero(Vec::new()), vec![self.obtain(Residual::Primal(witness))]),
        };
        self.builder.inst(op, args, data.ty.tangent(), &name, data.span)
    }

    /// Returns what has the shape of a value that no type tells: the place that it is moved to, or what remains of it where its
    /// error is taken out. To keep the value as well would ask for a copy. A move in an arm tells nothing where another arm
    /// is taken.
    fn witness(&self, value: Value) -> Value {
        if self.primal.slot_of(value).is_some() || has_known_shape(self.primal.ty(value)) {
            return value;
        }
        let (home, mut witness) = (self.layout.home(value), value);
        self.primal.body.walk(&mut |inst, _| {
            if matches!(inst.op, Op::SplitError | Op::Duplicate)
                && inst.args[0] == witness
                && self.layout.home(inst.results[0]) == home
            {
                witness = inst.results[0];
            }
        });
        witness
    }

    /// Makes a zero shadow for a slot that has none yet.
    pub(super) fn ensure_shadow(&mut self, slot: Slot) {
        if self.shadows.contains_key(&slot) || !self.activity.is_active_slot(slot) {
            return;
        }
        self.zero_shadow(slot);
    }

    /// Makes a zero shadow for a slot.
    pub(super) fn zero_shadow(&mut self, slot: Slot) -> Value {
        let data = self.primal.slot(slot).clone();
        let shadow = self.shadow_slot(slot);
        let (op, args) = self.zero_shape(slot, &data.ty, data.span);
        let version = self.builder.update(op, args, shadow, data.span);
        self.shadows.insert(slot, version);
        version
    }

    /// How the zero shadow of a slot is made, in the shape that the place has at this point.
    pub(super) fn zero_shape(&mut self, slot: Slot, ty: &Type, span: Span) -> (Op, Vec<Value>) {
        if has_known_shape(ty) {
            return (Op::Zero(Vec::new()), Vec::new());
        }
        let version =
            self.now.get(&slot).copied().unwrap_or_else(|| self.layout.last_version(slot));
        let is_current = self.point.get(&slot) == Some(&version);
        let is_same_shape =
            is_current || self.plan.is_restored(slot) || !self.layout.is_resized(slot);
        // The length of a vector that is moved away costs less than a copy of it.
        let has_length = matches!(ty, Type::Vec(item) if item.is_float());
        let is_there = is_same_shape && !(has_length && self.is_moved(slot));
        if let Some(place) = self.memory.get(&slot).copied().filter(|_| is_there) {
            self.keep(slot);
            return (Op::Zero(Vec::new()), vec![place]);
        }
        if self.is_moved_inside(slot) {
            // The version behind a region is looked at after the region moved its contents away.
            self.plan.clone_moves(slot);
        }
        match ty {
            Type::Vec(item) if item.is_float() => {
                let len = self.obtain(Residual::Length(version));
                let zero = self.builder.inst(
                    Op::Zero(Vec::new()),
                    Vec::new(),
                    Type::Float(FloatKind::Literal),
                    "zero",
                    span,
                );
                (Op::VecRepeat, vec![zero, len])
            }
            _ => {
                let contents = self.obtain(Residual::Contents(version));
                (Op::Zero(Vec::new()), vec![contents])
            }
        }
    }

    /// The reverse sweep uses a place: if the forward sweep moves it away, a copy must stay.
    pub(super) fn keep(&mut self, slot: Slot) {
        let data = self.primal.slot(slot);
        if data.access == Access::Owned && !data.ty.is_copy() && self.is_moved(slot) {
            self.plan.clone_moves(slot);
        }
    }

    /// Whether the primal hands a place's contents away by value.
    pub(super) fn is_moved(&self, slot: Slot) -> bool {
        let is_here = |value: &Value| self.primal.slot_of(*value) == Some(slot);
        let mut moved = is_here(&self.primal.body.results[0]);
        self.primal.body.walk(&mut |inst, _| {
            moved |= inst.consumed().iter().any(is_here) && !self.is_refilled(inst);
            let is_load = matches!(&inst.op, Op::Load(_)) && is_here(&inst.args[0]);
            moved |= is_load && self.layout.is_moved_out(inst.results[0]);
            if let Op::If(then, other) = &inst.op {
                let yields =
                    [then, other].into_iter().flat_map(|arm| arm.results.iter().zip(&inst.results));
                moved |=
                    yields.into_iter().any(|(value, result)| is_here(value) && !is_here(result));
            }
        });
        moved
    }

    /// Whether a region inside of the block that makes a place hands its contents away.
    fn is_moved_inside(&self, slot: Slot) -> bool {
        let home = self.layout.slot_home(slot);
        let is_here = |value: &Value| self.primal.slot_of(*value) == Some(slot);
        let mut moved = false;
        self.primal.body.walk(&mut |inst, block| {
            let is_moved = inst.consumed().iter().any(is_here) && !self.is_refilled(inst);
            moved |= block.id != home && is_moved;
        });
        moved
    }

    /// Whether what an instruction moves out of a place is there again before anything looks.
    pub(super) fn is_refilled(&self, inst: &Inst) -> bool {
        inst.results.iter().any(|read| self.layout.refills().may_move(*read))
    }

    /// A copy of a place's contents.
    pub(super) fn cloned(&mut self, version: Value) -> Value {
        let slot = self.primal.slot_of(version).expect("a place");
        self.copy_of(slot, version)
    }

    /// A copy of what a place of this function holds.
    pub(super) fn copy_of(&mut self, slot: Slot, version: Value) -> Value {
        let data = self.builder.function.slot(slot).clone();
        let copy = SlotData { access: Access::Owned, ty: data.ty.clone().owned(), ..data };
        let span = copy.span;
        let copy = self.builder.function.new_slot(copy);
        self.builder.update(Op::Clone(Vec::new()), vec![version], copy, span)
    }
}

/// A type whose zero needs no value to copy the shape from.
pub(super) fn has_known_shape(ty: &Type) -> bool {
    match ty {
        Type::Float(_) | Type::Wrapped(_) => true,
        Type::Array(item, _) => has_known_shape(item),
        Type::Tuple(items) => items.iter().all(has_known_shape),
        _ => false,
    }
}
