//! Activity: which values depend on an active parameter (*varied*), and which of those reach a result
//! (*useful*).
//!
//! In: a primal function and its active parameters. Out: [`Activity`]. Through which operations a value becomes
//! inactive, and why, [`audit`](super::audit) decides. A slot is active as a whole: if one of its versions is, all are.

use crate::ir::entity::EntitySet;
use crate::ir::{
    Access, Block, Callee, Function, Inst, Loop, LoopKind, Op, Passing, Path, Projection, Slot,
    Tape, Value,
};
use crate::syntax::is_variant_of_std;
use rustc_hash::FxHashSet as HashSet;

/// The result of the analysis.
pub struct Activity {
    varied: EntitySet<Value>,
    varied_slots: EntitySet<Slot>,
    useful: EntitySet<Value>,
    useful_slots: EntitySet<Slot>,
}

impl Activity {
    /// Whether a value has a tangent.
    pub fn is_varied(&self, value: Value) -> bool {
        self.varied.contains(&value)
    }

    /// Whether a value has a cotangent.
    pub fn is_active(&self, function: &Function, value: Value) -> bool {
        match function.slot_of(value) {
            Some(slot) => self.is_active_slot(slot),
            None => self.varied.contains(&value) && self.useful.contains(&value),
        }
    }

    pub fn is_active_slot(&self, slot: Slot) -> bool {
        self.varied_slots.contains(&slot) && self.useful_slots.contains(&slot)
    }
}

/// Runs the analysis.
pub fn analyse(function: &Function) -> Activity {
    let mut pass = Pass {
        function,
        values: EntitySet::default(),
        slots: EntitySet::default(),
        frozen: EntitySet::default(),
        taped: HashSet::default(),
    };
    pass.params(&function.body);
    pass.fixpoint(Pass::forward);
    let (varied, varied_slots) =
        (std::mem::take(&mut pass.values), std::mem::take(&mut pass.slots));
    pass.frozen.clear();
    function.body.results.iter().for_each(|result| pass.mark(*result));
    pass.fixpoint(Pass::backward);
    Activity { varied, varied_slots, useful: pass.values, useful_slots: pass.slots }
}

struct Pass<'f> {
    function: &'f Function,
    values: EntitySet<Value>,
    slots: EntitySet<Slot>,
    /// Slots behind references that are constant parameters.
    frozen: EntitySet<Slot>,
    /// What tapes hold, by its position in an entry.
    taped: HashSet<(Tape, usize)>,
}

