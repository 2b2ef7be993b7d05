//! `[..]` and `*` of the tangent type, where the type's own have derivatives: `#[differentiate]` on their `impl` implements
//! the traits that the bounds ask for (`core/src/places.rs`).

use crate::binding::local;
use crate::derive::bounds::{path, with_late_bound};
use crate::derive::subject::Subject;
use proc_macro2::TokenStream;
use quote::quote;

/// `Index` and `IndexMut`, for each index that the type has with a derivative.
pub fn index(subject: &Subject) -> TokenStream {
    let (ty, is_own) = (own(subject), bound(subject));
    let (at, index) = (local("Index"), local("index"));
    let shadow = quote!(::cotangent::__private::IndexShadow<#at>);
    let mut generics = subject.generics.clone();
    generics.make_where_clause().predicates.push(syn::parse_quote!(#ty: #shadow + #is_own));
    generics.params.push(syn::parse_quote!(#at));
    let (head, _, bounds) = generics.split_for_impl();
    let (_, arguments, _) = subject.generics.split_for_impl();
    let (part, tangent) = (quote!(<#ty as #shadow>), &subject.tangent);
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::all)]
        impl #head ::core::ops::Index<#at> for #tangent #arguments #bounds {
            type Output = #part::Output;

            #[inline]
            fn index(&self, #index: #at) -> &#part::Output {
                #part::part(self, #index)
            }
        }

        #[automatically_derived]
        #[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::all)]
        impl #head ::core::ops::IndexMut<#at> for #tangent #arguments #bounds {
            #[inline]
            fn index_mut(&mut self, #index: #at) -> &mut #part::Output {
                #part::part_mut(self, #index)
            }
        }
    }
}

/// `Deref` and `DerefMut`, likewise.
pub fn deref(subject: &Subject) -> TokenStream {
    let (ty, is_own) = (own(subject), bound(subject));
    let shadow = quote!(::cotangent::__private::DerefShadow);
    let mut generics = with_late_bound(&subject.generics, std::slice::from_ref(&ty), |_, any| {
        path(quote!(#shadow<#any>))
    });
    generics.make_where_clause().predicates.push(syn::parse_quote!(#ty: #is_own));
    let part = quote!(<#ty as #shadow<'static>>);
    let shared = quote! {
        type Target = #part::Target;

        #[inline]
        fn deref(&self) -> &#part::Target {
            #part::part(self)
        }
    };
    let unique = quote! {
        #[inline]
        fn deref_mut(&mut self) -> &mut #part::Target {
            #part::part_mut(self)
        }
    };
    let shared = subject.impl_for_tangent(&generics, &quote!(::core::ops::Deref), &shared);
    let unique = subject.impl_for_tangent(&generics, &quote!(::core::ops::DerefMut), &unique);
    quote!(#shared #unique)
}

/// The type itself.
fn own(subject: &Subject) -> syn::Type {
    let (name, (_, arguments, _)) = (&subject.name, subject.generics.split_for_impl());
    syn::parse_quote!(#name #arguments)
}

/// That the tangent is the type's, which rustc does not see by itself where there are parameters.
fn bound(subject: &Subject) -> TokenStream {
    let (tangent, (_, arguments, _)) = (&subject.tangent, subject.generics.split_for_impl());
    quote!(::cotangent::Differentiable<Tangent = #tangent #arguments>)
}
