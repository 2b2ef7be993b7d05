//! What a recursive function does apart from its own frame.
//!
//! In: a part of a function that calls itself, or may. Out: code in which the frame that each level of the recursion
//! keeps holds little: the part is a closure in a function of its own. What it is given stays in registers, or where it
//! is. [`levels`](super::levels) and [`parts`](super::parts) do so with what stands behind the last call of a level, and
//! with what stands between calls. Where pullbacks are kept in boxes, so is the making of the box.

use super::Emit;
use crate::ir::free::Free;
use crate::ir::{Block, Type, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// The instructions of the function's own block.
    pub(super) fn outermost(&mut self, block: &Block) {
        self.has_parts = self.context.boxed.is_some();
        self.insts(block);
    }

    /// The pullback in its box.
    pub(super) fn boxed(&mut self, body: &Block, ty: &TokenStream) -> TokenStream {
        let free = Free::in_block(body);
        let is_function = |value: &Value| matches!(self.function.ty(*value), Type::Function(..));
        if free.values.iter().any(is_function) {
            let closure = self.pullback(body);
            return quote!(::cotangent::__private::Box::new(#closure) as #ty);
        }
        let mut given = self.given(&free, Inline::Never);
        for tape in free.tapes {
            let ident = self.names.tape(tape);
            given.push(ident.clone(), quote!(#ident), quote!(mut #ident));
        }
        let made = self.within_part(&given, |emit| {
            emit.has_parts = true;
            let closure = emit.pullback(body);
            quote!(::cotangent::__private::Box::new(#closure) as #ty)
        });
        set_apart(&made, &given, Inline::Never)
    }
}

/// When a part is put back into the function that it was taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Inline {
    /// What it calls would take registers from it.
    Never,
    /// In an unoptimised build each variable takes a place in a frame, in an optimised one only what lives across a
    /// call.
    Optimised,
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
    let own = |name: &str| Ident::new(name, Span::mixed_site());
    let types: Vec<Ident> = (0..given.len()).map(|index| own(&format!("Given{index}"))).collect();
    let args: Vec<Ident> = (0..given.len()).map(|index| own(&format!("given{index}"))).collect();
    let inline = match inline {
        Inline::Never => quote!(#[inline(never)]),
        Inline::Optimised => quote!(#[inline]),
    };
    quote!({
        #inline
        fn apart<#(#types,)* Made>(
            make: impl ::core::ops::FnOnce(#(#types),*) -> Made,
            #(#args: #types),*
        ) -> Made {
            make(#(#args),*)
        }
        apart(|#(#patterns),*| #(#made)* #make, #(#given),*)
    })
}
