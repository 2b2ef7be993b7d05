//! What a pattern asks of a place, and what it names in it.
//!
//! In: a pattern, and the place that it is matched with. Out: conditions, and `let` statements for the
//! names. A pattern is tested as it stands, by `matches!` with its names left out; each name is then bound
//! to its part of the place.

use super::elements::reference;
use crate::lower::builtin::{inside_of_some, is_none};
use crate::lower::reserved;
use rustc_hash::FxHashSet as HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, PatStruct, PatTupleStruct, Stmt, parse_quote};

/// What a pattern asks of a value, and what it names.
#[derive(Default)]
pub struct Test {
    pub conditions: Vec<Expr>,
    pub bindings: Vec<Stmt>,
}

/// How names are bound.
#[derive(Clone)]
pub enum Mode {
    /// As the type of this variable says: by reference if it is one.
    Auto(Expr),
    /// By value.
    Move,
    /// By reference, and whether `&mut`.
    Borrow(bool),
}

/// What is matched on.
#[derive(Clone)]
pub struct Subject {
    pub place: Expr,
    pub mode: Mode,
    /// Where the subject is an `Option` of an element: the condition for `Some`. The place is the element.
    pub presence: Option<Expr>,
    /// Where the element is to be taken out first: the name for it, and how it is taken out.
    pub taken: Option<Stmt>,
    /// Where the subject is an `Option` of a pair of places: these.
    pub pair: Option<[Expr; 2]>,
    /// Patterns show that it is an enum: names in front of braces are its variants'.
    pub is_enum: bool,
}

impl Subject {
    pub fn value(place: Expr) -> Self {
        let (mode, is_enum) = (Mode::Move, false);
        Subject { place, mode, presence: None, taken: None, pair: None, is_enum }
    }
}

/// Tests a pattern against a subject.
pub fn against(pattern: &Pat, subject: &Subject, found: &mut Test) -> Option<()> {
    match &subject.presence {
        Some(present) => element(pattern, subject, present, found),
        None => {
            conditions(pattern, &subject.place, &mut found.conditions);
            match (pattern, subject.is_enum) {
                (Pat::Struct(variant), true) => bind_variant(variant, subject, &mut found.bindings),
                _ => bind(pattern, &subject.place, &subject.mode, &mut found.bindings),
            }
        }
    }
}

