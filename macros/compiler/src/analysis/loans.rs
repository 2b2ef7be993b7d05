//! Which reads of whole places need no copy.
//!
//! In: a function that is emitted. Out: of the values that are read from a place, those that are lent, since whatever uses
//! them takes a reference and the place holds the same as long as they live; and those that leave the place, since
//! nothing uses it afterwards, or nothing before it is written again.
//!
//! Invariants: a place of which something is lent is neither written nor moved behind that read, and a pullback, which
//! borrows nothing, is lent nothing from outside that is behind a reference.

use crate::analysis::refills::{Refills, refills};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Access, Block, Call, Function, Inst, Op, Passing, Projection, Slot, Type, Value};

/// What becomes of reads.
#[derive(Default)]
pub struct Loans {
    /// With their places.
    lent: EntityMap<Value, Slot>,
    moved: EntitySet<Value>,
    /// Versions of places that were emptied before.
    refilled: EntitySet<Value>,
}

impl Loans {
    /// Whether a value is used where it is.
    pub fn is_lent(&self, value: Value) -> bool {
        self.lent.contains_key(&value)
    }

    /// Whether a store makes this version of a place that was emptied for it.
    pub fn is_refilled(&self, version: Value) -> bool {
        self.refilled.contains(&version)
    }

    /// Whether a value is taken out of its place.
    pub fn is_moved(&self, value: Value) -> bool {
        self.moved.contains(&value)
    }
}

/// The reads of a function. One that calls itself is emitted in parts, which are given copies.
pub fn loans(function: &Function) -> Loans {
    if function.is_recursive || function.may_call_itself {
        return Loans::default();
    }
    let uses = Uses::new(function, &function.body);
    let mut loans = Loans::default();
    lend(&uses, &function.body, 0, &mut loans);
    let params = function.body.params.iter().filter_map(|param| function.slot_of(*param));
    release(&uses, &function.body, params.collect(), &mut loans);
    exchange(function, &refills(function), &mut loans);
    loans
}

/// How values are used.
pub struct Uses<'f> {
    function: &'f Function,
    /// How many pullbacks the current point is in.
    closures: usize,
    /// For each value, whether all uses are references to it, and in how many pullbacks the innermost is.
    at: EntityMap<Value, (bool, usize)>,
    /// Versions of places that are written or moved later.
    kept: EntitySet<Value>,
}

impl<'f> Uses<'f> {
    /// Those in a function's body.
    pub fn new(function: &'f Function, body: &Block) -> Self {
        let (at, kept) = (EntityMap::default(), EntitySet::default());
        let mut uses = Uses { function, closures: 0, at, kept };
        uses.block(body, true);
        uses
    }

    /// Whether the value that an instruction of a block puts into a place may be read from there by all that uses it
    /// later, of which there is something.
    pub fn resides(&self, inst: &Inst, block: &Block, counts: &EntityMap<Value, usize>) -> bool {
        let (value, place) = (inst.args[0], inst.results[0]);
        let position = block.insts.iter().position(|other| other.results == inst.results);
        let (mut earlier, mut later, mut are_references) = (0, 0, true);
        for (at, other) in block.insts.iter().enumerate() {
            let count = if Some(at) < position { &mut earlier } else { &mut later };
            other.each_use(&mut |used| *count += usize::from(used == value));
            let is_taken = Some(at) > position && takes(self.function, other, value);
            are_references &= !is_taken;
        }
        let is_here = counts.get(&value) == Some(&(earlier + later));
        is_here && later > 1 && are_references && !self.kept.contains(&place)
    }

    fn block(&mut self, block: &Block, is_outermost: bool) {
        for inst in &block.insts {
            for (position, arg) in inst.args.iter().enumerate() {
                let entry = self.at.entry(*arg).or_insert((true, 0));
                entry.0 &= borrows(self.function, inst, position);
                entry.1 = entry.1.max(self.closures);
            }
            self.keep(inst);
            let is_closure = matches!(inst.op, Op::Closure(_));
            self.closures += usize::from(is_closure);
            inst.op.blocks().for_each(|inner| self.block(inner, is_closure));
            self.closures -= usize::from(is_closure);
        }
        for result in &block.results {
            self.at.insert(*result, (false, usize::MAX));
            let is_seen = is_outermost && self.access(*result) != Some(Access::Owned);
            self.kept.extend((!is_seen).then_some(*result));
        }
    }

