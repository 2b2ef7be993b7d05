//! Says of a type that holds no number that it may be compared with its own kind.
//!
//! **In**: the type. **Out**: impls that hold only where each field's type holds no number, which rustc finds out where
//! they are used. A comparison of such a type sees no active value, whoever wrote it, and the audit lets it be.

use crate::derive::bounds::{borrow_differently, path, with_late_bound};
use crate::derive::subject::Subject;
use proc_macro2::TokenStream;
use quote::quote;

/// Emits the impls, where rustc can be asked of all fields.
pub fn comparable(subject: &Subject) -> TokenStream {
    let fields = subject.fields().filter(|field| !field.is_constant);
    let types: Vec<syn::Type> = fields.map(|field| field.ty.clone()).collect();
    if borrow_differently(&subject.generics, &types) {
        return TokenStream::new();
    }
    let inert =
        |_: &syn::Type, any: &syn::Lifetime| path(quote!(::cotangent::__private::Inert<#any>));
    let generics = with_late_bound(&subject.generics, &types, inert);
    let inert = quote!(::cotangent::__private::Inert<'_>);
    let comparable = quote!(::cotangent::__private::Comparable);
    [
        subject.impl_for_primal(&generics, &inert, &TokenStream::new()),
        subject.impl_for_primal(
            &generics,
            &comparable,
            &quote!(
                type Owner = Self;
            ),
        ),
    ]
    .into_iter()
    .collect()
}
