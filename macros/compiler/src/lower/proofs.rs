//! Proofs of names: items that compile only if a name means what lowering takes it for.
//!
//! In: a body, as it was read. Out: the items, which stand once in what is emitted of it.
//!
//! Invariant: only rustc resolves names. What lowering takes a path or a macro for is proved here, and that methods of
//! floats and of slices are no others' (`methods.rs`); all else that it takes a method for, by code that the audit asks for
//! ([`Proof`](crate::ir::Proof)).

mod fields;
mod methods;

use crate::hir::{Body, Local};
use crate::syntax::signature::Signature;
use crate::syntax::standard;
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{parse_quote, parse_quote_spanned};

pub use fields::Field;

/// The facts that rustc has to prove of a body.
#[derive(Default)]
pub struct Proofs {
    /// Items that compile only if names mean what lowering took them for.
    pub items: Vec<syn::Item>,
    /// Fields that parameters have.
    pub fields: Vec<Field>,
}

/// All proofs of a body.
pub fn proofs(body: &Body, signature: &Signature) -> Proofs {
    Proofs { items: items(body, signature), fields: fields::fields(body) }
}

fn items(body: &Body, signature: &Signature) -> Vec<syn::Item> {
    let mut proofs = Vec::new();
    proofs.extend(proof_of_bindings(&body.assumed));
    proofs.extend(proof_of_macros(&body.macros));
    proofs.extend(body.traits.iter().map(proof_of_trait));
    proofs.extend(body.functions.iter().filter_map(standard::proof));
    proofs.extend(body.orders.iter().map(standard::proof_of_order));
    proofs.extend(methods::proofs(body, signature));
    proofs.extend(proof_of_text(body, signature));
    proofs
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
/// ambiguous where another macro of that name is in scope, or in the module that its path leads to.
fn proof_of_macros(paths: &[syn::Path]) -> Option<syn::Item> {
    let calls = paths.iter().map(call_of_macro);
    (!paths.is_empty()).then(|| {
        parse_quote! {
            const _: fn() = || { #({ #calls })* };
        }
    })
}

/// A call of a macro by its name alone, where the module of its path and all macros that bodies may call are imported.
fn call_of_macro(path: &syn::Path) -> TokenStream {
    let mut module = path.clone();
    let name = module.segments.pop().expect("a path has a segment").ident;
    module.segments.pop_punct();
    let leads = module.segments.first().is_some();
    let module = leads.then(|| quote!(#[allow(unused_imports)] use #module::*;));
    let arguments = match name.to_string().as_str() {
        "matches" | "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => {
            quote!((), ())
        }
        "assert" | "debug_assert" => quote!(true),
        "vec" => quote!(()),
        "print" | "eprint" | "format" => quote!(""),
        _ => TokenStream::new(),
    };
    quote! {
        #module
        use ::cotangent::__private::macros::*;
        let _ = || #name!(#arguments);
    }
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

/// An item that compiles only if `String` is the standard library's, which is constant.
fn proof_of_text(body: &Body, signature: &Signature) -> Option<syn::Item> {
    let params = signature.params.iter().map(|param| &param.ty);
    let locals = (0..body.locals() as u32).filter_map(|local| body.local(Local(local)).ty.as_ref());
    let mut types = params.chain(&signature.output).chain(locals);
    let text = types.find_map(text)?;
    let span = Span::call_site().located_at(text.span());
    Some(parse_quote_spanned!(span=> const _: fn() = ::cotangent::__private::is_text::<#text>;))
}

/// The first type in a type that is taken for `String`.
fn text(ty: &syn::Type) -> Option<syn::Path> {
    let mut found = None;
    ty.walk(&mut |node| {
        if let Node::Path(path) = node
            && path.segments.last().is_some_and(|last| last.ident == "String")
        {
            found.get_or_insert_with(|| path.clone());
        }
        true
    });
    found
}
