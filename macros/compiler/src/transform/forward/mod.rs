//! The forward transform: each instruction is followed by its tangent.
//!
//! In: a function and its activity. Out: a function whose parameters are the same, each active one followed by
//! its tangent; what it returned is returned with its tangent behind it. Tangents of places live in places
//! of their own (`w_dot`), with the same stores at the same indices.
//!
//! The function is a primal, or a derivative of one in any mode: then the result is of one order more. A pullback
//! is no value with a tangent: it becomes one that takes and returns tangents, too.

mod call;
mod control;
mod derived;

use super::rule::{Site, differentiable};
use crate::analysis::activity::{self, Activity};
use crate::analysis::audit::proofs;
use crate::analysis::shapes;
use crate::ir::build::Builder;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{
    Access, Block, Call, Function, Inst, Mode, Op, Path, Slot, SlotData, Type, Value, index_count,
};
use cotangent_rules::Slopes;

struct Forward<'a> {
    primal: &'a Function,
    activity: &'a Activity,
    builder: Builder,
    tangent: EntityMap<Value, Value>,
    slots: EntityMap<Slot, Slot>,
    /// Values that are never read.
    undefined: EntitySet<Value>,
    /// Values that are `None` or zeros of no value: so are their tangents, whatever the type.
    options: EntityMap<Value, Op>,
    /// How often the primal uses each value.
    uses: EntityMap<Value, usize>,
    /// Slots in which the function looks into what may be of several shapes.
    chosen: EntitySet<Slot>,
}

/// Runs the transform.
pub fn forward(primal: &Function, activity: &Activity) -> Function {
    let mut start = primal.clone();
    if primal.is_primal() {
        start.primal_values = primal.values.len() as u32;
    }
    start.body.params.clear();
    start.body.insts.clear();
    start.body.results.clear();
    let mut pass = Forward {
        primal,
        activity,
        builder: Builder::new(start),
        tangent: EntityMap::default(),
        slots: EntityMap::default(),
        undefined: EntitySet::default(),
        options: EntityMap::default(),
        uses: crate::simplify::count_uses(&primal.body),
        chosen: activity::chosen(primal),
    };
    pass.params(&primal.body);
    pass.insts(&primal.body);
    pass.finish()
}

