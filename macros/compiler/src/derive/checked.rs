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
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// Gives aliases to the fields that can have one: one for each type.
pub fn name(variants: &mut [Variant], owner: &Ident, generics: &syn::Generics) {
    let mut types: Vec<syn::Type> = Vec::new();
    let fields = variants.iter_mut().flat_map(|variant| &mut variant.fields);
    for field in fields.filter(|field| is_checked(field, owner, generics)) {
        let known = types.iter().position(|ty| *ty == field.ty);
        let number = known.unwrap_or_else(|| {
            types.push(field.ty.clone());
            types.len() - 1
        });
        let alias = format_ident!("__{owner}_{number}", span = field.span());
        let ty: syn::Type = syn::parse_quote!(#alias);
        field.written = field.tangent.clone();
        field.tangent = tangent_type(&ty, generics);
        field.bound = field.tangent.clone();
        field.alias = Some(alias);
    }
}

/// Whether a field's type is one of the user's own, and the same for all parameters.
fn is_checked(field: &Field, owner: &Ident, generics: &syn::Generics) -> bool {
    let tokens = field.ty.to_token_stream();
    let is_free = generics.params.is_empty() && !mentions(&tokens, owner);
    is_free && !field.is_constant && !leaf_types(&field.bound).is_empty()
}

/// The aliases.
pub fn aliases<'f>(fields: impl Iterator<Item = &'f Field>) -> TokenStream {
    let mut named: Vec<&Ident> = Vec::new();
    let fields = fields.filter(move |field| {
        let is_new = field.alias.as_ref().is_some_and(|alias| !named.contains(&alias));
        named.extend(&field.alias);
        is_new
    });
    let alias = |field: &'f Field| {
        let (name, ty) = (field.alias.as_ref()?, &field.ty);
        let checked = quote_spanned! {field.span()=>
            <::cotangent::__private::Checked<
                { ::cotangent::__private::has_tangent_type(::core::option::Option::None::<fn(#ty)>) }
            > as ::cotangent::__private::Argument<fn(#ty)>>::Type
        };
        Some(quote! {
            #[doc(hidden)]
            #[allow(dead_code, non_camel_case_types, deprecated, unused_qualifications)]
            type #name = #checked;
        })
    };
    fields.filter_map(alias).collect()
}
