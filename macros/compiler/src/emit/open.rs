//! Calls that may be the function's own.
//!
//! In: a call of a method of which only types say whether it is the function itself, and what the function's own
//! derivatives would be given of its operands. Out: code for both, of which rustc runs one. What the one makes and the
//! other's types do not fit goes through `own` of `cotangent::__private::Same` and its like, which hands it on in the
//! one, and stands for nothing in the other.

use super::effect::{Pulled, pulled_operands, split};
use super::{Emit, bare_or_tuple, sibling};
use crate::binding::local;
use crate::ir::{Call, Callee, Half, Inst, Op, OpenCall, Passing, Path, Value};
use crate::pipeline::Kind;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

/// An operand, and its arguments.
pub(super) type Operand<'c> = (Passing, &'c [Value]);

impl Emit<'_> {
    /// Whether types say of a `jvp` that is called whose it is.
    pub(super) fn is_open(&self, call: &Call) -> bool {
        let is_chosen = call.may_be_own && !call.is_watched && self.context.again.is_some();
        let open = self.context.open.as_ref().filter(|_| is_chosen);
        open.is_some_and(|active| active.len() == call.passing.len())
    }

    /// A `jvp`, in one of both forms.
    pub(super) fn open_jvp(&mut self, call: &Call, inst: &Inst) -> TokenStream {
        self.bind_operands(&inst.args);
        let (times, active) = (call.times(), self.context.open.clone().unwrap_or_default());
        let operands: Vec<Operand> = operands(call, inst);
        let is_taken = |index: &usize| index.is_multiple_of(times) || active[index / times];
        let taken: Vec<usize> = (0..operands.len()).filter(is_taken).collect();
        let (whose, probe) = (whose(), self.probe(call, &operands[0]));
        let own = self.own_operands(&operands, &taken, &self.context.types.clone());
        let again = self.context.again.clone();
        let other = self.other(|emit| emit.call(call, Some(Kind::Jvp), &inst.args));
        quote!({
            let #whose = #probe;
            if #whose.is_same() { #whose.own(#again(#(#own),*)) } else { #other }
        })
    }

    /// A half of a pullback's life, in one of both forms.
    pub(super) fn open_half(&mut self, open: &OpenCall, inst: &Inst) -> TokenStream {
        match &open.op {
            Op::Pull(call, shadows) => self.open_unwind(call, shadows, open, inst),
            Op::CallVjp(call) => self.open_sweep(call, open, inst),
            _ => unreachable!("a half is of a `vjp` or of a pullback"),
        }
    }

    fn open_sweep(&mut self, call: &Call, open: &OpenCall, inst: &Inst) -> TokenStream {
        self.bind_operands(&inst.args);
        let operands = operands(call, inst);
        let (whose, levels, half) = (whose(), super::levels::tape(), self.half(Half::Sweep));
        let probe = self.probe(call, &operands[0]);
        let own = self.own_operands(&operands, &open.operands, &self.context.types.clone());
        let values: Vec<Ident> = numbered("value", call.times());
        let pattern = pattern(values.iter());
        let other = self.other(|emit| {
            let called = emit.call(call, Some(Kind::Vjp), &inst.args);
            quote!({
                let (#(#values,)* pullback) = #called;
                (#(#values,)* #whose.kept(pullback))
            })
        });
        quote!({
            let #whose = #probe;
            if #whose.is_same() {
                let #pattern = #half(#(#own,)* #levels);
                (#(#whose.own(#values),)* #whose.absent())
            } else {
                #other
            }
        })
    }

    fn open_unwind(
        &mut self,
        call: &Call,
        shadows: &[Path],
        open: &OpenCall,
        inst: &Inst,
    ) -> TokenStream {
        self.bind_operands(&inst.args[1..]);
        let kept = self.expression(inst.args[0]).tokens;
        let operands = pulled_operands(call, shadows, inst);
        let (whose, levels, half) = (whose(), super::levels::tape(), self.half(Half::Unwind));
        let types: Vec<TokenStream> =
            self.context.pullback.iter().map(|(_, ty)| ty.clone()).collect();
        let own = self.own_operands(&operands, &open.operands, &types);
        let (made, returned) = self.cotangents_of_both(call);
        let other = self.other(|emit| {
            let Pulled { args, seeds, .. } = emit.pulled(call, shadows, inst);
            let pullback = local("pullback");
            quote!(#whose.pulled(|#pullback| #pullback(#(#args,)* #(#seeds),*)))
        });
        quote!({
            let #whose = #kept;
            if #whose.is_same() {
                let #made = #half(#(#own,)* #levels);
                #returned
            } else {
                #other
            }
        })
    }

    /// What the function's own pullback returns, and the same as any other does: with a cotangent for each constant.
    fn cotangents_of_both(&self, call: &Call) -> (TokenStream, TokenStream) {
        let whose = whose();
        let by_value = call.passing.iter().zip(&self.context.active);
        let by_value = by_value.filter(|(passing, _)| **passing == Passing::Value);
        let by_value: Vec<bool> =
            by_value.flat_map(|(_, active)| vec![*active; call.times()]).collect();
        let bars = numbered("bar", by_value.len());
        let made = bars.iter().zip(&by_value).filter(|(_, active)| **active).map(|(bar, _)| bar);
        let returned = bars.iter().zip(&by_value).map(|(bar, active)| match active {
            true => quote!(#whose.own(#bar)),
            false => quote!(#whose.own(::cotangent::__private::NoTangent)),
        });
        (pattern(made), quote!((#(#returned,)*)))
    }

    fn half(&self, half: Half) -> TokenStream {
        self.context.halves.as_ref().map(|halves| halves.path(half).clone()).unwrap_or_default()
    }

    /// What waits to be written where it is used would be written twice.
    fn bind_operands(&mut self, args: &[Value]) {
        args.iter().for_each(|value| self.bind_waiting(*value, |_| true));
    }

    /// Whose the method is, by the types of its owner and of `Self`.
    fn probe(&mut self, call: &Call, (passing, args): &Operand) -> TokenStream {
        let Callee::Method(method) = &call.callee else { unreachable!("only methods are open") };
        let owner = sibling(method, "owner", false);
        let receiver = self.passed_receiver(passing, args);
        quote!({
            use ::cotangent::__private::{IsOther as _, IsSame as _};
            (&::cotangent::__private::probe::<_, Self>(|| #receiver.#owner())).whose()
        })
    }

    /// What the function itself is passed, of types of its own.
    fn own_operands(
        &mut self,
        operands: &[Operand],
        taken: &[usize],
        types: &[TokenStream],
    ) -> Vec<TokenStream> {
        let (whose, given) = (whose(), local("given"));
        let mut own = Vec::new();
        for (position, index) in taken.iter().enumerate() {
            let (passing, args) = &operands[*index];
            let operand = self.operand(passing, args);
            // A type lets a box stand for what is in it.
            own.push(match types.get(position).filter(|ty| !is_opaque(ty)) {
                Some(ty) => quote!({
                    let #given: #ty = #whose.own(#operand);
                    #given
                }),
                None => quote!(#whose.own(#operand)),
            });
        }
        own
    }

    /// What runs if it is another function.
    fn other(&mut self, emit: impl FnOnce(&mut Self) -> TokenStream) -> TokenStream {
        let (statements, tail) = self.nested(emit);
        quote!({ #(#statements)* #tail })
    }
}

/// The operands of a call, each as often as it is given.
fn operands<'c>(call: &'c Call, inst: &'c Inst) -> Vec<Operand<'c>> {
    let all = split(call, &inst.args).into_iter();
    all.map(|(passing, args, _)| (passing.clone(), args)).collect()
}

/// What says whose a method is.
fn whose() -> Ident {
    local("whose")
}

fn numbered(name: &str, count: usize) -> Vec<Ident> {
    (0..count).map(|index| local(&format!("{name}_{index}"))).collect()
}

fn pattern<'i>(names: impl Iterator<Item = &'i Ident>) -> TokenStream {
    bare_or_tuple(&names.map(|name| quote!(#name)).collect::<Vec<_>>())
}

/// Whether a type stands for one that has no name.
fn is_opaque(ty: &TokenStream) -> bool {
    ty.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => is_opaque(&group.stream()),
        _ => false,
    })
}
