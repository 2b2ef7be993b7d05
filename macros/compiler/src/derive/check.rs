//! What cannot be derived for: unions, and references in fields.

use crate::derive::spell::{is_phantom, is_text};
use crate::diag::{self, Extent, Reports};
use syn::visit::{self, Visit};

/// Reports what is not supported.
pub fn check(input: &syn::DeriveInput, reports: &mut Reports) {
    let mut references = References { reports };
    match &input.data {
        syn::Data::Struct(data) => references.visit_fields(&data.fields),
        syn::Data::Enum(data) => {
            data.variants.iter().for_each(|variant| references.visit_fields(&variant.fields));
        }
        syn::Data::Union(data) => {
            reports.report(data.union_token.span, &diag::DERIVE_UNION, "");
        }
    }
}

/// Whether rustc refuses the item, so that there is nothing to add to it: a field that is called `_`, or one of a trait
/// object's type without `dyn`.
pub fn is_refused(input: &syn::DeriveInput) -> bool {
    let is_refused = |field: &syn::Field| {
        let is_bare = |ty: &syn::TypeTraitObject| ty.dyn_token.is_none();
        field.ident.as_ref().is_some_and(|name| name == "_")
            || matches!(&field.ty, syn::Type::TraitObject(ty) if is_bare(ty))
    };
    match &input.data {
        syn::Data::Struct(data) => data.fields.iter().any(is_refused),
        syn::Data::Enum(data) => {
            data.variants.iter().flat_map(|variant| &variant.fields).any(is_refused)
        }
        syn::Data::Union(_) => false,
    }
}

/// Finds references that hold data. Those in the signatures of functions and in markers hold none.
struct References<'a> {
    reports: &'a mut Reports,
}

impl Visit<'_> for References<'_> {
    fn visit_field(&mut self, field: &syn::Field) {
        self.visit_type(&field.ty);
    }

    fn visit_type(&mut self, ty: &syn::Type) {
        match ty {
            syn::Type::Reference(reference) if !is_text(reference) => {
                self.reports.report(Extent::of(ty), &diag::DERIVE_REFERENCE, "");
            }
            syn::Type::FnPtr(_) | syn::Type::TraitObject(_) => {}
            _ if is_phantom(ty) => {}
            _ => visit::visit_type(self, ty),
        }
    }
}
