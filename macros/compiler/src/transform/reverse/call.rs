//! Calls backwards: the callee's pullback is given the references again, with their shadows.

use super::Reverse;
use crate::analysis::residuals::Residual;
use crate::ir::{Call, Inst, Op, Passed, Passing, Path, Proof, Slot, Type, Value, are_disjoint};
use proc_macro2::Span;

/// Whether a passing hands over a reference.
pub(super) fn is_reference(passing: &Passing) -> bool {
    !matches!(passing, Passing::Value)
}

/// A reference operand on the way back.
struct Operand {
    /// The version that the call was given.
    given: Value,
    /// The version that it left.
    left: Value,
    path: Path,
    indices: Vec<Value>,
    slot: Slot,
    is_unique: bool,
}

impl Operand {
    fn part(&self) -> (&Path, &[Value]) {
        (&self.path, &self.indices)
    }
}

/// The call of a pullback under construction.
#[derive(Default)]
struct Pulling {
    args: Vec<Value>,
    results: Vec<Value>,
    /// By-value operands with the cotangents that the pullback returns.
    contributions: Vec<(Value, Value)>,
    /// Where the shadow of each reference operand is in its place.
    shadows: Vec<Path>,
    /// Shadows that are to be added to their part of a slot's own afterwards.
    temporaries: Vec<(Slot, Path, Vec<Value>, Value)>,
}

