//! What a trait and its impls say to each other of their derivatives, in members that do nothing. Where one is
//! missing, rustc says so.

use crate::syntax::signature::OwnerKind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// In an `impl`: it has the attribute.
pub fn of_implementation() -> TokenStream {
    let name = attribute();
    quote!(#[doc(hidden)] fn #name() {})
}

/// In a trait: its impls must have the attribute, if what they override has derivatives here.
pub fn of_trait(has_bodies: bool) -> TokenStream {
    let (name, body) = (attribute(), if has_bodies { quote!(;) } else { quote!({}) });
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        fn #name() where Self: ::core::marker::Sized #body
    }
}

/// On both sides: a function has no derivatives.
pub fn of_skipped(function: &Ident, kind: OwnerKind) -> TokenStream {
    let bare = function.to_string();
    let bare = bare.trim_start_matches("r#");
    let name = format_ident!("__{bare}_has_no_derivatives", span = function.span());
    match kind {
        OwnerKind::Type => TokenStream::new(),
        OwnerKind::Implementation => {
            quote_spanned!(function.span()=> #[doc(hidden)] fn #name() {})
        }
        OwnerKind::Trait | OwnerKind::Declaration => quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            fn #name() where Self: ::core::marker::Sized {}
        },
    }
}

fn attribute() -> Ident {
    Ident::new("__impls_have_the_attribute_differentiate", Span::call_site())
}