/// Against an element that may not be there.
fn element(pattern: &Pat, subject: &Subject, present: &Expr, found: &mut Test) -> Option<()> {
    match pattern {
        Pat::Wild(_) => {}
        Pat::Paren(paren) => element(&paren.pat, subject, present, found)?,
        none if is_none(none) => found.conditions.push(parse_quote!(!(#present))),
        some => {
            let inside = inside_of_some(some)?;
            found.conditions.push(present.clone());
            found.bindings.extend(subject.taken.clone());
            for (item, place) in items(inside, subject)? {
                conditions(item, place, &mut found.conditions);
                bind(item, place, &subject.mode, &mut found.bindings)?;
            }
        }
    }
    Some(())
}

/// What is inside of `Some`, with its place: both items of a pair.
fn items<'a>(pattern: &'a Pat, subject: &'a Subject) -> Option<Vec<(&'a Pat, &'a Expr)>> {
    match (pattern, &subject.pair) {
        (pattern, None) => Some(vec![(pattern, &subject.place)]),
        (Pat::Wild(_), Some(_)) => Some(Vec::new()),
        (Pat::Paren(paren), Some(_)) => items(&paren.pat, subject),
        (Pat::Tuple(tuple), Some(pair)) if tuple.elems.len() == 2 => {
            Some(tuple.elems.iter().zip(pair).collect())
        }
        _ => None,
    }
}

/// What must hold for a pattern to fit. Tuples are taken apart, so that none is made for the test.
fn conditions(pattern: &Pat, place: &Expr, found: &mut Vec<Expr>) {
    match pattern {
        pattern if is_irrefutable(pattern) => {}
        Pat::Paren(paren) => conditions(&paren.pat, place, found),
        Pat::Reference(reference) => conditions(&reference.pat, place, found),
        Pat::Type(typed) => conditions(&typed.pat, place, found),
        Pat::Ident(ident) if is_binding(ident) => {
            ident.subpat.iter().for_each(|(_, inner)| conditions(inner, place, found));
        }
        Pat::Tuple(tuple) if !tuple.elems.iter().any(is_rest) => {
            for (index, item) in tuple.elems.iter().enumerate() {
                let index = syn::Index::from(index);
                let place = in_front(place);
                conditions(item, &parse_quote!(#place.#index), found);
            }
        }
        pattern => {
            let pattern = without_names(pattern);
            found.push(parse_quote!(::core::matches!(#place, #pattern)));
        }
    }
}

/// Whether a pattern fits any value, as far as its form shows.
pub fn is_irrefutable(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Paren(paren) => is_irrefutable(&paren.pat),
        Pat::Reference(reference) => is_irrefutable(&reference.pat),
        Pat::Type(typed) => is_irrefutable(&typed.pat),
        Pat::Ident(ident) => {
            is_binding(ident) && ident.subpat.iter().all(|(_, inner)| is_irrefutable(inner))
        }
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_irrefutable),
        _ => false,
    }
}

/// Binds the names of a pattern to the parts of a place.
pub fn bind(pattern: &Pat, place: &Expr, mode: &Mode, bindings: &mut Vec<Stmt>) -> Option<()> {
    let place = &in_front(place);
    match pattern {
        Pat::Paren(paren) => bind(&paren.pat, place, mode, bindings)?,
        Pat::Type(typed) => bind(&typed.pat, place, mode, bindings)?,
        Pat::Ident(ident) if is_binding(ident) => bind_name(ident, place, mode, bindings)?,
        Pat::Reference(reference) => bind(&reference.pat, place, &Mode::Move, bindings)?,
        Pat::Tuple(tuple) => {
            let item = |index: usize| {
                let index = syn::Index::from(index);
                parse_quote!(#place.#index)
            };
            bind_items(&tuple.elems, item, mode, bindings)?;
        }
        Pat::TupleStruct(whole) => {
            let path = &whole.path;
            let item = |index: usize| {
                let member = syn::Member::Unnamed(syn::Index::from(index));
                reserved::variant_field(place, path, &member)
            };
            bind_items(&whole.elems, item, mode, bindings)?;
        }
        Pat::Struct(whole) => {
            for field in &whole.fields {
                let part = field_of(place, &whole.path, &field.member);
                bind(&field.pat, &part, mode, bindings)?;
            }
        }
        Pat::Slice(slice) => bind_slice(slice, place, mode, bindings)?,
        pattern if !binds(pattern) => {}
        _ => return None,
    }
    Some(())
}

/// Binds the names of a variant's fields.
fn bind_variant(variant: &PatStruct, subject: &Subject, bindings: &mut Vec<Stmt>) -> Option<()> {
    let place = in_front(&subject.place);
    variant.fields.iter().try_for_each(|field| {
        let part = reserved::variant_field(&place, &variant.path, &field.member);
        bind(&field.pat, &part, &subject.mode, bindings)
    })
}

/// The variants that patterns name without their enum, as far as their form shows.
pub fn variant_names(pattern: &Pat, names: &mut HashSet<String>) {
    match pattern {
        Pat::Paren(paren) => variant_names(&paren.pat, names),
        Pat::Reference(reference) => variant_names(&reference.pat, names),
        Pat::Or(or) => or.cases.iter().for_each(|case| variant_names(case, names)),
        Pat::Ident(ident) if !is_binding(ident) => drop(names.insert(ident.ident.to_string())),
        Pat::Struct(PatStruct { path, .. }) | Pat::TupleStruct(PatTupleStruct { path, .. }) => {
            names.extend(path.segments.last().map(|last| last.ident.to_string()));
        }
        _ => {}
    }
}

/// A place as it stands in front of a dot or a bracket.
fn in_front(place: &Expr) -> Expr {
    if let Expr::Unary(_) = place { parse_quote!((#place)) } else { place.clone() }
}

/// A field of a struct, or of a variant with named fields.
fn field_of(place: &Expr, path: &syn::Path, member: &syn::Member) -> Expr {
    match is_variant(path) {
        true => reserved::variant_field(place, path, member),
        false => parse_quote!(#place.#member),
    }
}

/// Whether a path names a variant: a type stands in front of its last segment. A single name in front of
/// braces is taken for a struct's.
pub fn is_variant(path: &syn::Path) -> bool {
    let owner = path.segments.iter().rev().nth(1);
    let is_type = |name: String| name.starts_with(char::is_uppercase);
    crate::emit::is_standard(path) || owner.is_some_and(|owner| is_type(owner.ident.to_string()))
}

/// Items up to a `..`; behind one, their numbers are not known.
fn bind_items<'p>(
    items: impl IntoIterator<Item = &'p Pat>,
    part: impl Fn(usize) -> Expr,
    mode: &Mode,
    bindings: &mut Vec<Stmt>,
) -> Option<()> {
    let mut items = items.into_iter().enumerate();
    for (index, item) in items.by_ref() {
        if is_rest(item) {
            break;
        }
        bind(item, &part(index), mode, bindings)?;
    }
    items.all(|(_, item)| !binds(item)).then_some(())
}

fn bind_name(
    ident: &syn::PatIdent,
    place: &Expr,
    mode: &Mode,
    bindings: &mut Vec<Stmt>,
) -> Option<()> {
    let (name, mutable) = (&ident.ident, &ident.mutability);
    bindings.push(match (&ident.by_ref, mode) {
        (Some(_), _) => parse_quote!(let #name = &#mutable #place;),
        (None, Mode::Move) => parse_quote!(let #mutable #name = #place;),
        (None, Mode::Borrow(unique)) => {
            let borrowed = reference(place, *unique);
            parse_quote!(let #name = #borrowed;)
        }
        (None, Mode::Auto(scrutinee)) if scrutinee == place => {
            parse_quote!(let #mutable #name = #place;)
        }
        (None, Mode::Auto(scrutinee)) => {
            let part = reserved::binding(scrutinee, place);
            parse_quote!(let #mutable #name = #part;)
        }
    });
    match &ident.subpat {
        Some((_, inner)) => bind(inner, place, mode, bindings),
        None => Some(()),
    }
}

/// `[first, .., last]`, `[a, rest @ ..]`.
fn bind_slice(
    slice: &syn::PatSlice,
    place: &Expr,
    mode: &Mode,
    bindings: &mut Vec<Stmt>,
) -> Option<()> {
    let count = slice.elems.len();
    let rest = slice.elems.iter().position(|item| rest_name(item).is_some() || is_rest(item));
    for (index, item) in slice.elems.iter().enumerate() {
        let behind = count - index;
        let part = match rest {
            Some(rest) if index > rest => parse_quote!(#place[#place.len() - #behind]),
            Some(rest) if index == rest => {
                if let Some(name) = rest_name(item) {
                    let behind = behind - 1;
                    bindings
                        .push(parse_quote!(let #name = &#place[#index..#place.len() - #behind];));
                }
                continue;
            }
            _ => parse_quote!(#place[#index]),
        };
        bind(item, &part, mode, bindings)?;
    }
    Some(())
}

fn is_rest(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Rest(_))
}

/// The name in `rest @ ..`.
fn rest_name(pattern: &Pat) -> Option<&syn::Ident> {
    match pattern {
        Pat::Ident(ident) => {
            let (_, inner) = ident.subpat.as_ref()?;
            is_rest(inner).then_some(&ident.ident)
        }
        _ => None,
    }
}

/// Whether a pattern names anything.
pub fn binds(pattern: &Pat) -> bool {
    struct Names(bool);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            self.0 |= is_binding(ident);
            syn::visit::visit_pat_ident(self, ident);
        }
    }
    let mut names = Names(false);
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}

/// Whether a pattern asks for a `&mut` to a part.
pub fn borrows_mutably(pattern: &Pat) -> bool {
    struct Names(bool);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            self.0 |= ident.by_ref.is_some() && ident.mutability.is_some();
            syn::visit::visit_pat_ident(self, ident);
        }
    }
    let mut names = Names(false);
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}

/// A lone identifier in capitals is a constant, as the language's lints have it; `None` is a variant, and
/// so is any other name of a type's form.
pub fn is_binding(ident: &syn::PatIdent) -> bool {
    let name = ident.ident.to_string();
    ident.subpat.is_some()
        || ident.by_ref.is_some()
        || ident.mutability.is_some()
        || name.trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// A pattern with `_` for its names, and as the place is matched rather than a reference to it.
pub fn without_names(pattern: &Pat) -> Pat {
    struct Nameless;
    impl VisitMut for Nameless {
        fn visit_pat_mut(&mut self, pattern: &mut Pat) {
            visit_mut::visit_pat_mut(self, pattern);
            match pattern {
                Pat::Ident(ident) if is_binding(ident) => {
                    *pattern = match ident.subpat.take() {
                        Some((_, inner)) => *inner,
                        None => parse_quote!(_),
                    };
                }
                Pat::Reference(reference) => *pattern = (*reference.pat).clone(),
                _ => {}
            }
        }

        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            visit_mut::visit_field_pat_mut(self, field);
            field.colon_token.get_or_insert_default();
        }
    }
    let mut pattern = pattern.clone();
    Nameless.visit_pat_mut(&mut pattern);
    pattern
}
