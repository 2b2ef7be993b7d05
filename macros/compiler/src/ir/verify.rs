//! The invariants of the IR, checked between passes.
//!
//! In: a function. Out: nothing; a violation panics with the function's text, for it is a bug of the
//! compiler's.

use super::{Block, Function, Inst, Op, Slot, Value};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Panics if an invariant does not hold.
pub fn verify(function: &Function) {
    let mut verifier = Verifier {
        function,
        defined: HashSet::default(),
        ever: HashSet::default(),
        current: HashMap::default(),
    };
    if let Err(message) = verifier.block(&function.body) {
        panic!("invalid IR: {message}\n{function}");
    }
}

struct Verifier<'f> {
    function: &'f Function,
    /// Values in scope.
    defined: HashSet<Value>,
    /// Values defined anywhere.
    ever: HashSet<Value>,
    /// The current version of each slot in scope.
    current: HashMap<Slot, Value>,
}

type Checked = Result<(), String>;

impl Verifier<'_> {
    fn block(&mut self, block: &Block) -> Checked {
        let outer = self.defined.clone();
        self.define(&block.params)?;
        for inst in &block.insts {
            self.inst(inst)?;
        }
        self.uses(&block.results)?;
        self.defined = outer;
        Ok(())
    }

    fn inst(&mut self, inst: &Inst) -> Checked {
        self.uses(&inst.args)?;
        let before = self.current.clone();
        for block in inst.op.blocks() {
            self.block(block)?;
            self.current.clone_from(&before);
        }
        self.shape(inst)?;
        self.define(&inst.results)
    }

    fn define(&mut self, values: &[Value]) -> Checked {
        for value in values {
            if !self.ever.insert(*value) {
                return Err(format!("{value} is defined twice"));
            }
            self.defined.insert(*value);
            if let Some(slot) = self.function.slot_of(*value) {
                self.current.insert(slot, *value);
            }
        }
        Ok(())
    }

    fn uses(&self, values: &[Value]) -> Checked {
        for value in values {
            if !self.defined.contains(value) {
                return Err(format!("{value} is used where it is not defined"));
            }
            let slot = self.function.slot_of(*value);
            if slot.is_some_and(|slot| self.current.get(&slot) != Some(value)) {
                return Err(format!("{value} is not the current version of its slot"));
            }
        }
        Ok(())
    }

    fn shape(&self, inst: &Inst) -> Checked {
        let fits = match &inst.op {
            Op::If(then, other) => {
                then.results.len() == inst.results.len()
                    && other.results.len() == inst.results.len()
            }
            Op::Loop(repeat) => {
                let carried = repeat.carried().len();
                carried == inst.results.len()
                    && carried == repeat.next().len()
                    && carried + repeat.bounds() == inst.args.len()
            }
            _ => true,
        };
        if !fits {
            return Err(format!("`{:?}` does not fit its blocks", inst.results));
        }
        match self.lost_place(inst) {
            Some(value) => Err(format!("{value} is a place that becomes a value")),
            None => Ok(()),
        }
    }

    /// A region's result that is a place inside and a value outside: in a function that is to be transformed,
    /// its derivative would be lost.
    fn lost_place(&self, inst: &Inst) -> Option<Value> {
        if !self.function.is_primal() {
            return None;
        }
        let is_place = |value: Value| self.function.slot_of(value).is_some();
        let lost = |inner: &[Value]| {
            let mut pairs = inner.iter().zip(&inst.results);
            pairs.find(|(inner, outer)| is_place(**inner) && !is_place(**outer)).map(|(v, _)| *v)
        };
        match &inst.op {
            Op::If(then, other) => lost(&then.results).or_else(|| lost(&other.results)),
            Op::Loop(repeat) => lost(repeat.next()),
            _ => None,
        }
    }
}
