//! The forward sweep: the primal, and what it leaves for the way back.

use super::{Kept, Reverse};
use crate::analysis::audit::proofs;
use crate::analysis::residuals::Residual;
use crate::diag;
use crate::ir::{
    Block, Call, Inst, Loop, LoopKind, Mode, Op, Passed, Passing, Path, Tape, Type, Value,
    index_count, row,
};

impl<'a> Reverse<'a> {
    pub(super) fn forward_block(&mut self, block: &'a Block) {
        for inst in &block.insts {
            self.forward_inst(inst);
        }
    }

    fn forward_inst(&mut self, inst: &'a Inst) {
        match &inst.op {
            Op::If(then, other) => self.forward_if(inst, then, other),
            Op::Loop(once) if matches!(once.kind, LoopKind::Once) => self.forward_once(inst),
            Op::Loop(repeat) => self.forward_loop(inst, repeat),
            Op::Call(call) => self.forward_call(inst, call),
            Op::Store(path) => {
                self.save_overwritten(inst.results[0], &inst.args, path, inst);
                self.forward_plain(inst);
            }
            Op::Exchange(a, b) => {
                self.save_exchanged(inst, a, b);
                self.forward_plain(inst);
            }
            Op::Remove(..) | Op::Replace(_) => {
                self.forward_plain(inst);
                self.save_taken(inst);
            }
            _ => self.forward_plain(inst),
        }
        self.record(&inst.results);
    }

    /// An instruction as it stands; moves of places that are needed later take a copy.
    fn forward_plain(&mut self, inst: &Inst) {
        let mut inst = inst.clone();
        if let Op::Load(path) = &inst.op
            && self.layout.is_moved_out(inst.results[0])
            && self.primal.slot_of(inst.args[0]).is_some_and(|slot| self.plan.is_cloned(slot))
        {
            inst.op = Op::Clone(path.clone());
        }
        if let Some(path) = self.emptied(&inst) {
            inst.op = Op::Clone(path);
        }
        for value in inst.consumed() {
            let slot = self.primal.slot_of(value);
            if slot.is_some_and(|slot| self.plan.is_cloned(slot)) && !self.is_refilled(&inst) {
                let copy = self.cloned(value);
                inst.args.iter_mut().filter(|arg| **arg == value).for_each(|arg| *arg = copy);
            }
        }
        self.builder.block().insts.push(inst);
    }

    /// The part that an instruction would move out of a place, for a write whose old contents are to come back.
    fn emptied(&self, inst: &Inst) -> Option<Path> {
        let path = match &inst.op {
            Op::Load(path) => path.clone(),
            Op::Duplicate => Path::new(),
            _ => return None,
        };
        let is_restored = |slot| self.plan.is_restored(slot);
        let is_emptied =
            self.is_refilled(inst) && self.primal.slot_of(inst.args[0]).is_some_and(is_restored);
        is_emptied.then_some(path)
    }

    /// The old contents of a place that is to come back.
    fn save_overwritten(&mut self, version: Value, operand: &[Value], path: &Path, inst: &Inst) {
        let slot = self.primal.slot_of(version).expect("a store makes a version");
        if !self.plan.is_restored(slot) {
            return;
        }
        let args = operand[..1 + index_count(path)].to_vec();
        let ty = match &inst.op {
            Op::Store(_) => self.primal.ty(*inst.args.last().expect("a stored value")).clone(),
            _ if path.is_empty() => self.primal.ty(version).clone(),
            _ => Type::Unknown,
        };
        let name = format!("{}_old", self.primal.slot(slot).name);
        let old = self.builder.inst(Op::Load(path.clone()), args, ty, &name, inst.span);
        self.made.insert(Residual::Old(version), old);
    }

    /// Where an exchange cannot be undone by exchanging again.
    fn save_exchanged(&mut self, inst: &Inst, a: &Path, b: &Path) {
        let (first, second) = inst.args.split_at(1 + index_count(a));
        let slots =
            [first[0], second[0]].map(|version| self.primal.slot_of(version).expect("a place"));
        if self.can_exchange_back(slots) {
            return;
        }
        for (version, (operand, path)) in inst.results.iter().zip([(first, a), (second, b)]) {
            self.save_overwritten(*version, operand, path, inst);
        }
    }

    /// What is taken out of a place that is to come back. Where it is moved on, a copy stays.
    fn save_taken(&mut self, inst: &Inst) {
        let (version, taken) = (inst.results[0], inst.results[1]);
        let slot = self.primal.slot_of(version).expect("a version of a place");
        if !self.plan.is_restored(slot) {
            return;
        }
        let kept = match self.primal.slot_of(taken) {
            Some(_) => self.cloned(taken),
            None => taken,
        };
        self.made.insert(Residual::Old(version), kept);
    }