impl Forward<'_> {
    /// The parameters of the function or of its pullback, each active one followed by its tangent.
    fn params(&mut self, block: &Block) {
        let is_active = |param: &&Value| self.primal.active.contains(*param);
        let active: Vec<Value> = block.params.iter().filter(is_active).copied().collect();
        for param in &block.params {
            self.builder.param(*param);
            if active.contains(param) {
                let dot = self.fresh(*param);
                self.builder.param(dot);
                self.builder.function.active.push(dot);
            }
        }
        active.into_iter().for_each(|param| self.conform(param));
        block.params.iter().for_each(|param| self.begin_at_zero(*param));
    }

    /// A constant that is passed by value has no tangent at first, and one where the body writes what varies into it.
    fn begin_at_zero(&mut self, param: Value) {
        let Some(slot) = self.primal.slot_of(param) else { return };
        if !self.is_varied(param) || self.tangent.contains_key(&param) {
            return;
        }
        let (slot, span) = (self.dot_slot(slot), self.primal.value(param).span);
        let dot = self.builder.update(Op::Zero(Vec::new()), vec![param], slot, span);
        self.tangent.insert(param, dot);
    }

    /// The caller's zero takes the shape of its value where the function looks into variants.
    fn conform(&mut self, param: Value) {
        let place = self.primal.slot_of(param);
        let Some(place) = place.filter(|place| self.chosen.contains(place)) else { return };
        let (mut next, span) = (self.tangent[&param], self.primal.value(param).span);
        let mut slot = self.builder.function.slot_of(next).expect("a place");
        let data = self.builder.function.slot(slot).clone();
        if data.access == Access::Shared {
            slot = self.zero_slot(&data.name, &data.ty, span);
            next = self.builder.update(Op::Clone(Vec::new()), vec![next], slot, span);
        }
        let layers = shapes::layers(self.primal, place);
        let dot = self.builder.update(Op::Conform(layers), vec![next, param], slot, span);
        self.tangent.insert(param, dot);
    }

    /// Whether a value has a tangent here.
    fn is_varied(&self, value: Value) -> bool {
        self.activity.is_varied(value) && !self.primal.ty(value).is_pullback()
    }

    fn finish(mut self) -> Function {
        let (outputs, places) = self.primal.body.results.split_at(self.primal.outputs);
        let mut returned = Vec::new();
        for output in outputs {
            returned.push(*output);
            if !self.primal.ty(*output).is_pullback() {
                returned.push(self.tangent_or_zero(*output));
            }
        }
        self.builder.function.outputs = returned.len();
        self.with_places(&mut returned, places);
        self.builder.block().results = returned;
        self.builder.finish()
    }

    /// Appends the last versions of places and of their tangents.
    fn with_places(&self, returned: &mut Vec<Value>, places: &[Value]) {
        for version in places {
            returned.push(*version);
            returned.extend(self.tangent.get(version));
        }
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
            tangent_of: Some(slot),
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
            let ty = data.ty.of_nothing();
            return self.builder.inst(Op::NoTangent, Vec::new(), ty, "none", data.span);
        }
        if data.ty.is_unit() {
            return value;
        }
        if let Some(op) = self.options.get(&value).cloned() {
            if data.slot.is_none() {
                return self.builder.inst(op, Vec::new(), data.ty.tangent(), &data.name, data.span);
            }
            let slot = self.zero_slot(&format!("{}_dot", data.name), &data.ty, data.span);
            return self.builder.update(op, Vec::new(), slot, data.span);
        }
        // That of a number is a zero, since products meet it on the way that does not define it.
        let is_undefined = self.undefined.contains(&value) && !data.ty.is_float();
        if is_undefined && data.slot.is_none() {
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
            tangent_of: None,
        })
    }

    fn inst(&mut self, inst: &Inst) {
        let varied = inst.results.iter().any(|result| self.is_varied(*result));
        match &inst.op {
            Op::If(then, other) => self.branch(inst, then, other),
            Op::Loop(repeat) => self.repeat(inst, repeat),
            Op::Call(call) if self.is_active_call(inst, call) => {
                self.call(inst, call, Op::CallJvp(Box::new(call.raised())));
            }
            Op::CallVjp(call) => self.call(inst, call, Op::CallVjp(Box::new(call.raised()))),
            Op::CallJvp(call) => self.call(inst, call, Op::CallJvp(Box::new(call.raised()))),
            Op::Pull(call, shadows) => self.pull(inst, call, shadows),
            Op::Closure(body) => self.closure(inst, body),
            Op::TapePush(_) | Op::TapePop(_) => self.tape(inst),
            Op::Partial(rule, ..) if varied => self.partial(inst, rule),
            Op::Accumulate(_) | Op::Rejoin(_)
                if !self.is_varied(inst.args[inst.args.len() - 1]) =>
            {
                self.unmoved(inst);
            }
            _ => {
                for (proof, args) in proofs(self.primal, self.activity, inst, Mode::Forward) {
                    let op = Op::Proof(Box::new(proof));
                    self.builder.push(op, args, Vec::new(), inst.span);
                }
                self.plain(inst, varied);
            }
        }
    }

    /// Whether a call has a derivative that reaches a result. In a derivative no such call is left but those that run
    /// again.
    fn is_active_call(&self, inst: &Inst, call: &Call) -> bool {
        let is_active = |result: &Value| self.activity.is_active(self.primal, *result);
        let is_wanted =
            call.runs_again || self.primal.is_primal() && inst.results.iter().any(is_active);
        is_wanted && inst.args.iter().any(|arg| self.is_varied(*arg))
    }

    /// An instruction and its tangent. What the instruction takes over is read before.
    fn plain(&mut self, inst: &Inst, varied: bool) {
        if let Op::Undefined = inst.op {
            self.undefined.extend(&inst.results);
        }
        match &inst.op {
            Op::Wrap(false) => {
                self.options.insert(inst.results[0], inst.op.clone());
            }
            Op::Zero(_) if inst.args.is_empty() => {
                self.options.insert(inst.results[0], inst.op.clone());
            }
            // The tangent of one with a written type is a zero of it, since nothing else may say the type.
            Op::Struct { path, .. }
                if crate::syntax::is_option(path)
                    && inst.args.is_empty()
                    && self.primal.annotation(inst.results[0]).is_none() =>
            {
                self.options.insert(inst.results[0], inst.op.clone());
            }
            Op::Struct { path, fields, .. } if varied && !crate::syntax::is_option(path) => {
                return self.struct_literal(inst, path, fields);
            }
            _ => {}
        }
        let linear = if varied { self.linear(inst) } else { None };
        self.builder.block().insts.push(inst.clone());
        match (linear, &inst.op) {
            (Some(args), op)
                if (matches!(op, Op::VecNew(_))
                    || matches!(op, Op::Struct { .. }) && args.is_empty())
                    && self.primal.annotation(inst.results[0]).is_some() =>
            {
                let dot = self.fresh(inst.results[0]);
                self.builder.push(Op::Zero(Vec::new()), inst.results.clone(), vec![dot], inst.span);
            }
            (Some(args), _) => self.same(inst, args),
            (None, Op::Apply(rule)) if varied => self.apply(inst, rule),
            (None, Op::Cast(_) | Op::Convert(_)) if varied => self.cast(inst),
            _ => {}
        }
    }

    /// The operands of a linear instruction's tangent.
    fn linear(&mut self, inst: &Inst) -> Option<Vec<Value>> {
        Some(match &inst.op {
            Op::Apply(_) | Op::Cast(_) | Op::Convert(_) | Op::Call(_) => return None,
            Op::Load(path) | Op::Clone(path) | Op::Store(path) | Op::Replace(path) => {
                self.on_place(inst, path, 0)
            }
            Op::Insert(end, path) | Op::Remove(end, path) => {
                self.on_place(inst, path, end.positions())
            }
            Op::Exchange(a, _) => {
                let (first, second) = inst.args.split_at(1 + index_count(a));
                let root = self.place_dot(first[0]);
                let other = if second[0] == first[0] { root } else { self.place_dot(second[0]) };
                let (indices, others) = (first[1..].iter().copied(), second[1..].iter().copied());
                std::iter::once(root).chain(indices).chain([other]).chain(others).collect()
            }
            Op::Touch => inst.args.iter().map(|arg| self.tangent_or_zero(*arg)).collect(),
            Op::VecRepeat => vec![self.tangent_or_zero(inst.args[0]), inst.args[1]],
            Op::VecNew(_) | Op::Undefined | Op::Zero(_) | Op::Cleared(_) => inst.args.clone(),
            Op::Accumulate(path) | Op::Rejoin(path) => self.on_place(inst, path, 0),
            Op::Conform(_) | Op::Total => {
                let dot = self.tangent_or_zero(inst.args[0]);
                std::iter::once(dot).chain(inst.args[1..].iter().copied()).collect()
            }
            Op::CastPartial(_) => {
                let (direction, primals) = inst.args.split_last().expect("a direction");
                let dot = self.tangent_or_zero(*direction);
                primals.iter().copied().chain([dot]).collect()
            }
            _ => inst.args.iter().map(|arg| self.taken(*arg)).collect(),
        })
    }

    /// The tangent of a struct literal: a zero, or the tangent of what the other fields came from, with
    /// the fields' tangents put in. The tangent's type has no name here.
    fn struct_literal(&mut self, inst: &Inst, whole: &syn::Path, fields: &[String]) {
        let dots: Vec<Option<Value>> =
            inst.args.iter().map(|arg| self.is_varied(*arg).then(|| self.taken(*arg))).collect();
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

    /// The tangent of a place that is changed: a zero where it has none, which is a version of its tangent's place.
    fn place_dot(&mut self, version: Value) -> Value {
        let slot = self.primal.slot_of(version);
        let Some(slot) = slot.filter(|_| !self.tangent.contains_key(&version)) else {
            return self.tangent_or_zero(version);
        };
        if self.primal.ty(version).is_constant() || self.options.contains_key(&version) {
            return self.tangent_or_zero(version);
        }
        let dot = self.dot_slot(slot);
        let span = self.primal.value(version).span;
        self.builder.update(Op::Zero(Vec::new()), vec![version], dot, span)
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
        // At a pole the value is infinite too: the way that was taken does not use it.
        let guarded = Some(Slopes::Singular);
        let site = Site { rule, args: &inst.args, result, span: inst.span, guarded };
        let mut sum: Option<Value> = None;
        for (position, partial) in differentiable(rule) {
            let arg = inst.args[position];
            let Some(dot) = self.tangent.get(&arg).copied().filter(|_| self.is_varied(arg)) else {
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
}
