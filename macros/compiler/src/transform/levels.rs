//! One tape for a whole recursion.
//!
//! In: a derivative, simplified, of a function that calls itself, in which each call leaves a pullback. Out: the same
//! without these pullbacks. Its calls of itself are of two functions, which share a tape: `sweep` leaves an entry
//! there at its end, `unwind` takes one at its start, and so undoes the calls in the order in which they were made,
//! the last one first.
//!
//! **Invariant:** each call is undone once, and after all later ones. It is looked at here, for each derivative, and
//! where it does not hold, nothing is changed: pullbacks in boxes do in any order.

mod again;
mod open;
mod order;
mod own;

use crate::analysis::spelled;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::free::Free;
use crate::ir::{Block, Call, Function, Inst, Op, Tape, Value, verify::verify};
use crate::simplify;
use crate::syntax::signature::{OwnerKind, Signature};
use proc_macro2::TokenStream;
use quote::quote;
use rustc_hash::FxHashMap as HashMap;

/// Tuples of more have no `Default`.
const MOST: usize = 12;

/// What a level of a recursion leaves, and where.
pub struct Entry {
    /// What it leaves at its end, on the first tape.
    pub values: Vec<Value>,
    /// Its own tapes, such as those of loops, which all levels share, too.
    pub tapes: Vec<Tape>,
    /// The types of all tapes, where they have names, and where functions beside the `vjp` can have them.
    pub types: Option<Vec<TokenStream>>,
    /// Whether pullbacks of other functions may be on the tapes, whose types may have no end.
    pub is_open: bool,
}

impl Entry {
    /// How many tapes there are.
    pub fn count(&self) -> usize {
        1 + self.tapes.len()
    }
}

/// A `vjp` whose levels share a tape, and what they leave there.
pub fn pullback(function: &Function, signature: &Signature) -> Option<(Function, Entry)> {
    let function = again::made_again(own_constants(gradient(function, signature)?));
    let body = closure(&function);
    let free = Free::in_block(body);
    let types = types(&function, signature, &free);
    let is_open = is_open(&function.body);
    // Items of the body are not known outside of it.
    let has_siblings = has_siblings(signature) && function.items.is_empty();
    let Free { values, tapes } = free;
    let entry = Entry {
        values: values.into_iter().collect(),
        tapes: tapes.into_iter().collect(),
        types: types.filter(|types| has_siblings && types.len() <= MOST),
        is_open,
    };
    Some((function, entry))
}

/// Whether a call may be one of another function.
fn is_open(body: &Block) -> bool {
    let mut is_open = false;
    body.walk(&mut |inst, _| {
        is_open |= matches!(&inst.op, Op::Own(call) if call.open.is_some());
    });
    is_open
}

