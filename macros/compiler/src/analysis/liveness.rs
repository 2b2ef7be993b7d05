//! Liveness: which places are used again behind a block, or behind a read.
//!
//! In: a function. Out: for each block of an `if` or a loop, the versions of places that something may use once the block
//! has ended; and the loads from places that are used later. What the user moved in such a block, and left it early, rustc
//! sees used again: an early exit is a flag here.
//!
//! Invariants: a version that a block hands on as the next one of the same place is used behind it only if that is. In a
//! loop, what comes from outside is used again in the next iteration.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::free::Free;
use crate::ir::{Access, Block, BlockId, Function, Inst, Op, Value};

/// Places that are used again.
#[derive(Default)]
pub struct Behind {
    live: EntityMap<BlockId, EntitySet<Value>>,
    /// The values that are read from places which are used later.
    early: EntitySet<Value>,
}

impl Behind {
    /// Whether a version of a place is used again behind a block.
    pub fn is_used(&self, version: Value, block: BlockId) -> bool {
        self.live.get(&block).is_some_and(|live| live.contains(&version))
    }

    /// Whether the place that a value is read from is used again behind that.
    pub fn is_early(&self, read: Value) -> bool {
        self.early.contains(&read)
    }
}

/// Finds the places of a function that live on behind its blocks and reads.
pub fn behind(function: &Function) -> Behind {
    let mut walk = Walk { function, behind: Behind::default() };
    walk.block(&function.body, EntitySet::default());
    walk.behind
}

struct Walk<'f> {
    function: &'f Function,
    behind: Behind,
}

impl Walk<'_> {
    /// From the end of a block, where some versions live, to its start.
    fn block(&mut self, block: &Block, mut live: EntitySet<Value>) -> EntitySet<Value> {
        self.behind.live.insert(block.id, live.clone());
        self.extend(&mut live, &block.results);
        for inst in block.insts.iter().rev() {
            let inner: Vec<EntitySet<Value>> =
                inst.op.blocks().map(|inner| self.inner(inst, inner, &live)).collect();
            live.extend(inner.into_iter().flatten());
            if matches!(inst.op, Op::Load(_)) && live.contains(&inst.args[0]) {
                self.behind.early.insert(inst.results[0]);
            }
            let is_store = matches!(&inst.op, Op::Store(path) if path.is_empty());
            self.extend(&mut live, &inst.args[usize::from(is_store)..]);
        }
        live
    }

    /// Goes through a block inside of an instruction; some versions live behind the instruction.
    fn inner(&mut self, inst: &Inst, block: &Block, live: &EntitySet<Value>) -> EntitySet<Value> {
        let mut end = match inst.op {
            Op::Closure(_) => EntitySet::default(),
            _ => live.clone(),
        };
        let is_loop = matches!(inst.op, Op::Loop(_));
        if is_loop {
            inst.op.blocks().for_each(|inner| {
                self.extend(&mut end, &Free::in_block(inner).values.into_iter().collect::<Vec<_>>())
            });
        }
        let is_same = |a: Value, b: Value| self.function.slot_of(a) == self.function.slot_of(b);
        let first = block.results.len().saturating_sub(inst.results.len());
        for (result, next) in inst.results.iter().zip(&block.results[first..]) {
            if is_same(*result, *next) && (is_loop || live.contains(result)) {
                self.extend(&mut end, &[*next]);
            }
        }
        self.block(block, end)
    }

    fn extend(&self, live: &mut EntitySet<Value>, values: &[Value]) {
        let is_owned = |value: &&Value| {
            let slot = self.function.slot_of(**value).map(|slot| self.function.slot(slot));
            slot.is_some_and(|slot| slot.access == Access::Owned)
        };
        live.extend(values.iter().filter(is_owned));
    }
}
