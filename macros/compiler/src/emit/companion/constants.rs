//! What is asked of the types of constant parameters.
//!
//! In: a head. Out: a `where` clause. A bound of a type hides from rustc what the type's tangent is, which must not
//! happen to the types of active parameters and results: rustc 1.95 takes their tangents for two types where
//! it inlines a pullback, and stops with an internal error.

use super::head::{Head, Named};
use crate::ir::Type;
use crate::syntax::signature::plain;
use proc_macro2::TokenStream;
use quote::quote;

/// Those whose tangent is made of their arguments' tangents.
const CONTAINERS: [&str; 11] = [
    "BTreeMap", "Box", "Cell", "Complex", "HashMap", "Option", "Rc", "RefCell", "Result", "Vec",
    "VecDeque",
];

impl Head<'_> {
    /// Constants of any type will do for a gradient. The uniform functions, which give every parameter a
    /// tangent, exist where these types have one; this is asked only where they are used.
    pub fn constant_clause(&self, is_wanted: fn(&Named) -> bool) -> TokenStream {
        let constant = self.params.iter().filter(|named| !named.param.active && is_wanted(named));
        let known = self.types_with_tangents();
        let types = constant.filter_map(|named| {
            let ty = bare(&named.param.ty);
            let is_open = self.signature.floats.read(ty) == Type::Unknown;
            (is_open && !known.contains(&self.resolved(ty))).then_some(ty)
        });
        let any = crate::binding::lifetime("constant");
        quote!(#(for<#any> #types: ::cotangent::__private::Tangible<#any>,)*)
    }

    /// The types of active parameters and results, and what these are made of.
    fn types_with_tangents(&self) -> Vec<&syn::Type> {
        let active = self.params.iter().filter(|named| named.param.active);
        let mut types = Vec::new();
        for ty in active.map(|named| &named.param.ty).chain(&self.signature.output) {
            self.collect(ty, &mut types);
        }
        types
    }

    fn collect<'t>(&'t self, ty: &'t syn::Type, types: &mut Vec<&'t syn::Type>) {
        let ty = self.resolved(ty);
        types.push(ty);
        let mut inner = |ty| self.collect(ty, types);
        match ty {
            syn::Type::Reference(reference) => inner(&reference.elem),
            syn::Type::Slice(slice) => inner(&slice.elem),
            syn::Type::Array(array) => inner(&array.elem),
            syn::Type::Tuple(tuple) => tuple.elems.iter().for_each(inner),
            syn::Type::Path(path) => arguments(path).for_each(inner),
            _ => {}
        }
    }

    /// What `Self` stands for.
    fn resolved<'t>(&'t self, ty: &'t syn::Type) -> &'t syn::Type {
        let itself = self.signature.owner.as_ref().and_then(|owner| owner.ty.as_ref());
        match (plain(ty), itself) {
            (syn::Type::Path(path), Some(itself)) if path.path.is_ident("Self") => plain(itself),
            (ty, _) => ty,
        }
    }
}

/// The element of a slice, or what a reference leads to.
fn bare(ty: &syn::Type) -> &syn::Type {
    match plain(ty) {
        syn::Type::Reference(reference) => bare(&reference.elem),
        syn::Type::Slice(slice) => &slice.elem,
        ty => ty,
    }
}

/// The arguments of a container.
fn arguments(path: &syn::TypePath) -> impl Iterator<Item = &syn::Type> {
    let last = path.path.segments.last();
    let given = match last.map(|segment| (&segment.ident, &segment.arguments)) {
        Some((name, syn::PathArguments::AngleBracketed(given)))
            if CONTAINERS.iter().any(|container| name == container) =>
        {
            Some(&given.args)
        }
        _ => None,
    };
    given.into_iter().flatten().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
