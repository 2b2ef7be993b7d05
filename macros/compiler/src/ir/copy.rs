//! Copies of blocks that can stand beside what they are copies of.
//!
//! In: a block of a function. Out: the same with values, places and identities of its own. What it uses from
//! outside stays, or becomes what the caller says.

use super::free::Free;
use super::{Block, Function, Inst, Slot, Value};
use crate::ir::entity::{EntityMap, EntitySet};

/// What stands in a copy for what.
#[derive(Default)]
pub struct Copied {
    pub values: EntityMap<Value, Value>,
    pub slots: EntityMap<Slot, Slot>,
}

impl Copied {
    /// A copy of a block, its parameters included.
    pub fn block(&mut self, function: &mut Function, block: &Block) -> Block {
        for slot in places_from_outside(function, block) {
            self.slots.entry(slot).or_insert(slot);
        }
        self.inner(function, block)
    }

    /// Copies of instructions. Those that come later use what copies of earlier ones make.
    pub fn insts(&mut self, function: &mut Function, insts: &[Inst]) -> Vec<Inst> {
        insts.iter().map(|inst| self.inst(function, inst)).collect()
    }

    /// The value that stands for another one.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn inner(&mut self, function: &mut Function, block: &Block) -> Block {
        let mut copy = function.new_block();
        copy.params = self.define(function, &block.params);
        copy.insts = self.insts(function, &block.insts);
        copy.results = block.results.iter().map(|value| self.value(*value)).collect();
        copy
    }

    fn inst(&mut self, function: &mut Function, inst: &Inst) -> Inst {
        let mut copy = inst.clone();
        copy.args.iter_mut().for_each(|arg| *arg = self.value(*arg));
        for block in copy.op.blocks_mut() {
            *block = self.inner(function, block);
        }
        copy.results = self.define(function, &inst.results);
        copy
    }

    fn define(&mut self, function: &mut Function, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.defined(function, *value)).collect()
    }

    fn defined(&mut self, function: &mut Function, value: Value) -> Value {
        if let Some(given) = self.values.get(&value) {
            return *given;
        }
        let mut data = function.value(value).clone();
        data.slot = data.slot.map(|slot| self.slot(function, slot));
        let copy = function.new_value(data);
        function.lend_alike(value, copy);
        self.values.insert(value, copy);
        copy
    }

    fn slot(&mut self, function: &mut Function, slot: Slot) -> Slot {
        match self.slots.get(&slot) {
            Some(known) => *known,
            None => {
                let data = function.slot(slot).clone();
                let made = function.new_slot(data);
                self.slots.insert(slot, made);
                made
            }
        }
    }
}

/// The places of which a block has a version from outside, or is given one.
fn places_from_outside(function: &Function, block: &Block) -> EntitySet<Slot> {
    let given = block.params.iter().copied();
    Free::in_block(block)
        .values
        .into_iter()
        .chain(given)
        .filter_map(|value| function.slot_of(value))
        .collect()
}
