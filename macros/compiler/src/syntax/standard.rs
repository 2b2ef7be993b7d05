//! Functions of the standard library that are known by their paths.
//!
//! In: a path as it is written, such as `mem::swap`. Out: the function that it is taken for, and a proof.
//!
//! Invariant: whatever is taken for a function of the standard library has a proof, for a user may have a module `mem`
//! and a type `Cell`.

use super::types::is_primitive;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Ident, parse_quote_spanned};

/// A function of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    Swap,
    Replace,
    Take,
    Zip,
    Repeat,
    Once,
    Successors,
    /// An iterator that no loop over numbers of elements stands for.
    OtherIterator,
    ArrayFromFn,
    EmptyVec,
    VecFrom,
    NewBox,
    /// Of a cell, or of a handle.
    NewCell,
    CloneHandle,
}

/// A row names the module or the type in front of a function, the function, and a path that leads to it from everywhere.
type Row = (&'static str, &'static str, Standard, &'static str);

const ROWS: [Row; 25] = [
    ("mem", "swap", Standard::Swap, "::core::mem::swap::<()>"),
    ("mem", "replace", Standard::Replace, "::core::mem::replace::<()>"),
    ("mem", "take", Standard::Take, "::core::mem::take::<()>"),
    ("iter", "zip", Standard::Zip, "::core::iter::zip::<[(); 0], [(); 0]>"),
    ("iter", "repeat", Standard::Repeat, "::core::iter::repeat::<()>"),
    ("iter", "once", Standard::Once, "::core::iter::once::<()>"),
    (
        "iter",
        "successors",
        Standard::Successors,
        "::core::iter::successors::<(), fn(&()) -> ::core::option::Option<()>>",
    ),
    ("iter", "empty", Standard::OtherIterator, "::core::iter::empty::<()>"),
    (
        "iter",
        "from_fn",
        Standard::OtherIterator,
        "::core::iter::from_fn::<(), fn() -> ::core::option::Option<()>>",
    ),
    ("iter", "once_with", Standard::OtherIterator, "::core::iter::once_with::<(), fn()>"),
    ("iter", "repeat_n", Standard::OtherIterator, "::core::iter::repeat_n::<()>"),
    ("iter", "repeat_with", Standard::OtherIterator, "::core::iter::repeat_with::<(), fn()>"),
    ("array", "from_fn", Standard::ArrayFromFn, "::core::array::from_fn::<(), 0, fn(usize)>"),
    ("Vec", "new", Standard::EmptyVec, "::cotangent::__private::Vec::<()>::new"),
    (
        "Vec",
        "with_capacity",
        Standard::EmptyVec,
        "::cotangent::__private::Vec::<()>::with_capacity",
    ),
    (
        "Vec",
        "from",
        Standard::VecFrom,
        "<::cotangent::__private::Vec<()> as ::core::convert::From<::cotangent::__private::Vec<()>>>::from",
    ),
    ("Box", "new", Standard::NewBox, "::cotangent::__private::Box::<()>::new"),
    ("Cell", "new", Standard::NewCell, "::core::cell::Cell::<()>::new"),
    ("RefCell", "new", Standard::NewCell, "::core::cell::RefCell::<()>::new"),
    ("Mutex", "new", Standard::NewCell, "::cotangent::__private::shared::Mutex::<()>::new"),
    ("RwLock", "new", Standard::NewCell, "::cotangent::__private::shared::RwLock::<()>::new"),
    ("Rc", "new", Standard::NewCell, "::cotangent::__private::shared::Rc::<()>::new"),
    ("Rc", "clone", Standard::CloneHandle, "::cotangent::__private::shared::Rc::<()>::clone"),
    ("Arc", "new", Standard::NewCell, "::cotangent::__private::shared::Arc::<()>::new"),
    ("Arc", "clone", Standard::CloneHandle, "::cotangent::__private::shared::Arc::<()>::clone"),
];

impl Standard {
    /// Returns the function that a path is taken for.
    pub fn named(path: &syn::Path) -> Option<Standard> {
        row(path).map(|row| row.2)
    }

    /// Whether the function makes an iterator.
    pub fn is_iterator(self) -> bool {
        match self {
            Standard::Zip
            | Standard::Repeat
            | Standard::Once
            | Standard::Successors
            | Standard::OtherIterator => true,
            Standard::Swap
            | Standard::Replace
            | Standard::Take
            | Standard::ArrayFromFn
            | Standard::EmptyVec
            | Standard::VecFrom
            | Standard::NewBox
            | Standard::NewCell
            | Standard::CloneHandle => false,
        }
    }
}

fn row(path: &syn::Path) -> Option<&'static Row> {
    let (owner, function) = ends(path)?;
    ROWS.iter().find(|row| owner == row.0 && function == row.1)
}

