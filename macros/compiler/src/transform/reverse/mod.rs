//! The reverse transform.
//!
//! In: a primal function, its activity, and how the derivative meets its caller. Out: a function that
//! runs the primal forward and, in a second sweep over the same nested structure backwards, turns
//! cotangents of results into cotangents of parameters.
//!
//! Cotangents of values are SSA values; contributions are summed as they come. Cotangents of places
//! are shadows: places of their own, added to in place. A region's reverse is a region: the arms of an
//! `if` yield the cotangents of what they read from outside, a loop runs backwards and carries them.

mod adjoint;
mod call;
mod forward;
mod obtain;
mod region;
mod repeat;

use crate::analysis::activity::Activity;
use crate::analysis::residuals::{Layout, Plan, Residual};
use crate::diag::{self, Reports};
use crate::ir::build::Builder;
use crate::ir::{Access, BlockId, FloatKind, Function, Op, Slot, SlotData, Tape, Type, Value};
use proc_macro2::Span;
use std::collections::{BTreeMap, HashMap};

/// How the derivative meets its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    /// Primal and reverse sweep in one function; the seed is one; shadows are parameters.
    Accumulate,
    /// The reverse sweep is a closure, which takes references, shadows and the seed.
    Pullback,
}

/// One reverse region under construction.
struct Scope {
    /// Residuals at hand here.
    env: HashMap<Residual, Value>,
    /// Cotangents of primal values. Those of values defined outside are this region's contributions.
    cotangents: BTreeMap<Value, Value>,
}

struct Reverse<'a> {
    primal: &'a Function,
    activity: &'a Activity,
    layout: &'a Layout<'a>,
    plan: &'a mut Plan,
    active: &'a [Value],
    boundary: Boundary,
    builder: Builder,
    /// What the forward sweep made beside the primal's values.
    made: HashMap<Residual, Value>,
    tapes: HashMap<BlockId, Tape>,
    scopes: Vec<Scope>,
    /// The shadow's current version, for slots that have one by now.
    shadows: BTreeMap<Slot, Value>,
    shadow_slots: HashMap<Slot, Slot>,
    /// Shadows of the caller's that are added to at the end.
    totals: BTreeMap<Slot, Value>,
    /// The current version of primal places that the reverse sweep can reach.
    memory: BTreeMap<Slot, Value>,
    /// The primal version whose contents a reachable place holds now.
    point: HashMap<Slot, Value>,
    /// The primal version of each slot at this point of the sweep.
    now: HashMap<Slot, Value>,
    problems: Vec<(Span, &'static diag::Diagnostic)>,
}

/// Runs the transform until the plan is complete.
pub fn reverse(
    primal: &Function,
    activity: &Activity,
    active: &[Value],
    boundary: Boundary,
    reports: &mut Reports,
) -> Function {
    let layout = Layout::new(primal);
    let mut plan = Plan::default();
    restore_parameters(primal, &layout, &mut plan);
    plan.take_grown();
    loop {
        let run = Reverse::new(primal, activity, &layout, &mut plan, active, boundary);
        let (function, problems) = run.run();
        if !plan.take_grown() && !plan.shrink(primal, &layout) {
            problems.iter().for_each(|(span, row)| reports.report(*span, row, ""));
            return function;
        }
    }
}

/// The contract: `&mut` arguments come back as they were.
fn restore_parameters(primal: &Function, layout: &Layout, plan: &mut Plan) {
    for param in &primal.body.params {
        if let Some(slot) = primal.slot_of(*param)
            && primal.slot(slot).access == Access::Unique
            && layout.is_written(slot)
        {
            plan.restore(slot);
        }
    }
}

impl<'a> Reverse<'a> {
    fn new(
        primal: &'a Function,
        activity: &'a Activity,
        layout: &'a Layout<'a>,
        plan: &'a mut Plan,
        active: &'a [Value],
        boundary: Boundary,
    ) -> Self {
        let mut start = primal.clone();
        start.primal_values = primal.values.len() as u32;
        start.body.insts.clear();
        start.body.params.clear();
        start.body.results.clear();
        Reverse {
            primal,
            activity,
            layout,
            plan,
            active,
            boundary,
            builder: Builder::new(start),
            made: HashMap::new(),
            tapes: HashMap::new(),
            scopes: vec![Scope { env: HashMap::new(), cotangents: BTreeMap::new() }],
            shadows: BTreeMap::new(),
            shadow_slots: HashMap::new(),
            totals: BTreeMap::new(),
            memory: BTreeMap::new(),
            point: HashMap::new(),
            now: HashMap::new(),
            problems: Vec::new(),
        }
    }

