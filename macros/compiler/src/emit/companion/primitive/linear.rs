//! The few lines that partial derivatives come to.

use super::{call, pullback};
use crate::binding::local;
use crate::emit::companion::head::Head;
use crate::emit::companion::is_active;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A value and its partial derivatives, which are all that both modes need.
pub struct Linear {
    /// Statements that compute them.
    computed: TokenStream,
    value: Ident,
    partials: Vec<Ident>,
}

impl Linear {
    pub fn new(head: &Head, value: Option<&Ident>, partials: &[syn::Expr]) -> Self {
        let value = value.cloned().unwrap_or_else(|| local("value"));
        let names: Vec<Ident> =
            head.by_value().map(|named| local(&format!("{}_partial", named.bar))).collect();
        let types = head.by_value().map(|named| &named.param.ty);
        let (call, output) = (call(head), head.output());
        let computed = quote! {
            let #value: #output = #call;
            #(let #names: #types = #partials;)*
        };
        Linear { computed, value, partials: names }
    }

    pub fn vjp(&self, head: &Head) -> TokenStream {
        let Linear { computed, value, partials } = self;
        let seed = &head.seed_name;
        let products: Vec<TokenStream> =
            partials.iter().map(|partial| quote!(#partial * #seed)).collect();
        let pullback =
            pullback(&head.pullback_components(is_active), &crate::emit::bare_or_tuple(&products));
        quote!(#computed (#value, #pullback))
    }

    pub fn jvp(&self, head: &Head) -> TokenStream {
        let Linear { computed, value, partials } = self;
        let dots = head.by_value().map(|named| &named.dot);
        let products = partials.iter().zip(dots).map(|(partial, dot)| quote!(#partial * #dot));
        let tangent = products.reduce(|sum, product| quote!(#sum + #product));
        quote!(#computed (#value, #tangent))
    }

    /// `jvp` as a function by itself, of so many orders.
    pub fn function(&self, head: &Head, orders: usize) -> TokenStream {
        let (name, body) = (hidden(head), self.jvp(head));
        let constant = head.params.iter().filter(|named| !is_active(named));
        let constant = constant.map(|named| &named.param.name);
        let further = (1..orders).map(|_| quote!(#[::cotangent::differentiate]));
        let params = head.jvp_params();
        let params = params.iter().map(|(name, ty)| match (name == "self", head.receiver()) {
            (true, Some(receiver)) => receiver,
            _ => quote!(#name: #ty),
        });
        let (generics, clause) = (&head.signature.generics, head.clause());
        let (output, tangent) = (head.output(), head.output_tangent());
        quote! {
            #(#further)*
            #[::cotangent::differentiate(constant(#(#constant),*))]
            #[doc(hidden)]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            fn #name #generics(#(#params),*) -> (#output, #tangent) #clause {
                #body
            }
        }
    }
}

/// The name of that function.
pub fn hidden(head: &Head) -> Ident {
    crate::emit::sibling(&head.signature.name, "jvp_by_partials", false)
}
