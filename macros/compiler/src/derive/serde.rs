//! serde's traits for the tangent type, where the type itself has them.
//!
//! **In**: the type. **Out**: attributes of the tangent type, by which serde's own derive writes the impls. A derive does
//! not see which other traits are derived. So the impls have bounds that rustc checks where they are used: they hold
//! where the type itself and the tangents of all its fields have the trait.
//!
//! **Invariant**: without the feature `serde`, which `cotangent` asks for with `serde-1`, nothing is emitted.

use crate::derive::bounds::late_lifetime;
use crate::derive::standard::is_plain;
use crate::derive::subject::Subject;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// Returns the attributes. A type that borrows has none, and one whose fields are spelled with `$crate`, which serde could
/// not read in a bound.
pub fn attributes(subject: &Subject) -> TokenStream {
    let borrows = subject.generics.lifetimes().next().is_some();
    if !cfg!(feature = "serde") || borrows {
        return TokenStream::new();
    }
    let path = quote!(::cotangent::__private::serde);
    let serialize = bounds(subject, &quote!(#path::Serialize));
    let deserialize = bounds(subject, &quote!(#path::Deserialize<'de>));
    if serialize.contains('$') {
        return TokenStream::new();
    }
    quote! {
        #[derive(#path::Serialize, #path::Deserialize)]
        #[serde(
            crate = "::cotangent::__private::serde",
            bound(serialize = #serialize, deserialize = #deserialize)
        )]
    }
}

/// Writes the bounds. That of a recursive field holds where all others do.
fn bounds(subject: &Subject, bound: &TokenStream) -> String {
    let (name, (_, arguments, _)) = (&subject.name, subject.generics.split_for_impl());
    let fields = subject.fields().filter(|field| !field.mentions(&subject.name));
    let fields = fields.filter(|field| !is_plain(&field.bound));
    let tangents = fields.map(|field| field.bound.to_token_stream());
    let any = late_lifetime();
    let predicates = std::iter::once(quote!(#name #arguments)).chain(tangents);
    let predicates = predicates.map(|ty| quote!(for<#any> #ty: #bound,));
    predicates.collect::<TokenStream>().to_string()
}
