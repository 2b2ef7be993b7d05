//! The forward transform: each instruction is followed by its tangent.
//!
//! In: a primal function and its activity. Out: a function whose parameters are the primal's, each
//! active one followed by its tangent; it returns value and tangent. Tangents of places live in places
//! of their own (`w_dot`), with the same stores at the same indices.

use super::rule::Site;
use crate::analysis::activity::{self, Activity};
use crate::ir::build::Builder;
use crate::ir::{
    Access, Block, Call, Function, Inst, Loop, LoopKind, Mode, Op, Passing, Path, Slot, SlotData,
    Type, Value, index_count,
};
use std::collections::{HashMap, HashSet};

struct Forward<'a> {
    primal: &'a Function,
    activity: &'a Activity,
    builder: Builder,
    tangent: HashMap<Value, Value>,
    slots: HashMap<Slot, Slot>,
    /// Values that are never read.
    undefined: HashSet<Value>,
    /// Values that are `None`: so are their tangents, whatever the type.
    options: HashMap<Value, Op>,
    /// How often the primal uses each value.
    uses: HashMap<Value, usize>,
}

/// Runs the transform.
pub fn forward(primal: &Function, activity: &Activity, active: &[Value]) -> Function {
    let mut start = primal.clone();
    start.primal_values = primal.values.len() as u32;
    start.body.params.clear();
    start.body.insts.clear();
    start.body.results.clear();
    let mut pass = Forward {
        primal,
        activity,
        builder: Builder::new(start),
        tangent: HashMap::new(),
        slots: HashMap::new(),
        undefined: HashSet::new(),
        options: HashMap::new(),
        uses: crate::simplify::count_uses(&primal.body),
    };
    for param in &primal.body.params {
        pass.builder.param(*param);
        if active.contains(param) {
            let dot = pass.fresh(*param);
            pass.builder.param(dot);
        }
    }
    pass.conform(active);
    pass.insts(&primal.body);
    pass.finish()
}

