//! `#[derive(Differentiable)]`: the tangent type of a struct or an enum, and the traits of both.
//!
//! In comes the item, as the user wrote it; out come its tangent type and the impls, or the errors
//! alone. Invariants: the tangent type has the fields and the variants of its type, in their order and
//! as visible as they are, and an enum's has one variant more, its zero. Every impl walks the fields in
//! order, so that all of them meet the floats in the same order. A struct is handled as an enum whose
//! one variant has no name.

mod accessor;
mod bounds;
mod check;
mod checked;
mod comparable;
mod constructor;
mod definition;
mod destructor;
mod differentiable;
mod places;
mod serde;
mod spell;
mod standard;
mod subject;
mod tangent;

use crate::diag::Reports;
pub use accessor::accessor_name;
use proc_macro2::TokenStream;
use quote::quote;
use subject::Subject;

/// The items that go with a type: nothing of the type itself.
pub fn derive(input: TokenStream) -> TokenStream {
    let mut reports = Reports::default();
    match syn::parse2::<syn::DeriveInput>(input) {
        Ok(input) if check::is_refused(&input) => {}
        Ok(input) => {
            check::check(&input, &mut reports);
            if reports.is_empty() {
                return emit(&Subject::read(input));
            }
        }
        Err(error) => reports.push(error.span(), error.to_string()),
    }
    reports.to_tokens()
}

fn emit(subject: &Subject) -> TokenStream {
    let parts: [fn(&Subject) -> TokenStream; 16] = [
        destructor::refuse,
        comparable::comparable,
        accessor::accessors,
        constructor::constructors,
        differentiable::differentiable,
        differentiable::differentiable_tangent,
        tangent::tangent,
        tangent::constant_place,
        tangent::zero,
        standard::default,
        standard::clone,
        standard::copy,
        standard::debug,
        standard::partial_eq,
        places::index,
        places::deref,
    ];
    let aliases = checked::aliases(&subject.aliases);
    let definition = definition::definition(subject);
    let impls = crate::binding::surrounded(|| parts.iter().map(|part| part(subject)).collect());
    quote!(#aliases #definition #impls)
}
