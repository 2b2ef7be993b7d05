//! What a recursive function does apart from its own frame.
//!
//! In: a part of a sweep that calls itself. Out: code in which the frame that each level of the recursion keeps holds
//! little: the part is a closure in a function of its own. What it is given stays in registers, or where it is.
//! [`levels`](super::levels) and [`parts`](super::parts) do so with what stands behind the last call of a level, and
//! with what stands between calls. Where pullbacks are kept in boxes, what comes before the calls is apart, which leaves
//! the values that are needed later in a box, and so is the making of the box that holds the pullback.

use super::Emit;
use crate::binding::local;
use crate::ir::free::Free;
use crate::ir::{Access, Block, Inst, Op, Type, Value};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Fewer values are as well kept in the frame.
const FEW: usize = 4;

impl Emit<'_> {
    /// The instructions of the function's own block.
    pub(super) fn outermost(&mut self, block: &Block) {
        let first = block.insts.iter().position(calls_itself);
        let Some(first) = first.filter(|_| self.context.boxed.is_some()) else {
            return self.insts(block);
        };
        let before = std::mem::take(&mut self.statements);
        block.insts[..first].iter().for_each(|inst| self.inst(inst, block));
        self.settle(true);
        let prelude = std::mem::replace(&mut self.statements, before);
        match self.separable(block, first) {
            Some((given, kept)) => self.separate_prelude(&prelude, &given, &kept),
            None => self.statements.extend(prelude),
        }
        block.insts[first..].iter().for_each(|inst| self.inst(inst, block));
    }

    /// What the instructions before the calls are given, and which values are needed of them later, where both
    /// can be handed over as copies, and are many.
    fn separable(&mut self, block: &Block, first: usize) -> Option<(Vec<Ident>, Vec<Value>)> {
        let (before, after) = block.insts.split_at(first);
        let (used, later) = (Free::of(before, &[]), Free::of(after, &block.results));
        let is_needed =
            |value: &&Value| later.values.contains(value) && !self.constants.contains_key(value);
        let made = before.iter().flat_map(|inst| &inst.results).filter(is_needed);
        let (scalars, references): (Vec<Value>, Vec<Value>) =
            block.params.iter().partition(|param| self.is_scalar(**param));
        let kept: Vec<Value> = made.chain(scalars.iter().filter(is_needed)).copied().collect();
        let is_given = |param: &Value| used.values.contains(param) || kept.contains(param);
        let given: Vec<Value> = block.params.iter().copied().filter(is_given).collect();
        let is_passed = |param: &Value| {
            let slot = self.function.slot_of(*param).map(|slot| self.function.slot(slot));
            !used.values.contains(param) || slot.is_some_and(|slot| slot.access == Access::Shared)
        };
        let is_plain = used.tapes.is_empty()
            && kept.len() >= FEW
            && references.iter().all(is_passed)
            && kept.iter().all(|value| self.is_scalar(*value));
        let given: Vec<Ident> =
            given.iter().map(|value| self.names.value(self.function, *value)).collect();
        (is_plain && can_be_named(&given)).then_some((given, kept))
    }

    fn is_scalar(&self, value: Value) -> bool {
        let ty = self.function.ty(value);
        self.function.slot_of(value).is_none()
            && (ty.is_float() || matches!(ty, Type::Int | Type::Bool))
    }

    fn separate_prelude(&mut self, prelude: &[TokenStream], given: &[Ident], kept: &[Value]) {
        let values: Vec<Ident> =
            kept.iter().map(|value| self.names.value(self.function, *value)).collect();
        let made = quote!({
            #(#prelude)*
            ::cotangent::__private::Box::new((#(#values,)*))
        });
        let mut all = Given::default();
        given.iter().for_each(|ident| all.push(ident.clone(), quote!(#ident), quote!(#ident)));
        let made = set_apart(&made, &all, Inline::Never);
        let ident = self.holder("kept", kept);
        self.statements.push(quote!(let #ident = #made;));
    }

    /// A reference to what was kept: each reading of a box costs an unoptimised build space in the frame.
    pub(super) fn opened(&self, body: &Block) -> TokenStream {
        let free = Free::of(&body.insts, &body.results);
        let kept = free.values.iter().find_map(|value| self.kept.get(value));
        kept.map_or_else(TokenStream::new, |kept| quote!(let #kept = &*#kept;))
    }

    /// The pullback in its box.
    pub(super) fn boxed(
        &mut self,
        body: &Block,
        closure: &TokenStream,
        ty: &TokenStream,
    ) -> TokenStream {
        let made = quote!(::cotangent::__private::Box::new(#closure) as #ty);
        let free = Free::in_block(body);
        let is_function = |value: &Value| matches!(self.function.ty(*value), Type::Function(..));
        if free.values.iter().any(is_function) {
            return made;
        }
        let mut given = Given::default();
        for value in free.values {
            let is_place = self.function.slot_of(value).is_some();
            let ident = match (self.kept.get(&value), self.constants.contains_key(&value)) {
                (Some(kept), _) => kept.clone(),
                (None, true) => continue,
                (None, false) => self.names.value(self.function, value),
            };
            let pattern = if is_place { quote!(mut #ident) } else { quote!(#ident) };
            given.push(ident.clone(), quote!(#ident), pattern);
        }
        for tape in free.tapes {
            let ident = self.names.tape(tape);
            given.push(ident.clone(), quote!(#ident), quote!(mut #ident));
        }
        if can_be_named(&given.names) { set_apart(&made, &given, Inline::Never) } else { made }
    }
}

/// When a part is put back into the function that it was taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Inline {
    /// What it calls would take registers from it.
    Never,
    /// Likewise, and it hardly ever runs.
    Seldom,
    /// In an unoptimised build each variable takes a place in a frame, in an optimised one only what lives across a
    /// call.
    Optimised,
    /// Likewise, and what may be copied is given as it is: a reference to it would give it a place.
    Copied,
}

/// What a part is given, and the names that it has for that.
#[derive(Default)]
pub struct Given {
    pub args: Vec<TokenStream>,
    pub patterns: Vec<TokenStream>,
    /// The type of what it makes, where it does not follow.
    pub made: Option<TokenStream>,
    pub names: Vec<Ident>,
    /// Values that are elsewhere parts of a tuple.
    pub held: Vec<Value>,
}

impl Given {
    /// One more, unless it is a version of a place that is there.
    pub fn push(&mut self, name: Ident, arg: TokenStream, pattern: TokenStream) {
        if !self.names.contains(&name) {
            self.names.push(name);
            self.args.push(arg);
            self.patterns.push(pattern);
        }
    }
}

/// `make` in a frame of its own, given these.
pub fn apart(make: &TokenStream, args: &[(&Ident, TokenStream)]) -> TokenStream {
    let mut given = Given::default();
    for (name, arg) in args {
        given.push((*name).clone(), arg.clone(), quote!(#name));
    }
    set_apart(&quote!({ #make }), &given, Inline::Optimised)
}

/// `make` in a frame of its own, by a closure.
pub fn set_apart(make: &TokenStream, given: &Given, inline: Inline) -> TokenStream {
    let Given { args: given, patterns, made, .. } = given;
    let made = made.iter().map(|ty| quote!(-> #ty));
    let [apart, make_it, of] = ["apart", "make", "Made"].map(local);
    let types: Vec<Ident> = (0..given.len()).map(|index| local(&format!("Given{index}"))).collect();
    let args: Vec<Ident> = (0..given.len()).map(|index| local(&format!("given{index}"))).collect();
    let inline = match inline {
        Inline::Never => quote!(#[inline(never)]),
        Inline::Seldom => quote!(#[cold] #[inline(never)]),
        Inline::Optimised | Inline::Copied => quote!(#[inline]),
    };
    quote!({
        #inline
        fn #apart<#(#types,)* #of>(
            #make_it: impl ::core::ops::FnOnce(#(#types),*) -> #of,
            #(#args: #types),*
        ) -> #of {
            #make_it(#(#args),*)
        }
        #apart(|#(#patterns),*| #(#made)* #make, #(#given),*)
    })
}

/// Whether a closure may have parameters of these names.
fn can_be_named(given: &[Ident]) -> bool {
    given.iter().all(|ident| ident != "self")
}

/// Whether derivatives of the function itself are called.
fn calls_itself(inst: &Inst) -> bool {
    matches!(inst.op, Op::CallVjp(_))
        || !matches!(inst.op, Op::Closure(_))
            && inst.op.blocks().any(|block| block.insts.iter().any(calls_itself))
}
