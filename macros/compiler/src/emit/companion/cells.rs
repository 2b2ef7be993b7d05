//! Parameters that may hold cells: what derivatives do about them before they begin, and proofs that others
//! hold none.
//!
//! A function that shows cells (`Signature::shares`) makes the shadows of its parameters share where these do. The
//! parameters of other functions must not hold any, and rustc is asked to prove that: beside the companion where
//! their types can be named there, else in the functions.

use super::head::{Head, Named};
use crate::ir::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The active parameters behind references by which cells may be reached.
fn sharing<'h, 'a>(head: &'h Head<'a>) -> impl Iterator<Item = &'h Named<'a>> {
    let is_shared = |named: &&Named| {
        let kind = &named.param.kind;
        named.param.active && matches!(kind, Type::Reference(inner, _) if inner.may_hold_cells())
    };
    head.params.iter().filter(move |named| head.signature.shares && is_shared(named))
}

fn is_slice(named: &Named) -> bool {
    matches!(&named.param.kind, Type::Reference(inner, _) if matches!(**inner, Type::Slice(_)))
}

/// Shadows of one cell become one. Where `self` has another name, the names of the places say so.
pub fn joined(head: &Head, name: fn(&Named) -> Ident) -> TokenStream {
    let mut joins = sharing(head)
        .map(|named| {
            let (name, bar) = (name(named), &named.bar);
            if is_slice(named) {
                quote!(.join_each(#name, #bar))
            } else {
                quote!(.join(#name, #bar))
            }
        })
        .peekable();
    if joins.peek().is_none() {
        return TokenStream::new();
    }
    quote!(let _ = ::cotangent::Sharing::new() #(#joins)*;)
}

/// Tangents are only read: they must be one already.
pub fn expected(head: &Head) -> TokenStream {
    let mut joins = sharing(head)
        .map(|named| {
            let (name, dot) = (&named.param.name, &named.dot);
            if is_slice(named) {
                quote!(.expect_each(#name, #dot))
            } else {
                quote!(.expect(#name, #dot))
            }
        })
        .peekable();
    if joins.peek().is_none() {
        return TokenStream::new();
    }
    quote!(let _ = ::cotangent::Sharing::new() #(#joins)*;)
}

/// A gradient by the pullback, with shadows of its own: what the caller's hold would be taken for cotangents of what
/// cells hold in the end. They take their shape from the places as the function leaves them.
pub fn accumulate(head: &Head) -> TokenStream {
    let (vjp, turbofish, seed) = (head.derivative("vjp"), head.turbofish(), head.seed());
    let (names, joined) = (head.plain_names(), joined(head, |named| named.param.name.clone()));
    let active = head.params.iter().filter(|named| named.param.active);
    let active = active.filter(|named| named.param.reference().is_some());
    let (places, shadows): (Vec<_>, Vec<_>) =
        active.map(|named| (&named.param.name, &named.bar)).unzip();
    let own: Vec<_> = shadows.iter().map(|bar| format_ident!("own_{bar}")).collect();
    let references = head.params.iter().filter(|named| named.param.reference().is_some());
    let mut own_left = own.iter();
    let passed = references.map(|named| {
        let name = &named.param.name;
        match named.param.active {
            true => {
                let own = own_left.next();
                quote!(#name, &mut #own)
            }
            false => quote!(#name),
        }
    });
    let passed: Vec<_> = passed.collect();
    quote! {
        #joined
        let (value, pullback) = Self::#vjp #turbofish(#(#names),*);
        #(let mut #own = ::cotangent::Differentiable::zero_tangent(&*#places);)*
        let cotangents = pullback(#(#passed,)* #seed);
        let mut transfer = ::cotangent::__private::Transfer::new();
        #(transfer.take(&mut #own);)*
        #(transfer.give(#shadows);)*
        (value, cotangents)
    }
}

/// The parameters that must not hold cells.
fn separate<'h, 'a>(head: &'h Head<'a>) -> impl Iterator<Item = &'h Named<'a>> {
    let may_hold = |named: &&Named| {
        let is_shown = head.signature.shares && named.param.reference().is_some();
        named.param.active && named.param.kind.may_hold_cells() && !is_shown
    };
    head.params.iter().filter(may_hold)
}

/// Whether a parameter's type means the same beside the function.
fn is_nameable(head: &Head, named: &Named) -> bool {
    head.signature.owner.is_none()
        && head.signature.generics.params.is_empty()
        && !has_lifetime(named)
}

fn has_lifetime(named: &Named) -> bool {
    struct Finder(bool);
    impl<'ast> syn::visit::Visit<'ast> for Finder {
        fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    syn::visit::Visit::visit_type(&mut finder, &named.param.ty);
    finder.0
}

/// Proofs beside the companion.
pub fn items(head: &Head, conditions: &TokenStream) -> TokenStream {
    let types = separate(head).filter(|named| is_nameable(head, named)).map(|named| {
        let ty = named.param.reference().map_or(&named.param.ty, |(inner, _)| inner);
        quote_spanned!(ty.span()=> ::cotangent::__private::separate_type::<#ty>())
    });
    quote!(#(#conditions const _: () = #types;)*)
}

/// Proofs at the start of a function.
pub fn proofs(head: &Head) -> TokenStream {
    let names = separate(head).filter(|named| !is_nameable(head, named)).map(|named| {
        let name = &named.param.name;
        if named.param.reference().is_some() { quote!(&*#name) } else { quote!(&#name) }
    });
    quote!(#(::cotangent::__private::separate(#names);)*)
}
