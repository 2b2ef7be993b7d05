//! Regions backwards: what loops and branches share, and the arms of an `if`.

use super::{Reverse, Scope};
use crate::analysis::residuals::Residual;
use crate::ir::entity::EntityMap;
use crate::ir::{Block, BlockId, Inst, Op, Slot, Value, ValueData};
use proc_macro2::Span;
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The places at some point of the reverse sweep.
#[derive(Clone)]
pub(super) struct Places {
    pub(super) shadows: BTreeMap<Slot, Value>,
    shadow_slots: EntityMap<Slot, Slot>,
    pub(super) memory: BTreeMap<Slot, Value>,
    point: EntityMap<Slot, Value>,
}

/// One arm, reversed but not closed: its block, contributions and places.
struct Arm {
    block: Block,
    contributions: BTreeMap<Value, Value>,
    places: Places,
}

/// What sinks into each arm of a branch.
pub(super) type Sunk<'s, 'a> = dyn Fn(usize) -> Vec<&'a Inst> + 's;

impl<'a> Reverse<'a> {
    pub(super) fn places(&self) -> Places {
        Places {
            shadows: self.shadows.clone(),
            shadow_slots: self.shadow_slots.clone(),
            memory: self.memory.clone(),
            point: self.point.clone(),
        }
    }

    pub(super) fn set_places(&mut self, places: Places) {
        self.shadows = places.shadows;
        self.shadow_slots = places.shadow_slots;
        self.memory = places.memory;
        self.point = places.point;
    }

