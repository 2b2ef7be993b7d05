//! The tangent type itself.

use crate::derive::serde;
use crate::derive::spell::tangent_type;
use crate::derive::subject::{Field, Form, Subject, Variant};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// `struct FooTangent` or `enum FooTangent`. Where fields have aliases, documentation has a definition without.
pub fn definition(subject: &Subject) -> TokenStream {
    let known = defined(subject, |field| field.tangent.clone());
    if subject.aliases.is_empty() {
        return known;
    }
    let written = defined(subject, |field| match field.alias {
        // A type with an alias depends on no parameter.
        Some(_) => tangent_type(&field.ty, &syn::Generics::default()),
        None => field.tangent.clone(),
    });
    quote! {
        #[cfg(not(doc))]
        #known
        #[cfg(doc)]
        #written
    }
}

fn defined(subject: &Subject, ty: Spelling) -> TokenStream {
    let (doc, serde, item) = (type_doc(subject), serde::attributes(subject), item(subject, ty));
    quote! {
        #[doc = #doc]
        #[allow(
            dead_code,
            deprecated,
            nonstandard_style,
            missing_copy_implementations,
            unused_qualifications,
            variant_size_differences,
            clippy::all
        )]
        #serde
        #item
    }
}

/// How a field's tangent type is spelled.
type Spelling = fn(&Field) -> syn::Type;

fn type_doc(subject: &Subject) -> String {
    let head = format!("Tangent of [`{}`].", subject.name);
    match &subject.zero {
        Some(zero) => format!("{head} Its `Default` is the variant [`{zero}`](Self::{zero})."),
        None => head,
    }
}

fn item(subject: &Subject, ty: Spelling) -> TokenStream {
    let Subject { visibility, tangent, generics, .. } = subject;
    let clause = &generics.where_clause;
    let head = |keyword: TokenStream| quote!(#visibility #keyword #tangent #generics);
    let [variant @ Variant { name: None, .. }] = &subject.variants[..] else {
        let (head, variants) = (head(quote!(enum)), variants(subject, ty));
        return quote!(#head #clause { #variants });
    };
    let (head, fields) = (head(quote!(struct)), fields(variant, ty));
    match variant.form {
        Form::Named => quote!(#head #clause #fields),
        Form::Tuple | Form::Unit => quote!(#head #fields #clause;),
    }
}

fn variants(subject: &Subject, ty: Spelling) -> TokenStream {
    let variants = subject.variants.iter().map(|variant| {
        let (name, fields) = (&variant.name, fields(variant, ty));
        let doc = format!("Tangent of the variant `{}`.", name.to_token_stream());
        quote!(#[doc = #doc] #name #fields,)
    });
    let variants: TokenStream = variants.collect();
    let zero = &subject.zero;
    quote! {
        #variants
        /// The zero of every variant: what it is added to stays as it is.
        #zero,
    }
}

fn fields(variant: &Variant, ty: Spelling) -> TokenStream {
    let fields = variant.fields.iter().map(|field| field_definition(field, variant.form, ty));
    match variant.form {
        Form::Named => quote!({ #(#fields),* }),
        Form::Tuple => quote!((#(#fields),*)),
        Form::Unit => TokenStream::new(),
    }
}

fn field_definition(field: &Field, form: Form, ty: Spelling) -> TokenStream {
    let (Field { visibility, member, .. }, tangent) = (field, ty(field));
    let doc = format!("Tangent of the field `{}`.", member.to_token_stream());
    let name = (form == Form::Named).then(|| quote!(#member:));
    quote!(#[doc = #doc] #visibility #name #tangent)
}