    fn run(mut self) -> (Function, Vec<(Span, &'static diag::Diagnostic)>) {
        match self.boundary {
            Boundary::Accumulate => self.accumulate(),
            Boundary::Pullback => self.pullback(),
        }
        (self.builder.finish(), self.problems)
    }

    fn accumulate(&mut self) {
        for param in self.primal.body.params.clone() {
            self.builder.param(param);
            self.shadow_param(param);
        }
        self.forward_block(&self.primal.body);
        self.reach_places();
        let result = self.primal.body.results[0];
        let ty = self.primal.ty(result).tangent();
        let seed = self.builder.inst(Op::One, Vec::new(), ty, "seed", Span::call_site());
        let returned = self.backward(seed);
        self.add_totals();
        let mut results = vec![result];
        self.builder.function.outputs = 1 + returned.len();
        results.extend(returned);
        results.extend(self.final_places());
        self.builder.block().results = results;
    }

    fn pullback(&mut self) {
        for param in self.primal.body.params.clone() {
            self.builder.param(param);
        }
        self.forward_block(&self.primal.body);
        self.builder.open();
        for param in self.primal.body.params.clone() {
            self.place_param(param);
            self.shadow_param(param);
        }
        self.reach_places();
        let result = self.primal.body.results[0];
        let data = self.primal.value(result).clone();
        let seed = self.builder.value(data.ty.tangent(), "seed", data.span);
        self.builder.param(seed);
        let mut results = self.backward(seed);
        results.extend(self.final_places());
        let body = self.builder.close(results);
        let closure = self.builder.inst(
            Op::Closure(Box::new(body)),
            Vec::new(),
            Type::Pullback,
            "pullback",
            Span::call_site(),
        );
        let mut results = vec![self.returned(result), closure];
        results.extend(&self.primal.body.results[1..]);
        self.builder.function.outputs = 2;
        self.builder.block().results = results;
    }

    /// The result, or a copy of it if the pullback keeps its place.
    fn returned(&mut self, result: Value) -> Value {
        let slot = self.primal.slot_of(result);
        match slot.filter(|slot| self.plan.is_cloned(*slot)) {
            Some(_) => {
                let closure = self.builder.block().insts.pop().expect("the closure stands last");
                let copy = self.cloned(result);
                self.builder.block().insts.push(closure);
                copy
            }
            None => result,
        }
    }

    /// The shadow parameter of an active reference parameter.
    fn shadow_param(&mut self, param: Value) {
        let Some(slot) = self.reference_slot(param).filter(|_| self.active.contains(&param)) else {
            return;
        };
        let data = self.primal.slot(slot).clone();
        let shadow = self.shadow_slot(slot);
        self.builder.function.slots[shadow.0 as usize].access = Access::Unique;
        self.builder.function.slots[shadow.0 as usize].ty = data.ty.tangent();
        let version = self.builder.version(shadow);
        self.builder.param(version);
        // The shadow of a place that the function writes is the cotangent of what it leaves there. A
        // caller of `accumulate_gradient` gives none and expects its shadow to be added to.
        if self.boundary == Boundary::Accumulate && self.layout.is_written(slot) {
            self.shadow_slots.remove(&slot);
            self.totals.insert(slot, version);
        } else {
            self.shadows.insert(slot, version);
        }
    }

    /// Adds the gradient to the caller's shadows of places that the function writes.
    fn add_totals(&mut self) {
        for (slot, total) in self.totals.clone() {
            let Some(version) = self.shadows.get(&slot).copied() else {
                continue;
            };
            let shadow = self.builder.function.slot_of(total).expect("a place");
            let span = self.primal.slot(slot).span;
            let next =
                self.builder.update(Op::Accumulate(Vec::new()), vec![total, version], shadow, span);
            self.totals.insert(slot, next);
        }
    }

    /// In a pullback, references are passed again.
    fn place_param(&mut self, param: Value) {
        let Some(slot) = self.reference_slot(param) else {
            return;
        };
        let data = self.primal.slot(slot).clone();
        let again = self.builder.function.new_slot(data);
        let version = self.builder.version(again);
        self.builder.param(version);
        self.memory.insert(slot, version);
    }

    fn reference_slot(&self, param: Value) -> Option<Slot> {
        self.primal.slot_of(param).filter(|slot| self.primal.slot(*slot).access != Access::Owned)
    }

    /// Places made at the top of the function can be read on the way back.
    fn reach_places(&mut self) {
        for slot in self.layout.all_slots() {
            if self.layout.slot_home(slot) != self.layout.root {
                continue;
            }
            let last = self.layout.last_version(slot);
            self.memory.entry(slot).or_insert(last);
            self.point.insert(slot, last);
        }
    }

    /// The reverse sweep of the whole body. Returns the cotangents of by-value active parameters.
    fn backward(&mut self, seed: Value) -> Vec<Value> {
        let body = &self.primal.body;
        self.contribute(body.results[0], seed);
        self.reverse_insts(&body.insts);
        let mut returned = Vec::new();
        for param in &body.params {
            if self.active.contains(param) && self.reference_slot(*param).is_none() {
                returned.push(self.parameter_cotangent(*param));
            }
        }
        returned
    }

    fn parameter_cotangent(&mut self, param: Value) -> Value {
        match self.primal.slot_of(param) {
            Some(slot) => {
                self.ensure_shadow(slot);
                self.shadows[&slot]
            }
            None => match self.scopes[0].cotangents.get(&param) {
                Some(bar) => *bar,
                None => self.zero_of(param),
            },
        }
    }

    /// Versions of the caller's places at the end: restored parameters and shadows.
    fn final_places(&self) -> Vec<Value> {
        let mut places = Vec::new();
        for param in &self.primal.body.params {
            let Some(slot) = self.reference_slot(*param) else {
                continue;
            };
            if self.primal.slot(slot).access == Access::Unique {
                places.extend(self.memory.get(&slot));
            }
            if self.active.contains(param) {
                places.extend(self.totals.get(&slot).or_else(|| self.shadows.get(&slot)));
            }
        }
        places
    }

    fn shadow_slot(&mut self, slot: Slot) -> Slot {
        if let Some(shadow) = self.shadow_slots.get(&slot) {
            return *shadow;
        }
        let data = self.primal.slot(slot).clone();
        let shadow = SlotData {
            name: format!("{}_bar", data.name),
            ty: owned(data.ty.tangent()),
            access: Access::Owned,
            ..data
        };
        let shadow = self.builder.function.new_slot(shadow);
        self.shadow_slots.insert(slot, shadow);
        shadow
    }

    fn tape(&mut self, block: BlockId) -> Tape {
        if let Some(tape) = self.tapes.get(&block) {
            return *tape;
        }
        let tape = Tape(self.builder.function.tapes);
        self.builder.function.tapes += 1;
        self.tapes.insert(block, tape);
        tape
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope")
    }

    fn is_active(&self, value: Value) -> bool {
        self.activity.is_active(self.primal, value)
    }

    /// Adds to the cotangent of a value or place.
    fn contribute(&mut self, value: Value, bar: Value) {
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
                self.builder.inst(Op::Sum, vec![sum, bar], data.ty.tangent(), &name, data.span)
            }
        };
        if total.0 >= self.builder.function.primal_values {
            self.builder.function.values[total.0 as usize].name = name;
        }
        self.scope().cotangents.insert(value, total);
    }

    /// A cotangent of all of a place: it becomes the shadow, or is added to it.
    fn contribute_whole(&mut self, slot: Slot, bar: Value) {
        let span = self.primal.slot(slot).span;
        let shadow = self.shadow_slot(slot);
        let version = match self.shadows.get(&slot) {
            Some(version) => {
                self.builder.update(Op::Accumulate(Vec::new()), vec![*version, bar], shadow, span)
            }
            None => self.builder.update(Op::Duplicate, vec![bar], shadow, span),
        };
        self.shadows.insert(slot, version);
    }

    /// The cotangent of an instruction's result, which is complete when the instruction is reached.
    fn take(&mut self, value: Value) -> Option<Value> {
        match self.primal.slot_of(value) {
            Some(slot) => self.shadows.remove(&slot).inspect(|_| {
                self.shadow_slots.remove(&slot);
            }),
            None => self.scope().cotangents.remove(&value),
        }
    }

    /// The zero cotangent of a value.
    fn zero_of(&mut self, value: Value) -> Value {
        let data = self.primal.value(value).clone();
        let name = format!("{}_bar", data.name);
        if data.ty.is_constant() {
            return self.builder.inst(Op::NoTangent, Vec::new(), Type::Unknown, &name, data.span);
        }
        let args = if has_known_shape(&data.ty) {
            Vec::new()
        } else {
            vec![self.obtain(Residual::Primal(value))]
        };
        self.builder.inst(Op::Zero(Vec::new()), args, data.ty.tangent(), &name, data.span)
    }

    /// Makes a zero shadow for a slot that has none yet.
    fn ensure_shadow(&mut self, slot: Slot) {
        if self.shadows.contains_key(&slot) || !self.activity.is_active_slot(slot) {
            return;
        }
        let data = self.primal.slot(slot).clone();
        let shadow = self.shadow_slot(slot);
        let (op, args) = self.zero_shape(slot, &data.ty, data.span);
        let version = self.builder.update(op, args, shadow, data.span);
        self.shadows.insert(slot, version);
    }

    /// How the zero shadow of a slot is made, in the shape that the place has at this point.
    fn zero_shape(&mut self, slot: Slot, ty: &Type, span: Span) -> (Op, Vec<Value>) {
        if has_known_shape(ty) {
            return (Op::Zero(Vec::new()), Vec::new());
        }
        let is_same_shape = self.plan.is_restored(slot) || !self.layout.is_resized(slot);
        let is_there = is_same_shape && !self.is_moved(slot);
        if let Some(version) = self.memory.get(&slot).copied().filter(|_| is_there) {
            self.keep(slot);
            return (Op::Zero(Vec::new()), vec![version]);
        }
        let version =
            self.now.get(&slot).copied().unwrap_or_else(|| self.layout.last_version(slot));
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
    fn keep(&mut self, slot: Slot) {
        let data = self.primal.slot(slot);
        if data.access == Access::Owned && !data.ty.is_copy() && self.is_moved(slot) {
            self.plan.clone_moves(slot);
        }
    }

    /// Whether the primal hands a place's contents away by value.
    fn is_moved(&self, slot: Slot) -> bool {
        let is_here = |value: &Value| self.primal.slot_of(*value) == Some(slot);
        let mut moved = is_here(&self.primal.body.results[0]);
        self.primal.body.walk(&mut |inst, _| {
            moved |= consumed(inst).iter().any(is_here);
            if let Op::If(then, other) = &inst.op {
                let yields =
                    [then, other].into_iter().flat_map(|arm| arm.results.iter().zip(&inst.results));
                moved |=
                    yields.into_iter().any(|(value, result)| is_here(value) && !is_here(result));
            }
        });
        moved
    }

    /// A copy of a place's contents.
    fn cloned(&mut self, version: Value) -> Value {
        let slot = self.primal.slot_of(version).expect("a place");
        let data = self.primal.slot(slot).clone();
        let copy = SlotData { access: Access::Owned, ty: owned(data.ty.clone()), ..data };
        let span = copy.span;
        let copy = self.builder.function.new_slot(copy);
        self.builder.update(Op::Clone, vec![version], copy, span)
    }
}