impl Reverse<'_> {
    pub(super) fn reverse_call(&mut self, inst: &Inst, call: &Call) {
        if !self.is_active_call(inst) {
            return self.restore_lent(inst, call);
        }
        let result = inst.results[0];
        let bar = self.is_active(result).then(|| self.take(result)).flatten();
        let bar = bar.unwrap_or_else(|| self.zero_of(result));
        let mut pulling = Pulling::default();
        pulling.args.push(self.obtain(Residual::Pullback(result)));
        let operands = self.operands(inst, call);
        let references: Vec<&Operand> =
            operands.iter().filter_map(|(_, reference)| Some(&reference.as_ref()?.0)).collect();
        let mut shadows = self.own_shadows(&references, inst).into_iter();
        for (value, reference) in &operands {
            match reference {
                None => self.expect_cotangent(*value, &mut pulling, inst),
                Some((operand, place)) => {
                    self.pass(operand, *place, shadows.next().flatten(), &mut pulling, inst);
                }
            }
        }
        pulling.args.push(bar);
        let op = Op::Pull(Box::new(call.clone()), pulling.shadows);
        self.builder.push(op, pulling.args, pulling.results, inst.span);
        for (slot, path, indices, temporary) in pulling.temporaries {
            let mut args = vec![self.shadows[&slot]];
            args.extend(indices);
            args.push(temporary);
            let op = match self.builder.function.ty(temporary).may_hold_cells() {
                true => Op::Rejoin(path),
                false => Op::Accumulate(path),
            };
            self.update_shadow(slot, op, args, inst.span);
        }
        for (value, cotangent) in pulling.contributions {
            self.contribute(value, cotangent);
        }
    }

    /// Puts back what a call without active arguments changed.
    fn restore_lent(&mut self, inst: &Inst, call: &Call) {
        let operands: Vec<Passed> = call.operands(inst).collect();
        for Passed { passing, args, left } in operands.into_iter().rev() {
            let (Some(path), Some(version)) = (passing.path(), left) else { continue };
            let slot = self.primal.slot_of(version).expect("a lent place");
            if self.comes_back(slot) {
                let indices = self.primal_values(&args[1..]);
                self.put_back(path, &indices, (args[0], version), inst.span);
            }
        }
    }

    /// The operands in order; of references with their places, as they all are before the pullback runs.
    fn operands(&mut self, inst: &Inst, call: &Call) -> Vec<(Value, Option<(Operand, Value)>)> {
        let operands = call.operands(inst).map(|passed| {
            let reference = passed.passing.path().map(|path| {
                let operand = self.operand(&passed, path, inst);
                let place = self.place_operand(&operand);
                (operand, place)
            });
            (passed.args[0], reference)
        });
        operands.collect()
    }

    /// The cotangent that the pullback returns for a by-value operand.
    fn expect_cotangent(&mut self, value: Value, pulling: &mut Pulling, inst: &Inst) {
        let data = self.primal.value(value).clone();
        let name = format!("{}_bar", data.name);
        let cotangent = self.piece(data.ty.tangent(), &name, inst.span);
        pulling.contributions.push((value, cotangent));
        pulling.results.push(cotangent);
    }

    fn operand(&mut self, passed: &Passed, path: &Path, inst: &Inst) -> Operand {
        let given = passed.args[0];
        let slot = self.primal.slot_of(given).expect("a reference operand is a place");
        // Of several parts of a place that the call writes, each makes a version.
        let is_version = |value: &&Value| self.primal.slot_of(**value) == Some(slot);
        let left = inst.results[1..].iter().rfind(is_version).copied().unwrap_or(given);
        let indices = self.primal_values(&passed.args[1..]);
        let is_unique = passed.passing.writes();
        Operand { given, left, path: path.clone(), indices, slot, is_unique }
    }

    /// The place, holding what the call left in it.
    fn place_operand(&mut self, operand: &Operand) -> Value {
        let slot = operand.slot;
        let Some(version) = self.memory.get(&slot).copied() else {
            return self.obtain(Residual::Contents(operand.left));
        };
        self.keep(slot);
        let is_current = self.point.get(&slot) == Some(&operand.left);
        let advances = self.primal.advancing.contains(&slot);
        if !advances && (!is_current || (operand.is_unique && !self.plan.is_restored(slot))) {
            self.plan.restore(slot);
        }
        version
    }

    /// Returns, for each reference operand, its place's shadow as it is before the pullback runs, if the operand is given its part
    /// of that. Disjoint parts are borrowed side by side; of others, one that contains the other goes first.
    fn own_shadows(&mut self, operands: &[&Operand], inst: &Inst) -> Vec<Option<Value>> {
        let mut order: Vec<usize> = (0..operands.len()).collect();
        order.sort_by_key(|position| operands[*position].path.len());
        let mut owners: Vec<usize> = Vec::new();
        for position in order {
            let operand = operands[position];
            let is_free = |other: &usize| {
                let other = operands[*other];
                other.slot != operand.slot || are_disjoint(operand.part(), other.part())
            };
            let is_active = self.activity.is_active_slot(operand.slot);
            if is_active && !self.is_lent_cell(operand, inst) && owners.iter().all(is_free) {
                owners.push(position);
            }
        }
        let shadow = |position: usize| {
            let slot = operands[position].slot;
            self.ensure_shadow(slot);
            self.shadows.get(&slot).copied().filter(|_| owners.contains(&position))
        };
        (0..operands.len()).map(shadow).collect()
    }

    /// Appends place and shadow to the pullback's arguments, and their next versions to its results.
    fn pass(
        &mut self,
        operand: &Operand,
        place: Value,
        own: Option<Value>,
        pulling: &mut Pulling,
        inst: &Inst,
    ) {
        let slot = operand.slot;
        pulling.args.push(place);
        pulling.args.extend(&operand.indices);
        let shadow = own.unwrap_or_else(|| self.temporary_shadow(place, operand, inst));
        pulling.args.push(shadow);
        if own.is_some() {
            pulling.args.extend(&operand.indices);
        }
        pulling.shadows.push(own.map_or_else(Vec::new, |_| operand.path.clone()));
        if operand.is_unique {
            pulling.results.push(self.restored_version(operand, place));
        }
        let shadow_slot = self.builder.function.slot_of(shadow).expect("a shadow is a place");
        let next = self.builder.version(shadow_slot);
        pulling.results.push(next);
        if own.is_some() {
            self.shadows.insert(slot, next);
        } else if self.activity.is_active_slot(slot) {
            let (path, indices) = (operand.path.clone(), operand.indices.clone());
            pulling.temporaries.push((slot, path, indices, next));
        }
    }

    /// Whether an operand is what a cell holds, by `&`, beside other references, which may lead to the same cell:
    /// its shadow cannot be borrowed for the time of the call.
    fn is_lent_cell(&self, operand: &Operand, inst: &Inst) -> bool {
        let Op::Call(call) = &inst.op else { return false };
        let references = call.passing.iter().filter(|passing| is_reference(passing)).count();
        let is_content = operand.path.contains(&crate::ir::Projection::Borrowed);
        is_content && !operand.is_unique && references > 1
    }

    fn restored_version(&mut self, operand: &Operand, place: Value) -> Value {
        let next = match self.builder.function.slot_of(place) {
            Some(reached) => self.builder.version(reached),
            None => self.builder.value(Type::Unknown, "restored", Span::call_site()),
        };
        if self.memory.contains_key(&operand.slot) {
            self.returns_to(operand.slot, next, operand.given);
        }
        next
    }

    /// Two `&mut` to one part of a shadow cannot exist: a zero of the same shape stands in, and is added afterwards.
    fn temporary_shadow(&mut self, place: Value, operand: &Operand, inst: &Inst) -> Value {
        let data = self.primal.slot(operand.slot).clone();
        let ty = data.ty.part(&operand.path).tangent().owned();
        let name = format!("{}_bar", data.name);
        let temporary = self.builder.place(ty, &name, inst.span, true);
        let args: Vec<Value> =
            std::iter::once(place).chain(operand.indices.iter().copied()).collect();
        if !self.activity.is_active_slot(operand.slot) && data.ty.may_hold_cells() {
            // This shadow ends with the call, and what cells in it hold would be lost to other calls.
            let op = Op::Proof(Box::new(Proof::NoCells(operand.path.clone())));
            self.builder.push(op, args.clone(), Vec::new(), inst.span);
        }
        self.builder.push(Op::Zero(operand.path.clone()), args, vec![temporary], inst.span);
        temporary
    }
}
