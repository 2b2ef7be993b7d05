//! Functions of an `impl` that are short enough to stand in the place of their calls.
//!
//! In: functions. Out: those that are a few operations and nothing else: no loops, no
//! closures, no macros, no items, no early ends, no parameters that are types or functions, no attributes of ours.

use super::types;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::rc::Rc;

/// How many tokens a body may have.
const LONGEST: usize = 80;

/// Keywords of what is more than operations, or may be.
const KEYWORDS: [&str; 23] = [
    "async", "await", "break", "const", "continue", "dyn", "enum", "extern", "fn", "for", "impl",
    "loop", "match", "mod", "move", "return", "static", "struct", "type", "trait", "unsafe", "use",
    "while",
];

/// Attributes that say something of a function to people or to rustc.
const REMARKS: [&str; 6] = ["allow", "doc", "expect", "inline", "must_use", "warn"];

/// Returns the short functions of a block.
pub fn functions(block: &syn::ItemImpl) -> Rc<[syn::ImplItemFn]> {
    let functions = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(method) if is_short(method) => Some(method.clone()),
        _ => None,
    });
    functions.collect()
}

fn is_short(method: &syn::ImplItemFn) -> bool {
    is_short_body(&method.attrs, &method.sig, &method.block)
}

/// Whether a function is short, by its parts.
pub fn is_short_body(
    attributes: &[syn::Attribute],
    sig: &syn::Signature,
    block: &syn::Block,
) -> bool {
    let is_plain = sig.generics.params.is_empty() && sig.generics.where_clause.is_none();
    let count = operations(block.to_token_stream());
    is_plain
        && attributes.iter().all(is_remark)
        && operations(sig.inputs.to_token_stream()).is_some()
        && count.is_some_and(|count| count <= LONGEST)
}

/// Whether a function takes values that may be active, by parameters with names and types alone.
pub fn is_plain_function(function: &syn::ItemFn) -> bool {
    let signature = &function.sig;
    let is_named = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(typed) => !matches!(*typed.ty, syn::Type::ImplTrait(_)),
        syn::FnArg::Receiver(_) => false,
    };
    let is_constant = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(typed) => types::read(&typed.ty).is_constant(),
        syn::FnArg::Receiver(_) => false,
    };
    signature.generics.params.is_empty()
        && signature.asyncness.is_none()
        && function.attrs.iter().all(is_remark)
        && signature.inputs.iter().all(is_named)
        && !signature.inputs.iter().all(is_constant)
}

/// Whether an attribute changes nothing of what a function does. With `cfg` there may be another one of the same name.
fn is_remark(attribute: &syn::Attribute) -> bool {
    REMARKS.iter().any(|remark| attribute.path().is_ident(remark))
}

/// Returns the number of tokens, groups counted with what is in them, if there are operations only.
fn operations(tokens: TokenStream) -> Option<usize> {
    let mut count = 0;
    for token in tokens {
        count += match &token {
            TokenTree::Group(group) => 1 + operations(group.stream())?,
            TokenTree::Ident(ident) if KEYWORDS.iter().any(|keyword| ident == keyword) => {
                return None;
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), '!' | '|' | '?' | '#') => {
                return None;
            }
            _ => 1,
        };
    }
    Some(count)
}
