//! Which values are used again behind a use that takes them over.
//!
//! In: a function. Out: values that have several uses, or one in a loop that they come into from outside. A use that only
//! looks at a value counts if the value may be taken over before that look is written: earlier, or in a block inside. Of
//! places only the tangents and functions: what they are tangents of is `Copy` then, or it could not be used so, and so
//! are functions where the user wrote them, but the tangent's type and that of functions with derivatives need not be.

use crate::analysis::lanes::Lanes;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Op, Type, Value};

/// The values. A place with lanes is written lane by lane, and so must be there when it is written.
pub fn left(function: &Function, lanes: Option<&Lanes>) -> EntitySet<Value> {
    let mut walk = Walk {
        function,
        lanes,
        loops: 0,
        depth: 0,
        defined: EntityMap::default(),
        looked: EntityMap::default(),
        uses: EntityMap::default(),
    };
    walk.block(&function.body);
    walk.uses.into_iter().filter(|(_, uses)| *uses > 1).map(|(value, _)| value).collect()
}

struct Walk<'f> {
    function: &'f Function,
    lanes: Option<&'f Lanes>,
    /// How many loops the current point is in.
    loops: usize,
    /// How many blocks it is in.
    depth: usize,
    /// In how many loops each value is made.
    defined: EntityMap<Value, usize>,
    /// In how many blocks one is looked at first.
    looked: EntityMap<Value, usize>,
    uses: EntityMap<Value, usize>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        self.depth += 1;
        self.define(&block.params);
        for inst in &block.insts {
            match &inst.op {
                // A witness is told before anything else is done.
                Op::Attest(_) => {}
                // What is overwritten as a whole may be gone.
                Op::Store(path) if path.is_empty() && !self.has_lanes(inst.args[0]) => {
                    self.count(inst.args[1]);
                }
                Op::Zero(_) | Op::Load(_) => inst.args.iter().for_each(|arg| self.look(*arg)),
                _ => inst.args.iter().for_each(|arg| self.count(*arg)),
            }
            let repeats = matches!(inst.op, Op::Loop(_));
            self.loops += usize::from(repeats);
            inst.op.blocks().for_each(|inner| self.block(inner));
            self.loops -= usize::from(repeats);
            self.define(&inst.results);
        }
        block.results.iter().for_each(|result| self.count(*result));
        self.depth -= 1;
    }

    fn has_lanes(&self, version: Value) -> bool {
        self.lanes.is_some_and(|lanes| lanes.has(self.function, version))
    }

    fn define(&mut self, values: &[Value]) {
        self.defined.extend(values.iter().map(|value| (*value, self.loops)));
    }

    /// A use behind a reference.
    fn look(&mut self, value: Value) {
        match self.uses.contains_key(&value) {
            true => self.count(value),
            false => {
                self.looked.entry(value).or_insert(self.depth);
            }
        }
    }

    fn count(&mut self, value: Value) {
        let slot = self.function.slot_of(value).map(|slot| self.function.slot(slot));
        let is_function = matches!(self.function.ty(value), Type::Function(..));
        if slot.is_none_or(|slot| slot.is_tangent || is_function) {
            let is_from_outside = self.defined.get(&value).is_none_or(|made| *made < self.loops);
            // A value that waits outside of this block is written behind it.
            let is_looked_at = self.looked.get(&value).is_some_and(|depth| *depth < self.depth);
            let count = if is_from_outside || is_looked_at { 2 } else { 1 };
            *self.uses.entry(value).or_default() += count;
        }
    }
}
