//! The halves of the pullback of a function that calls itself.
//!
//! In: a `vjp` whose levels share a tape, and what each leaves there. Out: the bodies of two functions that call
//! themselves: `sweep` is the forward sweep, and pushes an entry at its end; `unwind` is the reverse sweep, and begins
//! by taking one. A level of either holds in its frame what lives across the call of the next, and nothing else.

use super::apart::{Inline, set_apart};
use super::expression::{Binding, Expression};
use super::{Context, Emit};
use crate::binding::local;
use crate::ir::entity::EntityMap;
use crate::ir::free::Free;
use crate::ir::{Block, Function, Half, Inst, Op, Type, Value};
use crate::transform::levels::{Entry, closure};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// The paths of both functions.
pub struct Halves {
    pub sweep: TokenStream,
    pub unwind: TokenStream,
}

impl Halves {
    pub(super) fn path(&self, half: Half) -> &TokenStream {
        match half {
            Half::Sweep => &self.sweep,
            Half::Unwind => &self.unwind,
        }
    }
}

/// The name of the tape.
pub fn tape() -> Ident {
    local("levels")
}

/// The tape of a gradient, whose calls of the function are the first level on it.
pub(super) fn own_tape(function: &Function) -> Option<TokenStream> {
    let mut is_own = false;
    function.body.walk(&mut |inst, _| is_own |= matches!(inst.op, Op::Own(_)));
    let levels = tape();
    is_own.then(|| quote!(let #levels = &mut ::core::default::Default::default();))
}

/// The bodies of `sweep` and `unwind`.
pub fn halves(function: &Function, context: &Context, entry: &Entry) -> [TokenStream; 2] {
    let mut emit = Emit::new(function, context);
    let items = super::items(function);
    emit.shared.clone_from(&entry.tapes);
    emit.has_parts = true;
    let body = &function.body;
    let (_, forward) = body.insts.split_last().expect("a closure");
    let returned = &body.results[..function.outputs - 1];
    let ending = Ending { returned, left: Some(entry) };
    let tail = emit.level(forward, body, &ending, ending.values());
    let statements = std::mem::take(&mut emit.statements);
    let sweep = quote!(#items #(#statements)* #tail);
    let taken = emit.taken_entry(entry);
    let (statements, tail) = emit.reverse_sweep(closure(function), |emit, body, returned| {
        let ending = Ending { returned, left: None };
        emit.level(&body.insts, body, &ending, ending.values())
    });
    let alignment = &context.alignment;
    let unwind = quote!(#items #taken #alignment #(#statements)* #tail);
    [sweep, unwind]
}

/// What a level does last.
struct Ending<'e> {
    returned: &'e [Value],
    /// What it leaves on the tape.
    left: Option<&'e Entry>,
}

/// A value that the end uses, and the value that it is in the arm at hand.
type Known = (Value, Value);

impl Ending<'_> {
    fn values(&self) -> Vec<Known> {
        let left = self.left.iter().flat_map(|entry| &entry.values);
        let all: BTreeSet<Value> = self.returned.iter().chain(left).copied().collect();
        all.into_iter().map(|value| (value, value)).collect()
    }
}

impl Emit<'_> {
    /// Instructions up to a level's end. What comes behind the calls of the next is apart, in each arm by itself, so
    /// that the arms' values need no place of their own.
    fn level(
        &mut self,
        insts: &[Inst],
        block: &Block,
        ending: &Ending,
        known: Vec<Known>,
    ) -> TokenStream {
        let Some(last) = insts.iter().rposition(calls_itself) else {
            return self.end(insts, block, ending, &known);
        };
        let used: Vec<Value> = known.iter().map(|(_, value)| *value).collect();
        self.parts(insts, last, &used, block);
        match &insts[last].op {
            Op::If(then, other) if last + 1 == insts.len() => {
                let condition = insts[last].args[0];
                let tokens = self.expression(condition).tokens;
                self.settle(true);
                let [then, other] =
                    [(then, quote!(true)), (other, quote!(false))].map(|(arm, truth)| {
                        let outer = self
                            .constants
                            .insert(condition, Expression::new(truth, Binding::Postfix));
                        let holder = self.kept.remove(&condition);
                        let known = in_arm(&known, &insts[last], arm);
                        let (statements, tail) =
                            self.nested(|emit| emit.level(&arm.insts, arm, ending, known));
                        self.constants.remove(&condition);
                        self.constants.extend(outer.map(|outer| (condition, outer)));
                        self.kept.extend(holder.map(|holder| (condition, holder)));
                        quote!({ #(#statements)* #tail })
                    });
                quote!(if #tokens #then else #other)
            }
            _ => {
                self.inst(&insts[last], block);
                self.end(&insts[last + 1..], block, ending, &known)
            }
        }
    }

    /// What follows the last call of the next level, in a frame of its own. Values that wait are made there.
    fn end(
        &mut self,
        insts: &[Inst],
        block: &Block,
        ending: &Ending,
        known: &[Known],
    ) -> TokenStream {
        if ending.left.is_none() && insts.iter().all(|inst| self.is_slight(inst, block)) {
            insts.iter().for_each(|inst| self.inst(inst, block));
            return self.last(ending, known);
        }
        self.settle(false);
        let waiting = std::mem::take(&mut self.pending);
        let used: Vec<Value> = known.iter().map(|(_, value)| *value).collect();
        let mut free = Free::of(insts, &used);
        for (value, expression) in &waiting {
            if free.values.remove(value) {
                free.values.extend(&expression.leaves);
            }
        }
        let inline = if ending.left.is_some() { Inline::Never } else { Inline::Optimised };
        let mut given = self.given(&free, inline);
        if ending.left.is_some() || !free.tapes.is_empty() {
            given.push(tape(), tape().to_token_stream(), tape().to_token_stream());
        }
        let body = self.within_part(&given, |emit| {
            emit.pending = waiting;
            insts.iter().for_each(|inst| emit.inst(inst, block));
            let tail = emit.last(ending, known);
            emit.settle(true);
            tail
        });
        set_apart(&body, &given, inline)
    }

    /// The values that are returned, behind the entry. What goes onto the tape is moved there, and so they are made
    /// before.
    fn last(&mut self, ending: &Ending, known: &[Known]) -> TokenStream {
        let known: EntityMap<Value, Value> = known.iter().copied().collect();
        let left = ending.left.iter().flat_map(|entry| &entry.values);
        let all: Vec<Value> =
            ending.returned.iter().chain(left).map(|value| known[value]).collect();
        self.read_before(&all);
        for (at, value) in all.iter().enumerate() {
            if all[at + 1..].contains(value) {
                self.bind_waiting(*value, |_| true);
            }
        }
        all.iter().for_each(|value| self.read_before_handing_on(*value));
        let mut parts: Vec<TokenStream> =
            (0..all.len()).map(|at| self.last_use(all[at], &all[at + 1..])).collect();
        let left = parts.split_off(ending.returned.len());
        let returned = super::bare_or_tuple(&parts);
        if ending.left.is_none() {
            return returned;
        }
        self.settle(true);
        let (ident, levels) = (local("returned"), tape());
        self.statements.push(quote!(let #ident = #returned; #levels.0.push((#(#left,)*));));
        quote!(#ident)
    }

    /// A value that is handed on, a copy if it is again.
    fn last_use(&mut self, value: Value, later: &[Value]) -> TokenStream {
        let tokens = self.expression(value).tokens;
        match later.contains(&value) && !self.function.ty(value).is_copy() {
            true => quote!(::core::clone::Clone::clone(&#tokens)),
            false => tokens,
        }
    }

    /// Takes an entry, which stays in one variable, but for places.
    fn taken_entry(&mut self, entry: &Entry) -> TokenStream {
        let levels = tape();
        let held = self.holder("entry", &entry.values);
        let mut taken = quote!(let #held = #levels.0.pop(););
        for value in &entry.values {
            if let Some(slot) = self.function.slot_of(*value) {
                let place = self.constants.remove(value);
                self.kept.remove(value);
                let place = place.map(|place| place.tokens);
                let ident = self.names.slot(self.function, slot);
                taken.extend(quote!(let mut #ident = #place;));
            }
        }
        taken
    }
}

/// What the end knows, seen from an arm of a branch.
fn in_arm(known: &[Known], branch: &Inst, arm: &Block) -> Vec<Known> {
    let seen = known.iter().map(|(value, known)| {
        let position = branch.results.iter().position(|result| result == known);
        (*value, position.map_or(*known, |position| arm.results[position]))
    });
    seen.collect()
}

/// The body of a `jvp` whose function calls itself: what it returns, too, is made apart.
pub(super) fn forward(emit: &mut Emit, function: &Function) -> Option<TokenStream> {
    let body = &function.body;
    let mut is_plain = emit.context.lanes.is_none();
    body.walk(&mut |inst, _| {
        is_plain &= !matches!(inst.op, Op::Closure(_) | Op::CallVjp(_) | Op::Own(_));
    });
    let is_function = |value: &Value| matches!(function.ty(*value), Type::Function(..));
    if !calls_itself_forward(function) || !is_plain || body.params.iter().any(is_function) {
        return None;
    }
    let ending = Ending { returned: &body.results[..function.outputs], left: None };
    emit.has_parts = true;
    Some(emit.level(&body.insts, body, &ending, ending.values()))
}

/// Whether a `jvp` calls itself.
pub fn calls_itself_forward(function: &Function) -> bool {
    let mut calls = false;
    function.body.walk(&mut |inst, _| {
        calls |= matches!(&inst.op, Op::CallJvp(call) if call.is_own || call.may_be_own);
    });
    calls
}

/// Whether the next level is run.
pub(super) fn calls_itself(inst: &Inst) -> bool {
    matches!(inst.op, Op::Own(_))
        || matches!(&inst.op, Op::CallJvp(call) if call.is_own || call.may_be_own)
        || inst.op.blocks().any(|block| block.insts.iter().any(calls_itself))
}
