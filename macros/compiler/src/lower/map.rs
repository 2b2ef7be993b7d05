//! Maps: entries under keys, which are places, and loops over them.
//!
//! In: methods and indices of what syntax shows to be a map: by its type, by what makes it, or by a key that is passed by
//! reference. Out: tests for keys, insertions, removals and places of entries, in terms of the few operations that the
//! transforms know; a loop goes over the keys, which are taken in the map's own order before it.
//!
//! Invariant: a key is evaluated once.

use super::element::{Element, Lookup};
use super::pattern::By;
use super::stream::{Item, Source};
use super::{Lower, Place, Storage};
use crate::hir::{Body, ExprId, ExprKind, Local, PatId, PatKind, Stmt};
use crate::ir::{End, Op, Projection, Type, Value};
use crate::lower::reserved::Method;
use proc_macro2::{Ident, Span};
use rustc_hash::FxHashMap as HashMap;

/// What a loop goes through of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Entries,
    Keys,
    Values,
}

/// The expressions that names are bound to.
pub(super) fn initials(body: &Body) -> HashMap<Local, ExprId> {
    let blocks = body.exprs().filter_map(|expr| match &expr.kind {
        ExprKind::Block { block, .. } => Some(&block.stmts),
        _ => None,
    });
    let lets = blocks.flatten().filter_map(|stmt| match stmt {
        Stmt::Let { pattern, value: Some(value), .. } => Some((bound_by(body, *pattern)?, *value)),
        _ => None,
    });
    lets.collect()
}

/// The name that a pattern is.
fn bound_by(body: &Body, pattern: PatId) -> Option<Local> {
    match &body.pat(pattern).kind {
        PatKind::Typed(inner, _) => bound_by(body, *inner),
        PatKind::Bind(binding) => Some(binding.local),
        _ => None,
    }
}

impl<'a> Lower<'a> {
    // --- what is a map

    /// Whether an expression is a map, or a reference to one, by a type that is written or by what makes it.
    pub(super) fn is_map(&self, expr: ExprId) -> bool {
        self.is_of_type(expr, &is_map_name)
    }

    /// Whether an expression is a set.
    pub(super) fn is_set(&self, expr: ExprId) -> bool {
        self.is_of_type(expr, &is_set_name)
    }

