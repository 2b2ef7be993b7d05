//! What is matched on, as a place: evaluated once, and not moved.
//!
//! `a.get(i)`, `a.first()`, `a.split_first()`, `v.pop()` and the like are read as "an element, if it is there": no `Option` is
//! made for them.

use super::Desugar;
use super::elements::{indexable, reference};
use super::test::{Mode, Subject, borrows_mutably, is_irrefutable};
use crate::lower::builtin::{inside_of_some, is_none};
use crate::lower::hoist::{is_place, is_repeatable};
use crate::lower::reserved::Method;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, Stmt, parse_quote};

/// What patterns ask of a subject.
#[derive(Clone, Copy, Default)]
pub struct Asked {
    /// Some name is bound to a part by `ref mut`.
    pub unique: bool,
    /// They ask whether there is an element, as `Some(..)`, `None` and `_` do.
    pub presence: bool,
    /// What they ask of the element they ask after it was taken out: nothing.
    pub plainly: bool,
}

impl Asked {
    /// What some patterns ask. With a guard, what is taken out would be taken out twice.
    pub fn by(patterns: &[&Pat], is_guarded: bool) -> Self {
        Asked {
            unique: patterns.iter().any(|pattern| borrows_mutably(pattern)),
            presence: patterns.iter().all(|pattern| presence(pattern).is_some()),
            plainly: !is_guarded && patterns.iter().all(|pattern| presence(pattern) == Some(true)),
        }
    }
}

/// Whether a pattern asks for an element to be there, and then whether for nothing else.
fn presence(pattern: &Pat) -> Option<bool> {
    match pattern {
        Pat::Wild(_) => Some(true),
        Pat::Paren(paren) => presence(&paren.pat),
        none if is_none(none) => Some(true),
        pattern => inside_of_some(pattern).map(is_irrefutable),
    }
}

