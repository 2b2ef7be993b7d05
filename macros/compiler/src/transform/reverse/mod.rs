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
mod collection;
mod forward;
mod obtain;
mod region;
mod repeat;
mod segment;
mod shadow;

use crate::analysis::activity::Activity;
use crate::analysis::residuals::{Layout, Plan, Residual};
use crate::diag::{self, Reports};
use crate::ir::build::Builder;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Access, BlockId, Function, Inst, Op, Slot, Tape, Type, Value};
use proc_macro2::Span;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// How the derivative meets its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    /// Primal and reverse sweep in one function; the seed is one; shadows are parameters.
    Accumulate,
    /// The reverse sweep is a closure, which takes references, shadows and the seed.
    Pullback,
}

/// What a loop has a tape for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kept {
    /// What each iteration leaves.
    Iterations,
    /// Some of the states that iterations start from.
    States,
}

/// A part of a shadow that is written before anything else touches the shadow.
#[derive(Clone, Copy)]
struct Vacancy<'a> {
    /// The store whose cotangent was moved out.
    store: &'a Inst,
    /// The value whose cotangent is put in.
    read: Value,
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
    boundary: Boundary,
    builder: Builder,
    /// What the forward sweep made beside the primal's values.
    made: HashMap<Residual, Value>,
    tapes: HashMap<(BlockId, Kept), Tape>,
    scopes: Vec<Scope>,
    /// The shadow's current version, for slots that have one by now.
    shadows: BTreeMap<Slot, Value>,
    shadow_slots: EntityMap<Slot, Slot>,
    /// Shadows of the caller's that are added to at the end.
    totals: BTreeMap<Slot, Value>,
    /// The current version of primal places that the reverse sweep can reach.
    memory: BTreeMap<Slot, Value>,
    /// The primal version whose contents a reachable place holds now.
    point: EntityMap<Slot, Value>,
    /// The primal version of each slot at this point of the sweep.
    now: EntityMap<Slot, Value>,
    /// Shadows of which a part was moved out, until what was read from that part gives its cotangent back.
    vacant: EntityMap<Slot, Vacancy<'a>>,
    /// Of values that an iteration put into an element of its own, where they still are: what reads them there.
    standing: EntityMap<Value, Inst>,
    /// What goes backwards in an arm instead of where it stands.
    sunk: EntitySet<Value>,
    /// Cotangents that are zero where the seed is, or by chance: what they belong to is used, whatever way was taken.
    sure: EntitySet<Value>,
    /// Cotangents that are zero where a way was taken that does not use what they belong to.
    merged: EntitySet<Value>,
    /// The contents of cotangents that were wrapped.
    wrapped: EntityMap<Value, Value>,
    problems: Vec<(Span, &'static diag::Diagnostic)>,
}

/// Runs the transform with the cheapest plan that is found.
pub fn reverse(
    primal: &Function,
    activity: &Activity,
    boundary: Boundary,
    reports: &mut Reports,
) -> Function {
    let layout = Layout::new(primal);
    let mut plan = Plan::default();
    restore_parameters(primal, &layout, &mut plan);
    let mut best = settled(primal, activity, &layout, plan, boundary);
    for slot in best.plan.overread(primal, &layout) {
        let mut plan = best.plan.restart(&layout);
        plan.bring_back(&layout, slot);
        let other = settled(primal, activity, &layout, plan, boundary);
        let is_better = other.plan.cost(&layout) < best.plan.cost(&layout)
            && other.problems.len() <= best.problems.len();
        best = if is_better { other } else { best };
    }
    best.problems.iter().for_each(|(span, row)| reports.report(*span, row, ""));
    best.function
}

