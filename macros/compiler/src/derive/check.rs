//! What cannot be derived for: unions, and references in fields.

use crate::derive::spell::{is_phantom, is_text};
use crate::diag::{self, Extent, Reports};
use crate::syntax::walk::{Node, Tree};

/// Reports what is not supported.
pub fn check(input: &syn::DeriveInput, reports: &mut Reports) {
    if let syn::Data::Union(data) = &input.data {
        reports.report(data.union_token.span, &diag::DERIVE_UNION, "");
    }
    attributes(input, reports);
    let active = fields(&input.data).filter(|field| !is_constant(field));
    active.for_each(|field| references(&field.ty, reports));
}

/// Whether `#[differentiable(constant)]` stands on a field.
pub fn is_constant(field: &syn::Field) -> bool {
    field.attrs.iter().any(is_own)
}

/// Whether an attribute is that of the derive.
fn is_own(attr: &syn::Attribute) -> bool {
    attr.path().is_ident("differentiable")
}

/// Reports what is not `#[differentiable(constant)]`, once on a field.
fn attributes(input: &syn::DeriveInput, reports: &mut Reports) {
    let variants = match &input.data {
        syn::Data::Enum(data) => data.variants.iter().collect(),
        syn::Data::Struct(_) | syn::Data::Union(_) => Vec::new(),
    };
    let outside = variants.iter().flat_map(|variant| &variant.attrs).chain(&input.attrs);
    for attr in outside.filter(|attr| is_own(attr)) {
        let what = "this stands on a type or a variant";
        reports.report(Extent::of(attr.path()), &diag::DERIVE_ATTRIBUTE, what);
    }
    for field in fields(&input.data) {
        let mut own = field.attrs.iter().filter(|attr| is_own(attr));
        own.by_ref().take(1).for_each(|attr| argument(attr, reports));
        own.for_each(|attr| {
            reports.report(
                Extent::of(attr.path()),
                &diag::DERIVE_ATTRIBUTE,
                "this stands here twice",
            );
        });
    }
}

/// Reports an argument that is not `constant`.
fn argument(attr: &syn::Attribute, reports: &mut Reports) {
    let (at, what) = match &attr.meta {
        syn::Meta::List(list) => match syn::parse2::<syn::Ident>(list.tokens.clone()) {
            Ok(word) if word == "constant" => return,
            _ if list.tokens.is_empty() => (Extent::of(attr.path()), "an argument is missing"),
            _ => (Extent::of(&list.tokens), "this argument is not known"),
        },
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => {
            (Extent::of(attr.path()), "an argument is missing")
        }
    };
    reports.report(at, &diag::DERIVE_ATTRIBUTE, what);
}

/// The fields of a struct, or of all variants of an enum.
fn fields(data: &syn::Data) -> impl Iterator<Item = &syn::Field> {
    let lists: Vec<&syn::Fields> = match data {
        syn::Data::Struct(data) => vec![&data.fields],
        syn::Data::Enum(data) => data.variants.iter().map(|variant| &variant.fields).collect(),
        syn::Data::Union(_) => Vec::new(),
    };
    lists.into_iter().flatten()
}

/// Whether rustc refuses the item, so that there is nothing to add to it: a field that is called `_`, or one of a trait
/// object's type without `dyn`.
pub fn is_refused(input: &syn::DeriveInput) -> bool {
    let is_refused = |field: &syn::Field| {
        let is_bare = |ty: &syn::TypeTraitObject| ty.dyn_token.is_none();
        field.ident.as_ref().is_some_and(|name| name == "_")
            || matches!(&field.ty, syn::Type::TraitObject(ty) if is_bare(ty))
    };
    fields(&input.data).any(is_refused)
}

/// Reports references that hold data. Those in the signatures of functions and in markers hold none.
fn references(ty: &syn::Type, reports: &mut Reports) {
    ty.walk(&mut |node| match node {
        Node::Type(ty @ syn::Type::Reference(reference)) if !is_text(reference) => {
            reports.report(Extent::of(ty), &diag::DERIVE_REFERENCE, "");
            false
        }
        Node::Type(syn::Type::FnPtr(_) | syn::Type::TraitObject(_)) => false,
        Node::Type(ty) => !is_phantom(ty),
        _ => true,
    });
}
