//! The halves of the pullback of a function that calls itself.
//!
//! In: a `vjp` whose levels share a tape, and what each leaves there. Out: the bodies of two functions that call
//! themselves: `sweep` is the forward sweep, and pushes an entry at its end; `unwind` is the reverse sweep, and begins
//! by taking one. A level of either holds in its frame what lives across the call of the next, and nothing else.

use super::apart::{Inline, apart};
use super::expression::{Binding, Expression};
use super::{Context, Emit};
use crate::ir::free::Free;
use crate::ir::{Access, Block, Function, Half, Inst, Op, Type, Value};
use crate::transform::levels::{Entry, closure};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashMap};

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
    Ident::new("levels", Span::mixed_site())
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
    let (items, levels) = (super::items(function), tape());
    emit.shared.clone_from(&entry.tapes);
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
    let unwind = quote!(#items let #taken = #levels.0.pop(); #alignment #(#statements)* #tail);
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
        insts[..last].iter().for_each(|inst| self.inst(inst, block));
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
                        let known = in_arm(&known, &insts[last], arm);
                        let (statements, tail) =
                            self.nested(|emit| emit.level(&arm.insts, arm, ending, known));
                        self.constants.remove(&condition);
                        self.constants.extend(outer.map(|outer| (condition, outer)));
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
        self.settle(false);
        let waiting = std::mem::take(&mut self.pending);
        let used: Vec<Value> = known.iter().map(|(_, value)| *value).collect();
        let mut free = Free::of(insts, &used);
        for (value, expression) in &waiting {
            if free.values.remove(value) {
                free.values.extend(&expression.leaves);
            }
        }
        let (mut given, mut patterns) = self.given(&free);
        let (statements, tail) = self.nested(|emit| {
            emit.pending = waiting;
            insts.iter().for_each(|inst| emit.inst(inst, block));
            let tail = emit.last(ending, known);
            emit.settle(true);
            tail
        });
        if ending.left.is_some() || !free.tapes.is_empty() {
            given.push(tape());
            patterns.push(tape().to_token_stream());
        } else if statements.is_empty() {
            return tail;
        }
        let inline = if ending.left.is_some() { Inline::Never } else { Inline::Optimised };
        apart(&quote!({ #(#statements)* #tail }), &given, &patterns, inline)
    }

    /// Variables that a part is given. It captures `self`, which cannot be a parameter's name.
    fn given(&mut self, free: &Free) -> (Vec<Ident>, Vec<TokenStream>) {
        let (mut given, mut patterns) = (Vec::new(), Vec::new());
        for value in &free.values {
            let ident = self.names.value(self.function, *value);
            if self.constants.contains_key(value) || ident == "self" || given.contains(&ident) {
                continue;
            }
            let is_owned = self
                .function
                .slot_of(*value)
                .is_some_and(|slot| self.function.slot(slot).access == Access::Owned);
            patterns.push(if is_owned { quote!(mut #ident) } else { quote!(#ident) });
            given.push(ident);
        }
        (given, patterns)
    }

    /// The values that are returned, behind the entry. What goes onto the tape is moved there, and so they are made
    /// before.
    fn last(&mut self, ending: &Ending, known: &[Known]) -> TokenStream {
        let known: HashMap<Value, Value> = known.iter().copied().collect();
        let left = ending.left.iter().flat_map(|entry| &entry.values);
        let all: Vec<Value> =
            ending.returned.iter().chain(left).map(|value| known[value]).collect();
        self.read_before(&all);
        for (at, value) in all.iter().enumerate() {
            if all[at + 1..].contains(value) {
                self.bind_waiting(*value, |_| true);
            }
        }
        let mut parts: Vec<TokenStream> =
            (0..all.len()).map(|at| self.last_use(all[at], &all[at + 1..])).collect();
        let left = parts.split_off(ending.returned.len());
        let returned = super::bare_or_tuple(&parts);
        if ending.left.is_none() {
            return returned;
        }
        self.settle(true);
        let (ident, levels) = (Ident::new("returned", Span::mixed_site()), tape());
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

    /// The pattern that takes an entry.
    fn taken_entry(&mut self, entry: &Entry) -> TokenStream {
        let values = entry.values.iter().map(|value| {
            let ident = self.names.value(self.function, *value);
            let mutable = self.function.slot_of(*value).map(|_| quote!(mut));
            quote!(#mutable #ident)
        });
        let values: Vec<TokenStream> = values.collect();
        quote!((#(#values,)*))
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
    let is_forward = |inst: &Inst| matches!(&inst.op, Op::CallJvp(call) if call.is_own);
    let (mut calls, mut is_plain) = (false, emit.context.lanes.is_none());
    body.walk(&mut |inst, _| {
        calls |= is_forward(inst);
        is_plain &= !matches!(inst.op, Op::Closure(_) | Op::CallVjp(_) | Op::Own(_));
    });
    let is_function = |value: &Value| matches!(function.ty(*value), Type::Function(..));
    if !calls || !is_plain || body.params.iter().any(is_function) {
        return None;
    }
    let ending = Ending { returned: &body.results[..function.outputs], left: None };
    Some(emit.level(&body.insts, body, &ending, ending.values()))
}

/// Whether the next level is run.
fn calls_itself(inst: &Inst) -> bool {
    matches!(inst.op, Op::Own(_))
        || matches!(&inst.op, Op::CallJvp(call) if call.is_own)
        || inst.op.blocks().iter().any(|block| block.insts.iter().any(calls_itself))
}
