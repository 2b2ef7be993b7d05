//! The halves of the pullback of a function that calls itself.
//!
//! In: a `vjp` whose levels share a tape, and what each leaves there. Out: the bodies of two functions that call
//! themselves: `sweep` is the forward sweep, and pushes an entry at its end; `unwind` is the reverse sweep, and begins
//! by taking one.

use super::{Context, Emit};
use crate::binding::local;
use crate::ir::{Function, Half, Op, Value};
use crate::transform::levels::{Entry, closure};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

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
    let body = &function.body;
    let (_, forward) = body.insts.split_last().expect("a closure");
    forward.iter().for_each(|inst| emit.inst(inst, body));
    let returned = emit.left(&body.results[..function.outputs - 1], entry);
    let statements = std::mem::take(&mut emit.statements);
    let sweep = quote!(#items #(#statements)* #returned);
    let taken = emit.taken_entry(entry);
    let (statements, tail) = emit.unwound(closure(function));
    let alignment = &context.alignment;
    let unwind = quote!(#items #taken #alignment #(#statements)* #tail);
    [sweep, unwind]
}

impl Emit<'_> {
    /// Leaves an entry on the tape, and returns values. What goes onto the tape is moved there, and so they are made before.
    fn left(&mut self, returned: &[Value], entry: &Entry) -> TokenStream {
        let all: Vec<Value> = returned.iter().chain(&entry.values).copied().collect();
        self.read_before(&all);
        for (at, value) in all.iter().enumerate() {
            if all[at + 1..].contains(value) {
                self.bind_waiting(*value, |_| true);
            }
        }
        all.iter().for_each(|value| self.read_before_handing_on(*value));
        let mut parts: Vec<TokenStream> =
            (0..all.len()).map(|at| self.last_use(all[at], &all[at + 1..])).collect();
        let left = parts.split_off(returned.len());
        let returned = super::bare_or_tuple(&parts);
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

    /// Takes an entry.
    fn taken_entry(&mut self, entry: &Entry) -> TokenStream {
        let (levels, values) = (tape(), entry.values.iter());
        let held = values.map(|value| {
            let ident = self.names.again(self.function, *value);
            let mutable = self.function.slot_of(*value).map(|_| quote!(mut));
            quote!(#mutable #ident)
        });
        let held: Vec<TokenStream> = held.collect();
        quote!(let (#(#held,)*) = #levels.0.pop();)
    }
}
