//! Loops over the entries of a map, as loops over its keys.
//!
//! The keys are taken in the map's own order before the loop; the entries are then places of the map.

use super::name;
use super::test::{Mode, bind};
use crate::lower::hoist::is_repeatable;
use crate::lower::reserved::Method;
use proc_macro2::Span;
use rustc_hash::FxHashSet as HashSet;
use syn::{Expr, Pat, Stmt, parse_quote};

/// What a loop names of an entry.
struct Entries<'e> {
    map: &'e Expr,
    key: Option<&'e Pat>,
    value: Option<&'e Pat>,
    mutable: bool,
}

/// A loop over a map as a loop over its keys.
pub fn over_entries(
    repeat: &syn::ExprForLoop,
    maps: &HashSet<String>,
    count: &mut usize,
) -> Option<Expr> {
    let entries = entries(repeat, maps)?;
    let (keys, index) = (name("keys", count), name("index", count));
    let (map, method) = (entries.map, Method::Keys.ident(Span::call_site()));
    let mut bindings: Vec<Stmt> = Vec::new();
    if let Some(key) = entries.key {
        bind(key, &parse_quote!(#keys[#index]), &Mode::Borrow(false), &mut bindings)?;
    }
    if let Some(value) = entries.value {
        let entry = parse_quote!(#map[&::core::clone::Clone::clone(&#keys[#index])]);
        bind(value, &entry, &Mode::Borrow(entries.mutable), &mut bindings)?;
    }
    let (label, stmts) = (&repeat.label, &repeat.body.stmts);
    Some(parse_quote!({
        let #keys = #map.#method();
        #label for #index in 0..#keys.len() { #(#bindings)* #(#stmts)* }
    }))
}

fn entries<'e>(repeat: &'e syn::ExprForLoop, maps: &HashSet<String>) -> Option<Entries<'e>> {
    let (map, mutable, part) = match &*repeat.expr {
        Expr::Reference(reference) => {
            (&*reference.expr, reference.mutability.is_some(), Part::Entries)
        }
        Expr::MethodCall(call) if call.args.is_empty() && is_repeatable(&call.receiver) => {
            let name = call.method.to_string();
            let part = match name.trim_end_matches("_mut") {
                "iter" => Part::Entries,
                "values" => Part::Values,
                "keys" => Part::Keys,
                _ => return None,
            };
            (&*call.receiver, name.ends_with("_mut"), part)
        }
        Expr::Path(_) => (&*repeat.expr, false, Part::Entries),
        _ => return None,
    };
    let is_map = crate::lower::scan::root(map).is_some_and(|key| {
        matches!(map, Expr::Path(_)) && maps.contains(crate::lower::hygiene::name(&key))
    });
    let pattern = &*repeat.pat;
    let (key, value) = match (part, pattern) {
        (Part::Values, pattern) => (None, Some(pattern)),
        (Part::Keys, pattern) => (Some(pattern), None),
        (Part::Entries, Pat::Tuple(pair)) if is_map && pair.elems.len() == 2 => {
            (Some(&pair.elems[0]), Some(&pair.elems[1]))
        }
        _ => return None,
    };
    let named =
        |pattern: Option<&'e Pat>| pattern.filter(|pattern| !matches!(pattern, Pat::Wild(_)));
    Some(Entries { map, key: named(key), value: named(value), mutable })
}

/// What a loop goes through.
enum Part {
    Entries,
    Values,
    Keys,
}
