//! Scalar replacement of aggregates that are written part by part (Muchnick 1997, section 12.2).
//!
//! In: a primal function in which tuples and short arrays of numbers have places: `let mut s = (x, 1.0);`, and a loop with
//! `s = (s.1, s.0 + s.1); s.1 += x;`. Out: the same with a value for each part, where a place is made of parts and used in
//! no other way than that parts are read and written. So state needs no shadow in memory, and nothing is put back.
//!
//! Invariants: a part that all ways leave alone is carried, too, which [`prune`](super::prune()) undoes. A part has the type
//! that it has in the place.

use super::prune::{resolve, substitute};
use super::ranges::Literals;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{
    Access, Block, FloatKind, Function, Inst, LoopKind, Op, Projection, Slot, Type, Value,
    ValueData,
};

/// Longer arrays stay in memory.
const MOST: usize = 8;

/// Runs the pass.
pub fn split(mut function: Function) -> Function {
    let candidates = Candidates::of(&function);
    let slots = candidates.found();
    if slots.is_empty() {
        return function;
    }
    let Candidates { literals, values, .. } = candidates;
    let mut body = function.take_body();
    let (parts, renamed) = Default::default();
    let mut pass = Split { function: &mut function, slots, literals, values, parts, renamed };
    pass.block(&mut body);
    substitute(&mut body, &pass.renamed);
    function.body = body;
    function
}

/// Notes the values of which a tuple or an array is made.
fn note_parts(inst: &Inst, values: &mut EntityMap<Value, Vec<Value>>) {
    if matches!(inst.op, Op::Tuple | Op::Array) {
        values.insert(inst.results[0], inst.args.clone());
    }
}

/// The part to which a step leads whose index is written.
fn part(inst: &Inst, literals: &Literals) -> Option<usize> {
    let (Op::Load(path) | Op::Store(path)) = &inst.op else { return None };
    match &path[..] {
        [Projection::Field(name)] => name.parse().ok(),
        [Projection::Index] => literals.get(inst.args[1]).and_then(|at| usize::try_from(at).ok()),
        _ => None,
    }
}

/// What places are made of.
struct Candidates<'f> {
    function: &'f Function,
    literals: Literals,
    values: EntityMap<Value, Vec<Value>>,
    /// The types of the parts.
    types: EntityMap<Slot, Vec<Type>>,
    /// Places that are used otherwise.
    others: EntitySet<Slot>,
    /// Places of which a part is written.
    written: EntitySet<Slot>,
}

impl<'f> Candidates<'f> {
    fn of(function: &'f Function) -> Self {
        let mut values = EntityMap::default();
        function.body.walk(&mut |inst, _| note_parts(inst, &mut values));
        let (types, others, written) = Default::default();
        let literals = Literals::of(function);
        let mut candidates = Candidates { function, literals, values, types, others, written };
        let body = &function.body;
        let outside = body.params.iter().chain(&body.results);
        candidates.others.extend(outside.filter_map(|value| function.slot_of(*value)));
        body.walk(&mut |inst, _| candidates.note(inst));
        candidates
    }

    fn note(&mut self, inst: &Inst) {
        let slot = |value: Value| self.function.slot_of(value);
        let annotated =
            inst.results.iter().filter(|value| self.function.annotation(**value).is_some());
        let has_numbers = |slot: &Slot| !self.function.slot(*slot).ty.is_aggregate();
        self.others.extend(annotated.filter_map(|value| slot(*value)).filter(has_numbers));
        match &inst.op {
            Op::Tuple | Op::Array => self.note_made(inst, inst.results[0]),
            Op::Duplicate => self.note_made(inst, inst.args[0]),
            Op::Store(path) if path.is_empty() => self.note_made(inst, inst.args[1]),
            Op::Load(_) => self.note_part(inst, None),
            Op::Store(_) => self.note_part(inst, inst.args.last().copied()),
            Op::If(..) | Op::Loop(_) => self.note_moves(inst),
            _ => {
                let yielded = inst.op.blocks().flat_map(|block| &block.results);
                let used = inst.args.iter().chain(&inst.results).chain(yielded);
                self.others.extend(used.filter_map(|value| self.function.slot_of(*value)));
            }
        }
    }

