//! Loops over the elements of a place as loops over indices.
//!
//! In: `for v in &a`, `a.iter_mut()` and the like. Out: the same with indices, where a view says what
//! happens to the place.

use super::name;
use crate::lower::hoist::is_repeatable;
use proc_macro2::Ident;
use syn::{Expr, Pat, Stmt, parse_quote};

/// A place in front of an index: `*r` needs parentheses there.
pub fn indexable(place: &Expr) -> Expr {
    match place {
        Expr::Unary(_) => parse_quote!((#place)),
        place => place.clone(),
    }
}

/// What a loop goes through.
struct Elements {
    base: Expr,
    mutable: bool,
    enumerated: bool,
    reversed: bool,
}

/// A loop over elements as a loop over indices.
pub fn indexed(repeat: &syn::ExprForLoop, count: &mut usize) -> Option<syn::ExprForLoop> {
    let elements = elements(&repeat.expr)?;
    over(repeat, &elements, count)
}

/// Likewise where the name of a place is all that is written, and its type says how it is passed.
pub fn over_place(
    repeat: &syn::ExprForLoop,
    mutable: bool,
    count: &mut usize,
) -> Option<syn::ExprForLoop> {
    let base = (*repeat.expr).clone();
    over(repeat, &Elements { base, mutable, enumerated: false, reversed: false }, count)
}

/// Likewise for an array that is consumed: the elements are values.
pub fn over_values(repeat: &syn::ExprForLoop, count: &mut usize) -> syn::ExprForLoop {
    let (index, base, pattern) = (name("index", count), &repeat.expr, &repeat.pat);
    with_index(
        repeat,
        &index,
        &parse_quote!(0..#base.len()),
        &[parse_quote!(let #pattern = #base[#index];)],
    )
}

fn over(
    repeat: &syn::ExprForLoop,
    elements: &Elements,
    count: &mut usize,
) -> Option<syn::ExprForLoop> {
    let (index, base) = (name("index", count), &elements.base);
    let mut bindings = Vec::new();
    let pattern = match (&*repeat.pat, elements.enumerated) {
        (Pat::Tuple(tuple), true) if tuple.elems.len() == 2 => {
            let counter = &tuple.elems[0];
            bindings.push(parse_quote!(let #counter = #index;));
            &tuple.elems[1]
        }
        (_, true) => return None,
        (pattern, false) => pattern,
    };
    bind(pattern, &parse_quote!(#base[#index]), elements.mutable, &mut bindings)?;
    let range = match elements.reversed {
        true => parse_quote!((0..#base.len()).rev()),
        false => parse_quote!(0..#base.len()),
    };
    Some(with_index(repeat, &index, &range, &bindings))
}

fn with_index(
    repeat: &syn::ExprForLoop,
    index: &Ident,
    range: &Expr,
    bindings: &[Stmt],
) -> syn::ExprForLoop {
    let (label, stmts) = (&repeat.label, &repeat.body.stmts);
    let mut looped: syn::ExprForLoop =
        parse_quote!(#label for #index in #range { #(#bindings)* #(#stmts)* });
    looped.for_token = repeat.for_token;
    looped
}

/// Binds the names of a pattern to an element, or to its parts, by reference.
fn bind(pattern: &Pat, element: &Expr, mutable: bool, bindings: &mut Vec<Stmt>) -> Option<()> {
    match pattern {
        Pat::Wild(_) => {}
        Pat::Paren(paren) => bind(&paren.pat, element, mutable, bindings)?,
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            let ident = &ident.ident;
            bindings.push(match mutable {
                true => parse_quote!(let #ident = &mut #element;),
                false => parse_quote!(let #ident = &#element;),
            });
        }
        Pat::Reference(reference) => {
            let inner = &reference.pat;
            bindings.push(parse_quote!(let #inner = #element;));
        }
        Pat::Tuple(tuple) => {
            for (index, item) in tuple.elems.iter().enumerate() {
                let index = syn::Index::from(index);
                bind(item, &parse_quote!(#element.#index), mutable, bindings)?;
            }
        }
        Pat::Slice(slice) => {
            for (index, item) in slice.elems.iter().enumerate() {
                bind(item, &parse_quote!(#element[#index]), mutable, bindings)?;
            }
        }
        _ => return None,
    }
    Some(())
}

fn elements(expr: &Expr) -> Option<Elements> {
    match expr {
        Expr::Paren(paren) => elements(&paren.expr),
        Expr::Reference(reference) if is_repeatable(&reference.expr) => {
            Some(plain(&reference.expr, reference.mutability.is_some()))
        }
        Expr::MethodCall(call) if call.args.is_empty() => method(call),
        _ => None,
    }
}

fn method(call: &syn::ExprMethodCall) -> Option<Elements> {
    match call.method.to_string().as_str() {
        "iter" if is_repeatable(&call.receiver) => Some(plain(&call.receiver, false)),
        "iter_mut" if is_repeatable(&call.receiver) => Some(plain(&call.receiver, true)),
        "rev" => elements(&call.receiver)
            .filter(|inner| !inner.enumerated && !inner.reversed)
            .map(|inner| Elements { reversed: true, ..inner }),
        "enumerate" => elements(&call.receiver)
            .filter(|inner| !inner.enumerated && !inner.reversed)
            .map(|inner| Elements { enumerated: true, ..inner }),
        _ => None,
    }
}

fn plain(base: &Expr, mutable: bool) -> Elements {
    Elements { base: indexable(base), mutable, enumerated: false, reversed: false }
}