/// The last two names of a path.
fn ends(path: &syn::Path) -> Option<(&Ident, &Ident)> {
    let mut segments = path.segments.iter().rev();
    let function = segments.next()?;
    Some((&segments.next()?.ident, &function.ident))
}

/// An item that compiles only if a path leads to the function that it is taken for; none of a path that is taken for none.
/// Generic arguments do not matter, and may name what is not in scope there.
pub fn proof(path: &syn::ExprPath) -> Option<syn::Item> {
    let known: syn::Expr = syn::parse_str(&known(path)?).expect("the path of a function");
    let mut written = path.path.clone();
    for segment in &mut written.segments {
        segment.arguments = syn::PathArguments::None;
    }
    let span = written.segments.last()?.ident.span();
    Some(parse_quote_spanned! {span=>
        const _: fn() = || ::cotangent::__private::taken_for((#written, #known));
    })
}

/// The path that means everywhere what a path is taken for.
pub fn known(path: &syn::ExprPath) -> Option<String> {
    if path.qself.is_some() {
        return None;
    }
    match row(&path.path) {
        Some(row) => Some(row.3.to_owned()),
        None => function_of_number(&path.path),
    }
}

/// The path of a function of a number that has a rule, or compares.
fn function_of_number(path: &syn::Path) -> Option<String> {
    let (owner, function) = ends(path)?;
    if let Some(name) = comparison(path) {
        return Some(compared(owner, name));
    }
    let name = function.to_string();
    let is_known = cotangent_rules::find(&name).is_some() || cotangent_rules::is_zero(&name);
    match name.as_str() {
        _ if owner != "f64" && owner != "f32" => None,
        "from" => Some(format!("<{owner} as ::core::convert::From<u8>>::from")),
        _ => is_known.then(|| format!("<{owner}>::{}", function.to_token_stream())),
    }
}

/// The name of a function that compares two numbers, with a primitive type or a trait in front.
pub fn comparison(path: &syn::Path) -> Option<&'static str> {
    let (owner, function) = ends(path)?;
    let name = ["cmp", "partial_cmp", "total_cmp"].into_iter().find(|name| function == name)?;
    let is_known = match name {
        "cmp" => owner == "Ord" || is_primitive(owner),
        "partial_cmp" => owner == "PartialOrd" || is_primitive(owner),
        _ => owner == "f64" || owner == "f32",
    };
    is_known.then_some(name)
}

fn compared(owner: &Ident, name: &str) -> String {
    let ty = if is_primitive(owner) { owner.to_string() } else { "u8".to_owned() };
    match name {
        "cmp" => format!("<{ty} as ::core::cmp::Ord>::cmp"),
        "partial_cmp" => format!("<{ty} as ::core::cmp::PartialOrd>::partial_cmp"),
        _ => format!("<{ty}>::{name}"),
    }
}

/// An item that compiles only if a constant is not `Greater`.
pub fn proof_of_order(constant: &syn::ExprPath) -> syn::Item {
    let span = constant.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    parse_quote_spanned! {span=>
        const _: () = ::cotangent::__private::less_or_equal(#constant);
    }
}
