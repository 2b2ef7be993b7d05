//! Which values are used again behind a use that takes them over.
//!
//! In: a function. Out: values that have several uses, or one in a loop that they come into from outside; what only looks at
//! a value before it is taken over is none. Of places
//! only the tangents and functions: what they are tangents of is `Copy` then, or it could not be used so, and so are
//! functions where the user wrote them, but the tangent's type and that of functions with derivatives need not be.

use crate::ir::{Block, Function, Op, Type, Value};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The values.
pub fn left(function: &Function) -> HashSet<Value> {
    let mut walk =
        Walk { function, loops: 0, defined: HashMap::default(), uses: HashMap::default() };
    walk.block(&function.body);
    walk.uses.into_iter().filter(|(_, uses)| *uses > 1).map(|(value, _)| value).collect()
}

struct Walk<'f> {
    function: &'f Function,
    /// How many loops the current point is in.
    loops: usize,
    /// And where each value is made.
    defined: HashMap<Value, usize>,
    uses: HashMap<Value, usize>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        self.define(&block.params);
        for inst in &block.insts {
            match inst.op {
                // A witness is told before anything else is done.
                Op::Attest(_) => {}
                Op::Zero(_) => inst.args.iter().for_each(|arg| self.look(*arg)),
                _ => inst.args.iter().for_each(|arg| self.count(*arg)),
            }
            let repeats = matches!(inst.op, Op::Loop(_));
            self.loops += usize::from(repeats);
            inst.op.blocks().into_iter().for_each(|inner| self.block(inner));
            self.loops -= usize::from(repeats);
            self.define(&inst.results);
        }
        block.results.iter().for_each(|result| self.count(*result));
    }

    fn define(&mut self, values: &[Value]) {
        self.defined.extend(values.iter().map(|value| (*value, self.loops)));
    }

    /// A use behind a reference, which matters if the value was taken over before.
    fn look(&mut self, value: Value) {
        if self.uses.contains_key(&value) || self.function.slot_of(value).is_some() {
            self.count(value);
        }
    }

    fn count(&mut self, value: Value) {
        let slot = self.function.slot_of(value).map(|slot| self.function.slot(slot));
        let is_function = matches!(self.function.ty(value), Type::Function(..));
        if slot.is_none_or(|slot| slot.is_tangent || is_function) {
            let is_from_outside = self.defined.get(&value).is_none_or(|made| *made < self.loops);
            *self.uses.entry(value).or_default() += if is_from_outside { 2 } else { 1 };
        }
    }
}