    /// A place is made of what a value consists of, or takes that over.
    fn note_made(&mut self, inst: &Inst, whole: Value) {
        let used = inst.args.iter().filter_map(|value| self.function.slot_of(*value));
        let made = self.function.slot_of(inst.results[0]);
        let used: Vec<Slot> = used.filter(|slot| Some(*slot) != made).collect();
        self.others.extend(used);
        let Some(slot) = made else { return };
        let Some(values) = self.values.get(&whole).filter(|values| values.len() <= MOST) else {
            self.others.insert(slot);
            return;
        };
        let is_plain = |value: &&Value| self.function.slot_of(**value).is_none();
        let types: Vec<Type> =
            values.iter().filter(is_plain).map(|value| self.function.ty(*value).clone()).collect();
        let before = self.types.get(&slot).cloned().unwrap_or_else(|| types.clone());
        if types.len() != values.len() || before.len() != types.len() {
            self.others.insert(slot);
            return;
        }
        let joined = before.iter().zip(&types).map(|(before, ty)| before.join(ty)).collect();
        self.types.insert(slot, joined);
    }

    /// A part is read or written.
    fn note_part(&mut self, inst: &Inst, stored: Option<Value>) {
        let Some(slot) = self.function.slot_of(inst.args[0]) else { return };
        let used = inst.args[1..].iter().chain(&inst.results);
        let others: Vec<Slot> = used
            .filter_map(|value| self.function.slot_of(*value))
            .filter(|other| *other != slot)
            .collect();
        let is_clean = others.is_empty();
        self.others.extend(others);
        let types = part(inst, &self.literals).zip(self.types.get_mut(&slot));
        let ty = types.and_then(|(at, types)| types.get_mut(at)).filter(|_| is_clean);
        match (ty, stored) {
            (Some(ty), Some(value)) => {
                self.written.insert(slot);
                *ty = ty.join(self.function.ty(value));
            }
            (Some(_), None) => {}
            (None, _) => _ = self.others.insert(slot),
        }
    }

    /// Ways meet in a place: they may not lead from one to another.
    fn note_moves(&mut self, inst: &Inst) {
        for (from, to) in inst.moves() {
            let slots = [from, to].map(|value| self.function.slot_of(value));
            if slots[0] != slots[1] {
                self.others.extend(slots.into_iter().flatten());
            }
            self.written.extend(slots[1]);
        }
        if let Op::Loop(repeat) = &inst.op {
            let bounds = inst.args[..repeat.bounds()].iter();
            self.others.extend(bounds.filter_map(|value| self.function.slot_of(*value)));
        }
    }

    /// The places that are taken apart, with the types of their parts.
    fn found(&self) -> EntityMap<Slot, Vec<Type>> {
        let Candidates { function, types, others, written, .. } = self;
        let is_number = |ty: &Type| matches!(ty, Type::Float(_) | Type::Int | Type::Bool);
        let is_found = |slot: Slot, types: &[Type]| {
            let data = function.slot(slot);
            let is_told = match &data.ty {
                // Literals have the type of the other elements.
                Type::Array(item, _) => {
                    matches!(**item, Type::Float(FloatKind::F32 | FloatKind::F64))
                }
                Type::Tuple(_) | Type::Unknown => true,
                _ => false,
            };
            is_told
                && data.access == Access::Owned
                && written.contains(&slot)
                && !others.contains(&slot)
                && types.iter().all(is_number)
        };
        let found = types.iter().filter(|(slot, types)| is_found(**slot, types));
        let typed = |types: &[Type], slot: Slot| match &function.slot(slot).ty {
            Type::Array(item, _) => vec![(**item).clone(); types.len()],
            _ => types.to_vec(),
        };
        found.map(|(slot, types)| (*slot, typed(types, *slot))).collect()
    }
}

struct Split<'f> {
    function: &'f mut Function,
    /// With the types of the parts.
    slots: EntityMap<Slot, Vec<Type>>,
    literals: Literals,
    /// What tuples and arrays are made of.
    values: EntityMap<Value, Vec<Value>>,
    /// The parts of each version of a place that is taken apart.
    parts: EntityMap<Value, Vec<Value>>,
    renamed: EntityMap<Value, Value>,
}

