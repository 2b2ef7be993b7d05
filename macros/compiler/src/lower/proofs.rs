//! What names are taken for, as items that compile only if they mean that.
//!
//! In: a body, as it was read. Out: the items, which stand at the start of all that is emitted of it.
//!
//! Invariant: only rustc resolves names. Whatever lowering takes a name for without a look at types is proved here, or in
//! code that the audit asks for ([`Proof`](crate::ir::Proof)).

use super::builtin;
use crate::hir::references::References;
use crate::hir::{Body, ExprKind};
use crate::syntax::signature::Signature;
use crate::syntax::standard;
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::{parse_quote, parse_quote_spanned};

/// All proofs of a body.
pub fn proofs(body: &Body, signature: &Signature) -> Vec<syn::Item> {
    let mut proofs = Vec::new();
    proofs.extend(proof_of_bindings(&body.assumed));
    proofs.extend(proof_of_macros(&body.macros));
    proofs.extend(body.traits.iter().map(proof_of_trait));
    proofs.extend(body.functions.iter().filter_map(standard::proof));
    proofs.extend(body.orders.iter().map(standard::proof_of_order));
    let methods = methods_on_references(body);
    if signature.floats.0.is_empty() && !methods.is_empty() {
        let floats =
            ["f64", "f32"].into_iter().filter(|float| *float == "f64" || names_f32(signature));
        proofs.extend(floats.map(|float| proof_of_methods(&methods, float)));
    }
    proofs
}

/// Whether the head says that numbers may be `f32`.
fn names_f32(signature: &Signature) -> bool {
    let types = signature.params.iter().map(|param| &param.ty).chain(&signature.output);
    let is_f32 = |node: Node<'_>| matches!(node, Node::Path(path) if path.is_ident("f32"));
    types.into_iter().any(|ty| ty.has(&is_f32))
}

/// An item that compiles only if these names, as patterns, are bindings.
fn proof_of_bindings(names: &[Ident]) -> Option<syn::Item> {
    (!names.is_empty()).then(|| {
        parse_quote! {
            const _: fn() = || { let _ = |#(#names),*| { #(let () = #names;)* }; };
        }
    })
}

/// An item that compiles only if these macros are those of the standard library: a name that a glob brings in is
/// ambiguous where another macro of that name is in scope.
fn proof_of_macros(names: &[Ident]) -> Option<syn::Item> {
    let calls = names.iter().map(|name| match name.to_string().as_str() {
        "matches" => quote!(#name!((), ())),
        "assert" | "debug_assert" => quote!(#name!(true)),
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => {
            quote!(#name!((), ()))
        }
        "vec" => quote!(#name!(())),
        "print" | "eprint" | "format" => quote!(#name!("")),
        _ => quote!(#name!()),
    });
    (!names.is_empty()).then(|| {
        parse_quote! {
            const _: fn() = || {
                use ::cotangent::__private::macros::*;
                #(let _ = || #calls;)*
            };
        }
    })
}

/// An item that compiles only if a trait in front of a function is one that all floats have.
fn proof_of_trait(path: &syn::Path) -> syn::Item {
    let span = path.segments.last().expect("a path has a segment").ident.span();
    parse_quote_spanned! {span=>
        const _: fn() = || {
            fn is<T: #path>() {}
            fn proved<T: ::cotangent::Float>() { is::<T>() }
        };
    }
}

/// The methods of floats that are called on what may be a reference to one, each once, and how many arguments they have.
fn methods_on_references(body: &Body) -> Vec<(Ident, usize)> {
    let references = References::of(body);
    let mut methods: Vec<(Ident, usize)> = Vec::new();
    for expr in body.exprs() {
        if let ExprKind::Method { receiver, name, arguments, .. } = &expr.kind
            && is_of_floats(&name.to_string(), arguments.len())
            && !methods.iter().any(|(other, _)| other == name)
            && references.may_be_reference(*receiver)
        {
            methods.push((name.clone(), arguments.len()));
        }
    }
    methods
}

fn is_of_floats(name: &str, arguments: usize) -> bool {
    let is_zero = cotangent_rules::is_zero(name) && !cotangent_rules::is_of_integers(name);
    // What compares takes references, and so is found before any trait's. The others are of collections.
    let is_other = builtin::compares(name)
        || builtin::is_variant_test(name)
        || matches!(name, "len" | "is_empty" | "capacity");
    builtin::is_rule(name, 1 + arguments) || is_zero && !is_other
}

/// An item that compiles only if no trait in scope has one of these methods for `&f64`: that would go before the float's
/// own, which is found behind the reference. Where there is none, rustc comes to a trait of the item's.
fn proof_of_methods(methods: &[(Ident, usize)], float: &str) -> syn::Item {
    let float = Ident::new(float, Span::call_site());
    let never = quote!(::cotangent::__private::never());
    let calls = methods.iter().map(|(name, count)| -> syn::Expr {
        let span = Span::call_site().located_at(name.span());
        let (name, arguments) = (Ident::new(&name.to_string(), span), vec![&never; *count]);
        parse_quote_spanned!(span=> ::cotangent::__private::taken(float.#name(#(#arguments),*)))
    });
    let declared = methods.iter().map(|(name, count)| -> syn::TraitItem {
        let arguments = vec![quote!(_: ()); *count];
        parse_quote! {
            fn #name(&mut self, #(#arguments),*) -> ::cotangent::__private::Taken {
                ::cotangent::__private::Taken
            }
        }
    });
    parse_quote! {
        const _: fn(&#float) = |mut float| {
            trait Taken { #(#declared)* }
            impl Taken for &#float {}
            #(#calls;)*
        };
    }
}
