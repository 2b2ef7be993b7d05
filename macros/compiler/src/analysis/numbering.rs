//! Value numbering of integers (Cocke and Schwartz 1970): which of them are computed alike from the same values.
//!
//! In: a function. Out: of each integer the first one that is computed alike, and the instructions that compute one.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, Op, Path, Projection, Slot, Type, Value, index_count};
use quote::ToTokens;
use rustc_hash::FxHashMap as HashMap;

/// A part of a place, by fields and indices.
#[derive(Clone, PartialEq, Eq)]
pub struct Element {
    pub slot: Slot,
    pub path: Path,
    /// The numbers of the path's indices.
    pub indices: Vec<Value>,
}

/// The numbers of a function's integers.
#[derive(Default)]
pub struct Numbering {
    first: EntityMap<Value, Value>,
    /// The instructions that compute integers of others, and do nothing else.
    made: EntityMap<Value, Inst>,
    seen: HashMap<(String, Vec<Value>), Value>,
}

impl Numbering {
    /// Numbers the integers of a function.
    pub fn of(function: &Function) -> Self {
        let mut numbering = Numbering::default();
        function.body.walk(&mut |inst, _| numbering.note(function, inst));
        numbering
    }

    fn note(&mut self, function: &Function, inst: &Inst) {
        let [result] = inst.results[..] else { return };
        let Some(text) = text(&inst.op).filter(|_| *function.ty(result) == Type::Int) else {
            return;
        };
        let args = inst.args.iter().map(|arg| self.number(*arg)).collect();
        let first = *self.seen.entry((text, args)).or_insert(result);
        self.first.insert(result, first);
        self.made.insert(result, inst.clone());
    }

    /// Returns the instruction that computes an integer of others.
    pub fn inst(&self, value: Value) -> Option<&Inst> {
        self.made.get(&value)
    }

    /// The first value that is computed as a value is.
    pub fn number(&self, value: Value) -> Value {
        self.first.get(&value).copied().unwrap_or(value)
    }

    /// The element that an instruction reads or writes, and nothing else.
    pub fn element(&self, function: &Function, inst: &Inst) -> Option<Element> {
        let (Op::Load(path) | Op::Store(path)) = &inst.op else { return None };
        let slot = function.slot_of(inst.args[0])?;
        let indices = inst.args[1..1 + index_count(path)].iter();
        let is_part = !path.is_empty() && path.iter().all(Projection::is_plain);
        let indices = indices.map(|index| self.number(*index)).collect();
        is_part.then(|| Element { slot, path: path.clone(), indices })
    }

    /// Whether a value hangs on others that are made inside of a region.
    pub fn depends(&self, value: Value, inside: &EntitySet<Value>) -> bool {
        match self.made.get(&value) {
            Some(inst) => inst.args.iter().any(|arg| self.depends(*arg, inside)),
            None => inside.contains(&value),
        }
    }

    /// Computes values outside of a region that may make them, by instructions that stand there.
    pub fn again(
        &self,
        function: &mut Function,
        values: &[Value],
        inside: &EntitySet<Value>,
    ) -> (Vec<Inst>, Vec<Value>) {
        let mut block = Block { results: values.to_vec(), ..function.new_block() };
        let mut renamed = EntityMap::default();
        for value in values {
            self.compute(*value, inside, &mut block.insts, &mut renamed, function);
        }
        block.map_uses(&mut |value| *value = renamed.get(value).copied().unwrap_or(*value));
        (block.insts, block.results)
    }

    fn compute(
        &self,
        value: Value,
        inside: &EntitySet<Value>,
        insts: &mut Vec<Inst>,
        renamed: &mut EntityMap<Value, Value>,
        function: &mut Function,
    ) {
        let Some(inst) = self.made.get(&value).filter(|_| inside.contains(&value)) else { return };
        if renamed.contains_key(&value) {
            return;
        }
        for arg in &inst.args {
            self.compute(*arg, inside, insts, renamed, function);
        }
        let fresh = function.renewed(value);
        renamed.insert(value, fresh);
        insts.push(Inst { results: vec![fresh], ..inst.clone() });
    }
}

/// Names an operation that computes an integer of others, and does nothing else.
fn text(op: &Op) -> Option<String> {
    match op {
        Op::Literal(literal) => Some(literal.to_token_stream().to_string()),
        Op::Apply(rule) => Some(rule.name.to_owned()),
        Op::Cast(ty) => Some(format!("as {}", ty.to_token_stream())),
        _ => None,
    }
}