impl Split<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.args.iter_mut().for_each(|arg| *arg = resolve(*arg, &self.renamed));
            let slot = inst.results.first().and_then(|result| self.function.slot_of(*result));
            let place = inst.args.first().and_then(|place| self.parts.get(place)).cloned();
            match (&inst.op, place) {
                (Op::If(..), _) => self.condition(&mut inst),
                (Op::Loop(_), _) => self.repeat(&mut inst),
                (Op::Load(_), Some(parts)) => {
                    let at = part(&inst, &self.literals).expect("a part that is read");
                    self.renamed.insert(inst.results[0], parts[at]);
                    continue;
                }
                (Op::Store(path), Some(mut parts)) if !path.is_empty() => {
                    let at = part(&inst, &self.literals).expect("a part that is written");
                    let value = *inst.args.last().expect("a stored value");
                    let ty = self.slots[&slot.expect("a version of a place")][at].clone();
                    parts[at] = self.typed(value, &ty, block);
                    self.parts.insert(inst.results[0], parts);
                    continue;
                }
                (_, _) if slot.is_some_and(|slot| self.slots.contains_key(&slot)) => {
                    self.make(&inst, slot.expect("checked before"), block);
                    continue;
                }
                (_, _) => {}
            }
            block.insts.push(inst);
        }
    }

    /// A version that consists of given values.
    fn make(&mut self, inst: &Inst, slot: Slot, block: &mut Block) {
        let whole = match &inst.op {
            Op::Tuple | Op::Array => inst.results[0],
            _ => *inst.args.last().expect("what is put into the place"),
        };
        let types = self.slots[&slot].clone();
        let values = self.values[&whole].clone();
        let mut parts = Vec::new();
        for (value, ty) in values.into_iter().zip(&types) {
            parts.push(self.typed(resolve(value, &self.renamed), ty, block));
        }
        self.parts.insert(inst.results[0], parts);
    }

    /// A literal says which float it is, where it is known.
    fn typed(&mut self, value: Value, ty: &Type, block: &mut Block) -> Value {
        let Some(literal) = self.literals.typed(value, ty) else { return value };
        let data = ValueData { ty: ty.clone(), ..self.function.value(value).clone() };
        let (span, typed) = (data.span, self.function.new_value(data));
        let op = Op::Literal(syn::Lit::Float(literal));
        block.insts.push(Inst { op, args: Vec::new(), results: vec![typed], span });
        typed
    }

    /// Whether a value is a version of a place that is taken apart; then new values for its parts.
    fn fresh(&mut self, version: Value) -> Option<Vec<Value>> {
        let slot = self.function.slot_of(version)?;
        let types = self.slots.get(&slot)?.clone();
        let data = self.function.slot(slot).clone();
        let part = |(at, ty): (usize, Type)| {
            let name = format!("{}_{at}", data.name);
            self.function.new_value(ValueData::named(ty, &name, data.span))
        };
        let parts: Vec<Value> = types.into_iter().enumerate().map(part).collect();
        self.parts.insert(version, parts.clone());
        Some(parts)
    }

    /// Puts new values for parts in the place of versions.
    fn defined(&mut self, values: &mut Vec<Value>) {
        let each = std::mem::take(values).into_iter();
        values.extend(each.flat_map(|value| self.fresh(value).unwrap_or_else(|| vec![value])));
    }

    /// Puts the parts in the place of versions.
    fn used(&self, values: &mut Vec<Value>) {
        let each = std::mem::take(values).into_iter();
        values.extend(
            each.flat_map(|value| self.parts.get(&value).cloned().unwrap_or_else(|| vec![value])),
        );
    }

    fn condition(&mut self, inst: &mut Inst) {
        for arm in inst.op.blocks_mut() {
            self.block(arm);
            self.used(&mut arm.results);
        }
        self.defined(&mut inst.results);
    }

    fn repeat(&mut self, inst: &mut Inst) {
        self.used(&mut inst.args);
        let Op::Loop(repeat) = &mut inst.op else { return };
        if let LoopKind::While { condition } = &mut repeat.kind {
            self.defined(&mut condition.params);
            self.block(condition);
        }
        self.defined(&mut repeat.body.params);
        self.block(&mut repeat.body);
        self.used(&mut repeat.body.results);
        self.defined(&mut inst.results);
    }
}