impl Forward<'_> {
    /// The caller's zeros take the shape of their values where the function looks into variants.
    fn conform(&mut self, active: &[Value]) {
        let chosen = crate::analysis::activity::chosen(self.primal);
        for param in active {
            let slot = self.primal.slot_of(*param);
            if slot.is_some_and(|slot| chosen.contains(&slot)) {
                let (mut next, span) = (self.tangent[param], self.primal.value(*param).span);
                let mut slot = self.builder.function.slot_of(next).expect("a place");
                let data = self.builder.function.slot(slot).clone();
                if data.access == Access::Shared {
                    slot = self.zero_slot(&data.name, &data.ty, span);
                    next = self.builder.update(Op::Clone(Vec::new()), vec![next], slot, span);
                }
                let dot = self.builder.update(Op::Conform, vec![next, *param], slot, span);
                self.tangent.insert(*param, dot);
            }
        }
    }

    fn finish(mut self) -> Function {
        let results = &self.primal.body.results;
        let value_dot = self.tangent_or_zero(results[0]);
        let mut returned = vec![results[0], value_dot];
        for version in &results[1..] {
            returned.push(*version);
            returned.extend(self.tangent.get(version));
        }
        let body = self.builder.block();
        body.results = returned;
        self.builder.function.outputs = 2;
        self.builder.finish()
    }

    fn insts(&mut self, block: &Block) {
        for inst in &block.insts {
            self.inst(inst);
        }
    }

    /// The tangent of a definition, not defined yet.
    fn fresh(&mut self, value: Value) -> Value {
        let data = self.primal.value(value).clone();
        let dot = match data.slot {
            Some(slot) => {
                let slot = self.dot_slot(slot);
                self.builder.version(slot)
            }
            None => self.builder.value(data.ty.tangent(), &format!("{}_dot", data.name), data.span),
        };
        self.tangent.insert(value, dot);
        dot
    }

    fn dot_slot(&mut self, slot: Slot) -> Slot {
        if let Some(dot) = self.slots.get(&slot) {
            return *dot;
        }
        let data = self.primal.slot(slot).clone();
        let dot = SlotData {
            name: format!("{}_dot", data.name),
            ty: data.ty.tangent(),
            is_tangent: true,
            ..data
        };
        let dot = self.builder.function.new_slot(dot);
        self.slots.insert(slot, dot);
        dot
    }

    /// The tangent of a value; zero if it has none.
    fn tangent_or_zero(&mut self, value: Value) -> Value {
        if let Some(dot) = self.tangent.get(&value) {
            return *dot;
        }
        let data = self.primal.value(value).clone();
        if data.ty.is_constant() {
            return self.builder.inst(Op::NoTangent, Vec::new(), Type::Unknown, "none", data.span);
        }
        if data.ty.is_unit() {
            return value;
        }
        if let Some(op) = self.options.get(&value).cloned() {
            let slot = self.zero_slot(&format!("{}_dot", data.name), &data.ty, data.span);
            return self.builder.update(op, Vec::new(), slot, data.span);
        }
        if self.undefined.contains(&value) && data.slot.is_none() {
            return self.builder.inst(
                Op::Undefined,
                Vec::new(),
                data.ty.tangent(),
                &data.name,
                data.span,
            );
        }
        let args = if data.ty.is_float() && data.slot.is_none() { Vec::new() } else { vec![value] };
        let name = format!("{}_dot", data.name);
        match data.slot {
            Some(_) => {
                let slot = self.zero_slot(&name, &data.ty, data.span);
                self.builder.update(Op::Zero(Vec::new()), args, slot, data.span)
            }
            None => {
                self.builder.inst(Op::Zero(Vec::new()), args, data.ty.tangent(), &name, data.span)
            }
        }
    }

    fn zero_slot(&mut self, name: &str, ty: &Type, span: proc_macro2::Span) -> Slot {
        let ty = match ty.tangent() {
            Type::Slice(item) => Type::Vec(item),
            ty => ty,
        };
        self.builder.function.new_slot(SlotData {
            name: name.to_owned(),
            ty,
            span,
            access: Access::Owned,
            is_tangent: true,
        })
    }

    fn inst(&mut self, inst: &Inst) {
        let varied = inst.results.iter().any(|result| self.activity.is_varied(*result));
        match &inst.op {
            Op::If(then, other) => self.branch(inst, then, other),
            Op::Loop(repeat) => self.repeat(inst, repeat),
            Op::Call(call) if self.is_active_call(inst) => self.call(inst, call),
            _ => {
                for (path, operand) in activity::lent(self.primal, self.activity, inst) {
                    let op = Op::Separate(path.clone());
                    self.builder.push(op, operand.to_vec(), Vec::new(), inst.span);
                }
                self.plain(inst, varied);
            }
        }
    }

    /// Whether a call has a derivative that reaches a result.
    fn is_active_call(&self, inst: &Inst) -> bool {
        inst.args.iter().any(|arg| self.activity.is_varied(*arg))
            && inst.results.iter().any(|result| self.activity.is_active(self.primal, *result))
    }

    /// An instruction and its tangent. What the instruction takes over is read before.
    fn plain(&mut self, inst: &Inst, varied: bool) {
        if let Op::Undefined = inst.op {
            self.undefined.extend(&inst.results);
        }
        match &inst.op {
            Op::Struct { path, .. } if crate::emit::is_option(path) && inst.args.is_empty() => {
                self.options.insert(inst.results[0], inst.op.clone());
            }
            Op::Struct { path, fields, .. } if varied && !crate::emit::is_option(path) => {
                return self.struct_literal(inst, path, fields);
            }
            _ => {}
        }
        let linear = if varied { self.linear(inst) } else { None };
        self.builder.block().insts.push(inst.clone());
        match (linear, &inst.op) {
            (Some(args), _) => self.same(inst, args),
            (None, Op::Apply(rule)) if varied => self.apply(inst, rule),
            (None, Op::Cast(_)) if varied => self.cast(inst),
            _ => {}
        }
    }

    /// The operands of a linear instruction's tangent.
    fn linear(&mut self, inst: &Inst) -> Option<Vec<Value>> {
        Some(match &inst.op {
            Op::Apply(_) | Op::Cast(_) | Op::Call(_) => return None,
            Op::Load(path) | Op::Clone(path) | Op::Store(path) | Op::Replace(path) => {
                self.on_place(inst, path, 0)
            }
            Op::Insert(end, path) | Op::Remove(end, path) => {
                self.on_place(inst, path, end.positions())
            }
            Op::Exchange(a, _) => {
                let (first, second) = inst.args.split_at(1 + index_count(a));
                let mut args = self.operand_dot(first);
                args.extend(self.operand_dot(second));
                args
            }
            Op::Touch => inst.args.iter().map(|arg| self.tangent_or_zero(*arg)).collect(),
            Op::VecRepeat => vec![self.tangent_or_zero(inst.args[0]), inst.args[1]],
            Op::VecNew(_) | Op::Undefined => inst.args.clone(),
            _ => inst.args.iter().map(|arg| self.taken(*arg)).collect(),
        })
    }

    /// The tangent of a struct literal: a zero, or the tangent of what the other fields came from, with
    /// the fields' tangents put in. The tangent's type has no name here.
    fn struct_literal(&mut self, inst: &Inst, whole: &syn::Path, fields: &[String]) {
        let dots: Vec<Option<Value>> = inst
            .args
            .iter()
            .map(|arg| self.activity.is_varied(*arg).then(|| self.taken(*arg)))
            .collect();
        self.builder.block().insts.push(inst.clone());
        let result = inst.results[0];
        let fresh = self.fresh(result);
        let slot = self.builder.function.slot_of(fresh).expect("a struct is kept in a place");
        let (op, args) = match dots.get(fields.len()).copied().flatten() {
            Some(base) => (Op::Clone(Vec::new()), vec![base]),
            None => (Op::Zero(Vec::new()), vec![result]),
        };
        let mut version = self.builder.update(op, args, slot, inst.span);
        for (position, field) in fields.iter().enumerate() {
            let path = vec![crate::lower::field_step(whole, field)];
            let dot = match dots[position] {
                Some(dot) => dot,
                None if self.primal.ty(inst.args[position]).is_constant() => continue,
                None => self.builder.inst(
                    Op::Cleared(path.clone()),
                    vec![version],
                    Type::Unknown,
                    field,
                    inst.span,
                ),
            };
            version = self.builder.update(Op::Store(path), vec![version, dot], slot, inst.span);
        }
        self.tangent.insert(result, version);
    }

    /// The tangent of an operand that is taken over. A primal value may be `Copy` where its tangent is not.
    fn taken(&mut self, value: Value) -> Value {
        let dot = self.tangent_or_zero(value);
        let data = self.builder.function.value(dot).clone();
        let is_open = data.slot.is_some() && *self.primal.ty(value) == Type::Unknown;
        if !is_open || self.uses.get(&value).is_none_or(|count| *count < 2) {
            return dot;
        }
        let slot = self.zero_slot(&data.name, &data.ty, data.span);
        self.builder.update(Op::Clone(Vec::new()), vec![dot], slot, data.span)
    }

    /// Linear instructions: the same on tangents.
    fn same(&mut self, inst: &Inst, args: Vec<Value>) {
        let results = inst.results.iter().map(|result| self.fresh(*result)).collect();
        self.builder.push(inst.op.clone(), args, results, inst.span);
    }

    /// The tangent of a place, with the same indices.
    fn operand_dot(&mut self, operand: &[Value]) -> Vec<Value> {
        let root = self.tangent_or_zero(operand[0]);
        std::iter::once(root).chain(operand[1..].iter().copied()).collect()
    }

    fn on_place(&mut self, inst: &Inst, path: &Path, positions: usize) -> Vec<Value> {
        let (operand, values) = inst.args.split_at(1 + index_count(path) + positions);
        let mut args = self.operand_dot(operand);
        for value in values {
            args.push(self.tangent_or_zero(*value));
        }
        args
    }

    fn apply(&mut self, inst: &Inst, rule: &'static cotangent_rules::Rule) {
        let result = inst.results[0];
        let name = format!("{}_dot", self.primal.value(result).name);
        let site = Site { rule, args: &inst.args, result, span: inst.span };
        let mut sum: Option<Value> = None;
        for (position, partial) in site.differentiable() {
            let arg = inst.args[position];
            let Some(dot) =
                self.tangent.get(&arg).copied().filter(|_| self.activity.is_varied(arg))
            else {
                continue;
            };
            let term = site.scale(&mut self.builder, partial, dot, Mode::Forward, &name);
            sum = Some(match sum {
                None => term,
                Some(sum) => {
                    let ty = self.builder.function.ty(term).clone();
                    self.builder.inst(Op::Sum, vec![sum, term], ty, &name, inst.span)
                }
            });
        }
        if let Some(sum) = sum {
            self.watch_apply(inst, rule, sum);
            self.tangent.insert(result, sum);
        }
    }

    /// In debug mode, looks at the tangent that a row made.
    fn watch_apply(&mut self, inst: &Inst, rule: &cotangent_rules::Rule, made: Value) {
        if !self.primal.is_watched {
            return;
        }
        let given = inst.args.iter().filter_map(|arg| self.tangent.get(arg)).copied();
        let given: Vec<Value> = given.collect();
        let primals = inst.args.iter().chain(&inst.results).copied();
        self.builder.watch(rule.name, primals.collect(), &given, made, inst.span);
    }

    fn cast(&mut self, inst: &Inst) {
        let (arg, result) = (inst.args[0], inst.results[0]);
        let dot = self.tangent_or_zero(arg);
        let known = self.primal.ty(arg).is_float() && self.primal.ty(result).is_float();
        if known {
            return self.same(inst, vec![dot]);
        }
        let fresh = self.fresh(result);
        self.builder.push(
            Op::CastPartial(Mode::Forward),
            vec![arg, result, dot],
            vec![fresh],
            inst.span,
        );
    }

    fn branch(&mut self, inst: &Inst, then: &Block, other: &Block) {
        let then = self.arm(then, &inst.results);
        let other = self.arm(other, &inst.results);
        let results = self.doubled(&inst.results);
        self.builder.push(
            Op::If(Box::new(then), Box::new(other)),
            inst.args.clone(),
            results,
            inst.span,
        );
    }

    fn arm(&mut self, block: &Block, results: &[Value]) -> Block {
        self.builder.open();
        self.insts(block);
        let mut yields = Vec::new();
        for (value, result) in block.results.iter().zip(results) {
            yields.push(*value);
            if self.activity.is_varied(*result) {
                yields.push(self.tangent_or_zero(*value));
            }
        }
        self.builder.close(yields)
    }

    /// Values, each varied one followed by a fresh tangent.
    fn doubled(&mut self, values: &[Value]) -> Vec<Value> {
        let mut both = Vec::new();
        for value in values {
            both.push(*value);
            if self.activity.is_varied(*value) {
                both.push(self.fresh(*value));
            }
        }
        both
    }

    fn repeat(&mut self, inst: &Inst, repeat: &Loop) {
        let bounds = repeat.bounds();
        let mut args = inst.args[..bounds].to_vec();
        for (init, param) in inst.args[bounds..].iter().zip(repeat.carried()) {
            args.push(*init);
            if self.activity.is_varied(*param) {
                args.push(self.tangent_or_zero(*init));
            }
        }
        let kind = self.loop_kind(repeat);
        self.builder.open();
        let params = self.doubled(repeat.carried());
        let index = repeat.body.params[..repeat.index_params()].to_vec();
        self.builder.block().params = index.into_iter().chain(params).collect();
        self.insts(&repeat.body);
        let mut yields: Vec<Value> = repeat.body.results[..usize::from(repeat.breaks)].to_vec();
        for (next, param) in repeat.next().iter().zip(repeat.carried()) {
            yields.push(*next);
            if self.activity.is_varied(*param) {
                yields.push(self.tangent_or_zero(*next));
            }
        }
        let body = self.builder.close(yields);
        let mut results = Vec::new();
        for (result, param) in inst.results.iter().zip(repeat.carried()) {
            results.push(*result);
            if self.activity.is_varied(*param) {
                results.push(self.fresh(*result));
            }
        }
        let op = Op::Loop(Box::new(Loop { kind, breaks: repeat.breaks, body }));
        self.builder.push(op, args, results, inst.span);
    }

    /// A condition reads values only, but its parameters follow the carried ones.
    fn loop_kind(&mut self, repeat: &Loop) -> LoopKind {
        let LoopKind::While { condition } = &repeat.kind else {
            return repeat.kind.clone();
        };
        self.builder.open();
        let mut params = Vec::new();
        for (value, param) in condition.params.iter().zip(repeat.carried()) {
            params.push(*value);
            if self.activity.is_varied(*param) {
                params.push(self.fresh(*value));
            }
        }
        self.builder.block().params = params;
        for inst in &condition.insts {
            self.inst(inst);
        }
        LoopKind::While { condition: self.builder.close(condition.results.clone()) }
    }

    /// A call: the callee's `jvp`, each operand followed by its tangent.
    fn call(&mut self, inst: &Inst, call: &Call) {
        let mut args = Vec::new();
        let result_dot = self.fresh(inst.results[0]);
        let mut updated = Vec::new();
        for operand in call.operands(inst) {
            let passing = operand.passing;
            args.extend(operand.args);
            args.extend(self.operand_tangent(passing, operand.args));
            if let Some(version) = operand.left {
                updated.push(version);
                updated.push(self.next_tangent(version, args[args.len() - passing.width()]));
            }
        }
        let mut results = vec![inst.results[0], result_dot];
        results.extend(updated);
        self.builder.push(Op::CallJvp(Box::new(call.clone())), args, results, inst.span);
    }

    fn operand_tangent(&mut self, passing: &Passing, operand: &[Value]) -> Vec<Value> {
        if matches!(passing, Passing::Value) {
            return vec![self.tangent_or_zero(operand[0])];
        }
        if let Some(dot) = self.tangent.get(&operand[0]) {
            return std::iter::once(*dot).chain(operand[1..].iter().copied()).collect();
        }
        let root = self.zero_of_root(operand[0]);
        std::iter::once(root).chain(operand[1..].iter().copied()).collect()
    }

    fn zero_of_root(&mut self, version: Value) -> Value {
        let data = self.primal.value(version).clone();
        let slot = self.zero_slot(&format!("{}_dot", data.name), &data.ty, data.span);
        self.builder.update(Op::Zero(Vec::new()), vec![version], slot, data.span)
    }

    /// The tangent's version after a `&mut` call: of the variable's own tangent, or of a temporary.
    fn next_tangent(&mut self, version: Value, passed: Value) -> Value {
        if self.activity.is_varied(version) {
            return self.fresh(version);
        }
        let slot = self.builder.function.slot_of(passed).expect("a place's tangent is a place");
        self.builder.version(slot)
    }
}