/// What the transform gives with a plan that is complete.
struct Settled {
    plan: Plan,
    function: Function,
    problems: Vec<(Span, &'static diag::Diagnostic)>,
}

/// Runs the transform until it asks the plan for nothing new.
fn settled(
    primal: &Function,
    activity: &Activity,
    layout: &Layout,
    mut plan: Plan,
    boundary: Boundary,
) -> Settled {
    loop {
        plan.take_grown();
        let run = Reverse::new(primal, activity, layout, &mut plan, boundary);
        let (function, problems) = run.run();
        if !plan.take_grown() && !plan.shrink(primal, layout) {
            return Settled { plan, function, problems };
        }
    }
}

/// The contract: `&mut` arguments come back as they were, and so do cells, but for what `advance(..)` names.
fn restore_parameters(primal: &Function, layout: &Layout, plan: &mut Plan) {
    for param in &primal.body.params {
        if let Some(slot) = primal.slot_of(*param)
            && primal.slot(slot).access != Access::Owned
            && layout.is_written(slot)
            && !primal.advancing.contains(&slot)
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
            boundary,
            builder: Builder::new(start),
            made: HashMap::default(),
            tapes: HashMap::default(),
            scopes: vec![Scope { env: HashMap::default(), cotangents: BTreeMap::new() }],
            shadows: BTreeMap::new(),
            shadow_slots: EntityMap::default(),
            totals: BTreeMap::new(),
            memory: BTreeMap::new(),
            point: EntityMap::default(),
            now: EntityMap::default(),
            vacant: EntityMap::default(),
            standing: EntityMap::default(),
            sunk: EntitySet::default(),
            sure: EntitySet::default(),
            merged: EntitySet::default(),
            wrapped: EntityMap::default(),
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
        self.record(&self.primal.body.params);
        self.forward_block(&self.primal.body);
        let returned_value = self.returned();
        self.reach_places();
        let result = self.primal.body.results[0];
        let ty = self.primal.ty(result).tangent();
        let seed = self.builder.inst(Op::One, Vec::new(), ty, "seed", Span::call_site());
        self.sure.insert(seed);
        let returned = self.backward(seed);
        self.add_totals();
        let mut results = vec![returned_value];
        self.builder.function.outputs = 1 + returned.len();
        results.extend(returned);
        results.extend(self.final_places());
        self.builder.block().results = results;
    }

    fn pullback(&mut self) {
        for param in self.primal.body.params.clone() {
            self.builder.param(param);
        }
        self.record(&self.primal.body.params);
        self.forward_block(&self.primal.body);
        let returned_value = self.returned();
        self.builder.open();
        for param in self.primal.body.params.clone() {
            self.place_param(param);
            self.shadow_param(param);
        }
        self.reach_places();
        let result = self.primal.body.results[0];
        let data = self.primal.value(result).clone();
        let seed = self.builder.value(data.ty.tangent(), "seed", data.span);
        self.active_param(seed);
        self.sure.insert(seed);
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
        let mut results = vec![returned_value, closure];
        results.extend(&self.primal.body.results[1..]);
        self.builder.function.outputs = 2;
        self.builder.block().results = results;
    }

    /// A parameter that has a tangent, should the forward transform go on from here.
    fn active_param(&mut self, param: Value) {
        self.builder.param(param);
        self.builder.function.active.push(param);
    }

    /// The result, or a copy of it if the reverse sweep needs its place.
    fn returned(&mut self) -> Value {
        let result = self.primal.body.results[0];
        let slot = self.primal.slot_of(result);
        match slot.filter(|slot| self.plan.is_cloned(*slot)) {
            Some(_) => self.cloned(result),
            None => result,
        }
    }

    /// The shadow parameter of an active reference parameter.
    fn shadow_param(&mut self, param: Value) {
        let Some(slot) = self.reference_slot(param).filter(|_| self.primal.active.contains(&param))
        else {
            return;
        };
        let data = self.primal.slot(slot).clone();
        let shadow = self.shadow_slot(slot);
        self.builder.function.slots[shadow.0 as usize].access = Access::Unique;
        self.builder.function.slots[shadow.0 as usize].ty = data.ty.tangent();
        let version = self.builder.version(shadow);
        self.active_param(version);
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
        match self.primal.active.contains(&param) {
            true => self.active_param(version),
            false => drop(self.builder.param(version)),
        }
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
        self.conform();
        self.contribute(body.results[0], seed);
        self.reverse_insts(body.insts.iter().collect(), &body.results);
        let mut returned = Vec::new();
        for param in &body.params {
            if self.primal.active.contains(param) && self.reference_slot(*param).is_none() {
                returned.push(self.parameter_cotangent(*param));
            }
        }
        returned
    }

    /// The caller's zeros take the shape of their places where the function looks into variants.
    fn conform(&mut self) {
        let chosen = crate::analysis::activity::chosen(self.primal);
        for slot in
            self.shadows.keys().copied().filter(|slot| chosen.contains(slot)).collect::<Vec<_>>()
        {
            let (shadow, memory) = (self.shadows[&slot], self.memory[&slot]);
            let span = self.primal.slot(slot).span;
            let conform = Op::Conform(crate::analysis::shapes::layers(self.primal, slot));
            self.update_shadow(slot, conform, vec![shadow, memory], span);
        }
    }

    fn parameter_cotangent(&mut self, param: Value) -> Value {
        match self.primal.slot_of(param) {
            Some(slot) => {
                self.ensure_shadow(slot);
                self.shadows.get(&slot).copied().unwrap_or_else(|| self.zero_shadow(slot))
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
            if self.layout.is_written(slot) {
                places.extend(self.memory.get(&slot));
            }
            if self.primal.active.contains(param) {
                places.extend(self.totals.get(&slot).or_else(|| self.shadows.get(&slot)));
            }
        }
        places
    }

    /// The tape of the loop with a body.
    fn tape(&mut self, body: BlockId, kept: Kept) -> Tape {
        let function = &mut self.builder.function;
        *self.tapes.entry((body, kept)).or_insert_with(|| {
            function.tapes += 1;
            Tape(function.tapes - 1)
        })
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope")
    }

    fn is_active(&self, value: Value) -> bool {
        self.activity.is_active(self.primal, value)
    }
}
