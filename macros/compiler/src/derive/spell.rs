//! How the tangent type of a field is spelled.

use crate::syntax::types::{projected_tangent, tangent_tokens};
use crate::syntax::walk::{NodeMut, TreeMut};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// The tangent's type, as a reader would write it where its shape is known. A type or lifetime
/// parameter of the field's type is kept, by naming the tangent through the trait where need be: an item
/// must use all of its parameters.
pub fn tangent_type(ty: &syn::Type, generics: &syn::Generics) -> syn::Type {
    let spelled = respanned(spelling(ty, generics), ty.span());
    // What is no type where it is printed is rustc's error.
    syn::parse2(spelled.clone()).unwrap_or(syn::Type::Verbatim(spelled))
}

/// The tangent's type as bounds need it: that of a string or a marker is `NoTangent`, whatever parameters
/// its spelling must keep. Bounds that differ in lifetimes alone would be ambiguous.
pub fn bound_type(ty: &syn::Type, tangent: &syn::Type) -> syn::Type {
    let is_text = matches!(ty, syn::Type::Reference(reference) if is_text(reference));
    if is_text || is_phantom(ty) { no_tangent() } else { tangent.clone() }
}

/// The tangent's type of a constant field. An item must use all of its parameters, so those of the field's type are kept.
pub fn constant_tangent(ty: &syn::Type, generics: &syn::Generics) -> syn::Type {
    let tokens = ty.to_token_stream();
    if parameters(generics).any(|name| mentions(&tokens, name)) {
        let marker = quote!(::core::marker::PhantomData<#ty>);
        return syn::parse_quote!(<#marker as ::cotangent::Differentiable>::Tangent);
    }
    no_tangent()
}

/// The tangent's type of what cannot vary.
pub fn no_tangent() -> syn::Type {
    syn::parse_quote!(::cotangent::__private::NoTangent)
}

fn spelling(ty: &syn::Type, generics: &syn::Generics) -> TokenStream {
    let plain = match ty {
        syn::Type::Reference(reference) if is_text(reference) => {
            quote!(::cotangent::__private::NoTangent)
        }
        _ => tangent_tokens(ty),
    };
    let is_dropped =
        |name: &Ident| mentions(&ty.to_token_stream(), name) && !mentions(&plain, name);
    if parameters(generics).any(is_dropped) {
        return projected_tangent(ty);
    }
    plain
}

/// The tokens at a place in the source, where errors about them are shown; what they name stays.
fn respanned(tokens: TokenStream, at: Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        let span = at.resolved_at(token.span());
        if let TokenTree::Group(group) = &token {
            let inner = respanned(group.stream(), at);
            token = Group::new(group.delimiter(), inner).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(respan).collect()
}

/// The names of type and lifetime parameters.
fn parameters(generics: &syn::Generics) -> impl Iterator<Item = &Ident> {
    let lifetimes = generics.lifetimes().map(|parameter| &parameter.lifetime.ident);
    lifetimes.chain(generics.type_params().map(|parameter| &parameter.ident))
}

/// Whether a name occurs among some tokens.
pub fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Whether a type is spelled `PhantomData<..>`.
pub fn is_phantom(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    path.path.segments.last().is_some_and(|last| last.ident == "PhantomData")
}

/// Whether a reference is one to a string, which is constant.
pub fn is_text(reference: &syn::TypeReference) -> bool {
    let syn::Type::Path(path) = &*reference.elem else {
        return false;
    };
    path.path.is_ident("str") && reference.mutability.is_none()
}

/// Puts the type's own name for `Self`, which means another type in the items that are made.
pub fn name_self(input: &mut syn::DeriveInput) {
    let (name, generics) = (input.ident.clone(), input.generics.clone());
    let (_, arguments, _) = generics.split_for_impl();
    let arguments = arguments.as_turbofish();
    let named: syn::Path = syn::parse_quote!(#name #arguments);
    input.change(&mut |node| {
        if let NodeMut::Path(path) = node
            && let Some(first) = path.segments.first_mut().filter(|first| first.ident == "Self")
        {
            first.ident = name.clone();
            first.arguments = named.segments[0].arguments.clone();
        }
        true
    });
}