    fn access(&self, version: Value) -> Option<Access> {
        self.function.slot_of(version).map(|slot| self.function.slot(slot).access)
    }

    /// The place of which an instruction, in so many pullbacks, reads what it may lend.
    fn lendable(&self, inst: &Inst, closures: usize) -> Option<Slot> {
        let version = whole(self.function, inst)?;
        let (are_references, depth) = self.at.get(&inst.results[0])?;
        let is_near = self.access(version)? == Access::Owned || *depth <= closures;
        let is_unknown = *self.function.ty(inst.results[0]) == Type::Unknown;
        let is_lent = *are_references && is_near && is_unknown && !self.kept.contains(&version);
        is_lent.then(|| self.function.slot_of(version)).flatten()
    }

    /// The place that an instruction may empty, if nothing uses it later.
    fn emptied(&self, inst: &Inst) -> Option<(Value, Slot)> {
        let version = whole(self.function, inst).or_else(|| held(self.function, inst))?;
        let slot = self.function.slot_of(version)?;
        let data = self.function.slot(slot);
        let may_leave =
            matches!(data.ty, Type::Unknown | Type::Vec(_) | Type::Array(..) | Type::Tuple(_));
        let is_emptied = data.access == Access::Owned && may_leave && !self.kept.contains(&version);
        is_emptied.then_some((version, slot))
    }

    /// Notes the versions that an instruction writes or takes.
    fn keep(&mut self, inst: &Inst) {
        let function = self.function;
        let slots: Vec<Slot> =
            inst.results.iter().filter_map(|result| function.slot_of(*result)).collect();
        let looks = looks_at(&inst.op);
        let taken = by_value(inst);
        for (position, arg) in inst.args.iter().enumerate() {
            let is_next = function.slot_of(*arg).is_some_and(|slot| slots.contains(&slot));
            if is_next || !looks || taken.contains(&position) {
                self.kept.insert(*arg);
            }
        }
    }
}

/// Whether what an instruction does to a place of which it makes no version is to look at it.
fn looks_at(op: &Op) -> bool {
    matches!(
        op,
        Op::Load(_)
            | Op::Clone(_)
            | Op::Measure(..)
            | Op::Zero(_)
            | Op::Cleared(_)
            | Op::Unread(..)
            | Op::Proof(_)
            | Op::Matches(..)
            | Op::Watch(_)
            | Op::Call(_)
            | Op::CallVjp(_)
            | Op::CallJvp(_)
            | Op::Pull(..)
    )
}

/// The arguments of a call that it is given by value.
fn by_value(inst: &Inst) -> Vec<usize> {
    match &inst.op {
        Op::Call(call) | Op::CallVjp(call) | Op::CallJvp(call) => {
            let (mut taken, mut at) = (Vec::new(), 0);
            for passing in &call.passing {
                for _ in 0..call.times() {
                    taken.extend((*passing == Passing::Value).then_some(at));
                    at += passing.width();
                }
            }
            taken
        }
        Op::Pull(call, shadows) => (places(call, shadows)..inst.args.len()).collect(),
        _ => Vec::new(),
    }
}

/// How many arguments of a pullback stand before the cotangents of what was returned: itself, places and shadows.
fn places(call: &Call, shadows: &[crate::ir::Path]) -> usize {
    let references = call.passing.iter().filter(|passing| **passing != Passing::Value);
    let widths = references
        .zip(shadows)
        .map(|(place, shadow)| place.width() + Passing::Unique(shadow.clone()).width());
    1 + call.times() * widths.sum::<usize>()
}

/// Whether an instruction, or one inside of it, uses a value by more than a reference.
fn takes(function: &Function, inst: &Inst, value: Value) -> bool {
    let mut each = inst.args.iter().enumerate();
    let inside = |inner: &Block| {
        inner.results.contains(&value)
            || inner.insts.iter().any(|inst| takes(function, inst, value))
    };
    each.any(|(at, arg)| *arg == value && !borrows(function, inst, at))
        || inst.op.blocks().any(inside)
}

