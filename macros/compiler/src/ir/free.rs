//! What a part of a function takes from the rest of it.
//!
//! In: instructions. Out: the values and tapes that they use and do not define, in the order of their numbers.

use super::{Block, Inst, Tape, Value};
use crate::ir::entity::EntitySet;
use std::collections::BTreeSet;

/// What instructions use and do not define.
#[derive(Default)]
pub struct Free {
    pub values: BTreeSet<Value>,
    pub tapes: BTreeSet<Tape>,
}

impl Free {
    pub fn of(insts: &[Inst], results: &[Value]) -> Self {
        let (mut free, mut defined) = (Free::default(), EntitySet::default());
        free.add(insts, results, &mut defined);
        free.values.retain(|value| !defined.contains(value));
        free
    }

    /// What a block takes from outside.
    pub fn in_block(block: &Block) -> Self {
        Free::of(&block.insts, &block.results).without(&block.params)
    }

    /// But for these.
    #[must_use]
    pub fn without(mut self, params: &[Value]) -> Self {
        self.values.retain(|value| !params.contains(value));
        self
    }

    fn add(&mut self, insts: &[Inst], results: &[Value], defined: &mut EntitySet<Value>) {
        for inst in insts {
            self.values.extend(&inst.args);
            defined.extend(&inst.results);
            self.tapes.extend(inst.op.tape());
            for block in inst.op.blocks() {
                defined.extend(&block.params);
                self.add(&block.insts, &block.results, defined);
            }
        }
        self.values.extend(results);
    }
}