    /// What the reverse sweep wants to know beside values: their types; lengths and contents of places that a region
    /// makes, for shadows.
    pub(super) fn record(&mut self, versions: &[Value]) {
        for result in versions {
            let block = self.layout.home(*result);
            let span = self.primal.value(*result).span;
            if let Some(witness) = self.plan.witness_of(*result) {
                self.builder.push(Op::Attest(witness), vec![*result], Vec::new(), span);
            }
            for residual in [Residual::Length(*result), Residual::Contents(*result)] {
                if !self.plan.stored(block).contains(&residual) {
                    continue;
                }
                let made = match residual {
                    Residual::Length(_) => {
                        let len = proc_macro2::Ident::new("len", span);
                        self.builder.inst(
                            Op::Measure(len, Vec::new()),
                            vec![*result],
                            Type::Int,
                            "len",
                            span,
                        )
                    }
                    _ => self.cloned(*result),
                };
                self.made.insert(residual, made);
            }
        }
    }

    fn forward_if(&mut self, inst: &'a Inst, then: &'a Block, other: &'a Block) {
        let mut then_block = self.forward_arm(then, inst);
        let mut other_block = self.forward_arm(other, inst);
        let mut results = inst.results.clone();
        for (arm, here) in [(then, true), (other, false)] {
            for residual in self.plan.stored(arm.id).to_vec() {
                let Some(value) = self.made_value(&residual) else {
                    continue;
                };
                let (yes, no, ty) = self.carried_out(value);
                let (inside, outside) = if here {
                    (&mut then_block, &mut other_block)
                } else {
                    (&mut other_block, &mut then_block)
                };
                inside.results.push(yes.as_ref().map_or(value, |inst| inst.results[0]));
                inside.insts.extend(yes);
                outside.results.push(no.results[0]);
                outside.insts.push(no);
                let name = self.builder.function.value(value).name.clone();
                let result = self.builder.value(ty, &name, inst.span);
                self.made.insert(residual.carried(arm.id), result);
                results.push(result);
            }
        }
        let op = Op::If(Box::new(then_block), Box::new(other_block));
        self.builder.push(op, inst.args.clone(), results, inst.span);
    }

    fn forward_arm(&mut self, block: &'a Block, inst: &Inst) -> Block {
        self.builder.open();
        self.forward_block(block);
        let mut results = block.results.clone();
        for (value, result) in results.iter_mut().zip(&inst.results) {
            let (from, to) = (self.primal.slot_of(*value), self.primal.slot_of(*result));
            if from != to && from.is_some_and(|slot| self.plan.is_cloned(slot)) {
                *value = self.cloned(*value);
            }
        }
        let mut arm = self.builder.close(results);
        arm.id = block.id;
        arm
    }

    /// The instruction that stands for a residual in the other arm, and the one that wraps it where the
    /// type has no stand-in.
    fn carried_out(&mut self, value: Value) -> (Option<Inst>, Inst, Type) {
        let data = self.builder.function.value(value).clone();
        let wraps = self.wraps(value);
        let ty = if wraps { Type::Wrapped(Box::new(data.ty.clone())) } else { data.ty.clone() };
        let absent = self.builder.value(ty.clone(), &data.name, data.span);
        let is_wrapped = matches!(ty, Type::Wrapped(_));
        let op = if is_wrapped { Op::Wrap(false) } else { Op::Undefined };
        let no = Inst { op, args: Vec::new(), results: vec![absent], span: data.span };
        let yes = wraps.then(|| {
            let wrapped = self.builder.value(ty.clone(), &data.name, data.span);
            Inst { op: Op::Wrap(true), args: vec![value], results: vec![wrapped], span: data.span }
        });
        (yes, no, ty)
    }

    /// Whether a value of an arm is carried out of it as an `Option`: neither has its type a stand-in, nor is it an
    /// `Option` already, which an arm within made of it.
    pub(super) fn wraps(&self, value: Value) -> bool {
        let data = self.builder.function.value(value);
        let has_stand_in =
            matches!(data.ty, Type::Float(_) | Type::Int | Type::Bool | Type::Wrapped(_));
        !has_stand_in || data.slot.is_some()
    }

    /// The value of a residual in the forward sweep.
    pub(super) fn made_value(&self, residual: &Residual) -> Option<Value> {
        match residual {
            Residual::Primal(value) => Some(*value),
            other => self.made.get(other).copied(),
        }
    }

