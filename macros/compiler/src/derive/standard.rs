//! The standard traits of the tangent type. They are not derived in their turn: the standard derives
//! would ask for `T: Clone` where the tangent of `T` is what is cloned.

use crate::binding::local;
use crate::derive::bounds::{borrow_differently, path, with_late_bound};
use crate::derive::spell::no_tangent;
use crate::derive::subject::{Field, Subject, Variant};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// `Default` as zero: for an enum its additional variant, for a struct that of every field where all
/// have one.
pub fn default(subject: &Subject) -> TokenStream {
    let mut leaves = Vec::new();
    let value = match &subject.zero {
        Some(_) => subject.zero_value(),
        None => subject.variants.iter().map(|whole| default_struct(whole, &mut leaves)).collect(),
    };
    let trait_path = quote!(::core::default::Default);
    let generics = with_late_bound(&subject.generics, &leaves, |_, _| path(&trait_path));
    let body = quote! {
        #[inline]
        fn default() -> Self {
            #value
        }
    };
    subject.impl_for_tangent(&generics, &trait_path, &body)
}

fn default_struct(whole: &Variant, leaves: &mut Vec<syn::Type>) -> TokenStream {
    let fields = whole.fields.iter();
    let values: Vec<_> = fields.map(|field| default_of(&field.bound, leaves)).collect();
    whole.build(&quote!(Self), |field| values[field.number].clone())
}

