//! Methods and functions that move elements about, as exchanges, insertions, removals and stores.
//!
//! In: `a.swap(i, j)`, `v.truncate(n)`, `mem::take(&mut x)` and the like. Out: what they do, in terms of the
//! few operations that the transforms know, with the checks that the standard library makes.

use super::subject::{removal, steady};
use super::{matched, name, scrutinee};
use crate::lower::hoist::{is_place, is_pure};
use crate::lower::reserved::Method;
use proc_macro2::{Ident, Span};
use syn::{Expr, Stmt, parse_quote};

/// The rewritten expression, for those that are known here.
pub fn moved(expr: &Expr, count: &mut usize) -> Option<Expr> {
    match expr {
        Expr::MethodCall(call) if is_place(&call.receiver) => {
            steadily(call, count).or_else(|| unwrapping_method(call, count))
        }
        Expr::MethodCall(call) => unwrapping_method(call, count),
        Expr::Call(call) => moving_function(call),
        _ => None,
    }
}

/// Methods of a place, which is evaluated once.
fn steadily(call: &syn::ExprMethodCall, count: &mut usize) -> Option<Expr> {
    let (mut call, mut before) = (call.clone(), Vec::new());
    let receiver = steady(&call.receiver, true, count, &mut before);
    *call.receiver = receiver;
    let moving = moving_method(&call, count).or_else(|| resizing_method(&call, count))?;
    Some(match &before[..] {
        [] => moving,
        before => parse_quote!({ #(#before)* #moving }),
    })
}

fn ident(method: Method) -> Ident {
    method.ident(Span::call_site())
}

/// Methods that leave the length as it is.
fn moving_method(call: &syn::ExprMethodCall, count: &mut usize) -> Option<Expr> {
    let place = &call.receiver;
    let args: Vec<&Expr> = call.args.iter().collect();
    let swap = ident(Method::Swap);
    Some(match (call.method.to_string().as_str(), &args[..]) {
        ("swap", [first, second]) => {
            let (i, j) = (name("index", count), name("index", count));
            parse_quote!({
                let #i = #first;
                let #j = #second;
                #place[#i].#swap(#place[#j]);
            })
        }
        ("reverse", []) => {
            let (index, len) = (name("index", count), name("len", count));
            parse_quote!({
                let #len = #place.len();
                for #index in 0..#len / 2 {
                    #place[#index].#swap(#place[#len - 1 - #index]);
                }
            })
        }
        ("fill", [value]) => {
            let (index, held) = (name("index", count), name("held", count));
            parse_quote!({
                let #held = #value;
                for #index in 0..#place.len() {
                    #place[#index] = #held;
                }
            })
        }
        ("copy_from_slice" | "clone_from_slice", [source]) => {
            let (before, source) = referent(source, count);
            let index = name("index", count);
            let message = "copy_from_slice: source slice length ({}) does not match destination slice length ({})";
            parse_quote!({
                #(#before)*
                if #source.len() != #place.len() {
                    ::core::panic!(#message, #source.len(), #place.len());
                }
                for #index in 0..#place.len() {
                    #place[#index] = #source[#index].clone();
                }
            })
        }
        _ => return None,
    })
}