    fn forward_loop(&mut self, inst: &'a Inst, repeat: &'a Loop) {
        let stored = self.plan.stored(repeat.body.id).to_vec();
        let tape = (!stored.is_empty()).then(|| self.tape(repeat.body.id, Kept::Iterations));
        if let Some(tape) = tape {
            self.builder.block().insts.extend(inst.reserve(tape));
        }
        self.plan_states(inst, repeat);
        self.builder.open();
        self.builder.block().params.clone_from(&repeat.body.params);
        self.keep_state(repeat, repeat.carried());
        self.record(&repeat.body.params);
        self.forward_block(&repeat.body);
        if let Some(tape) = tape {
            self.push_entry(tape, &stored, inst);
        }
        let counted = matches!(repeat.kind, LoopKind::While { .. }) || repeat.breaks;
        let (mut args, mut results, mut kind) =
            (inst.args[..repeat.kind.bounds()].to_vec(), inst.results.clone(), repeat.kind.clone());
        args.extend(&inst.args[repeat.bounds()..]);
        let mut yields = repeat.body.results.clone();
        let count = counted.then(|| self.counted(&mut yields, &mut kind, inst));
        let mut body = self.builder.close(yields);
        body.id = repeat.body.id;
        if let Some(total) = count {
            let zero = self.builder.count(0, inst.span);
            args.push(zero);
            results.push(total);
            self.made.insert(Residual::Count(repeat.body.id), total);
        }
        let op = Op::Loop(Box::new(Loop { kind, schedule: None, breaks: repeat.breaks, body }));
        self.builder.push(op, args, results, inst.span);
    }

    /// One tape entry: what an iteration keeps.
    fn push_entry(&mut self, tape: Tape, stored: &[Residual], inst: &Inst) {
        let values = stored.iter().filter_map(|residual| self.made_value(residual)).collect();
        self.builder.push(Op::TapePush(tape), values, Vec::new(), inst.span);
    }

    /// A carried count of iterations: the parameter, and the loop's result.
    fn counted(&mut self, yields: &mut Vec<Value>, kind: &mut LoopKind, inst: &Inst) -> Value {
        let param = self.builder.value(Type::Int, "count", inst.span);
        self.builder.param(param);
        let one = self.builder.count(1, inst.span);
        let (add, args) = (Op::Apply(row("add")), vec![param, one]);
        let next = self.builder.inst(add, args, Type::Int, "count", inst.span);
        yields.push(next);
        if let LoopKind::While { condition } = kind {
            let param = self.builder.value(Type::Int, "count", inst.span);
            condition.params.push(param);
        }
        self.builder.value(Type::Int, "count", inst.span)
    }

    fn forward_call(&mut self, inst: &Inst, call: &Call) {
        let active = self.is_active_call(inst);
        if !active {
            self.save_lent(inst, call);
            for (proof, args) in proofs(self.primal, self.activity, inst, Mode::Reverse) {
                self.builder.push(Op::Proof(Box::new(proof)), args, Vec::new(), inst.span);
            }
            return self.forward_plain(inst);
        }
        let mut copy = inst.clone();
        copy.op = Op::CallVjp(Box::new(call.clone()));
        for value in inst.consumed() {
            if self.primal.slot_of(value).is_some_and(|slot| self.plan.is_cloned(slot)) {
                let kept = self.cloned(value);
                copy.args.iter_mut().filter(|arg| **arg == value).for_each(|arg| *arg = kept);
            }
        }
        let pullback = self.builder.value(
            Type::Pullback,
            &format!("{}_pullback", call.callee.name()),
            inst.span,
        );
        copy.results.insert(1, pullback);
        self.builder.block().insts.push(copy);
        self.made.insert(Residual::Pullback(inst.results[0]), pullback);
    }

    /// A call without active arguments is undone by copies of what it was lent. What it changes in cells behind `&`
    /// is out of reach of a copy.
    fn save_lent(&mut self, inst: &Inst, call: &Call) {
        for Passed { passing, args, left } in call.operands(inst) {
            let (Some(path), Some(version)) = (passing.path(), left) else { continue };
            let slot = self.primal.slot_of(version).expect("a lent place");
            if !self.plan.is_restored(slot) {
                continue;
            }
            if matches!(passing, Passing::Interior(_)) {
                self.problems.push((inst.span, &diag::OPAQUE_WRITE));
                continue;
            }
            let data = self.primal.slot(slot);
            let (ty, name) = (data.ty.part(path), format!("{}_old", data.name));
            let old =
                self.builder.inst(whole(&ty, path), args.to_vec(), ty.owned(), &name, inst.span);
            self.made.insert(Residual::Old(version), old);
        }
    }

    /// Whether a call has a derivative that matters.
    pub(super) fn is_active_call(&self, inst: &Inst) -> bool {
        let varied = inst.args.iter().any(|arg| self.activity.is_varied(*arg));
        varied && inst.results.iter().any(|result| self.is_active(*result))
    }
}

/// What copies all of a part.
fn whole(ty: &Type, path: &Path) -> Op {
    match ty {
        Type::Float(_) | Type::Int | Type::Bool => Op::Load(path.clone()),
        _ => Op::Clone(path.clone()),
    }
}
