//! The functions of the contract that only arrange arguments: `gradient`, `value_and_gradient`,
//! `jacobian`.

use super::head::{Head, Named};
use crate::ir::Type;
use proc_macro2::TokenStream;
use quote::quote;

pub fn wrappers(head: &Head, forward: bool, reverse: bool) -> TokenStream {
    let mut functions = TokenStream::new();
    if reverse && head.signature.may_be_float() {
        functions.extend(gradient(head));
        functions.extend(value_and_gradient(head));
    }
    if let [one] = head.params.iter().filter(|named| named.param.active).collect::<Vec<_>>()[..] {
        functions.extend(jacobian(head, one, forward, reverse));
    }
    functions
}

fn gradient(head: &Head) -> TokenStream {
    let (names, turbofish) = (head.plain_names(), head.turbofish());
    let value_and_gradient = head.derivative("value_and_gradient");
    let body = quote!(Self::#value_and_gradient #turbofish(#(#names),*).1);
    let doc = " Cotangents of the active parameters, in order; bare when there is one.";
    head.function(
        "gradient",
        doc,
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
    let accumulate = head.derivative("accumulate_gradient");
    let body = quote! {
        #(let mut #shadows = ::cotangent::Differentiable::zero_tangent(&*#places);)*
        let (value, #cotangents) = Self::#accumulate #turbofish(#(#args),*);
        (value, #all)
    };
    let doc = " Value, then the cotangents of the active parameters as `gradient` returns them.";
    head.function(
        "value_and_gradient",
        doc,
        &head.plain_params(),
        &quote!((#output, #gradient)),
        &head.float_clause(),
        &body,
    )
}

/// Columns by tangents or rows by pullbacks. Where a parameter is `&mut` only the pullback will do,
/// because it undoes the call.
fn jacobian(head: &Head, active: &Named, forward: bool, reverse: bool) -> TokenStream {
    let Some(float) = entries(head) else {
        return TokenStream::new();
    };
    let is_mutable = head.params.iter().any(|named| named.param.is_unique());
    let body = match (is_mutable, forward, reverse) {
        (false, true, _) => columns(head, active),
        (_, _, true) => rows(head, active),
        _ => return TokenStream::new(),
    };
    let (entries, kept) = (head.vector_clause(), head.kept_clause(|_| true));
    let doc = " The Jacobian: rows are outputs, columns the floats of the active parameter.";
    head.function(
        "jacobian",
        doc,
        &head.plain_params(),
        &quote!(::cotangent::Matrix<#float>),
        &quote!(#kept #entries),
        &body,
    )
}

/// The matrix's element type, for results that are or may be several floats.
pub fn entries(head: &Head) -> Option<TokenStream> {
    let output = head.output();
    let through_trait = quote!(<#output as ::cotangent::__private::VectorOutput<'static>>::Float);
    match &head.signature.output_kind {
        Type::Unknown => Some(through_trait),
        Type::Array(item, _) | Type::Vec(item) if item.is_float() => Some(through_trait),
        Type::Tuple(items)
            if !items.is_empty()
                && items.iter().all(|item| *item == items[0] && item.is_float()) =>
        {
            Some(through_trait)
        }
        _ => None,
    }
}

fn columns(head: &Head, active: &Named) -> TokenStream {
    let (place, dot, turbofish, output) =
        (place(active), &active.dot, head.turbofish(), head.output());
    let is_reference = active.param.reference().is_some();
    let args = head.params.iter().map(|named| {
        let arg = again(named);
        match (named.param.active, is_reference) {
            (true, true) => quote!(#arg, &#dot),
            (true, false) => quote!(#arg, #dot),
            (false, _) => arg,
        }
    });
    let jvp = head.derivative("jvp");
    quote!(::cotangent::__private::jacobian_columns::<_, #output>(#place, |#dot| Self::#jvp #turbofish(#(#args),*)))
}

fn rows(head: &Head, active: &Named) -> TokenStream {
    let (place, bar, turbofish, output) =
        (place(active), &active.bar, head.turbofish(), head.output());
    let args = head.params.iter().map(again);
    let references = head.params.iter().filter(|named| named.param.reference().is_some());
    let passed = references.map(|named| {
        let name = &named.param.name;
        if named.param.active { quote!(#name, &mut #bar) } else { quote!(#name) }
    });
    let pull = quote!(pullback(#(#passed,)* seed(&value)));
    let run = match active.param.reference() {
        Some(_) => {
            quote!(let mut #bar = ::cotangent::Differentiable::zero_tangent(#place); #pull; #bar)
        }
        None => pull,
    };
    let shape = match active.param.reference() {
        Some((_, true)) => quote!(&::cotangent::Differentiable::zero_tangent(#place)),
        _ => place.clone(),
    };
    let vjp = head.derivative("vjp");
    quote! {
        ::cotangent::__private::jacobian_rows::<_, #output>(#shape, |seed| {
            let (value, pullback) = Self::#vjp #turbofish(#(#args),*);
            #run
        })
    }
}

/// The active parameter's place.
fn place(active: &Named) -> TokenStream {
    let name = &active.param.name;
    if active.param.reference().is_some() { quote!(&*#name) } else { quote!(&#name) }
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
