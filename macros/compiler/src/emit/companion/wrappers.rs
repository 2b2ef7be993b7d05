//! The functions of the contract that only arrange arguments: `gradient` and `value_and_gradient`. Where there are none,
//! functions of these names say why.

use super::formula;
use super::head::{Head, Named};
use crate::binding::local;
use crate::ir::Type;
use proc_macro2::TokenStream;
use quote::quote;

pub fn wrappers(head: &Head, reverse: bool) -> TokenStream {
    let mut functions = TokenStream::new();
    if reverse && head.signature.may_be_float() {
        functions.extend(gradient(head));
        functions.extend(value_and_gradient(head));
    } else if reverse && head.signature.owner.is_none() && !head.is_nested {
        functions.extend(["gradient", "value_and_gradient"].map(|name| absent(head, name)));
    }
    functions
}

/// A function of the contract that needs one float as output, where the output is seen to be something else: calls of it
/// are rustc's error in the words of `FloatOutput`. Beside a method it could be a name of the user's.
fn absent(head: &Head, name: &str) -> TokenStream {
    let clause = head.output_clause("FloatOutput");
    let never = quote!(::cotangent::__private::never());
    let function = head.function(name, "", &head.plain_params(), &head.gradient(), &clause, &never);
    quote!(#[doc(hidden)] #function)
}

fn gradient(head: &Head) -> TokenStream {
    let (names, turbofish) = (head.plain_names(), head.turbofish());
    let value_and_gradient = head.derivative("value_and_gradient");
    let body = quote!(Self::#value_and_gradient #turbofish(#(#names),*).1);
    head.function(
        "gradient",
        &formula::gradient(head),
        &head.plain_params(),
        &head.gradient(),
        &head.float_clause(),
        &body,
    )
}

fn value_and_gradient(head: &Head) -> TokenStream {
    let (output, gradient, turbofish) = (head.output(), head.gradient(), head.turbofish());
    let active = head.params.iter().filter(|named| named.param.active);
    let references: Vec<&Named> =
        active.filter(|named| named.param.reference().is_some()).collect();
    let shadows = references.iter().map(|named| &named.bar);
    let places = references.iter().map(|named| &named.param.name);
    let args = head.params.iter().map(|named| {
        let (name, bar) = (&named.param.name, &named.bar);
        let is_shadowed = named.param.active && named.param.reference().is_some();
        if is_shadowed { quote!(#name, &mut #bar) } else { quote!(#name) }
    });
    let by_value: Vec<TokenStream> = head
        .by_value()
        .map(|named| {
            let bar = &named.bar;
            quote!(#bar)
        })
        .collect();
    let cotangents = crate::emit::bare_or_tuple(&by_value);
    let all: Vec<TokenStream> = head
        .params
        .iter()
        .filter(|named| named.param.active)
        .map(|named| {
            let bar = &named.bar;
            quote!(#bar)
        })
        .collect();
    let all = crate::emit::bare_or_tuple(&all);
    let (accumulate, value) = (head.derivative("accumulate_gradient"), local("value"));
    let body = quote! {
        #(let mut #shadows = ::cotangent::Differentiable::zero_tangent(&*#places);)*
        let (#value, #cotangents) = Self::#accumulate #turbofish(#(#args),*);
        (#value, #all)
    };
    head.function(
        "value_and_gradient",
        &formula::value_and_gradient(head),
        &head.plain_params(),
        &quote!((#output, #gradient)),
        &head.float_clause(),
        &body,
    )
}

/// An argument for one of several calls.
pub fn again(named: &Named) -> TokenStream {
    let name = &named.param.name;
    match (named.param.reference(), &named.param.kind) {
        (Some(_), _) => quote!(#name),
        (None, Type::Unknown) => quote!(::cotangent::__private::Kept::kept(&#name)),
        (None, _) => quote!(::core::clone::Clone::clone(&#name)),
    }
}
