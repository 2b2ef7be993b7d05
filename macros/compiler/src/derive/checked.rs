//! A missing derive of a field's type is one error: the type stands for what rustc holds for an error then.
//!
//! In: the fields. Out: an alias of each field's type that leads through a constant, which does not compile for a type
//! without a tangent type. All that is made of the field uses the alias, and rustc says no more of it.
//!
//! Invariant: no constant depends on a parameter, and no type on itself by way of one: such fields have no alias.
//! Documentation shows the tangent type's fields as they are written.

use crate::derive::spell::{mentions, tangent_type};
use crate::derive::standard::leaf_types;
use crate::derive::subject::{Field, Variant};
use crate::syntax::types::checked;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// Gives aliases to the fields that can have one, and returns them with their types, each once.
pub fn name(
    variants: &mut [Variant],
    owner: &Ident,
    generics: &syn::Generics,
) -> Vec<(Ident, syn::Type)> {
    let mut aliases: Vec<(Ident, syn::Type)> = Vec::new();
    let fields = variants.iter_mut().flat_map(|variant| &mut variant.fields);
    for field in fields.filter(|field| is_checked(field, owner, generics)) {
        let known = aliases.iter().position(|(_, ty)| *ty == field.ty);
        let number = known.unwrap_or(aliases.len());
        let alias = format_ident!("__{owner}_{number}", span = field.span());
        if known.is_none() {
            aliases.push((alias.clone(), field.ty.clone()));
        }
        field.tangent = tangent_type(&syn::parse_quote!(#alias), generics);
        field.bound = field.tangent.clone();
        field.alias = Some(alias);
    }
    aliases
}

/// Whether a field's type is one of the user's own, and the same for all parameters.
fn is_checked(field: &Field, owner: &Ident, generics: &syn::Generics) -> bool {
    let tokens = field.ty.to_token_stream();
    let is_free = generics.params.is_empty() && !mentions(&tokens, owner);
    is_free && !field.is_constant && !leaf_types(&field.bound).is_empty()
}

/// The items that define the aliases.
pub fn aliases(aliases: &[(Ident, syn::Type)]) -> TokenStream {
    let alias = |(name, ty): &(Ident, syn::Type)| {
        let checked = checked(&quote!(fn(#ty)), &TokenStream::new(), name.span());
        quote! {
            #[doc(hidden)]
            #[allow(dead_code, non_camel_case_types, deprecated, unused_qualifications)]
            type #name = #checked;
        }
    };
    aliases.iter().map(alias).collect()
}
