//! Loops over the elements of a place as loops over indices.
//!
//! In: `for v in &a`, `a.iter_mut()` and the like. Out: the same with indices, where a view says what
//! happens to the place.

use super::name;
use super::subject::view;
use super::test::{Mode, bind};
use crate::lower::hoist::{is_place, is_repeatable};
use crate::lower::scan;
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
pub fn indexed(repeat: &syn::ExprForLoop, count: &mut usize) -> Option<Expr> {
    let elements = elements(&repeat.expr)?;
    over(repeat, &elements, count)
}

/// Likewise where the name of a place is all that is written, and its type says how it is passed.
pub fn over_place(repeat: &syn::ExprForLoop, mutable: bool, count: &mut usize) -> Option<Expr> {
    let base = (*repeat.expr).clone();
    over(repeat, &Elements { base, mutable, enumerated: false, reversed: false }, count)
}

/// Likewise for an array that is consumed: the elements are values.
pub fn over_values(repeat: &syn::ExprForLoop, count: &mut usize) -> Expr {
    let (index, pattern, mut base) = (name("index", count), &repeat.pat, (*repeat.expr).clone());
    let mut before: Vec<Stmt> = Vec::new();
    if scan::changes_what(&base, &repeat.body) {
        let held = name("scrutinee", count);
        before.push(parse_quote!(let #held = #base;));
        base = parse_quote!(#held);
    }
    let binding = parse_quote!(let #pattern = #base[#index];);
    with_index(repeat, &index, &parse_quote!(0..#base.len()), before, &[binding])
}

fn over(repeat: &syn::ExprForLoop, elements: &Elements, count: &mut usize) -> Option<Expr> {
    let index = name("index", count);
    let (mut before, mut bindings) = (Vec::new(), Vec::new());
    let is_steady =
        is_repeatable(&elements.base) && !scan::changes_what(&elements.base, &repeat.body);
    let base = match is_steady {
        true => indexable(&elements.base),
        false => view(&elements.base, elements.mutable, count, &mut before),
    };
    let pattern = match (&*repeat.pat, elements.enumerated) {
        (Pat::Tuple(tuple), true) if tuple.elems.len() == 2 => {
            let counter = &tuple.elems[0];
            bindings.push(parse_quote!(let #counter = #index;));
            &tuple.elems[1]
        }
        (_, true) => return None,
        (pattern, false) => pattern,
    };
    let element = parse_quote!(#base[#index]);
    bind(pattern, &element, &Mode::Borrow(elements.mutable), &mut bindings)?;
    let range = match elements.reversed {
        true => parse_quote!((0..#base.len()).rev()),
        false => parse_quote!(0..#base.len()),
    };
    Some(with_index(repeat, &index, &range, before, &bindings))
}

fn with_index(
    repeat: &syn::ExprForLoop,
    index: &Ident,
    range: &Expr,
    before: Vec<Stmt>,
    bindings: &[Stmt],
) -> Expr {
    let (label, stmts) = (&repeat.label, &repeat.body.stmts);
    let mut looped: syn::ExprForLoop =
        parse_quote!(#label for #index in #range { #(#bindings)* #(#stmts)* });
    looped.for_token = repeat.for_token;
    match &before[..] {
        [] => Expr::ForLoop(looped),
        before => parse_quote!({ #(#before)* #looped }),
    }
}

fn elements(expr: &Expr) -> Option<Elements> {
    match expr {
        Expr::Paren(paren) => elements(&paren.expr),
        Expr::Reference(reference) if is_place(&reference.expr) => {
            Some(plain(&reference.expr, reference.mutability.is_some()))
        }
        Expr::MethodCall(call) if call.args.is_empty() => method(call),
        _ => None,
    }
}

fn method(call: &syn::ExprMethodCall) -> Option<Elements> {
    match call.method.to_string().as_str() {
        "iter" if is_place(&call.receiver) => Some(plain(&call.receiver, false)),
        "iter_mut" if is_place(&call.receiver) => Some(plain(&call.receiver, true)),
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
    Elements { base: base.clone(), mutable, enumerated: false, reversed: false }
}
