//! Methods that move many elements of a slice or of a vector at once.
//!
//! In: `a.rotate_left(k)`, `a.copy_within(r, k)`, `v.append(&mut w)`, `v.split_off(k)`, `v.drain(r)` and kin. Out: loops of exchanges,
//! stores, insertions and removals of single elements, behind the checks that the standard library makes.
//!
//! Invariant: what the standard library moves is exchanged or taken out, and never copied: its type may not be `Clone`.

use super::element::Message;
use super::range::Bounds;
use super::{Lower, Place};
use crate::hir::ExprId;
use crate::ir::{End, Type, Value};
use proc_macro2::Span;

const START: &str = "range start index {} out of range for slice of length {}";
const END: &str = "range end index {} out of range for slice of length {}";
const ORDER: &str = "slice index starts at {} but ends at {}";

impl<'a> Lower<'a> {
    /// Methods of slices that move elements, and of vectors that take some out.
    pub(super) fn rearranging_method(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        match (name, arguments) {
            ("rotate_left" | "rotate_right", [by]) if place.ty.is_aggregate() => {
                self.rotate(place, *by, name == "rotate_left", span);
            }
            ("copy_within", [range, to]) if place.ty.is_aggregate() && self.is_range(*range) => {
                self.copy_within(place, *range, *to, span)?;
            }
            ("swap_with_slice", [other]) if place.ty.is_aggregate() => {
                let other = self.referent_of(*other);
                self.swap_with(place, &other, span);
            }
            ("append", [other]) if matches!(place.ty, Type::Vec(_)) => {
                let other = self.referent_of(*other);
                if !matches!(other.ty, Type::Vec(_)) {
                    return None;
                }
                let taken = self.emptied(&other, span);
                self.extend_by(place, &taken, span);
            }
            ("extend_from_within", [range])
                if matches!(place.ty, Type::Vec(_)) && self.is_range(*range) =>
            {
                self.extend_from_within(place, *range, span)?;
            }
            ("split_off", [at]) if matches!(place.ty, Type::Vec(_)) => {
                return Some(self.split_off(place, *at, span));
            }
            ("drain", [range]) if matches!(place.ty, Type::Vec(_)) && self.is_range(*range) => {
                let drained = self.drained(place, *range, span)?;
                return Some(self.take_state(&drained, span));
            }
            _ => return self.retaining_method(place, name, arguments, span),
        }
        Some(if self.diverged { Value(0) } else { self.unit() })
    }

    /// A rotation is three reversals.
    fn rotate(&mut self, place: &Place, by: ExprId, is_left: bool, span: Span) {
        let by = self.number_at(by);
        let len = self.measured("len", place, span);
        let message = match is_left {
            true => "assertion failed: mid <= self.len()",
            false => "assertion failed: k <= self.len()",
        };
        self.panic_unless(at_most(span), [by, len], Message::Text(message), span);
        let middle = match is_left {
            true => by,
            false => self.apply("sub", vec![len, by], Type::Int, span),
        };
        self.rotate_between(place, None, [middle, len], span);
    }

    /// Brings the elements from a middle on in front of those before it.
    fn rotate_between(
        &mut self,
        place: &Place,
        start: Option<Value>,
        [middle, end]: [Value; 2],
        span: Span,
    ) {
        self.mirror_between(place, start, middle, span);
        self.mirror_between(place, Some(middle), end, span);
        self.mirror_between(place, start, end, span);
    }

    /// Copies by way of a vector, since the two parts may overlap.
    fn copy_within(&mut self, place: &Place, range: ExprId, to: ExprId, span: Span) -> Option<()> {
        let bounds = self.bounds(range)?;
        let to = self.number_at(to);
        let [start, end] = self.section(place, bounds, span);
        let count = self.apply("sub", vec![end, start], Type::Int, span);
        let len = self.measured("len", place, span);
        let last = self.apply("sub", vec![len, count], Type::Int, span);
        let message = Message::Text("dest is out of bounds");
        self.panic_unless(at_most(span), [to, last], message, span);
        let part = self.between(place, start, end);
        let copied = self.copy(&part, "to_vec", span)?;
        let copied = self.held(copied, "copied", span);
        let zero = self.number(0, span);
        self.over_indices(zero, count, span, &|lower, index| {
            let from = lower.element(&copied, index);
            let value = lower.copied(&from, span);
            let at = lower.apply("add", vec![to, index], Type::Int, span);
            let element = lower.element(place, at);
            lower.write(&element, value, span);
        });
        Some(())
    }