/// Values that something uses by more than a reference.
pub fn taken(function: &Function) -> EntitySet<Value> {
    let mut taken: EntitySet<Value> = EntitySet::default();
    function.body.walk(&mut |inst, _| {
        let each = inst.args.iter().enumerate();
        taken.extend(each.filter(|(at, _)| !borrows(function, inst, *at)).map(|(_, arg)| *arg));
        taken.extend(inst.op.blocks().flat_map(|block| &block.results));
    });
    taken.extend(&function.body.results);
    taken
}

/// Whether an operand is written as a reference.
fn borrows(function: &Function, inst: &Inst, position: usize) -> bool {
    match &inst.op {
        Op::Partial(..) | Op::Attest(_) | Op::Proof(_) => true,
        Op::AccumulatePartial(..) => position > 0,
        Op::Apply(_) => {
            function.copies_operands
                && *function.ty(inst.args[position]) == Type::Unknown
                && function.lent.contains(&(inst.results[0], position))
        }
        _ => false,
    }
}

/// The version of which an instruction reads all that it holds.
fn whole(function: &Function, inst: &Inst) -> Option<Value> {
    let is_whole = matches!(&inst.op, Op::Load(path) if path.is_empty());
    (is_whole && !function.ty(inst.results[0]).is_copy()).then(|| inst.args[0])
}

/// The version of an `Option` or a `Result` of which an instruction reads what it holds.
fn held(function: &Function, inst: &Inst) -> Option<Value> {
    let (Op::Load(path) | Op::Clone(path)) = &inst.op else { return None };
    let is_held = function.copies_operands && matches!(path[..], [Projection::Unwrap(..)]);
    // Copies of tangents are those of values, and rustc is asked whether they hold cells.
    let is_tangent =
        function.slot_of(inst.args[0]).is_some_and(|slot| function.slot(slot).is_tangent);
    let is_unknown = *function.ty(inst.results[0]) == Type::Unknown;
    (is_held && is_unknown && !is_tangent).then(|| inst.args[0])
}

/// Finds what is lent.
fn lend(uses: &Uses, block: &Block, closures: usize, loans: &mut Loans) {
    for inst in &block.insts {
        if let Some(slot) = uses.lendable(inst, closures) {
            loans.lent.insert(inst.results[0], slot);
        }
        let inside = closures + usize::from(matches!(inst.op, Op::Closure(_)));
        inst.op.blocks().for_each(|inner| lend(uses, inner, inside, loans));
    }
}

/// Finds what leaves places for good: these are made in the same block.
fn release(uses: &Uses, block: &Block, mut made: EntitySet<Slot>, loans: &mut Loans) {
    made.extend(block.insts.iter().flat_map(|inst| first_versions(uses.function, inst)));
    let mut later: EntitySet<Value> = block.results.iter().copied().collect();
    let mut lent_later: EntitySet<Slot> = EntitySet::default();
    for inst in block.insts.iter().rev() {
        if let Some((version, slot)) = uses.emptied(inst)
            && made.contains(&slot)
            && !loans.is_lent(inst.results[0])
            && !later.contains(&version)
            && !lent_later.contains(&slot)
        {
            loans.moved.insert(inst.results[0]);
        }
        let used = inst.uses();
        lent_later.extend(used.iter().filter_map(|value| loans.lent.get(value)));
        later.extend(used);
        for inner in inst.op.blocks() {
            release(uses, inner, EntitySet::default(), loans);
        }
    }
}

/// Finds what leaves places that are written again before anything else touches them.
fn exchange(function: &Function, refills: &Refills, loans: &mut Loans) {
    function.body.walk(&mut |inst, _| {
        if matches!(inst.op, Op::Load(_)) && refills.may_move(inst.results[0]) {
            loans.moved.insert(inst.results[0]);
        }
        let read = inst.results.first().and_then(|version| refills.read_before(*version));
        if read.is_some_and(|read| refills.may_move(read)) {
            loans.refilled.insert(inst.results[0]);
        }
    });
}

/// The places that an instruction makes.
fn first_versions(function: &Function, inst: &Inst) -> impl Iterator<Item = Slot> {
    let slots = inst.results.iter().filter_map(|result| function.slot_of(*result));
    let known: Vec<Slot> = inst.args.iter().filter_map(|arg| function.slot_of(*arg)).collect();
    slots.filter(move |slot| !known.contains(slot))
}
