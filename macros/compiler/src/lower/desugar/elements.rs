//! Loops over the elements of a variable, where its type says what they are.
//!
//! In: `for v in a`. Out: the same with indices, where a view says what happens to the place.

use super::name;
use super::subject::view;
use super::test::{Mode, bind};
use crate::lower::scan;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, Stmt, parse_quote, parse_quote_spanned};

/// A reference to a place, which stands where the place does.
pub fn reference(place: &Expr, mutable: bool) -> Expr {
    let span = place.span();
    match mutable {
        true => parse_quote_spanned!(span=> &mut #place),
        false => parse_quote_spanned!(span=> &#place),
    }
}

/// A place in front of an index: `*r` needs parentheses there.
pub fn indexable(place: &Expr) -> Expr {
    match place {
        Expr::Unary(_) => parse_quote!((#place)),
        place => place.clone(),
    }
}

/// A loop over a place by reference, where its name is all that is written, and its type says how it is
/// passed.
pub fn over_place(repeat: &syn::ExprForLoop, mutable: bool, count: &mut usize) -> Option<Expr> {
    let (index, base) = (name("index", count), &*repeat.expr);
    let (mut before, mut bindings) = (Vec::new(), Vec::new());
    let base = match scan::changes_what(base, &repeat.body) {
        false => base.clone(),
        true => view(base, mutable, count, &mut before),
    };
    bind(&repeat.pat, &parse_quote!(#base[#index]), &Mode::Borrow(mutable), &mut bindings)?;
    Some(with_index(repeat, &index, &parse_quote!(0..#base.len()), before, &bindings))
}

/// Likewise for an array that is consumed: the elements are values.
pub fn over_values(repeat: &syn::ExprForLoop, count: &mut usize) -> Expr {
    let (index, mut base) = (name("index", count), (*repeat.expr).clone());
    let (mut before, mut bindings): (Vec<Stmt>, Vec<Stmt>) = (Vec::new(), Vec::new());
    if scan::changes_what(&base, &repeat.body) {
        let held = name("scrutinee", count);
        before.push(parse_quote!(let #held = #base;));
        base = parse_quote!(#held);
    }
    let (pattern, element) = (&repeat.pat, parse_quote!(#base[#index]));
    if bind(pattern, &element, &Mode::Move, &mut bindings).is_none() {
        let pattern = single(pattern);
        bindings = vec![parse_quote!(let #pattern = #element;)];
    }
    with_index(repeat, &index, &parse_quote!(0..#base.len()), before, &bindings)
}

/// A pattern that can stand behind `let`.
fn single(pattern: &syn::Pat) -> syn::Pat {
    let pat = Box::new(pattern.clone());
    match pattern {
        syn::Pat::Or(_) => {
            let (attrs, paren_token) = (Vec::new(), syn::token::Paren::default());
            syn::Pat::Paren(syn::PatParen { attrs, paren_token, pat })
        }
        _ => *pat,
    }
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
