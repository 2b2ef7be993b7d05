//! Promotion of memory to SSA values, after splitting aggregates (Cytron et al. 1991; scalar replacement of aggregates).
//!
//! In: a primal function in which every variable is a slot. Out: the same, in which a slot that is only read and
//! written as a whole is gone: a version of it is the value that was stored. Tuples whose parts are used apart are split
//! into these first.
//!
//! A copy of a place as a value (a [`Op::Duplicate`] whose result has no place) is the value that was stored where the
//! place is gone, and a clone of what is in it where it stays.
//!
//! Invariant: the versions of a slot already form SSA: a block's parameters and results carry them. So promotion
//! replaces values, and needs no dominance frontiers.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Access, Block, Function, Inst, MacroArgument, Op, Passing, Slot, Type, Value};

/// Promotes what can be.
pub fn promote(mut function: Function) -> Function {
    let promoted = promotable(&function);
    let slots = function.values.iter().map(|data| data.slot).collect();
    let params = function.body.params.clone();
    let mut rewrite = Rewrite { values: EntityMap::default(), promoted, slots, params };
    let mut body = function.take_body();
    rewrite.block(&mut function, &mut body);
    function.body = body;
    function
}

/// The slots that are only read and written as a whole.
fn promotable(function: &Function) -> EntitySet<Slot> {
    let mut kept: EntitySet<Slot> = EntitySet::default();
    for (index, slot) in function.slots.iter().enumerate() {
        if slot.access != Access::Owned || slot.ty.is_aggregate() {
            kept.insert(Slot(index as u32));
        }
    }
    function.body.walk(&mut |inst, _| keep_addressed(function, inst, &mut kept));
    keep_lent(function, &mut kept);
    keep_destinations(function, &mut kept);
    (0..function.slots.len() as u32).map(Slot).filter(|slot| !kept.contains(slot)).collect()
}

/// Keeps what operators borrow of types that are not known: cotangents of a place are added up where they are.
fn keep_lent(function: &Function, kept: &mut EntitySet<Slot>) {
    let mut read: EntityMap<Value, Slot> = EntityMap::default();
    function.body.walk(&mut |inst, _| {
        if let Op::Load(path) = &inst.op
            && let Some(slot) = function.slot_of(inst.args[0])
            && path.is_empty()
            && function.slot(slot).ty == Type::Unknown
        {
            read.insert(inst.results[0], slot);
        }
        for (position, arg) in inst.args.iter().enumerate() {
            let is_lent = inst
                .results
                .first()
                .is_some_and(|result| function.lent.contains(&(*result, position)));
            kept.extend(read.get(arg).filter(|_| is_lent));
        }
    });
}

/// Keeps each slot that takes on the contents of one that is kept, until there is no other.
fn keep_destinations(function: &Function, kept: &mut EntitySet<Slot>) {
    loop {
        let before = kept.len();
        function.body.walk(&mut |inst, _| {
            for (from, to) in inst.moves() {
                let slots = (function.slot_of(from), function.slot_of(to));
                if let (Some(from), Some(to)) = slots
                    && kept.contains(&from)
                {
                    kept.insert(to);
                }
            }
        });
        if kept.len() == before {
            return;
        }
    }
}

/// Notes the slots of which an instruction needs the place.
fn keep_addressed(function: &Function, inst: &Inst, kept: &mut EntitySet<Slot>) {
    let mut keep = |value: &Value| kept.extend(function.slot_of(*value));
    match &inst.op {
        Op::Load(path) | Op::Matches(_, path) if path.is_empty() => {}
        Op::Store(path) if path.is_empty() => {}
        Op::Duplicate | Op::Undefined | Op::If(..) | Op::Loop(_) => {}
        Op::Call(call) => {
            for operand in call.operands(inst) {
                if operand.passing.path().is_some() {
                    keep(&operand.args[0]);
                }
            }
        }
        Op::Macro(call) => {
            let mut args = &inst.args[..];
            for argument in &call.arguments {
                if let MacroArgument::Operand(_, passing) = argument {
                    if passing.path().is_some_and(|path| !path.is_empty()) {
                        keep(&args[0]);
                    }
                    args = &args[passing.width()..];
                }
            }
        }
        Op::Tuple | Op::Array | Op::ArrayRepeat(_) | Op::VecList | Op::VecRepeat => {}
        Op::Apply(_)
        | Op::Binary(_)
        | Op::Not
        | Op::Method(_)
        | Op::Cast(_)
        | Op::Convert(_)
        | Op::SplitError
        | Op::Destructure => {}
        Op::Wrap(_) | Op::Unwrap => inst.results.iter().for_each(keep),
        Op::Struct { .. } | Op::Boxed => inst.results.iter().for_each(keep),
        _ => {
            inst.args.first().into_iter().for_each(&mut keep);
            if let Op::Exchange(first, _) = &inst.op {
                keep(&inst.args[1 + crate::ir::index_count(first)]);
            }
            inst.results.iter().for_each(keep);
        }
    }
}