/// The default of a type, entry by entry in arrays, since the standard library's ends at a length of
/// 32. The types that must have one of their own are added to `leaves`.
fn default_of(ty: &syn::Type, leaves: &mut Vec<syn::Type>) -> TokenStream {
    match ty {
        syn::Type::Array(array) => {
            let item = default_of(&array.elem, leaves);
            quote!(::core::array::from_fn(|_| #item))
        }
        syn::Type::Tuple(tuple) => {
            let items = tuple.elems.iter().map(|item| default_of(item, leaves));
            quote!((#(#items,)*))
        }
        _ => {
            if !is_plain(ty) && vector_item(ty).is_none() {
                leaves.push(ty.clone());
            }
            quote!(::core::default::Default::default())
        }
    }
}

/// Whether a tangent's type is a float or `NoTangent`, which have all traits.
pub fn is_plain(ty: &syn::Type) -> bool {
    let path = match ty {
        syn::Type::Path(path) if path.qself.is_none() => &path.path,
        _ => return false,
    };
    path.is_ident("f64") || path.is_ident("f32") || *ty == no_tangent()
}

/// What a tangent's type is made of, as far as its spelling shows, without floats and `NoTangent`.
pub fn leaf_types(ty: &syn::Type) -> Vec<syn::Type> {
    match ty {
        syn::Type::Array(array) => leaf_types(&array.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().flat_map(leaf_types).collect(),
        _ if is_plain(ty) => Vec::new(),
        _ => vector_item(ty).map_or_else(|| vec![ty.clone()], leaf_types),
    }
}

/// The items of what is spelled as a vector.
fn vector_item(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else {
        return None;
    };
    let last = path.segments.last().filter(|last| last.ident == "Vec")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(item)) => Some(item),
        _ => None,
    }
}

/// `Clone`, field by field.
pub fn clone(subject: &Subject) -> TokenStream {
    let arms = subject.variants.iter().map(|variant| {
        let pattern = variant.pattern(&quote!(Self), "value");
        let copy = variant.build(&quote!(Self), |field| {
            let value = field.variable("value");
            quote!(::core::clone::Clone::clone(#value))
        });
        quote!(#pattern => #copy,)
    });
    let arms: TokenStream = arms.collect();
    let zero = subject.zero_arm(|zero| quote!(Self::#zero), &subject.zero_value());
    let body = quote! {
        #[inline]
        fn clone(&self) -> Self {
            match self { #arms #zero }
        }
    };
    subject.impl_for_tangent(&subject.generics, &quote!(::core::clone::Clone), &body)
}

/// `Copy`, where the type is and the tangents of all fields are.
pub fn copy(subject: &Subject) -> TokenStream {
    let (name, (_, arguments, _)) = (&subject.name, subject.generics.split_for_impl());
    let fields = subject.fields().map(|field| field.bound.clone()).filter(|ty| !is_plain(ty));
    let own: syn::Type = syn::parse_quote!(#name #arguments);
    let types: Vec<syn::Type> = std::iter::once(own).chain(fields).collect();
    if borrow_differently(&subject.generics, &types) || subject.fields().any(Field::may_be_unsized)
    {
        return TokenStream::new();
    }
    let trait_path = quote!(::core::marker::Copy);
    let generics = with_late_bound(&subject.generics, &types, |_, _| path(&trait_path));
    subject.impl_for_tangent(&generics, &trait_path, &TokenStream::new())
}

/// `Debug`, in the form of the derived one.
pub fn debug(subject: &Subject) -> TokenStream {
    let formatter = local("formatter");
    let arms = subject.variants.iter().map(|variant| {
        let pattern = variant.pattern(&quote!(Self), "value");
        let shown = debug_variant(subject, variant);
        quote!(#pattern => #shown,)
    });
    let arms: TokenStream = arms.collect();
    let name = subject.zero.to_token_stream().to_string();
    let zero = subject.zero_arm(|zero| quote!(Self::#zero), &quote!(#formatter.write_str(#name)));
    let body = quote! {
        fn fmt(&self, #formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            match self { #arms #zero }
        }
    };
    let trait_path = quote!(::core::fmt::Debug);
    subject.impl_for_tangent(&subject.bounded_by(&trait_path), &trait_path, &body)
}

fn debug_variant(subject: &Subject, variant: &Variant) -> TokenStream {
    let formatter = local("formatter");
    let name = variant.name.as_ref().unwrap_or(&subject.tangent);
    let name = unraw(&name.to_string());
    let is_named = variant.fields.iter().any(|field| matches!(field.member, syn::Member::Named(_)));
    let fields = variant.each(|field| {
        let value = field.variable("value");
        let label = unraw(&field.member.to_token_stream().to_string());
        if is_named { quote!(.field(#label, #value)) } else { quote!(.field(#value)) }
    });
    if variant.fields.is_empty() {
        return quote!(#formatter.write_str(#name));
    }
    let builder = if is_named { quote!(debug_struct) } else { quote!(debug_tuple) };
    quote!(#formatter.#builder(#name)#fields.finish())
}

/// A name without the mark of a raw identifier.
pub fn unraw(name: &str) -> String {
    name.trim_start_matches("r#").to_owned()
}

/// `PartialEq`, field by field.
pub fn partial_eq(subject: &Subject) -> TokenStream {
    let arms = subject.variants.iter().map(|variant| {
        let left = variant.pattern(&quote!(Self), "left");
        let right = variant.pattern(&quote!(Self), "right");
        let equal = variant.each(|field| {
            let (left, right) = (field.variable("left"), field.variable("right"));
            quote!(&& ::core::cmp::PartialEq::eq(#left, #right))
        });
        quote!((#left, #right) => true #equal,)
    });
    let arms: TokenStream = arms.collect();
    let zero = subject.zero_arm(|zero| quote!((Self::#zero, Self::#zero)), &quote!(true));
    let given = local("other");
    let has_more = subject.zero.is_some() && !subject.variants.is_empty();
    let other = has_more.then(|| quote!(_ => false,));
    let body = quote! {
        #[inline]
        fn eq(&self, #given: &Self) -> ::core::primitive::bool {
            match (self, #given) { #arms #zero #other }
        }
    };
    let trait_path = quote!(::core::cmp::PartialEq);
    subject.impl_for_tangent(&subject.bounded_by(&trait_path), &trait_path, &body)
}