impl Desugar<'_> {
    /// The subject of a match, and statements that make it.
    pub(super) fn subject(&mut self, expr: &Expr, asked: Asked, before: &mut Vec<Stmt>) -> Subject {
        if asked.presence
            && let Some(subject) = self.element(expr, asked.plainly, before)
        {
            return subject;
        }
        match expr {
            Expr::Paren(paren) => self.subject(&paren.expr, asked, before),
            Expr::Group(group) => self.subject(&group.expr, asked, before),
            Expr::Path(path) if path.path.get_ident().is_some() => {
                let mode = Mode::Auto(expr.clone());
                Subject { mode, ..Subject::value(expr.clone()) }
            }
            Expr::Reference(reference) => {
                let mutable = reference.mutability.is_some();
                let inner = Asked { unique: mutable, ..Asked::default() };
                let subject = self.subject(&reference.expr, inner, before);
                Subject { mode: Mode::Borrow(mutable), ..subject }
            }
            Expr::MethodCall(call) if is_borrow(call).is_some() && is_place(&call.receiver) => {
                let mutable = is_borrow(call) == Some(true);
                let inner = Asked { unique: mutable, ..Asked::default() };
                let subject = self.subject(&call.receiver, inner, before);
                Subject { mode: Mode::Borrow(mutable), ..subject }
            }
            expr if is_fixed(expr) => Subject::value(expr.clone()),
            expr if is_place(expr) => {
                Subject::value(view(expr, asked.unique, &mut self.count, before))
            }
            expr => {
                let (name, mut expr) = (self.scrutinee(), expr.clone());
                if self.is_choice(&expr) {
                    self.visit_expr_mut(&mut expr);
                }
                before.push(parse_quote!(let #name = #expr;));
                Subject::value(parse_quote!(#name))
            }
        }
    }

    /// An element that may not be there.
    fn element(&mut self, expr: &Expr, plainly: bool, before: &mut Vec<Stmt>) -> Option<Subject> {
        let Expr::MethodCall(call) = expr else { return None };
        if let Some(subject) = self.chosen_subject(expr, before) {
            return Some(subject);
        }
        let name = call.method.to_string();
        if matches!(name.as_str(), "copied" | "cloned") && call.args.is_empty() {
            let subject = self.element(&call.receiver, plainly, before)?;
            return Some(Subject { mode: Mode::Move, ..subject });
        }
        if !is_place(&call.receiver) {
            return None;
        }
        let taken = match (name.as_str(), call.args.first()) {
            ("remove", key @ Some(Expr::Reference(_))) => Some((Method::PopKey, key)),
            (name, None) => removal(name).map(|method| (method, None)),
            _ => None,
        };
        if let Some((method, key)) = taken {
            return plainly.then(|| {
                let collection = self.steady(&call.receiver, true, before);
                self.removed(&collection, method, key)
            });
        }
        let mutable = name.ends_with("_mut");
        if let ("split_first" | "split_last", None) =
            (name.trim_end_matches("_mut"), call.args.first())
        {
            let base = self.steady(&call.receiver, mutable, before);
            return Some(split(&base, name.starts_with("split_first"), mutable));
        }
        let is_known = match (name.trim_end_matches("_mut"), call.args.first()) {
            ("get", Some(index)) => !matches!(index, Expr::Range(_)),
            (name, index) => matches!(name, "first" | "last") && index.is_none(),
        };
        if !is_known {
            return None;
        }
        let (is_key, mut call) = (self.is_key(call), call.clone());
        *call.receiver = self.steady(&call.receiver, mutable, before);
        let index: Option<Expr> = match (name.trim_end_matches("_mut"), call.args.first()) {
            ("get", Some(key)) if is_key => Some(self.key(key, before)),
            ("get", Some(index)) => {
                let index_name = self.fresh("index");
                before.push(parse_quote!(let #index_name = #index;));
                Some(parse_quote!(#index_name))
            }
            _ => None,
        };
        let (present, place) = element_of(&call, index.as_ref(), is_key)?;
        let (mode, presence) = (Mode::Borrow(mutable), Some(present));
        Some(Subject { mode, presence, ..Subject::value(place) })
    }

    /// Whether what is looked for is a key: a reference, a string, or anything in what is known to be a map.
    fn is_key(&self, call: &syn::ExprMethodCall) -> bool {
        call.args.first().is_some_and(|argument| match argument {
            Expr::Reference(_) => true,
            Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_)),
            _ => self.is_map(&call.receiver),
        })
    }

    /// A key, evaluated once.
    fn key(&mut self, key: &Expr, before: &mut Vec<Stmt>) -> Expr {
        let Expr::Reference(reference) = key else { return key.clone() };
        let key = &reference.expr;
        if is_place(key) || matches!(**key, Expr::Lit(_)) {
            return parse_quote!(&#key);
        }
        let name = self.fresh("index");
        before.push(parse_quote!(let #name = #key;));
        parse_quote!(&#name)
    }

    /// `v.pop()`, `m.remove(&k)`: taken out where the pattern is found to fit.
    fn removed(&mut self, collection: &Expr, method: Method, key: Option<&Expr>) -> Subject {
        let name = self.scrutinee();
        let method = method.ident(proc_macro2::Span::call_site());
        Subject {
            presence: Some(match key {
                Some(key) => parse_quote!(#collection.contains_key(#key)),
                None => parse_quote!(!#collection.is_empty()),
            }),
            taken: Some(parse_quote!(let #name = #collection.#method(#key);)),
            ..Subject::value(parse_quote!(#name))
        }
    }

    fn steady(&mut self, place: &Expr, mutable: bool, before: &mut Vec<Stmt>) -> Expr {
        steady(place, mutable, &mut self.count, before)
    }
}

/// The first or last element of a slice and all others, if there is one.
fn split(base: &Expr, is_first: bool, mutable: bool) -> Subject {
    let pair: [Expr; 2] = match is_first {
        true => [parse_quote!(#base[0]), parse_quote!(#base[1..])],
        false => [parse_quote!(#base[#base.len() - 1]), parse_quote!(#base[..#base.len() - 1])],
    };
    Subject {
        mode: Mode::Borrow(mutable),
        presence: Some(parse_quote!(!#base.is_empty())),
        pair: Some(pair),
        ..Subject::value(base.clone())
    }
}

/// A place that can be written several times and is the same each time: its indices are evaluated once.
pub fn steady(place: &Expr, mutable: bool, count: &mut usize, before: &mut Vec<Stmt>) -> Expr {
    if is_repeatable(place) {
        return indexable(place);
    }
    view(place, mutable, count, before)
}

/// A name of a place.
pub fn view(place: &Expr, mutable: bool, count: &mut usize, before: &mut Vec<Stmt>) -> Expr {
    let name = super::name("scrutinee", count);
    let borrowed = reference(place, mutable);
    before.push(parse_quote!(let #name = #borrowed;));
    parse_quote!((*#name))
}

/// The condition for an element of a slice to be there, and the element: of `get` with a known index,
/// `first`, `last` and their `_mut` forms. Of a map, the index is a key.
pub fn element_of(
    call: &syn::ExprMethodCall,
    index: Option<&Expr>,
    is_key: bool,
) -> Option<(Expr, Expr)> {
    let base = indexable(&call.receiver);
    let name = call.method.to_string();
    Some(match (name.trim_end_matches("_mut"), call.args.len(), index) {
        ("get", 1, Some(key)) if is_key => {
            (parse_quote!(#base.contains_key(#key)), parse_quote!(#base[#key]))
        }
        ("get", 1, Some(index)) => {
            (parse_quote!(#index < #base.len()), parse_quote!(#base[#index]))
        }
        ("first", 0, _) => (parse_quote!(!#base.is_empty()), parse_quote!(#base[0])),
        ("last", 0, _) => (parse_quote!(!#base.is_empty()), parse_quote!(#base[#base.len() - 1])),
        _ => return None,
    })
}

/// The method that takes out an element which is there.
pub fn removal(name: &str) -> Option<Method> {
    match name {
        "pop" => Some(Method::Pop),
        "pop_back" => Some(Method::PopBack),
        "pop_front" => Some(Method::PopFront),
        _ => None,
    }
}

/// `as_ref()` and `as_mut()`: whether `&mut`.
fn is_borrow(call: &syn::ExprMethodCall) -> Option<bool> {
    match call.method.to_string().as_str() {
        "as_ref" if call.args.is_empty() => Some(false),
        "as_mut" if call.args.is_empty() => Some(true),
        _ => None,
    }
}

/// A place without an index: the same wherever it is written.
fn is_fixed(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_fixed(&field.base),
        Expr::Paren(paren) => is_fixed(&paren.expr),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => is_fixed(expr),
        _ => false,
    }
}
