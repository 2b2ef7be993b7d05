//! Calls that may be the function's own.
//!
//! In: a call of a method of which only types say whether it is the function itself, and what the function's own
//! derivatives would be given of its operands. Out: code for both, of which rustc keeps one. What the one makes and the
//! other's types do not fit goes through `own` of `cotangent::__private::Same` and its like, which hands it on in the
//! one, and stands for nothing in the other.

use super::effect::{Operand, Pulled, derivative_name, split};
use super::place::Reach;
use super::{Emit, bare_or_tuple, sibling};
use crate::ir::{Call, Callee, Half, Inst, Op, OpenCall, OwnCall, Passing, Type, Value};
use crate::pipeline::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The operands of a call as both take them.
struct Operands {
    /// The receiver, for the call of a method.
    receiver: TokenStream,
    /// All of them, as arguments.
    all: Vec<TokenStream>,
}

impl Emit<'_> {
    /// Whether types say of a `jvp` that is called whose it is.
    pub(super) fn is_open(&self, call: &Call) -> bool {
        let is_chosen = call.may_be_own && !call.is_watched && self.context.again.is_some();
        let open = self.context.open.as_ref().filter(|_| is_chosen);
        open.is_some_and(|active| active.len() == call.passing.len())
    }

    /// A `jvp`, in one of both forms.
    pub(super) fn open_jvp(&mut self, call: &Call, inst: &Inst) -> TokenStream {
        let Operands { receiver, all } = self.operands_of_both(call, inst);
        let (times, active) = (call.times(), self.context.open.clone().unwrap_or_default());
        let whose = mixed("whose");
        let taken = (0..all.len()).filter(|index| index % times == 0 || active[index / times]);
        let own = taken.map(|index| given(&whose, &all[index]));
        let (again, probe) = (&self.context.again, self.probe(call, &receiver));
        let method = self.method_of(call, Kind::Jvp);
        let rest = &all[1..];
        quote!({
            let #whose = #probe;
            if #whose.is_same() {
                #whose.own(#again(#(#own),*))
            } else {
                #whose.other(|| #receiver.#method(#(#rest),*))
            }
        })
    }

    /// A half of a pullback's life, in one of both forms.
    pub(super) fn open_half(&mut self, own: &OwnCall, open: &OpenCall, inst: &Inst) -> TokenStream {
        match &open.op {
            Op::Pull(call, shadows) => {
                let pulled = self.pulled(call, shadows, inst);
                self.open_unwind(call, open, pulled, inst)
            }
            Op::CallVjp(call) => self.open_sweep(call, open, inst),
            _ => unreachable!("a {:?} of a `vjp` or a pullback", own.half),
        }
    }

    fn open_sweep(&mut self, call: &Call, open: &OpenCall, inst: &Inst) -> TokenStream {
        let Operands { receiver, all } = self.operands_of_both(call, inst);
        let (whose, levels) = (mixed("whose"), super::levels::tape());
        let own = open.operands.iter().map(|index| given(&whose, &all[*index]));
        let (half, probe) = (self.half(Half::Sweep), self.probe(call, &receiver));
        let method = self.method_of(call, Kind::Vjp);
        let values: Vec<Ident> =
            (0..call.times()).map(|index| mixed(&format!("value_{index}"))).collect();
        let pattern = bare_or_tuple(&values.iter().map(|value| quote!(#value)).collect::<Vec<_>>());
        let rest = &all[1..];
        quote!({
            let #whose = #probe;
            if #whose.is_same() {
                let #pattern = #half(#(#own,)* #levels);
                (#(#whose.own(#values),)* #whose.absent())
            } else {
                #whose.other(|| {
                    let (#(#values,)* pullback) = #receiver.#method(#(#rest),*);
                    (#(#values,)* #whose.kept(pullback))
                })
            }
        })
    }

    fn open_unwind(
        &mut self,
        call: &Call,
        open: &OpenCall,
        pulled: Pulled,
        inst: &Inst,
    ) -> TokenStream {
        let kept = self.expression(inst.args[0]).tokens;
        let (whose, levels, half) =
            (mixed("whose"), super::levels::tape(), self.half(Half::Unwind));
        let all: Vec<TokenStream> = pulled.args.into_iter().chain(pulled.seeds).collect();
        let own = open.operands.iter().map(|index| given(&whose, &all[*index]));
        let active = self.context.open.clone().unwrap_or_default();
        let by_value =
            call.passing.iter().zip(&active).filter(|(passing, _)| **passing == Passing::Value);
        let by_value: Vec<bool> =
            by_value.flat_map(|(_, active)| vec![*active; call.times()]).collect();
        let bars = (0..by_value.len()).map(|index| mixed(&format!("bar_{index}")));
        let bars: Vec<Ident> = bars.collect();
        let made: Vec<TokenStream> = bars
            .iter()
            .zip(&by_value)
            .filter(|(_, active)| **active)
            .map(|(bar, _)| quote!(#bar))
            .collect();
        let made = bare_or_tuple(&made);
        let returned = bars.iter().zip(&by_value).map(|(bar, active)| match active {
            true => quote!(#whose.own(#bar)),
            false => quote!(#whose.own(::cotangent::__private::NoTangent)),
        });
        quote!({
            let #whose = #kept;
            if #whose.is_same() {
                let #made = #half(#(#own,)* #levels);
                (#(#returned,)*)
            } else {
                #whose.pulled(|pullback| pullback(#(#all),*))
            }
        })
    }

    fn half(&self, half: Half) -> TokenStream {
        self.context.halves.as_ref().map(|halves| halves.path(half).clone()).unwrap_or_default()
    }

    /// The other function's method.
    fn method_of(&self, call: &Call, kind: Kind) -> Ident {
        let Callee::Method(method) = &call.callee else { unreachable!("only methods are open") };
        let (name, is_public) = derivative_name(kind, call, false);
        sibling(method, &name, is_public)
    }

    /// Whose the method is, by the types of its owner and of `Self`.
    fn probe(&self, call: &Call, receiver: &TokenStream) -> TokenStream {
        let Callee::Method(method) = &call.callee else { unreachable!("only methods are open") };
        let owner = sibling(method, "owner", false);
        quote!({
            use ::cotangent::__private::{IsOther as _, IsSame as _};
            (&::cotangent::__private::probe::<_, Self>(|| #receiver.#owner())).whose()
        })
    }

    /// The operands, which stand in both forms: what rustc finds the type of by its use has a name before.
    fn operands_of_both(&mut self, call: &Call, inst: &Inst) -> Operands {
        let operands = split(call, &inst.args);
        let (first, rest) = operands.split_first().expect("a method has a receiver");
        let path = first.0.path().cloned().unwrap_or_default();
        let is_unique = matches!(first.0, Passing::Unique(_));
        let reach = if is_unique { Reach::Unique } else { Reach::Shared };
        let mut all = vec![self.operand_below(first.0, first.1, None)];
        for operand in rest {
            all.push(self.operand_of_both(operand));
        }
        let receiver = self.receiver_place(first.1, &path, reach);
        Operands { receiver, all }
    }

    fn operand_of_both(&mut self, (passing, args, _): &Operand) -> TokenStream {
        let tokens = self.operand_below(passing, args, None);
        if **passing != Passing::Value || self.is_number(args[0]) {
            return tokens;
        }
        let ident = self.names.holder("given");
        self.statements.push(quote!(let #ident = #tokens;));
        quote!(#ident)
    }

    fn is_number(&self, value: Value) -> bool {
        let ty = self.function.ty(value);
        ty.is_float() || matches!(ty, Type::Int | Type::Bool)
    }
}

/// An operand of a type of the function's own.
fn given(whose: &Ident, operand: &TokenStream) -> TokenStream {
    quote!(#whose.own(#operand))
}

fn mixed(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