/// What stands behind an argument of type `&[T]`, and what makes it.
fn referent(source: &Expr, count: &mut usize) -> (Vec<Stmt>, Expr) {
    let source = match source {
        Expr::Reference(reference) => &*reference.expr,
        source => source,
    };
    let mut before = Vec::new();
    if is_place(source) {
        let place = steady(source, false, count, &mut before);
        return (before, place);
    }
    let held = name("held", count);
    before.push(parse_quote!(let #held = #source;));
    (before, parse_quote!(#held))
}

/// Methods that change the length.
fn resizing_method(call: &syn::ExprMethodCall, count: &mut usize) -> Option<Expr> {
    let place = &call.receiver;
    let args: Vec<&Expr> = call.args.iter().collect();
    let (pop, swap) = (ident(Method::Pop), ident(Method::Swap));
    Some(match (call.method.to_string().as_str(), &args[..]) {
        ("truncate", [len]) => {
            let kept = name("len", count);
            parse_quote!({
                let #kept = #len;
                while #place.len() > #kept { #place.#pop(); }
            })
        }
        ("clear", []) => {
            let take = ident(Method::Take);
            parse_quote!({ #place.#take(); })
        }
        ("resize", [len, value]) => {
            let (wanted, held) = (name("len", count), name("held", count));
            parse_quote!({
                let #wanted = #len;
                let #held = #value;
                while #place.len() > #wanted { #place.#pop(); }
                while #place.len() < #wanted { #place.push(#held); }
            })
        }
        ("extend_from_slice", [source]) => {
            let ((before, source), index) = (referent(source, count), name("index", count));
            parse_quote!({
                #(#before)*
                for #index in 0..#source.len() { #place.push(#source[#index].clone()); }
            })
        }
        ("swap_remove", [index]) => {
            let (at, last) = (name("index", count), name("index", count));
            let message = "swap_remove index (is {}) should be < len (is {})";
            parse_quote!({
                let #at = #index;
                if #at >= #place.len() {
                    ::core::panic!(#message, #at, #place.len());
                }
                let #last = #place.len() - 1;
                #place[#at].#swap(#place[#last]);
                #place.#pop()
            })
        }
        ("remove", [key @ Expr::Reference(_)]) => {
            let method = ident(Method::PopKey);
            parse_quote!(if #place.contains_key(#key) {
                ::core::option::Option::Some(#place.#method(#key))
            } else {
                ::core::option::Option::None
            })
        }
        (name, []) => {
            let method = ident(removal(name)?);
            parse_quote!(if #place.is_empty() {
                ::core::option::Option::None
            } else {
                ::core::option::Option::Some(#place.#method())
            })
        }
        _ => return None,
    })
}

/// `a.get(i).copied().unwrap_or(d)`, `f(x).unwrap_or(d)`, `v.pop().unwrap()`.
fn unwrapping_method(call: &syn::ExprMethodCall, count: &mut usize) -> Option<Expr> {
    let method = call.method.to_string();
    let default: Expr = match (method.as_str(), call.args.first()) {
        ("unwrap_or", Some(default)) => default.clone(),
        ("unwrap_or_default", None) => parse_quote!(::core::default::Default::default()),
        ("unwrap" | "expect", _) => return popped(call),
        _ => return None,
    };
    let (held, default_name) = (name("held", count), name("default", count));
    let (receiver, holds) = (&scrutinee(&call.receiver), ident(Method::Holds));
    if is_element(receiver) && is_pure(&default) {
        return Some(parse_quote!({
            let #default_name = #default;
            match #receiver {
                ::core::option::Option::Some(#held) => #held,
                ::core::option::Option::None => #default_name,
            }
        }));
    }
    let receiver: Expr = match is_element(receiver) {
        true => parse_quote!(match #receiver {
            ::core::option::Option::Some(#held) => ::core::option::Option::Some(#held),
            ::core::option::Option::None => ::core::option::Option::None,
        }),
        false => receiver.clone(),
    };
    Some(parse_quote!({
        let #held = #receiver;
        let #default_name = #default;
        if #held.#holds() { #held.unwrap() } else { #default_name }
    }))
}

/// Whether an expression looks for an element: such an `Option` is never made.
fn is_element(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else { return false };
    match call.method.to_string().as_str() {
        "copied" | "cloned" => is_element(&call.receiver),
        "get" | "first" | "last" => is_place(&call.receiver),
        _ => false,
    }
}

/// `v.pop().unwrap()`, after `v.pop()` has become an `if`.
fn popped(call: &syn::ExprMethodCall) -> Option<Expr> {
    let (before, Expr::If(branch)) = apart(&call.receiver)? else { return None };
    let (_, other) = branch.else_branch.as_ref()?;
    let Expr::Block(other) = &**other else { return None };
    let [syn::Stmt::Expr(Expr::Call(some), None)] = &other.block.stmts[..] else { return None };
    let (condition, element) = (&branch.cond, some.args.first()?);
    let message: Expr = match call.args.first() {
        Some(message) => message.clone(),
        None => parse_quote!("called `Option::unwrap()` on a `None` value"),
    };
    Some(parse_quote!({
        #(#before)*
        if #condition { ::core::panic!("{}", #message); }
        #element
    }))
}

/// A block's statements and its value.
fn apart(expr: &Expr) -> Option<(&[Stmt], &Expr)> {
    let Expr::Block(block) = expr else { return Some((&[], expr)) };
    match block.block.stmts.split_last()? {
        (Stmt::Expr(value, None), before) if block.label.is_none() => Some((before, value)),
        _ => None,
    }
}

/// `*a.last().unwrap_or(&0.0)` is `a.last().copied().unwrap_or(0.0)`.
pub fn dereferenced(expr: &mut Expr) {
    let Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr else {
        return;
    };
    let Expr::MethodCall(call) = &**inner else { return };
    if call.method == "unwrap_or"
        && let Some(Expr::Reference(default)) = call.args.first()
    {
        let some = (parse_quote!(::core::option::Option::Some(element)), parse_quote!(*element));
        let none = (parse_quote!(::core::option::Option::None), (*default.expr).clone());
        *expr = matched(scrutinee(&call.receiver), [some, none]);
    }
}

fn moving_function(call: &syn::ExprCall) -> Option<Expr> {
    let Expr::Path(path) = &*call.func else { return None };
    let mut segments = path.path.segments.iter().rev();
    let (function, module) = (segments.next()?, segments.next()?);
    if module.ident != "mem" {
        return None;
    }
    let args: Vec<&Expr> = call.args.iter().collect();
    let place = |arg: &Expr| match arg {
        Expr::Reference(reference) if is_place(&reference.expr) => {
            Some(super::elements::indexable(&reference.expr))
        }
        Expr::Path(_) => Some(parse_quote!((*#arg))),
        _ => None,
    };
    let (swap, replace, take) = (ident(Method::Swap), ident(Method::Replace), ident(Method::Take));
    Some(match (function.ident.to_string().as_str(), &args[..]) {
        ("swap", [first, second]) => {
            let (first, second) = (place(first)?, place(second)?);
            parse_quote!(#first.#swap(#second))
        }
        ("replace", [first, value]) => {
            let first = place(first)?;
            parse_quote!(#first.#replace(#value))
        }
        ("take", [first]) => {
            let first = place(first)?;
            parse_quote!(#first.#take())
        }
        _ => return None,
    })
}
