//! Checks that a function can be run with dual numbers.
//!
//! **In:** the path in `of`, and the signature. **Out:** an error at the token of what is not supported. **Invariant:** what
//! passes has active parameters that are made of `f64` alone, so that the traits of `core/src/dual/lift.rs` hold of them.

use crate::diag::{self, Extent, Reports};
use crate::ir::Type;
use crate::ir::types::FloatKind;
use crate::syntax::signature::{Parameter, Signature, plain};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The text of an error, and its advice.
type Refusal = (&'static str, &'static str);

/// Reports what cannot be run with dual numbers. Of a result only where the parameters are right: both may have one cause.
pub fn check(of: &syn::ExprPath, signature: &Signature, reports: &mut Reports) {
    let mut refuse = |at: Extent, (text, advice): Refusal| {
        reports.report_with(at, &diag::PRIMITIVE, text, advice);
    };
    check_path(of, &mut refuse);
    let data = signature.params.iter().filter(|param| param.callable.is_none());
    let refused: Vec<(Extent, Refusal)> = data.filter_map(refusal).collect();
    if refused.is_empty() {
        match &signature.output {
            Some(ty) if is_result(ty) => {}
            Some(ty) => refuse(Extent::of(ty), RESULT),
            None => refuse(signature.name.span().into(), RESULT),
        }
    }
    refused.into_iter().for_each(|(at, refusal)| refuse(at, refusal));
}

const RESULT: Refusal = (
    "with `dual`, a result is made of `f64`, which this function's does not show",
    "return `f64`, or an array, a `Vec`, a tuple, an `Option` or a `Result` of it; integers and `bool` may stand beside it",
);

/// Reports a path that leads to a function of one type of floats.
fn check_path(of: &syn::ExprPath, refuse: &mut impl FnMut(Extent, Refusal)) {
    if let Some(first) = of.path.segments.first().filter(|first| is_float(&first.ident)) {
        let refusal = (
            "with `dual`, the function is generic over its floats, and this one is not",
            "write `num_traits::Float::` in front of its name, or partial derivatives",
        );
        refuse(first.ident.span().into(), refusal);
    }
    let arguments = of.path.segments.last().map(|last| &last.arguments);
    let Some(syn::PathArguments::AngleBracketed(arguments)) = arguments else { return };
    for argument in &arguments.args {
        if let syn::GenericArgument::Type(syn::Type::Path(path)) = argument
            && path.path.get_ident().is_some_and(is_float)
        {
            let refusal = (
                "with `dual`, the function is called with other types than this",
                "write `_`, so that derivatives can call it with dual numbers",
            );
            refuse(Extent::of(argument), refusal);
        }
    }
}

fn is_float(name: &Ident) -> bool {
    name == "f64" || name == "f32"
}

/// Why a parameter is not supported, and what to write. An active function is reported of every rule.
fn refusal(param: &Parameter) -> Option<(Extent, Refusal)> {
    let at = Extent::of(&param.ty);
    if param.name == "self" {
        let refusal = (
            "with `dual`, there is no receiver",
            "write a function that takes the value as a parameter",
        );
        return Some((param.name.span().into(), refusal));
    }
    if param.is_unique() {
        let refusal = (
            "with `dual`, a parameter is not passed by `&mut`: the function runs several times",
            "write a generic function that returns what it would change, and name that one in `of`",
        );
        return Some((at, refusal));
    }
    let kind = match &param.kind {
        Type::Reference(inner, _) => inner,
        kind => kind,
    };
    let refusal = (
        "with `dual`, an active parameter is made of `f64`, which this type does not show",
        "write `f64`, or an array, a slice or a `Vec` of it, or name the parameter in `constant(..)`",
    );
    (param.active && !is_made_of_f64(kind)).then_some((at, refusal))
}

/// Whether a result can be taken apart, as far as its type is written.
fn is_result(ty: &syn::Type) -> bool {
    const PLAIN: &[&str] = &[
        "f64", "bool", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize",
    ];
    match plain(ty) {
        syn::Type::Array(array) => is_result(&array.elem),
        syn::Type::Tuple(tuple) => {
            (1..=6).contains(&tuple.elems.len()) && tuple.elems.iter().all(is_result)
        }
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| match &last.arguments {
            syn::PathArguments::None => PLAIN.iter().any(|name| last.ident == name),
            syn::PathArguments::AngleBracketed(arguments) => {
                let is_container = ["Vec", "Option", "Result"].iter().any(|name| last.ident == name);
                let first = arguments.args.first();
                let is_right = matches!(first, Some(syn::GenericArgument::Type(inner)) if is_result(inner));
                is_container && is_right
            }
            syn::PathArguments::Parenthesized(_) => false,
        }),
        _ => false,
    }
}

fn is_made_of_f64(kind: &Type) -> bool {
    match kind {
        Type::Float(kind) => *kind == FloatKind::F64,
        Type::Array(inner, _) | Type::Slice(inner) | Type::Vec(inner) => is_made_of_f64(inner),
        Type::Int
        | Type::Bool
        | Type::Text
        | Type::Constant
        | Type::Tuple(_)
        | Type::Cell(_)
        | Type::Reference(..)
        | Type::Function(..)
        | Type::Pullback
        | Type::Wrapped(_)
        | Type::Never
        | Type::Unknown => false,
    }
}

/// How many floats a type is made of, if that is written.
pub fn floats(kind: &Type) -> Option<usize> {
    match kind {
        Type::Reference(inner, _) => floats(inner),
        Type::Array(inner, length) => {
            let length: usize = length.trim_end_matches("usize").parse().ok()?;
            floats(inner)?.checked_mul(length)
        }
        _ => is_made_of_f64(kind).then_some(1).filter(|_| kind.is_float()),
    }
}

/// The type of a constant with `_` in the place of `f64`, if it is made of that alone: a slice is owned.
pub fn infer_floats(ty: &syn::Type) -> Option<TokenStream> {
    match plain(ty) {
        syn::Type::Path(path) if path.path.is_ident("f64") => Some(quote!(_)),
        syn::Type::Array(array) => {
            let (entry, length) = (infer_floats(&array.elem)?, &array.len);
            Some(quote!([#entry; #length]))
        }
        syn::Type::Slice(slice) => {
            let entry = infer_floats(&slice.elem)?;
            Some(quote!(::cotangent::__private::Vec<#entry>))
        }
        _ => None,
    }
}
