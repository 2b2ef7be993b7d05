//! What an element of a chain is, and how a pattern names it.

use super::super::pattern::By;
use super::super::{Lower, Place, Storage};
use crate::hir::{Mode, PatId, PatKind};
use crate::ir::{Op, Projection, Type, Value};
use proc_macro2::Span;

/// An element.
#[derive(Clone)]
pub(in crate::lower) enum Item {
    /// A part of a place, or a reference to it.
    Place(Place, By),
    Value(Value),
    Tuple(Vec<Item>),
}

impl Item {
    /// What `copied` makes of it.
    pub fn copied(self) -> Item {
        match self {
            Item::Place(place, _) => Item::Place(place, By::Value),
            item => item,
        }
    }

    /// Whether it may be kept as a value: no part of it is a reference.
    pub fn is_value(&self) -> bool {
        match self {
            Item::Place(_, by) => *by == By::Value,
            Item::Value(_) => true,
            Item::Tuple(items) => items.iter().all(Item::is_value),
        }
    }
}

impl<'a> Lower<'a> {
    /// The element as a value.
    pub(in crate::lower) fn item_value(&mut self, item: &Item, span: Span) -> Value {
        match item {
            Item::Place(place, _) => {
                let value = self.read(place, span);
                self.kept(value, span)
            }
            Item::Value(value) => *value,
            Item::Tuple(items) => {
                let items = items.iter().map(|item| self.item_value(item, span)).collect();
                self.tuple(items, span)
            }
        }
    }

    /// The element as a value of its own, which a collection takes over. What its type is only rustc knows, so it may not
    /// be `Copy`.
    pub(in crate::lower) fn item_to_keep(&mut self, item: &Item, span: Span) -> Value {
        match item {
            Item::Place(place, _) if place.ty == Type::Unknown => self.copied(place, span),
            item => self.item_value(item, span),
        }
    }

    /// A reference to an element.
    pub(super) fn referenced(&mut self, item: &Item, span: Span) -> Item {
        match item {
            Item::Place(place, By::Value) => Item::Place(place.clone(), By::Shared),
            Item::Place(place, by) => {
                Item::Place(Place { depth: place.depth + 1, ..place.clone() }, *by)
            }
            Item::Value(value) => Item::Place(self.held(*value, "item", span), By::Shared),
            Item::Tuple(items) => {
                Item::Tuple(items.iter().map(|item| self.referenced(item, span)).collect())
            }
        }
    }

    /// What a pattern `&p` has inside.
    fn dereferenced(&self, item: Item) -> Item {
        match item {
            Item::Place(place, by) if place.depth > 0 => {
                Item::Place(Place { depth: place.depth - 1, ..place }, by)
            }
            Item::Place(place, By::Value) => Item::Place(self.referred(place), By::Value),
            Item::Place(place, _) => Item::Place(place, By::Value),
            Item::Value(value) => Item::Value(value),
            Item::Tuple(items) => {
                Item::Tuple(items.into_iter().map(|item| self.dereferenced(item)).collect())
            }
        }
    }

    /// Binds the names of a pattern to an element.
    pub(in crate::lower) fn bind_item(&mut self, pattern: PatId, item: &Item) {
        let data = self.body.pat(pattern);
        match (&data.kind, item) {
            (PatKind::Wild | PatKind::Rest, _) => {}
            (PatKind::Typed(inner, _), Item::Tuple(_)) => self.bind_item(*inner, item),
            (PatKind::Tuple(patterns), Item::Tuple(items)) if patterns.len() == items.len() => {
                for (pattern, item) in patterns.iter().zip(items) {
                    self.bind_item(*pattern, item);
                }
            }
            (PatKind::Reference(inner), item) => {
                let inside = self.dereferenced(item.clone());
                self.bind_item(*inner, &inside);
            }
            (_, Item::Place(place, by)) => self.bind_parts_of(pattern, place, *by),
            (_, Item::Value(value)) => {
                self.bind_value(pattern, *value);
            }
            (PatKind::Bind(binding), Item::Tuple(items))
                if binding.mode == Mode::Default
                    && binding.inner.is_none()
                    && !self.body.local(binding.local).is_mutable =>
            {
                let items = items.iter().map(|item| self.placed(item)).collect();
                self.storage.insert(binding.local, Storage::Parts(items));
            }
            (_, item) if item.is_value() => {
                let value = self.item_value(item, data.span);
                self.bind_value(pattern, value);
            }
            _ => self.refuse_pattern(pattern),
        }
    }

    /// An element whose parts are all places.
    fn placed(&mut self, item: &Item) -> Item {
        match item {
            Item::Place(..) => item.clone(),
            Item::Value(value) => {
                let span = self.builder.function.value(*value).span;
                Item::Place(self.held(*value, "part", span), By::Value)
            }
            Item::Tuple(items) => Item::Tuple(items.iter().map(|item| self.placed(item)).collect()),
        }
    }

    // --- windows

    /// A part of a slice of a length that is known: its elements are those of the slice.
    pub(super) fn window(
        &mut self,
        base: &Place,
        start: Value,
        len: super::Size,
        span: Span,
    ) -> Place {
        let end = self.apply("add", vec![start, len.value], Type::Int, span);
        if let Some(len) = len.literal {
            self.windows.insert(end, (start, len));
        }
        self.between(base, start, end)
    }

    /// `base[start..end]`.
    pub(in crate::lower) fn between(&mut self, base: &Place, start: Value, end: Value) -> Place {
        let mut part = base.clone();
        let ends = crate::ir::Ends { start: true, end: true, inclusive: false };
        part.path.push(Projection::Range(ends));
        part.indices.extend([start, end]);
        part.ty = Type::Slice(Box::new(base.ty.element()));
        part.depth = 0;
        part
    }

    /// `w[1]` of a window `a[i..i + 2]` as `a[i + 1]`: the window is long enough.
    pub(in crate::lower) fn in_window(
        &mut self,
        window: &Place,
        index: Value,
        span: Span,
    ) -> Option<Place> {
        if !matches!(window.path.last(), Some(Projection::Range(_))) {
            return None;
        }
        let (start, len) = *self.windows.get(window.indices.last()?)?;
        let at = self.literal_number(index).filter(|at| *at < len)?;
        let mut base = window.clone();
        base.path.pop();
        base.indices.truncate(window.indices.len() - 2);
        base.ty = Type::Slice(Box::new(window.ty.element()));
        let at = match at {
            0 => start,
            _ => self.apply("add", vec![start, index], Type::Int, span),
        };
        Some(self.element(&base, at))
    }

    /// The number that the open block's literal is.
    pub(super) fn literal_number(&mut self, value: Value) -> Option<usize> {
        let insts = &self.builder.block().insts;
        match &insts.iter().rev().find(|inst| inst.results == [value])?.op {
            Op::Literal(syn::Lit::Int(int)) => int.base10_parse().ok(),
            _ => None,
        }
    }
}
