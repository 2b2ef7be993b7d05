//! What cannot be derived for: unions, and references in fields.

use crate::derive::spell::{is_phantom, is_text};
use crate::diag::{self, Extent, Reports};
use syn::visit::{self, Visit};

/// Reports what is not supported.
pub fn check(input: &syn::DeriveInput, reports: &mut Reports) {
    if let syn::Data::Union(data) = &input.data {
        reports.report(data.union_token.span, &diag::DERIVE_UNION, "");
    }
    let mut references = References { reports };
    fields(&input.data).for_each(|field| references.visit_field(field));
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
