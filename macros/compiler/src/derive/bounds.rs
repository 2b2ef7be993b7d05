//! Which generic types must be differentiable for the fields to be.
//!
//! These are the type parameters in the fields' types and what is projected from them (`T::Item`), not
//! the fields' types themselves: a bound on the field of a recursive type would ask for itself.

use crate::derive::spell::{is_phantom, mentions};
use crate::syntax::walk::{Node, Tree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;

/// The types that need a bound, each once, in order of appearance.
pub fn bounded_types<'a>(
    types: impl Iterator<Item = &'a syn::Type>,
    generics: &syn::Generics,
) -> Vec<syn::Type> {
    let mut found = Found { generics, types: Vec::new() };
    types.for_each(|ty| found.look(ty));
    found.types
}

/// The generics with the bound `: bound` on each type.
pub fn with_bound(
    generics: &syn::Generics,
    types: impl Iterator<Item = syn::Type>,
    bound: &syn::Path,
) -> syn::Generics {
    let mut generics = generics.clone();
    for ty in types {
        generics.make_where_clause().predicates.push(syn::parse_quote!(#ty: #bound));
    }
    generics
}

/// The generics with a bound on each type that rustc does not check where it is written, only where the
/// impl is used: an impl with such bounds may hold for no type. That is what the lifetime is for, which the bound may name.
///
/// Types that borrow differently get no bound: of two that differ in lifetimes alone rustc would not know
/// which one to use.
pub fn with_late_bound(
    generics: &syn::Generics,
    types: &[syn::Type],
    bound: impl Fn(&syn::Type, &syn::Lifetime) -> syn::Path,
) -> syn::Generics {
    let mut bounded = generics.clone();
    let is_ambiguous = borrow_differently(generics, types);
    let any = late_lifetime();
    for ty in types.iter().filter(|ty| !is_ambiguous || !borrows(generics, ty)) {
        let bound = bound(ty, &any);
        let predicate = quote_spanned!(ty.span()=> for<#any> #ty: #bound);
        bounded.make_where_clause().predicates.push(syn::parse_quote!(#predicate));
    }
    bounded
}

/// The lifetime of late bounds.
pub fn late_lifetime() -> syn::Lifetime {
    crate::binding::lifetime("any")
}

/// Whether two of the types, not written alike, have lifetime parameters.
pub fn borrow_differently(generics: &syn::Generics, types: &[syn::Type]) -> bool {
    let mut borrowing = types.iter().filter(|ty| borrows(generics, ty));
    let first = borrowing.next();
    borrowing.any(|ty| Some(ty) != first)
}

fn borrows(generics: &syn::Generics, ty: &syn::Type) -> bool {
    let tokens = ty.to_token_stream();
    generics.lifetimes().any(|parameter| mentions(&tokens, &parameter.lifetime.ident))
}

struct Found<'a> {
    generics: &'a syn::Generics,
    types: Vec<syn::Type>,
}

impl Found<'_> {
    fn add(&mut self, ty: syn::Type) {
        if !self.types.contains(&ty) {
            self.types.push(ty);
        }
    }

    fn is_parameter(&self, segment: &syn::PathSegment) -> bool {
        self.generics.type_params().any(|parameter| parameter.ident == segment.ident)
    }

    fn depends(&self, ty: &syn::Type) -> bool {
        let mut inner = Found { generics: self.generics, types: Vec::new() };
        inner.look(ty);
        !inner.types.is_empty()
    }

    fn look(&mut self, ty: &syn::Type) {
        ty.walk(&mut |node| match node {
            Node::Type(ty) => self.enters(ty),
            // Array lengths are no types.
            Node::Expr(_) => false,
            _ => true,
        });
    }

    fn enters(&mut self, ty: &syn::Type) -> bool {
        let syn::Type::Path(path) = ty else { return !matches!(ty, syn::Type::FnPtr(_)) };
        let is_generic = match &path.qself {
            _ if is_phantom(ty) => return false,
            Some(qself) => self.depends(&qself.ty),
            None => path.path.segments.first().is_some_and(|first| self.is_parameter(first)),
        };
        if is_generic {
            self.add(ty.clone());
        }
        !is_generic
    }
}

/// A path from tokens that are one.
pub fn path(tokens: impl ToTokens) -> syn::Path {
    syn::parse_quote!(#tokens)
}
