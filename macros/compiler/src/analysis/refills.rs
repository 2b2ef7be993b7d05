//! Reads of parts that are written again before anything else touches their place, as in `state = step(state)`.
//!
//! In: a function. Out: the reads, and for each the store that stands behind it in the same block. Between the two nothing
//! sees what the part holds: the contents may be moved out, and backwards the shadow of the part may be, without a
//! zero in its place.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Access, Block, Function, Inst, Op, Path, Projection, Slot, Value, index_count};

/// The reads and the stores.
#[derive(Default)]
pub struct Refills {
    /// For each version that a store makes, the value that was read from the part.
    read: EntityMap<Value, Value>,
    /// The reads by which a variable may be emptied.
    movable: EntitySet<Value>,
}

impl Refills {
    /// Returns what was read from a part before a store made a version of its place.
    pub fn read_before(&self, version: Value) -> Option<Value> {
        self.read.get(&version).copied()
    }

    /// Whether what a read gives may be moved out: of a variable or a field of it.
    pub fn may_move(&self, read: Value) -> bool {
        self.movable.contains(&read)
    }
}

/// Finds the reads of a function.
pub fn refills(function: &Function) -> Refills {
    let mut refills = Refills::default();
    find(function, &function.body, &mut refills);
    refills
}

fn find(function: &Function, block: &Block, refills: &mut Refills) {
    let mut last: EntityMap<Slot, &Inst> = EntityMap::default();
    for inst in &block.insts {
        if let Op::Store(path) = &inst.op
            && let Some(slot) = function.slot_of(inst.results[0])
            && let Some((read, of)) = last.get(&slot).and_then(|read| Some((*read, read_of(read)?)))
            && of == *path
            && read.args[..] == inst.args[..=index_count(path)]
            && function.slot_of(read.results[0]) != Some(slot)
        {
            refills.read.insert(inst.results[0], read.results[0]);
            if is_movable(function, slot, path) {
                refills.movable.insert(read.results[0]);
            }
        }
        for inner in inst.op.blocks() {
            find(function, inner, refills);
        }
        let values = inst.uses().into_iter().chain(inst.results.iter().copied());
        let slots: EntitySet<Slot> = values.filter_map(|value| function.slot_of(value)).collect();
        last.extend(slots.into_iter().map(|slot| (slot, inst)));
    }
}

/// The part of a place that an instruction reads and does nothing else to.
fn read_of(inst: &Inst) -> Option<Path> {
    match &inst.op {
        Op::Load(path) | Op::Clone(path) => Some(path.clone()),
        Op::Duplicate => Some(Path::new()),
        _ => None,
    }
}

fn is_movable(function: &Function, slot: Slot, path: &Path) -> bool {
    let is_field = |step: &Projection| matches!(step, Projection::Field(_));
    function.slot(slot).access == Access::Owned && path.iter().all(is_field)
}