impl Pass<'_> {
    /// The parameters of the function or of its pullback.
    fn params(&mut self, block: &Block) {
        for param in &block.params {
            if self.function.active.contains(param) {
                self.mark(*param);
            } else {
                let slot = self.function.slot_of(*param);
                // By value it is a local variable, into which the body may write what is active.
                self.frozen
                    .extend(slot.filter(|slot| self.function.slot(*slot).access != Access::Owned));
            }
        }
    }

    fn fixpoint(&mut self, step: fn(&mut Self, &Block)) {
        loop {
            let before = (self.values.len(), self.slots.len(), self.taped.len());
            step(self, &self.function.body.clone());
            if (self.values.len(), self.slots.len(), self.taped.len()) == before {
                return;
            }
        }
    }

    fn mark(&mut self, value: Value) {
        if self.function.ty(value).is_constant() {
            return;
        }
        match self.function.slot_of(value) {
            Some(slot) if self.frozen.contains(&slot) => {}
            Some(slot) => {
                self.slots.insert(slot);
                self.values.insert(value);
            }
            None => {
                self.values.insert(value);
            }
        }
    }

    fn is_marked(&self, value: Value) -> bool {
        self.values.contains(&value)
            || self.function.slot_of(value).is_some_and(|slot| self.slots.contains(&slot))
    }

    fn any(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.is_marked(*value))
    }

    fn mark_all(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.mark(*value));
    }

    fn forward(&mut self, block: &Block) {
        for value in &block.params {
            if self.is_marked(*value) {
                self.mark(*value);
            }
        }
        for inst in &block.insts {
            self.forward_inst(inst);
        }
    }

    fn forward_inst(&mut self, inst: &Inst) {
        match &inst.op {
            Op::If(then, other) => {
                self.forward(then);
                self.forward(other);
                self.pairs(&then.results, &inst.results);
                self.pairs(&other.results, &inst.results);
            }
            Op::Loop(repeat) => {
                self.pairs(&inst.args[repeat.bounds()..], repeat.carried());
                self.pairs(&inst.args[repeat.bounds()..], &inst.results);
                self.forward(&repeat.body);
                self.pairs(repeat.next(), repeat.carried());
                self.pairs(repeat.next(), &inst.results);
                self.condition(repeat, &inst.args[repeat.bounds()..]);
            }
            Op::Closure(body) => {
                self.params(body);
                self.forward(body);
            }
            Op::TapePush(tape) => {
                let held = (0..).zip(&inst.args).filter(|(_, arg)| self.is_marked(**arg));
                let held: Vec<usize> = held.map(|(position, _)| position).collect();
                self.taped.extend(held.into_iter().map(|position| (*tape, position)));
            }
            Op::TapePop(tape) => {
                let held =
                    |(position, _): &(usize, &Value)| self.taped.contains(&(*tape, *position));
                let marked = (0..).zip(&inst.results).filter(held).map(|(_, value)| *value);
                self.mark_all(&marked.collect::<Vec<_>>());
            }
            // Errors are constants.
            Op::SplitError if self.any(&inst.args) => self.mark(inst.results[0]),
            op if passes(op) && self.any(&inst.args) => self.mark_all(&inst.results),
            _ => self.mark_versions(&inst.results),
        }
    }

    /// A version of a varied slot is varied.
    fn mark_versions(&mut self, results: &[Value]) {
        for result in results {
            if self.function.slot_of(*result).is_some_and(|slot| self.slots.contains(&slot)) {
                self.mark(*result);
            }
        }
    }

    fn condition(&mut self, repeat: &Loop, inits: &[Value]) {
        if let LoopKind::While { condition } = &repeat.kind {
            self.pairs(inits, &condition.params);
            self.pairs(repeat.next(), &condition.params);
            self.forward(condition);
        }
    }

    fn pairs(&mut self, from: &[Value], to: &[Value]) {
        for (from, to) in from.iter().zip(to) {
            if self.is_marked(*from) {
                self.mark(*to);
            }
        }
        self.mark_versions(to);
    }

    fn backward(&mut self, block: &Block) {
        for inst in block.insts.iter().rev() {
            self.backward_inst(inst);
        }
    }

    fn backward_inst(&mut self, inst: &Inst) {
        match &inst.op {
            Op::If(then, other) => {
                self.pairs(&inst.results, &then.results);
                self.pairs(&inst.results, &other.results);
                self.backward(then);
                self.backward(other);
            }
            Op::Loop(repeat) => {
                self.pairs(&inst.results, repeat.next());
                self.pairs(&inst.results, &inst.args[repeat.bounds()..]);
                self.backward(&repeat.body);
                self.pairs(repeat.carried(), repeat.next());
                self.pairs(repeat.carried(), &inst.args[repeat.bounds()..]);
            }
            Op::Call(call) => {
                if matches!(call.callee, Callee::Stopped(_)) {
                    return;
                }
                let written = call.passing.iter().any(Passing::writes);
                if self.any(&inst.results) || (written && self.any(&inst.args)) {
                    self.mark_all(&inst.args);
                }
            }
            Op::SplitError if self.is_marked(inst.results[0]) => self.mark_all(&inst.args),
            op if passes(op) && self.any(&inst.results) => self.mark_all(&inst.args),
            _ => {}
        }
    }
}

/// Slots in which the function looks into what may be of several shapes.
pub fn chosen(function: &Function) -> EntitySet<Slot> {
    let mut chosen = EntitySet::default();
    let is_choice =
        |step: &Projection| matches!(step, Projection::Variant(..) | Projection::Unwrap(..));
    function.body.walk(&mut |inst, _| {
        if inst.op.paths().into_iter().flatten().any(is_choice) {
            chosen.extend(inst.args.iter().filter_map(|arg| function.slot_of(*arg)));
        }
    });
    chosen
}

/// Whether derivatives pass through an operation.
pub fn passes(op: &Op) -> bool {
    match op {
        Op::Struct { path, .. } => !is_error(path),
        Op::Load(path) | Op::Clone(path) => !leads_to_error(path),
        Op::Cast(ty) | Op::Convert(ty) => !crate::syntax::types::read(ty).is_constant(),
        Op::Apply(_)
        | Op::Tuple
        | Op::Destructure
        | Op::Array
        | Op::ArrayRepeat(_)
        | Op::VecList
        | Op::VecRepeat
        | Op::Duplicate
        | Op::Boxed
        | Op::Store(_)
        | Op::Insert(..)
        | Op::Remove(..)
        | Op::Replace(_)
        | Op::Exchange(..)
        | Op::Touch
        | Op::Wrap(_)
        | Op::Unwrap
        | Op::UnwrapOr
        | Op::Partial(..)
        | Op::CastPartial(_)
        | Op::Linear
        | Op::Accumulate(_)
        | Op::Rejoin(_)
        | Op::Conform(_)
        | Op::Sum
        | Op::Total
        | Op::CallVjp(_)
        | Op::CallJvp(_)
        | Op::Pull(..) => true,
        Op::Call(call) => !matches!(call.callee, Callee::Stopped(_)),
        _ => false,
    }
}

/// Whether a variant is `Err`, whose contents are constants.
pub fn is_error(variant: &syn::Path) -> bool {
    is_variant_of_std(variant, &["Err"])
}

/// Whether a path leads into the error of a `Result`.
fn leads_to_error(path: &Path) -> bool {
    path.iter().any(|step| matches!(step, Projection::Variant(variant, _) if is_error(variant)))
}
