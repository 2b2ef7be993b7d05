//! Bodies of `vjp` and `jvp` that a rule gives.
//!
//! In: a head and a rule. Out: a call of the function that the rule names, or the few lines that zeros or partial
//! derivatives come to; nothing in a mode that the rule does not give. Invariant: they are what the contract says
//! of a derived body, so that nobody sees from outside which it is.

use super::head::{Head, Named, mixed};
use crate::primitive::Rule;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub fn vjp(head: &Head, rule: &Rule) -> Option<TokenStream> {
    match rule {
        Rule::Zero => Some(zero_vjp(head)),
        Rule::Functions { vjp, .. } => vjp.as_ref().map(|path| {
            let names = head.plain_names();
            quote!(#path(#(#names),*))
        }),
        Rule::Partials { value, partials } => {
            Some(Linear::new(head, value.as_ref(), partials).vjp(head))
        }
    }
}

pub fn jvp(head: &Head, rule: &Rule) -> Option<TokenStream> {
    match rule {
        Rule::Zero => Some(zero_jvp(head)),
        Rule::Functions { jvp, .. } => jvp.as_ref().map(|path| {
            let names = head.jvp_params().into_iter().map(|(name, _)| name);
            quote!(#path(#(#names),*))
        }),
        Rule::Partials { value, partials } => {
            Some(Linear::new(head, value.as_ref(), partials).jvp(head))
        }
    }
}

/// A call of the function with its own arguments.
fn call(head: &Head) -> TokenStream {
    let (primal, names) = (head.primal(), head.plain_names());
    quote!(#primal(#(#names),*))
}

fn pullback(head: &Head, body: &TokenStream) -> TokenStream {
    let params = head.pullback_params();
    let params = params.iter().map(|(name, ty)| quote!(#name: #ty));
    quote!(move |#(#params),*| { #body })
}

/// The places that the function may change.
fn unique<'h, 'a>(head: &'h Head<'a>) -> impl Iterator<Item = &'h Named<'a>> {
    head.params.iter().filter(|named| named.param.is_unique())
}

/// Makes what is at the end of a reference zero.
fn cleared(named: &Named, place: &Ident, tangent: &Ident) -> TokenStream {
    match named.is_slice() {
        true => quote!(::cotangent::__private::clear_each(&*#place, #tangent);),
        false => quote!(*#tangent = ::cotangent::Differentiable::zero_tangent(&*#place);),
    }
}

/// Cotangents are zero in the shape of what was passed; what the call changed is as it was, and its shadow says
/// that nothing there mattered.
fn zero_vjp(head: &Head) -> TokenStream {
    let [value, saved] = ["value", "saved"].map(mixed);
    let (bars, names): (Vec<_>, Vec<_>) =
        head.by_value().map(|named| (&named.bar, &named.param.name)).unzip();
    let copies = unique(head).map(|named| {
        let name = &named.param.name;
        quote!(::cotangent::__private::ToOwned::to_owned(&*#name))
    });
    let indices = (0..).map(syn::Index::from);
    let restored = unique(head).zip(indices).map(|(named, index)| {
        let (place, bar) = (&named.again, &named.bar);
        let restored = match named.is_slice() {
            true => quote!(#place.clone_from_slice(&#saved.#index);),
            false => quote!(*#place = #saved.#index;),
        };
        let cleared = named.param.active.then(|| cleared(named, place, bar));
        quote!(#restored #cleared)
    });
    let returned: Vec<TokenStream> = bars.iter().map(|bar| quote!(#bar)).collect();
    let returned = crate::emit::bare_or_tuple(&returned);
    let pullback = pullback(head, &quote!(#(#restored)* #returned));
    let call = call(head);
    quote! {
        #(let #bars = ::cotangent::Differentiable::zero_tangent(&#names);)*
        let #saved = (#(#copies,)*);
        let #value = #call;
        (#value, #pullback)
    }
}

fn zero_jvp(head: &Head) -> TokenStream {
    let [value, tangent] = ["value", "tangent"].map(mixed);
    let active = unique(head).filter(|named| named.param.active);
    let cleared = active.map(|named| cleared(named, &named.param.name, &named.dot));
    let call = call(head);
    quote! {
        let #value = #call;
        #(#cleared)*
        let #tangent = ::cotangent::Differentiable::zero_tangent(&#value);
        (#value, #tangent)
    }
}

/// A value and its partial derivatives, which are all that both modes need.
struct Linear {
    /// Statements that compute them.
    computed: TokenStream,
    value: Ident,
    partials: Vec<Ident>,
}

impl Linear {
    fn new(head: &Head, value: Option<&Ident>, partials: &[syn::Expr]) -> Self {
        let value = value.cloned().unwrap_or_else(|| mixed("value"));
        let names: Vec<Ident> =
            head.by_value().map(|named| mixed(&format!("{}_partial", named.bar))).collect();
        let types = head.by_value().map(|named| &named.param.ty);
        let (call, output) = (call(head), head.output());
        let computed = quote! {
            let #value: #output = #call;
            #(let #names: #types = #partials;)*
        };
        Linear { computed, value, partials: names }
    }

    fn vjp(&self, head: &Head) -> TokenStream {
        let Linear { computed, value, partials } = self;
        let seed = &head.seed_name;
        let products: Vec<TokenStream> =
            partials.iter().map(|partial| quote!(#partial * #seed)).collect();
        let pullback = pullback(head, &crate::emit::bare_or_tuple(&products));
        quote!(#computed (#value, #pullback))
    }

    fn jvp(&self, head: &Head) -> TokenStream {
        let Linear { computed, value, partials } = self;
        let dots = head.by_value().map(|named| &named.dot);
        let products = partials.iter().zip(dots).map(|(partial, dot)| quote!(#partial * #dot));
        let tangent = products.reduce(|sum, product| quote!(#sum + #product));
        quote!(#computed (#value, #tangent))
    }
}
