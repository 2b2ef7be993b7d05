//! Says of a type that holds no number that it may be compared with its own kind.
//!
//! **In**: the type. **Out**: impls that hold only where each field's type holds no number, which rustc finds out where
//! they are used. A comparison of such a type sees no active value, whoever wrote it, and the audit lets it be.

use crate::binding::lifetime;
use crate::derive::bounds::{borrow_differently, path, with_late_bound};
use crate::derive::subject::Subject;
use proc_macro2::TokenStream;
use quote::quote;

/// Emits the impls, where rustc can be asked of all fields.
pub fn comparable(subject: &Subject) -> TokenStream {
    let fields = subject.variants.iter().flat_map(|variant| &variant.fields);
    let types: Vec<syn::Type> = fields.map(|field| field.ty.clone()).collect();
    if borrow_differently(&subject.generics, &types) {
        return TokenStream::new();
    }
    let inert =
        |_: &syn::Type, any: &syn::Lifetime| path(quote!(::cotangent::__private::Inert<#any>));
    let generics = with_late_bound(&subject.generics, &types, inert);
    let (_, arguments, bounds) = generics.split_for_impl();
    let mut parameters = subject.generics.clone();
    let (plain, _, _) = subject.generics.split_for_impl();
    let bound = lifetime("inert");
    parameters.params.insert(0, syn::parse_quote!(#bound));
    let (parameters, _, _) = parameters.split_for_impl();
    let name = &subject.name;
    quote! {
        impl #parameters ::cotangent::__private::Inert<#bound> for #name #arguments #bounds {}
        impl #plain ::cotangent::__private::Comparable for #name #arguments #bounds {
            type Owner = Self;
        }
    }
}