    fn is_of_type(&self, expr: ExprId, is_named: &dyn Fn(&Ident) -> bool) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => match &self.body.local(*local).ty {
                Some(ty) => names(ty, is_named),
                None => self
                    .initials
                    .get(local)
                    .is_some_and(|initial| self.is_of_type(*initial, is_named)),
            },
            ExprKind::Borrow { place, .. } | ExprKind::Deref(place) => {
                self.is_of_type(*place, is_named)
            }
            ExprKind::Method { receiver, name, arguments, .. } => {
                name == "clone" && arguments.is_empty() && self.is_of_type(*receiver, is_named)
            }
            ExprKind::Call(callee, _) => match &self.body.expr(*callee).kind {
                ExprKind::Item(path) => {
                    let owner = path.path.segments.iter().rev().nth(1);
                    owner.is_some_and(|owner| is_named(&owner.ident))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an index is a key of a map: a reference, or a string.
    pub(super) fn is_key(&self, index: ExprId) -> bool {
        match &self.body.expr(index).kind {
            ExprKind::Borrow { .. } => true,
            ExprKind::Literal(literal) => matches!(literal, syn::Lit::Str(_)),
            ExprKind::Local(local) => matches!(self.storage.get(local), Some(Storage::Alias(_))),
            _ => false,
        }
    }

    // --- keys and entries

    /// A key that is passed by reference: `&k`, a string literal, a name bound to a reference.
    pub(super) fn key(&mut self, key: ExprId) -> Value {
        match self.body.expr(key).kind {
            ExprKind::Borrow { place, .. } => self.key(place),
            ExprKind::Local(local) => match self.local_place(local) {
                Some(place) => self.key_in(&place, self.span(key)),
                None => self.expr(key),
            },
            _ => {
                let value = self.expr(key);
                if self.diverged { value } else { self.contents(value, self.span(key)) }
            }
        }
    }

    /// A key that is kept in a place: the place itself, or a copy of a part of one.
    fn key_in(&mut self, place: &Place, span: Span) -> Value {
        if matches!(place.ty, Type::Int | Type::Bool) {
            let value = self.read(place, span);
            return self.contents(value, span);
        }
        let operands = self.operands(place);
        if place.path.is_empty() {
            return operands[0];
        }
        self.inst(Op::Clone(place.path.clone()), operands, place.ty.clone(), "key", span)
    }

    /// The entry under a key.
    pub(super) fn entry_at(&self, map: &Place, key: Value) -> Place {
        let mut entry = map.clone();
        entry.path.push(Projection::Key);
        entry.indices.push(key);
        (entry.ty, entry.depth) = (Type::Unknown, 0);
        entry
    }

    fn contains_key(&mut self, map: &Place, key: Value, span: Span) -> Value {
        let mut args = self.operands(map);
        args.push(key);
        let op = Op::Measure(Ident::new("contains_key", span), map.path.clone());
        self.inst(op, args, Type::Bool, "contains_key", span)
    }

    /// `m.get(&k)` and `m.get_mut(&k)`.
    pub(super) fn entry_lookup(
        &mut self,
        map: &Place,
        key: ExprId,
        by: By,
        span: Span,
    ) -> Option<Lookup> {
        let key = self.key(key);
        if self.diverged {
            return None;
        }
        let present = self.contains_key(map, key, span);
        Some(Lookup { present, element: Element::Place(self.entry_at(map, key), by) })
    }

    /// `m.remove(&k)`.
    pub(super) fn entry_removal(
        &mut self,
        place: Place,
        key: ExprId,
        span: Span,
    ) -> Option<Lookup> {
        let key = self.key(key);
        if self.diverged {
            return None;
        }
        let present = self.contains_key(&place, key, span);
        let element = Element::Removed { place, end: End::Key, at: Some(key), span };
        Some(Lookup { present, element })
    }

    /// Methods of maps whose values are values.
    pub(super) fn method_of_maps(
        &mut self,
        receiver: ExprId,
        place: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        match (name, arguments) {
            ("contains_key", [key]) => {
                let key = self.key(*key);
                Some(self.contains_key(place, key, span))
            }
            ("insert", [key, value]) if !matches!(place.ty, Type::Vec(_)) => {
                let key = self.owned_key(*key);
                let value = self.owned(*value);
                if self.diverged {
                    return Some(value);
                }
                let value = self.contents(value, span);
                match self.ty(key) == Type::Int && !self.is_map(receiver) {
                    true => self.insert(place, End::At, Some(key), value, span),
                    false => self.insert_entry(place, key, value, span),
                }
                Some(self.unit())
            }
            _ => None,
        }
    }

    fn owned_key(&mut self, key: ExprId) -> Value {
        let (value, span) = (self.owned(key), self.span(key));
        if self.diverged { value } else { self.contents(value, span) }
    }

    /// `m.insert(k, v)`: the entry is overwritten, or is new.
    fn insert_entry(&mut self, map: &Place, key: Value, value: Value, span: Span) {
        let is_there = self.contains_key(map, key, span);
        let entry = self.entry_at(map, key);
        self.either(
            is_there,
            &|lower| lower.write(&entry, value, span),
            &|lower| lower.insert(map, End::Key, Some(key), value, span),
            span,
        );
    }

    /// `m.entry(k).or_insert(v)` and `m.entry(k).or_default()`: the entry, which is made where there is none.
    pub(super) fn entry(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Place> {
        let ExprKind::Method { receiver: map, name: method, arguments: keys, .. } =
            self.body.expr(receiver).kind.clone()
        else {
            return None;
        };
        let default = match (name, arguments) {
            ("or_insert", [value]) => Some(*value),
            ("or_default", []) => None,
            _ => return None,
        };
        let ([key], true) = (&keys[..], method == "entry") else { return None };
        let map = self.place(map)?;
        let key = self.owned_key(*key);
        let value = match default {
            Some(default) => self.owned(default),
            None => self.made_default(span),
        };
        if self.diverged {
            return Some(map);
        }
        let value = self.contents(value, span);
        let is_there = self.contains_key(&map, key, span);
        let make = |lower: &mut Self| lower.insert(&map, End::Key, Some(key), value, span);
        self.either(is_there, &|_| {}, &make, span);
        Some(Place { mutable: true, ..self.entry_at(&map, key) })
    }

    /// `Default::default()`.
    pub(super) fn made_default(&mut self, span: Span) -> Value {
        let path = syn::parse_quote_spanned!(span=> ::core::default::Default::default);
        self.plain_call(&path, &[], span)
    }

    // --- loops

    /// The part of a map that a method goes through.
    pub(super) fn part_of_map(&self, receiver: ExprId, name: &str) -> Option<Part> {
        match name {
            "iter" | "iter_mut" | "into_iter" if self.is_map(receiver) => Some(Part::Entries),
            "values" | "values_mut" if self.may_be_map(receiver) => Some(Part::Values),
            "keys" if self.may_be_map(receiver) => Some(Part::Keys),
            _ => None,
        }
    }

    /// Whether an expression goes through a map only if its receiver is one, which does not show.
    pub(super) fn is_open_part(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, .. } => {
                ["values", "values_mut", "keys"].iter().any(|part| name == part)
                    && !self.is_map(*receiver)
            }
            _ => false,
        }
    }

    /// Whether an expression is a map, or a variable or a field whose type does not show.
    fn may_be_map(&self, expr: ExprId) -> bool {
        self.is_map(expr) || self.is_plain(expr)
    }

    /// The entries of a map that is gone through by itself, or by a reference.
    pub(super) fn consumed_entries(&mut self, map: ExprId, span: Span) -> Option<Source> {
        match self.reference(map) {
            Some((place, mutable)) => {
                Some(self.entries(place, Part::Entries, By::reference(mutable), span))
            }
            None => {
                let place = self.base(map);
                (!self.diverged).then(|| self.entries(place, Part::Entries, By::Value, span))
            }
        }
    }

    /// The entries of a map, with the keys that there are now.
    pub(super) fn entries(&mut self, map: Place, part: Part, by: By, span: Span) -> Source {
        let keys = self.keys_of(&map, span);
        Source::Entries { map, keys, part, by }
    }

    /// The keys of a map or the elements of a set, in its own order.
    pub(super) fn keys_of(&mut self, place: &Place, span: Span) -> Place {
        let op = Op::Measure(Method::Keys.ident(span), place.path.clone());
        let args = self.operands(place);
        let keys = self.inst(op, args, Type::Vec(Box::new(Type::Constant)), "keys", span);
        self.held(keys, "keys", span)
    }

    /// The entry, or the part of one, that has an index among the keys.
    pub(super) fn entry_item(
        &mut self,
        (map, keys): (&Place, &Place),
        (part, by): (Part, By),
        index: Value,
        span: Span,
    ) -> Item {
        let at = self.element(keys, index);
        let key = match by {
            By::Value => Item::Value(self.key_in(&at, span)),
            By::Shared | By::Unique => Item::Place(at.clone(), By::Shared),
        };
        if part == Part::Keys {
            return key;
        }
        let copy = self.key_in(&at, span);
        let entry = self.entry_at(map, copy);
        let value = match by {
            By::Value => Item::Value(self.copied(&entry, span)),
            By::Shared | By::Unique => Item::Place(entry, by),
        };
        match part {
            Part::Entries => Item::Tuple(vec![key, value]),
            Part::Keys | Part::Values => value,
        }
    }
}

fn names(ty: &syn::Type, is_named: &dyn Fn(&Ident) -> bool) -> bool {
    match crate::syntax::signature::plain(ty) {
        syn::Type::Reference(reference) => names(&reference.elem, is_named),
        syn::Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| is_named(&last.ident))
        }
        _ => false,
    }
}

fn is_map_name(name: &Ident) -> bool {
    name == "BTreeMap" || name == "HashMap"
}

fn is_set_name(name: &Ident) -> bool {
    name == "BTreeSet" || name == "HashSet"
}
