//! Access to the fields of one variant of a tangent. Derivative code has the variant's name, but not the
//! name of the tangent type: methods are found by what they are called on.

use crate::derive::subject::{Field, Form, Subject, Variant};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The name of the method for a field of a variant, or of a tuple struct.
pub fn accessor_name(variant: &Ident, field: &str, is_mutable: bool) -> String {
    let variant = variant.to_string();
    let (variant, field) = (variant.trim_start_matches("r#"), field.trim_start_matches("r#"));
    format!("__{variant}_{field}{}", if is_mutable { "_mut" } else { "" })
}

/// The methods, by shared and by unique reference.
pub fn accessors(subject: &Subject) -> TokenStream {
    let methods: TokenStream =
        subject.variants.iter().map(|variant| of(subject, variant)).collect();
    if methods.is_empty() {
        return methods;
    }
    let (parameters, arguments, clause) = subject.generics.split_for_impl();
    let tangent = &subject.tangent;
    quote! {
        #[automatically_derived]
        #[allow(dead_code, nonstandard_style, deprecated, unused_qualifications, clippy::all)]
        impl #parameters #tangent #arguments #clause { #methods }
    }
}

fn of(subject: &Subject, variant: &Variant) -> TokenStream {
    let name = match (&variant.name, variant.form) {
        (Some(name), _) => name,
        (None, Form::Tuple) => &subject.name,
        (None, _) => return TokenStream::new(),
    };
    let method = |field, is_mutable| method(subject, variant, field, name, is_mutable);
    let both = variant.fields.iter().flat_map(|field| [method(field, false), method(field, true)]);
    both.collect()
}

fn method(
    subject: &Subject,
    variant: &Variant,
    field: &Field,
    name: &Ident,
    is_mutable: bool,
) -> TokenStream {
    let member = field.member.to_token_stream().to_string();
    let function = format_ident!("{}", accessor_name(name, &member, is_mutable));
    let reference = if is_mutable { quote!(&mut) } else { quote!(&) };
    let (vis, ty) = match variant.name {
        Some(_) => (&subject.visibility, &field.tangent),
        None => (&field.visibility, &field.tangent),
    };
    let (part, member) = (field.variable("part"), &field.member);
    let head = variant.name.as_ref().map_or_else(|| quote!(Self), |name| quote!(Self::#name));
    let is_enum = subject.zero.is_some();
    let other = is_enum.then(|| quote!(_ => ::cotangent::__private::mismatch(),));
    quote! {
        #[doc(hidden)]
        #[inline]
        #[track_caller]
        #vis fn #function(#reference self) -> #reference #ty {
            match self {
                #head { #member: #part, .. } => #part,
                #other
            }
        }
    }
}
