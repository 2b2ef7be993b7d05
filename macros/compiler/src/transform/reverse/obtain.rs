//! How the reverse sweep gets a residual: it is at hand, or it is computed again here, or the plan is
//! asked to store it (and the transform runs again).

use super::{Boundary, Reverse};
use crate::analysis::residuals::{Residual, is_expensive, is_pure};
use crate::ir::entity::EntitySet;
use crate::ir::{Block, BlockId, Inst, Op, Type, Value};

/// The zero of a float, which needs no value for its shape.
fn is_number_zero(inst: &Inst) -> bool {
    matches!(inst.op, Op::Zero(_)) && inst.args.is_empty()
}

impl Reverse<'_> {
    /// A residual as a value of the reverse sweep.
    pub(super) fn obtain(&mut self, residual: Residual) -> Value {
        if let Residual::Primal(value) = residual {
            self.plan.read(value);
        }
        if let Some(value) = self.at_hand(&residual) {
            return value;
        }
        let home = self.home(&residual);
        if let Residual::Primal(value) = residual
            && self.is_recomputable(value, home)
        {
            return self.recompute(value);
        }
        self.store(home, residual.clone());
        // The run is repeated; until then anything of the right type stands for it.
        let value = self.builder.value(Type::Unknown, "pending", proc_macro2::Span::call_site());
        self.scope().env.insert(residual, value);
        value
    }

    /// Asks the plan to store what a block makes. The arms around it carry it on, and are asked at once: else there
    /// would be a run for each of them.
    fn store(&mut self, mut block: BlockId, mut residual: Residual) {
        loop {
            self.plan.store(block, residual.clone());
            match self.layout.around_arm(block) {
                Some(outer) if outer != self.layout.root => {
                    residual = residual.carried(block);
                    block = outer;
                }
                _ => return,
            }
        }
    }

    pub(super) fn at_hand(&self, residual: &Residual) -> Option<Value> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.env.get(residual).copied());
        if found.is_some() || self.home(residual) != self.layout.root {
            return found;
        }
        match residual {
            Residual::Primal(value) if self.primal.slot_of(*value).is_some() => None,
            _ => self.made_value(residual),
        }
    }

    /// The block whose forward sweep makes a residual.
    pub(super) fn home(&self, residual: &Residual) -> BlockId {
        match residual {
            Residual::Primal(value)
            | Residual::Pullback(value)
            | Residual::Old(value)
            | Residual::Length(value)
            | Residual::Contents(value) => self.layout.home(*value),
            Residual::Count(body) | Residual::Carried(body, _) => {
                self.layout.parent(*body).expect("a nested block")
            }
        }
    }

    /// Whether computing a value again here is possible and worth it.
    fn is_recomputable(&self, value: Value, home: BlockId) -> bool {
        // What an arm that is in no loop carries out is a value more, and no tape.
        let is_kept_somewhere = !self.plan.stored(home).is_empty() || self.layout.depth(home) == 0;
        let mut seen = EntitySet::default();
        self.can_recompute(value, is_kept_somewhere, &mut seen)
    }

    fn can_recompute(&self, value: Value, cheap_only: bool, seen: &mut EntitySet<Value>) -> bool {
        if !seen.insert(value) || self.at_hand(&Residual::Primal(value)).is_some() {
            return true;
        }
        let Some(inst) = self.source(value) else {
            return false;
        };
        if cheap_only && is_expensive(&inst.op) {
            return false;
        }
        match &inst.op {
            Op::Load(_) => {
                let indices = &inst.args[1..];
                self.readable(inst.args[0]).is_some()
                    && indices.iter().all(|index| self.can_recompute(*index, cheap_only, seen))
            }
            Op::Matches(..) if self.primal.slot_of(inst.args[0]).is_some() => {
                self.can_reread(inst.args[0])
                    && inst.args[1..]
                        .iter()
                        .all(|index| self.can_recompute(*index, cheap_only, seen))
            }
            Op::Measure(..) => {
                self.can_measure(inst.args[0])
                    && inst.args[1..]
                        .iter()
                        .all(|index| self.can_recompute(*index, cheap_only, seen))
            }
            Op::If(then, other) => {
                self.can_recompute_if(value, inst, then, other, cheap_only, seen)
            }
            op if is_pure(op) || is_number_zero(inst) => {
                let places = inst
                    .args
                    .iter()
                    .chain(&inst.results)
                    .any(|arg| self.primal.slot_of(*arg).is_some());
                !places && inst.args.iter().all(|arg| self.can_recompute(*arg, cheap_only, seen))
            }
            _ => false,
        }
    }

    /// What makes a value, or reads it where it was put.
    fn source(&self, value: Value) -> Option<&Inst> {
        self.standing.get(&value).or_else(|| self.layout.def(value))
    }

    /// Does the place still, or again, hold the contents of this version?
    pub(super) fn can_reread(&self, version: Value) -> bool {
        let slot = self.primal.slot_of(version).expect("a load reads a place");
        self.memory.contains_key(&slot) && self.point.get(&slot) == Some(&version)
    }

    /// The place with the contents of this version, or the copy that an iteration kept of them.
    pub(super) fn readable(&self, version: Value) -> Option<Value> {
        let slot = self.primal.slot_of(version).expect("a load reads a place");
        if self.can_reread(version) {
            return Some(self.memory[&slot]);
        }
        let copy = self.at_hand(&Residual::Contents(version))?;
        let is_place = self.builder.function.slot_of(copy).is_some();
        (is_place && !self.layout.is_lent(slot)).then_some(copy)
    }

    /// Lengths of what is not a vector never change.
    fn can_measure(&self, version: Value) -> bool {
        let slot = self.primal.slot_of(version).expect("a measured place");
        let fixed = !matches!(self.primal.slot(slot).ty, Type::Vec(_) | Type::Unknown);
        self.memory.contains_key(&slot) && (fixed || self.can_reread(version))
    }

    fn can_recompute_if(
        &self,
        value: Value,
        inst: &Inst,
        then: &Block,
        other: &Block,
        cheap_only: bool,
        seen: &mut EntitySet<Value>,
    ) -> bool {
        if self.primal.slot_of(value).is_some()
            || !self.can_recompute(inst.args[0], cheap_only, seen)
        {
            return false;
        }
        let position =
            inst.results.iter().position(|result| *result == value).expect("a result of this `if`");
        [then, other]
            .into_iter()
            .all(|arm| self.can_recompute(arm.results[position], cheap_only, seen))
    }

    /// Computes a value again at the current point.
    fn recompute(&mut self, value: Value) -> Value {
        self.plan.read(value);
        if let Some(found) = self.at_hand(&Residual::Primal(value)) {
            return found;
        }
        let inst = self.source(value).expect("checked before").clone();
        let again = match &inst.op {
            Op::If(then, other) => self.recompute_if(value, &inst, then, other),
            Op::Load(_) if !self.can_reread(inst.args[0]) => {
                let mut args = vec![self.readable(inst.args[0]).expect("checked before")];
                args.extend(inst.args[1..].iter().map(|arg| self.recompute(*arg)));
                self.again(&inst, args, value)
            }
            Op::Load(_) | Op::Measure(..) | Op::Matches(..)
                if self.primal.slot_of(inst.args[0]).is_some() =>
            {
                let slot = self.primal.slot_of(inst.args[0]).expect("a place");
                self.keep(slot);
                let mut args = vec![self.memory[&slot]];
                args.extend(inst.args[1..].iter().map(|arg| self.recompute(*arg)));
                self.again(&inst, args, value)
            }
            _ => {
                let args = inst.args.iter().map(|arg| self.recompute(*arg)).collect();
                self.again(&inst, args, value)
            }
        };
        self.scope().env.insert(Residual::Primal(value), again);
        again
    }

    fn again(&mut self, inst: &Inst, args: Vec<Value>, value: Value) -> Value {
        let mut results = Vec::new();
        for result in &inst.results {
            let data = self.primal.value(*result).clone();
            let copy = self.builder.value(data.ty, &data.name, data.span);
            self.builder.function.values[copy.0 as usize].annotation = data.annotation;
            self.builder.function.lend_alike(*result, copy);
            results.push(copy);
        }
        self.builder.push(inst.op.clone(), args, results.clone(), inst.span);
        let position = inst.results.iter().position(|result| *result == value).expect("a result");
        results[position]
    }

    fn recompute_if(&mut self, value: Value, inst: &Inst, then: &Block, other: &Block) -> Value {
        let condition = self.recompute(inst.args[0]);
        let position =
            inst.results.iter().position(|result| *result == value).expect("a result of this `if`");
        // What both arms may need is computed once: computed in each of them, it would be twice as much for each
        // condition that follows on another.
        let mut outside = Outside { reverse: self, seen: EntitySet::default(), found: Vec::new() };
        [then, other].into_iter().for_each(|arm| outside.of(arm.results[position], inst));
        outside.found.into_iter().for_each(|value| _ = self.recompute(value));
        let mut arms = Vec::new();
        for arm in [then, other] {
            self.builder.open();
            self.scopes
                .push(super::Scope { env: Default::default(), cotangents: Default::default() });
            let value = self.recompute(arm.results[position]);
            self.scopes.pop();
            arms.push(Box::new(self.builder.close(vec![value])));
        }
        let other = arms.pop().expect("two arms");
        let then = arms.pop().expect("two arms");
        let data = self.primal.value(value).clone();
        self.builder.inst(Op::If(then, other), vec![condition], data.ty, &data.name, inst.span)
    }

    /// An operand of a rule on the way back.
    pub(super) fn primal_value(&mut self, value: Value) -> Value {
        self.obtain(Residual::Primal(value))
    }

    /// What stands for an operand of which a partial derivative reads nothing but the type: the value where it is at
    /// hand all the same, else what a witness says.
    pub(super) fn stand_in(&mut self, value: Value) -> Value {
        let residual = Residual::Primal(value);
        let is_captured =
            || self.boundary == Boundary::Pullback && self.layout.home(value) == self.layout.root;
        let at_hand = self.at_hand(&residual).filter(|_| !is_captured());
        // The halves of a recursion are functions of their own, and a witness belongs to one. What owns memory has a
        // shape that its type does not tell, and operands of other shapes are repeated.
        let is_place = self.primal.slot_of(value).is_some()
            || self.primal.is_recursive
            || self.primal.copies_operands;
        match at_hand {
            Some(value) => value,
            None if is_place || self.plan.is_read(value) => self.obtain(residual),
            None => self.witnessed(value),
        }
    }

    /// Whether a result, which owns memory, is taken over by what uses it: it would have to be copied. What comes back
    /// for it has its shape.
    pub(super) fn is_gone(&self, value: Value) -> bool {
        self.primal.copies_operands
            && !self.primal.is_recursive
            && *self.primal.ty(value) == Type::Unknown
            && self.primal.slot_of(value).is_none()
            && !self.plan.is_read(value)
            && self.layout.is_taken(value)
    }

    /// What a witness says of a value.
    pub(super) fn witnessed(&mut self, value: Value) -> Value {
        let witness = self.plan.witness(value);
        let data = self.primal.value(value).clone();
        self.builder.inst(Op::StandIn(witness), Vec::new(), data.ty, &data.name, data.span)
    }

    /// Index operands on the way back.
    pub(super) fn primal_values(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.index_value(*value)).collect()
    }

    /// A key may be a place that is only read: then it is the place again.
    fn index_value(&mut self, value: Value) -> Value {
        let slot = self.primal.slot_of(value);
        match slot.and_then(|slot| self.memory.get(&slot)) {
            Some(version) => *version,
            None => self.primal_value(value),
        }
    }
}

/// What is computed before a condition, and again in an arm of it.
struct Outside<'r, 'a> {
    reverse: &'r Reverse<'a>,
    seen: EntitySet<Value>,
    found: Vec<Value>,
}

impl Outside<'_, '_> {
    /// Adds what an arm of this condition needs for a value.
    fn of(&mut self, value: Value, condition: &Inst) {
        let Reverse { layout, primal, .. } = self.reverse;
        if !self.seen.insert(value)
            || primal.slot_of(value).is_some()
            || self.reverse.at_hand(&Residual::Primal(value)).is_some()
        {
            return;
        }
        let is_arm = |block| condition.op.blocks().any(|arm| arm.id == block);
        let is_inside = layout.around(layout.home(value)).any(is_arm);
        let Some(inst) = layout.def(value).filter(|_| is_inside) else {
            return self.found.push(value);
        };
        inst.args.iter().for_each(|arg| self.of(*arg, condition));
        if let Op::If(then, other) = &inst.op {
            let position = inst.results.iter().position(|result| *result == value);
            let position = position.expect("a result of this `if`");
            [then, other].into_iter().for_each(|arm| self.of(arm.results[position], condition));
        }
    }
}