    /// Whether the reverse of a region does anything.
    pub(super) fn has_reverse<'b>(&self, blocks: impl IntoIterator<Item = &'b Block>) -> bool {
        blocks.into_iter().any(|block| {
            block.insts.iter().any(|inst| {
                let results = inst.results.iter().any(|result| {
                    self.is_active(*result)
                        || self
                            .primal
                            .slot_of(*result)
                            .is_some_and(|slot| self.plan.is_restored(slot))
                });
                results || self.has_reverse(inst.op.blocks())
            })
        })
    }

    /// Slots made outside a region whose shadow the region's reverse may touch.
    pub(super) fn touched(&self, blocks: &[&Block]) -> BTreeSet<Slot> {
        let mut touched = BTreeSet::new();
        let mut outside = |value: &Value| {
            if let Some(slot) =
                self.primal.slot_of(*value).filter(|slot| self.activity.is_active_slot(*slot))
            {
                let home = self.layout.slot_home(slot);
                if !blocks.iter().any(|block| self.layout.is_inside(home, block.id)) {
                    touched.insert(slot);
                }
            }
        };
        for block in blocks {
            block.walk(&mut |inst, _| inst.args.iter().chain(&inst.results).for_each(&mut outside));
            block.results.iter().for_each(&mut outside);
        }
        touched
    }

    /// Restored slots that a region writes.
    pub(super) fn rewritten(&self, block: &Block) -> BTreeSet<Slot> {
        let mut written = BTreeSet::new();
        block.walk(&mut |inst, _| {
            for slot in inst.results.iter().filter_map(|result| self.primal.slot_of(*result)) {
                if self.plan.is_restored(slot) && self.memory.contains_key(&slot) {
                    written.insert(slot);
                }
            }
        });
        written
    }

    pub(super) fn reverse_if(
        &mut self,
        inst: &'a Inst,
        blocks: [&'a Block; 2],
        sunk: &Sunk<'_, 'a>,
    ) {
        let bars: Vec<Option<Value>> =
            inst.results.iter().map(|result| self.region_bar(*result)).collect();
        if bars.iter().all(Option::is_none) && !self.has_reverse(blocks) {
            return;
        }
        for slot in self.touched(&blocks) {
            self.ensure_shadow(slot);
        }
        let sunk = [sunk(0), sunk(1)];
        sunk.iter().for_each(|insts| self.ensure_shadows_of(insts));
        let condition = self.primal_value(inst.args[0]);
        let before = self.places();
        let arms = blocks.into_iter().zip(sunk);
        let arms =
            arms.map(|(block, sunk)| self.reverse_arm(block, inst, sunk, &bars, &before)).collect();
        self.join(arms, condition, &before, inst.span);
    }

    /// The branch that reversed arms make, and what it contributes.
    fn join(&mut self, mut arms: Vec<Arm>, condition: Value, before: &Places, span: Span) {
        self.set_places(before.clone());
        let mut results = Vec::new();
        self.join_contributions(&mut arms, &mut results);
        self.join_places(&mut arms, before, &mut results);
        self.point.clone_from(&arms[0].places.point);
        let other = arms.pop().expect("two arms").block;
        let then = arms.pop().expect("two arms").block;
        self.builder.push(
            Op::If(Box::new(then), Box::new(other)),
            vec![condition],
            results.iter().map(|(_, result)| *result).collect(),
            span,
        );
        for (value, result) in results {
            if let Some(value) = value {
                self.contribute(value, result);
            }
        }
    }

    /// A choice between a cotangent and zero, with what goes backwards where it is not zero.
    pub(super) fn reverse_chosen(
        &mut self,
        choice: Inst,
        (arg, whole): (Value, Value),
        insts: &[&'a Inst],
    ) {
        self.ensure_shadows_of(insts);
        let before = self.places();
        let Op::If(then, other) = choice.op else { unreachable!("a choice is a branch") };
        let arms = [then, other].map(|mut block| {
            self.set_places(before.clone());
            let bar = block.results.pop().expect("a cotangent");
            let is_zero = crate::transform::rule::is_zero(&block.insts, bar);
            self.builder.open();
            self.builder.block().insts = block.insts;
            self.scopes.push(Scope { env: HashMap::default(), cotangents: BTreeMap::new() });
            if !is_zero {
                self.inherit(&[whole], bar);
                self.contribute(arg, bar);
                self.reverse_insts(insts.to_vec(), &[]);
            }
            self.close_arm()
        });
        self.join(arms.into(), choice.args[0], &before, choice.span);
    }

    /// Makes the shadows that instructions may add to.
    fn ensure_shadows_of(&mut self, insts: &[&Inst]) {
        let values = insts.iter().flat_map(|inst| inst.uses());
        let slots: BTreeSet<Slot> = values.filter_map(|value| self.primal.slot_of(value)).collect();
        for slot in slots {
            let home = self.layout.slot_home(slot);
            let blocks = insts.iter().flat_map(|inst| inst.op.blocks());
            let is_inner = blocks.into_iter().any(|block| self.layout.is_inside(home, block.id));
            if self.activity.is_active_slot(slot) && !is_inner {
                self.ensure_shadow(slot);
            }
        }
    }

    /// The cotangent of a region's result: of a value, or of a place that the region made.
    pub(super) fn region_bar(&mut self, result: Value) -> Option<Value> {
        if !self.is_active(result) {
            return None;
        }
        match self.primal.slot_of(result) {
            None => self.take(result),
            Some(slot)
                if self
                    .layout
                    .def(result)
                    .is_some_and(|inst| made_here(self.primal, inst, slot)) =>
            {
                self.take(result)
            }
            Some(_) => None,
        }
    }

    fn reverse_arm(
        &mut self,
        block: &'a Block,
        inst: &'a Inst,
        sunk: Vec<&'a Inst>,
        bars: &[Option<Value>],
        before: &Places,
    ) -> Arm {
        self.set_places(before.clone());
        self.builder.open();
        self.scopes.push(Scope { env: HashMap::default(), cotangents: BTreeMap::new() });
        self.enter_points(block, inst);
        self.unwrap_stored(block.id, inst);
        self.know_results(block, inst);
        for (value, bar) in block.results.iter().zip(bars) {
            if let Some(bar) = bar {
                self.contribute(*value, *bar);
            }
        }
        let insts = sunk.into_iter().chain(&block.insts).collect();
        self.reverse_insts(insts, &self.active_results(block, bars));
        self.close_arm()
    }

    /// What a block yields that has a cotangent.
    fn active_results(&self, block: &Block, bars: &[Option<Value>]) -> Vec<Value> {
        let results = block.results.iter().zip(bars);
        results.filter(|(_, bar)| bar.is_some()).map(|(result, _)| *result).collect()
    }

    fn close_arm(&mut self) -> Arm {
        let scope = self.scopes.pop().expect("the arm's scope");
        let block = self.builder.close(Vec::new());
        Arm { block, contributions: scope.cotangents, places: self.places() }
    }

    /// At an arm's end, places hold the versions that it yields.
    fn enter_points(&mut self, block: &Block, inst: &Inst) {
        for (value, result) in block.results.iter().zip(&inst.results) {
            self.move_point(*result, *value);
            self.now.extend(self.primal.slot_of(*value).map(|slot| (slot, *value)));
        }
    }

    /// In the arm that was taken, what it yielded is the result.
    fn know_results(&mut self, block: &Block, inst: &Inst) {
        for (value, result) in block.results.iter().zip(&inst.results) {
            let is_inner =
                self.layout.home(*value) == block.id && self.primal.slot_of(*value).is_none();
            // Of one of a known type more is known than of a result whose type is another arm's as well.
            let is_same = is_inner && self.primal.ty(*value) == self.primal.ty(*result);
            if let Some(known) = self.at_hand(&Residual::Primal(*result)).filter(|_| is_same) {
                self.scope().env.entry(Residual::Primal(*value)).or_insert(known);
            }
        }
    }

    /// If a restored place holds `from`, its contents are also those of `to`.
    pub(super) fn move_point(&mut self, from: Value, to: Value) {
        if let Some(slot) = self.primal.slot_of(from) {
            let is_same = self.primal.slot_of(to) == Some(slot) && self.plan.is_restored(slot);
            if is_same && self.point.get(&slot) == Some(&from) {
                self.point.insert(slot, to);
            }
        }
    }

    fn unwrap_stored(&mut self, block: BlockId, inst: &Inst) {
        for residual in self.plan.stored(block).to_vec() {
            let carried = self.obtain(residual.clone().carried(block));
            let wrapped = self.made_value(&residual).filter(|made| self.wraps(*made));
            let value = wrapped.map_or(carried, |made| self.unwrapped(carried, made, inst));
            self.scope().env.insert(residual, value);
        }
    }

    /// A residual of an arm in that arm. What was made in a place has a place again.
    fn unwrapped(&mut self, carried: Value, made: Value, inst: &Inst) -> Value {
        let ValueData { ty, name, slot, .. } = self.builder.function.value(made).clone();
        let value = match slot.is_some() {
            true => self.builder.place(ty, &name, inst.span, false),
            false => self.builder.fresh(ty, &name, inst.span, false),
        };
        self.builder.push(Op::Unwrap, vec![carried], vec![value], inst.span);
        value
    }

    /// Arms yield what they contribute to values from outside, or zero. What they contributed to values of their own,
    /// the instructions that made these have taken.
    fn join_contributions(&mut self, arms: &mut [Arm], results: &mut Vec<(Option<Value>, Value)>) {
        let values: BTreeSet<Value> =
            arms.iter().flat_map(|arm| arm.contributions.keys().copied()).collect();
        for value in values {
            let bars: Vec<Value> =
                arms.iter().filter_map(|arm| arm.contributions.get(&value).copied()).collect();
            for arm in arms.iter_mut() {
                let bar = match arm.contributions.get(&value) {
                    Some(bar) => *bar,
                    None => self.zero_in(&mut arm.block, value),
                };
                arm.block.results.push(bar);
            }
            let data = self.primal.value(value).clone();
            let result =
                self.builder.value(data.ty.tangent(), &format!("{}_bar", data.name), data.span);
            let is_sure =
                bars.len() == arms.len() && bars.iter().all(|bar| self.sure.contains(bar));
            if is_sure {
                self.sure.insert(result)
            } else {
                self.merged.insert(result)
            };
            results.push((Some(value), result));
        }
    }

    /// A zero cotangent at the end of a block that is closed already.
    fn zero_in(&mut self, block: &mut Block, value: Value) -> Value {
        self.builder.open();
        self.scopes.push(Scope { env: HashMap::default(), cotangents: BTreeMap::new() });
        let zero = self.zero_of(value);
        self.scopes.pop();
        let made = self.builder.close(Vec::new());
        block.insts.extend(made.insts);
        zero
    }

    fn join_places(
        &mut self,
        arms: &mut [Arm],
        before: &Places,
        results: &mut Vec<(Option<Value>, Value)>,
    ) {
        for slot in before.shadows.keys() {
            if let Some(next) = self.join_place(arms, |places| places.shadows.get(slot).copied()) {
                results.push((None, next));
                self.shadows.insert(*slot, next);
            }
        }
        for slot in before.memory.keys() {
            if let Some(next) = self.join_place(arms, |places| places.memory.get(slot).copied()) {
                results.push((None, next));
                self.memory.insert(*slot, next);
            }
        }
    }

    fn join_place(
        &mut self,
        arms: &mut [Arm],
        version: impl Fn(&Places) -> Option<Value>,
    ) -> Option<Value> {
        let versions: Vec<Value> = arms.iter().filter_map(|arm| version(&arm.places)).collect();
        if versions.len() < 2 || versions[0] == versions[1] {
            return None;
        }
        for (arm, version) in arms.iter_mut().zip(&versions) {
            arm.block.results.push(*version);
        }
        let slot = self.builder.function.slot_of(versions[0]).expect("a place");
        Some(self.builder.version(slot))
    }
}

/// Whether a region's result is a new place rather than the next version of one from outside.
fn made_here(function: &crate::ir::Function, inst: &Inst, slot: Slot) -> bool {
    let Op::If(then, other) = &inst.op else {
        return false;
    };
    [then, other]
        .iter()
        .all(|block| block.results.iter().all(|value| function.slot_of(*value) != Some(slot)))
}
