//! Methods that change how many elements a vector has, and those that copy or divide slices.
//!
//! In: `v.truncate(n)`, `v.resize(n, x)`, `a.copy_from_slice(b)`, `a.split_at(k)` and kin. Out: loops of insertions, removals
//! and stores of single elements, with the checks that the standard library makes.

use super::element::Message;
use super::pattern::By;
use super::stream::Item;
use super::{Lower, Place};
use crate::hir::{ExprId, ExprKind, PatId};
use crate::ir::{End, Ends, Op, Projection, Type, Value};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// Methods that change the length.
    pub(super) fn resizing_method(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        match (name, arguments) {
            ("truncate", [len]) => {
                let len = self.number_at(*len);
                self.shrink(place, len, span);
            }
            ("clear", []) => {
                let empty = self.default_of(&place.ty.clone(), span);
                self.replace(place, empty, span);
            }
            ("resize", [len, value]) => {
                let len = self.number_at(*len);
                let value = self.owned(*value);
                let value = self.held(value, "held", span);
                self.shrink(place, len, span);
                self.grow_by(place, len, span, &|lower| Some(lower.copied(&value, span)));
            }
            ("extend_from_slice", [source]) => {
                let source = self.referent_of(*source);
                let (start, len) = (self.number(0, span), self.measured("len", &source, span));
                self.over_indices(start, len, span, &|lower, index| {
                    let element = lower.element(&source, index);
                    let value = lower.copied(&element, span);
                    lower.insert(place, End::Last, None, value, span);
                });
            }
            ("copy_from_slice" | "clone_from_slice", [source]) => {
                self.copy_from(place, *source, span);
            }
            ("swap_remove", [index]) => return Some(self.swap_remove(place, *index, span)),
            _ => return None,
        }
        Some(if self.diverged { Value(0) } else { self.unit() })
    }

    /// `Vec::from` of a slice or an array.
    pub(super) fn vector_from(&mut self, source: ExprId, span: Span) -> Option<Value> {
        let place = self.known_sequence(source)?;
        match place.ty {
            Type::Vec(_) => None,
            _ => self.copy(&place, "to_vec", span),
        }
    }

    /// `[a, b].concat()` of slices, arrays and vectors.
    pub(super) fn concatenated(&mut self, parts: &[ExprId], span: Span) -> Option<Value> {
        if !parts.iter().all(|part| self.is_known_sequence(*part)) {
            return None;
        }
        let parts: Option<Vec<Place>> =
            parts.iter().map(|part| self.known_sequence(*part)).collect();
        let whole = self.default_of(&Type::Vec(Box::new(Type::Unknown)), span);
        let whole = self.held(whole, "whole", span);
        for part in parts? {
            let (start, len) = (self.number(0, span), self.measured("len", &part, span));
            self.over_indices(start, len, span, &|lower, index| {
                let element = lower.element(&part, index);
                let value = lower.copied(&element, span);
                lower.insert(&whole, End::Last, None, value, span);
            });
        }
        Some(self.take_state(&whole, span))
    }

    /// Whether an expression is an array that is written there, or a variable that holds a slice, an array or a vector, or a
    /// reference to it or to a part of it.
    fn is_known_sequence(&self, expr: ExprId) -> bool {
        let is_variable = |expr: ExprId| self.shown_type(expr).is_some_and(|ty| ty.is_aggregate());
        let place = match self.body.expr(expr).kind {
            ExprKind::Borrow { place, .. } => place,
            _ => expr,
        };
        match self.body.expr(place).kind {
            ExprKind::Array(_) | ExprKind::Repeat(..) => true,
            ExprKind::Index(base, index) => {
                place != expr && self.is_range(index) && is_variable(base)
            }
            _ => is_variable(place),
        }
    }

    fn known_sequence(&mut self, expr: ExprId) -> Option<Place> {
        if !self.is_known_sequence(expr) {
            return None;
        }
        let place = match self.body.expr(expr).kind {
            ExprKind::Borrow { place, .. } => place,
            _ => expr,
        };
        match self.body.expr(place).kind {
            ExprKind::Array(_) | ExprKind::Repeat(..) => Some(self.temporary(place)),
            _ => Some(self.referent_of(expr)),
        }
    }

    pub(super) fn number_at(&mut self, expr: ExprId) -> Value {
        let (value, span) = (self.expr(expr), self.span(expr));
        if self.diverged { value } else { self.operand_value(value, span) }
    }

    /// What stands behind an argument of type `&[T]`.
    pub(super) fn referent_of(&mut self, source: ExprId) -> Place {
        match self.reference(source) {
            Some((place, _)) => place,
            None => self.base(source),
        }
    }

    /// Takes out elements behind a length.
    pub(super) fn shrink(&mut self, place: &Place, len: Value, span: Span) {
        let all = self.measured("len", place, span);
        let count = self.integer("saturating_sub", vec![all, len], span);
        let start = self.number(0, span);
        self.over_indices(start, count, span, &|lower, _| {
            lower.removed(place, End::Last, None, span);
        });
    }

    /// Adds values up to a length.
    pub(super) fn grow_by(
        &mut self,
        place: &Place,
        len: Value,
        span: Span,
        make: &dyn Fn(&mut Lower<'a>) -> Option<Value>,
    ) {
        let before = self.measured("len", place, span);
        self.over_indices(before, len, span, &|lower, _| {
            if let Some(value) = make(lower) {
                lower.insert(place, End::Last, None, value, span);
            }
        });
    }

    fn copy_from(&mut self, place: &Place, source: ExprId, span: Span) {
        let source = self.referent_of(source);
        let lens = [&source, place].map(|place| self.measured("len", place, span));
        let text = "copy_from_slice: source slice length ({}) does not match destination slice length ({})";
        self.bounded(syn::BinOp::Eq(syn::Token![==](span)), lens, text, span);
        let (start, len) = (self.number(0, span), self.measured("len", place, span));
        self.over_indices(start, len, span, &|lower, index| {
            let from = lower.element(&source, index);
            let value = lower.copied(&from, span);
            let to = lower.element(place, index);
            lower.write(&to, value, span);
        });
    }

    fn swap_remove(&mut self, place: &Place, index: ExprId, span: Span) -> Value {
        let at = self.number_at(index);
        let len = self.measured("len", place, span);
        let text = "swap_remove index (is {}) should be < len (is {})";
        self.bounded(syn::BinOp::Lt(syn::Token![<](span)), [at, len], text, span);
        let one = self.number(1, span);
        let last = self.apply("sub", vec![len, one], Type::Int, span);
        let (first, last) = (self.element(place, at), self.element(place, last));
        self.exchange(&first, &last, span);
        self.removed(place, End::Last, None, span)
    }

    /// Panics with two numbers, which the text has, unless they compare.
    pub(super) fn bounded(
        &mut self,
        operator: syn::BinOp,
        numbers: [Value; 2],
        text: &'static str,
        span: Span,
    ) {
        self.panic_unless(operator, numbers, Message::Numbers(text, numbers), span);
    }

    /// Panics unless two numbers compare.
    pub(super) fn panic_unless(
        &mut self,
        operator: syn::BinOp,
        numbers: [Value; 2],
        message: Message,
        span: Span,
    ) {
        let fits = self.inst(Op::Binary(operator), numbers.to_vec(), Type::Bool, "fits", span);
        self.either(fits, &|_| {}, &|lower| lower.panic(&message, span), span);
    }

    /// `let (a, b) = x.split_at_mut(k)`: two parts of one slice.
    pub(super) fn bind_halves(&mut self, pattern: PatId, init: ExprId) -> bool {
        let ExprKind::Method { receiver, name, arguments, .. } = self.body.expr(init).kind.clone()
        else {
            return false;
        };
        let mutable = name == "split_at_mut";
        let ([at], true) = (&arguments[..], mutable || name == "split_at") else { return false };
        let place = self.base(receiver);
        let at = self.number_at(*at);
        if !self.diverged {
            let by = By::reference(mutable);
            let halves = [false, true].map(|start| Item::Place(half(&place, start, at), by));
            self.bind_item(pattern, &Item::Tuple(halves.to_vec()));
        }
        true
    }
}

/// The part of a slice before an index, or from it on.
fn half(place: &Place, start: bool, at: Value) -> Place {
    let mut part = place.clone();
    part.path.push(Projection::Range(Ends { start, end: !start, inclusive: false }));
    part.indices.push(at);
    part.ty = Type::Slice(Box::new(place.ty.element()));
    part.depth = 0;
    part
}