struct Rewrite {
    /// What stands for a version.
    values: EntityMap<Value, Value>,
    promoted: EntitySet<Slot>,
    /// The slot that each value was a version of.
    slots: Vec<Option<Slot>>,
    /// The function's parameters, which keep their names.
    params: Vec<Value>,
}

impl Rewrite {
    fn is_promoted(&self, value: Value) -> bool {
        self.slots[value.0 as usize].is_some_and(|slot| self.promoted.contains(&slot))
    }

    fn resolve(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// A version that is defined by a block or a region is a value from now on.
    fn unplace(&self, function: &mut Function, value: Value) {
        if self.is_promoted(value) {
            function.values[value.0 as usize].slot = None;
        }
    }

    fn block(&mut self, function: &mut Function, block: &mut Block) {
        let params = block.params.clone();
        let mut insts = Vec::new();
        for mut inst in std::mem::take(&mut block.insts) {
            if self.replaced(function, &inst) {
                continue;
            }
            if self.is_copy(&inst) {
                inst.op = Op::Clone(Vec::new());
            }
            inst.args.iter_mut().for_each(|arg| *arg = self.resolve(*arg));
            self.pass_values(function, &mut inst);
            for inner in inst.op.blocks_mut() {
                self.block(function, inner);
            }
            inst.results.iter().for_each(|result| self.unplace(function, *result));
            insts.push(inst);
        }
        block.insts = insts;
        block.results.iter_mut().for_each(|result| *result = self.resolve(*result));
        params.iter().for_each(|param| self.unplace(function, *param));
    }

    /// Whether an instruction copies a place into a value.
    fn is_copy(&self, inst: &Inst) -> bool {
        let has_slot = |value: Value| self.slots[value.0 as usize].is_some();
        matches!(inst.op, Op::Duplicate) && !has_slot(inst.results[0]) && has_slot(inst.args[0])
    }

    /// Loads and stores of promoted slots are the values themselves.
    fn replaced(&mut self, function: &mut Function, inst: &Inst) -> bool {
        let place = match &inst.op {
            Op::Load(path) if path.is_empty() => inst.args[0],
            Op::Store(path) if path.is_empty() => inst.args[0],
            Op::Duplicate if self.is_copy(inst) => inst.args[0],
            Op::Duplicate => inst.results[0],
            _ => return false,
        };
        if !self.is_promoted(place) {
            return false;
        }
        let value = match &inst.op {
            Op::Load(_) | Op::Duplicate => self.resolve(inst.args[0]),
            _ => self.resolve(inst.args[1]),
        };
        if !self.is_promoted(value) && function.slot_of(value).is_some() {
            return false;
        }
        self.join(function, inst.results[0], value);
        if let Op::Duplicate = inst.op
            && !self.params.contains(&value)
        {
            let name = function.value(inst.results[0]).name.clone();
            function.values[value.0 as usize].name = name;
        }
        self.values.insert(inst.results[0], value);
        true
    }

    /// What is known of a version is known of its value.
    fn join(&self, function: &mut Function, version: Value, value: Value) {
        let data = function.value(version).clone();
        let own = &mut function.values[value.0 as usize];
        own.ty = own.ty.join(&data.ty);
        if own.annotation.is_none() {
            own.annotation = data.annotation;
        }
    }

    /// Macros are given values where they were given places.
    fn pass_values(&self, function: &Function, inst: &mut Inst) {
        let Op::Macro(call) = &mut inst.op else { return };
        let mut at = 0;
        for argument in &mut call.arguments {
            if let MacroArgument::Operand(_, passing) = argument {
                let width = passing.width();
                let is_value =
                    function.slot_of(inst.args[at]).is_none() || self.is_promoted(inst.args[at]);
                if is_value && !matches!(passing, Passing::Value) {
                    *passing = Passing::Value;
                }
                at += width;
            }
        }
    }
}