/// The types of the tapes.
fn types(function: &Function, signature: &Signature, free: &Free) -> Option<Vec<TokenStream>> {
    let spelled = spelled::spelled(function, signature);
    let values: Option<Vec<TokenStream>> =
        free.values.iter().map(|value| spelled.of(*value)).collect();
    let values = values?;
    let own = quote!(::cotangent::__private::Tape<(#(#values,)*)>);
    let tapes = free.tapes.iter().map(|tape| spelled.of_tape(*tape));
    std::iter::once(Some(own)).chain(tapes).collect()
}

/// Whether two more functions may stand beside the `vjp`. An `impl` has what its trait has.
fn has_siblings(signature: &Signature) -> bool {
    signature.owner.as_ref().is_none_or(|owner| owner.kind == OwnerKind::Type)
}

/// Another derivative that calls the `vjp`.
pub fn gradient(function: &Function, signature: &Signature) -> Option<Function> {
    if !is_supported(signature) || function.may_call_itself {
        return None;
    }
    let origins = origins(&function.body)?;
    if !order::is_reverse(&function.body, &origins) {
        return None;
    }
    let mut function = function.clone();
    let mut body = function.body.clone();
    let kept = kept(&body);
    if !kept.is_empty() && !signature.is_one() {
        return None;
    }
    let own = origins.iter().filter(|(_, origin)| !kept.contains(origin));
    let own: EntitySet<Value> = own.map(|(value, _)| *value).collect();
    let open: EntitySet<Value> = origins.into_keys().filter(|value| !own.contains(value)).collect();
    let empty = empty(&body, &own);
    Strip { function: &function, signature, own, open: &open, empty }.block(&mut body)?;
    open::bare(&mut function, &mut body, &open);
    function.body = body;
    if !is_closed(&function.body) {
        return None;
    }
    let function = simplify::dce(function);
    verify(&function);
    Some(function)
}

/// Whether all that the calls of a level need is known to the level.
fn is_supported(signature: &Signature) -> bool {
    let is_consumed = |param: &crate::syntax::signature::Parameter| {
        param.callable.is_some() || param.name == "self" && param.reference().is_none()
    };
    !signature.is_watched && !signature.reaches_cells() && !signature.params.iter().any(is_consumed)
}

/// For each value that is a pullback of the function's own, or may hold one: the result of the call that made it.
/// Nothing where one value may come of two calls.
fn origins(body: &Block) -> Option<EntityMap<Value, Value>> {
    let mut origins =
        Origins { of: EntityMap::default(), taped: HashMap::default(), is_clear: true };
    loop {
        let before = (origins.of.len(), origins.taped.len());
        body.walk(&mut |inst, _| origins.inst(inst));
        if (origins.of.len(), origins.taped.len()) == before {
            let is_found = origins.is_clear && !origins.of.is_empty();
            return is_found.then_some(origins.of);
        }
    }
}

/// Whether a call is one of the function's own, or may be.
fn leaves_a_level(call: &Call) -> bool {
    call.is_own || call.may_be_own
}

struct Origins {
    of: EntityMap<Value, Value>,
    taped: HashMap<(Tape, usize), Value>,
    is_clear: bool,
}

impl Origins {
    fn inst(&mut self, inst: &Inst) {
        match &inst.op {
            Op::CallVjp(call) if leaves_a_level(call) => {
                let pullback = inst.results[call.times()];
                self.note(pullback, Some(pullback));
            }
            Op::Wrap(true) | Op::Unwrap => {
                self.note(inst.results[0], self.of.get(&inst.args[0]).copied());
            }
            Op::If(then, other) => {
                for (position, result) in inst.results.iter().enumerate() {
                    for block in [then, other] {
                        self.note(*result, self.of.get(&block.results[position]).copied());
                    }
                }
            }
            Op::TapePush(tape) => {
                for (position, value) in inst.args.iter().enumerate() {
                    let origin = self.of.get(value).copied();
                    self.taped.extend(origin.map(|origin| ((*tape, position), origin)));
                }
            }
            Op::TapePop(tape) => {
                for (position, result) in inst.results.iter().enumerate() {
                    self.note(*result, self.taped.get(&(*tape, position)).copied());
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, value: Value, origin: Option<Value>) {
        let Some(origin) = origin else { return };
        let known = *self.of.entry(value).or_insert(origin);
        self.is_clear &= known == origin;
    }
}

/// Pullbacks that are kept if they are another function's.
fn kept(body: &Block) -> EntitySet<Value> {
    let mut kept = EntitySet::default();
    body.walk(&mut |inst, _| {
        if let Op::CallVjp(call) = &inst.op
            && call.may_be_own
        {
            kept.insert(inst.results[call.times()]);
        }
    });
    kept
}

/// Tapes on which there are only pullbacks that are taken out.
fn empty(body: &Block, own: &EntitySet<Value>) -> EntitySet<Tape> {
    let mut empty = EntitySet::default();
    body.walk(&mut |inst, _| {
        if let Op::TapePush(tape) = inst.op
            && inst.args.iter().all(|value| own.contains(value))
        {
            empty.insert(tape);
        }
    });
    empty
}

/// Takes the pullbacks out.
struct Strip<'s> {
    function: &'s Function,
    signature: &'s Signature,
    /// Pullbacks that are the function's own.
    own: EntitySet<Value>,
    /// Those that may be.
    open: &'s EntitySet<Value>,
    /// Tapes of which nothing is left.
    empty: EntitySet<Tape>,
}

impl Strip<'_> {
    fn block(&mut self, block: &mut Block) -> Option<()> {
        let mut insts = Vec::new();
        for inst in std::mem::take(&mut block.insts) {
            self.inst(inst, &mut insts)?;
        }
        block.insts = insts;
        Some(())
    }

    fn inst(&mut self, mut inst: Inst, made: &mut Vec<Inst>) -> Option<()> {
        let is_own = |value: &Value| self.own.contains(value);
        match &inst.op {
            Op::CallVjp(call) if call.is_own => {
                made.push(own::sweep(self.function, self.signature, call, &inst)?);
                return Some(());
            }
            Op::CallVjp(call) if call.may_be_own => {
                made.push(open::sweep(self.function, self.signature, call, &inst)?);
                return Some(());
            }
            Op::Pull(call, _) if self.open.contains(&inst.args[0]) => {
                made.push(open::unwind(self.signature, call, &inst)?);
                return Some(());
            }
            Op::Pull(call, shadows) if is_own(&inst.args[0]) => {
                made.extend(own::unwind(self.signature, (call, shadows), &inst)?);
                return Some(());
            }
            Op::Wrap(true) | Op::Unwrap if is_own(&inst.results[0]) => return Some(()),
            _ => {}
        }
        match &mut inst.op {
            Op::If(then, other) => {
                for position in (0..inst.results.len()).rev() {
                    if is_own(&inst.results[position]) {
                        inst.results.remove(position);
                        then.results.remove(position);
                        other.results.remove(position);
                    }
                }
            }
            Op::TapePush(tape) | Op::TapeReserve(tape, _) if self.empty.contains(tape) => {
                return Some(());
            }
            Op::TapePop(tape) if self.empty.contains(tape) => return Some(()),
            Op::TapePush(_) => inst.args.retain(|value| !is_own(value)),
            Op::TapePop(_) => inst.results.retain(|value| !is_own(value)),
            _ => {}
        }
        for block in inst.op.blocks_mut() {
            self.block(block)?;
        }
        made.push(inst);
        Some(())
    }
}

/// Whether all that is used is defined: neither a pullback that was taken out, nor what only it gave.
fn is_closed(body: &Block) -> bool {
    let free = Free::in_block(body);
    free.values.is_empty()
}

/// What is made behind the closure goes in front of it: tangents of results that have none, which are only returned.
fn end_in_closure(body: &mut Block) {
    let at = body.insts.iter().rposition(|inst| matches!(inst.op, Op::Closure(_)));
    body.insts[at.expect("a closure")..].rotate_left(1);
}

/// Literals and the like are made again in the closure.
fn own_constants(mut function: Function) -> Function {
    let mut body = function.body.clone();
    end_in_closure(&mut body);
    let (closure, before) = body.insts.split_last_mut().expect("a closure");
    let Op::Closure(inner) = &mut closure.op else { unreachable!("a `vjp` ends in its closure") };
    let used = Free::of(&inner.insts, &inner.results).values;
    let mut copies = Vec::new();
    for inst in before.iter().filter(|inst| is_constant(inst) && used.contains(&inst.results[0])) {
        let copy = function.renewed(inst.results[0]);
        inner.map_uses(&mut |value| {
            if *value == inst.results[0] {
                *value = copy;
            }
        });
        copies.push(Inst { results: vec![copy], ..inst.clone() });
    }
    inner.insts.splice(0..0, copies);
    function.body = body;
    simplify::dce(function)
}

fn is_constant(inst: &Inst) -> bool {
    matches!(inst.op, Op::Literal(_) | Op::Item(_) | Op::One | Op::NoTangent | Op::Undefined)
}

/// The closure that a `vjp` ends in.
pub fn closure(function: &Function) -> &Block {
    match &function.body.insts.last().expect("a closure").op {
        Op::Closure(body) => body,
        _ => unreachable!("a `vjp` ends in its closure"),
    }
}