/// Arguments whose place an instruction takes over.
fn consumed(inst: &crate::ir::Inst) -> Vec<Value> {
    match &inst.op {
        Op::Tuple
        | Op::Array
        | Op::ArrayRepeat(_)
        | Op::VecList
        | Op::VecRepeat
        | Op::Duplicate => inst.args.clone(),
        Op::Push => inst.args[1..].to_vec(),
        Op::Store(_) => inst.args.last().copied().into_iter().collect(),
        Op::Call(call) => {
            let mut rest = &inst.args[..];
            let mut taken = Vec::new();
            for passing in &call.passing {
                if !super::reverse::call::is_reference(passing) {
                    taken.push(rest[0]);
                }
                rest = &rest[passing.width()..];
            }
            taken
        }
        _ => Vec::new(),
    }
}

/// A type whose zero needs no value to copy the shape from.
fn has_known_shape(ty: &Type) -> bool {
    match ty {
        Type::Float(_) => true,
        Type::Array(item, _) => has_known_shape(item),
        Type::Tuple(items) => items.iter().all(has_known_shape),
        _ => false,
    }
}

/// The owned form of a type behind a reference.
fn owned(ty: Type) -> Type {
    match ty {
        Type::Slice(item) => Type::Vec(item),
        ty => ty,
    }
}
