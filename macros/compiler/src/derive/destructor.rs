//! Refuses types with a destructor.
//!
//! **In**: the type. **Out**: an impl of a trait that conflicts with one for all types that implement `Drop`, as in
//! pin-project. A destructor would see active values, and derivative code makes and drops values where the function
//! does not.

use crate::derive::subject::Subject;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// Emits the conflict.
pub fn refuse(subject: &Subject) -> TokenStream {
    let span = Span::call_site().located_at(subject.name.span());
    let name = Ident::new("DifferentiableMustNotImplDrop", span);
    let (parameters, arguments, bounds) = subject.generics.split_for_impl();
    let ty = &subject.name;
    quote_spanned! {span=>
        const _: () = {
            trait #name {}
            #[allow(drop_bounds)]
            impl<T: ::core::ops::Drop + ?::core::marker::Sized> #name for T {}
            #[automatically_derived]
            #[allow(deprecated, unused_lifetimes, unused_qualifications)]
            impl #parameters #name for #ty #arguments #bounds {}
        };
    }
}