    fn swap_with(&mut self, place: &Place, other: &Place, span: Span) {
        let lens = [place, other].map(|place| self.measured("len", place, span));
        let equal = syn::BinOp::Eq(syn::Token![==](span));
        let message = Message::Text("destination and source slices have different lengths");
        self.panic_unless(equal, lens, message, span);
        let (start, len) = (self.number(0, span), lens[0]);
        self.over_indices(start, len, span, &|lower, index| {
            let first = lower.element(place, index);
            let second = lower.element(other, index);
            lower.exchange(&first, &second, span);
        });
    }

    /// Takes all elements out of a vector, into one of their own.
    fn emptied(&mut self, place: &Place, span: Span) -> Place {
        let empty = self.default_of(&place.ty.clone(), span);
        let taken = self.replace(place, empty, span);
        self.held(taken, "taken", span)
    }

    fn extend_from_within(&mut self, place: &Place, range: ExprId, span: Span) -> Option<()> {
        let bounds = self.bounds(range)?;
        let [start, end] = self.section(place, bounds, span);
        self.over_indices(start, end, span, &|lower, index| {
            let element = lower.element(place, index);
            let value = lower.copied(&element, span);
            lower.insert(place, End::Last, None, value, span);
        });
        Some(())
    }

    fn split_off(&mut self, place: &Place, at: ExprId, span: Span) -> Value {
        let at = self.number_at(at);
        let len = self.measured("len", place, span);
        let text = "`at` split index (is {}) should be <= len (is {})";
        self.bounded(at_most(span), [at, len], text, span);
        let count = self.apply("sub", vec![len, at], Type::Int, span);
        let removed = self.taken_from_end(place, count, span);
        self.take_state(&removed, span)
    }

    /// The elements that `v.drain(r)` takes out of a vector, which go whether or not somebody asks for them.
    pub(super) fn drained(&mut self, place: &Place, range: ExprId, span: Span) -> Option<Place> {
        let bounds = self.bounds(range)?;
        if bounds.start.is_none() && bounds.end.is_none() {
            return Some(self.emptied(place, span));
        }
        let [start, end] = self.section(place, bounds, span);
        let count = self.apply("sub", vec![end, start], Type::Int, span);
        if bounds.end.is_some() {
            let len = self.measured("len", place, span);
            self.rotate_between(place, Some(start), [end, len], span);
        }
        Some(self.taken_from_end(place, count, span))
    }

    /// A vector of the last elements of another, which are taken out.
    fn taken_from_end(&mut self, place: &Place, count: Value, span: Span) -> Place {
        let empty = self.default_of(&place.ty.clone(), span);
        let taken = self.held(empty, "taken", span);
        let start = self.number(0, span);
        self.over_indices(start, count, span, &|lower, _| {
            let element = lower.removed(place, End::Last, None, span);
            lower.insert(&taken, End::Last, None, element, span);
        });
        let taken = self.variable_place(taken.var);
        self.mirror_between(&taken, None, count, span);
        taken
    }

    /// Where a part of a slice begins and where it ends, with the checks of the standard library.
    fn section(&mut self, place: &Place, bounds: Bounds, span: Span) -> [Value; 2] {
        let len = self.measured("len", place, span);
        if let Some(start) = bounds.start {
            self.bounded(at_most(span), [start, len], START, span);
        }
        let end = match bounds.end {
            Some(last) if bounds.is_inclusive => {
                let less = syn::BinOp::Lt(syn::Token![<](span));
                self.bounded(less, [last, len], END, span);
                let one = self.number(1, span);
                self.apply("add", vec![last, one], Type::Int, span)
            }
            Some(end) => {
                self.bounded(at_most(span), [end, len], END, span);
                end
            }
            None => len,
        };
        if let (Some(start), Some(_)) = (bounds.start, bounds.end) {
            self.bounded(at_most(span), [start, end], ORDER, span);
        }
        [bounds.start.unwrap_or_else(|| self.number(0, span)), end]
    }
}

fn at_most(span: Span) -> syn::BinOp {
    syn::BinOp::Le(syn::Token![<=](span))
}
