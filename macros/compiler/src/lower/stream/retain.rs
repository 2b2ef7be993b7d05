//! Methods that make or choose elements by a closure: `retain`, `dedup`, `resize_with`,
//! `fill_with`; `concat`.
//!
//! In: a place and a closure. Out: a loop that moves the elements which stay to the front by exchanges, and takes
//! out the rest.
//!
//! Invariant: the closure is called once for each element, in order.

use super::super::pattern::By;
use super::super::{Lower, Place};
use super::{Function, Item, Stage, Stream};
use crate::hir::ExprId;
use crate::ir::{Type, Value};
use proc_macro2::Span;

/// Whether the element at an index stays, given how many before it do.
type Test<'t, 'a> = &'t dyn Fn(&mut Lower<'a>, Value, &Place) -> Option<Value>;

impl<'a> Lower<'a> {
    /// Methods that are given closures; `dedup`.
    pub(in crate::lower) fn retaining_method(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_vector = matches!(place.ty, Type::Vec(_));
        match (name, arguments) {
            ("retain" | "retain_mut", [test]) if is_vector => {
                let test = self.function_of(*test, 1)?;
                self.retain(place, &test, By::reference(name == "retain_mut"), span);
            }
            ("dedup", []) if is_vector && is_number(&place.ty.element()) => {
                self.dedup(place, span);
            }
            ("fill_with", [make]) if place.ty.is_aggregate() => {
                let make = self.function_of(*make, 0)?;
                self.fill_with(place, &make, span);
            }
            ("concat", []) if place.ty.element().is_aggregate() => {
                return self.flattened(place, span);
            }
            ("resize_with", [len, make]) if is_vector => {
                let len = self.number_at(*len);
                let make = self.function_of(*make, 0)?;
                self.shrink(place, len, span);
                self.grow_by(place, len, span, &|lower| lower.made_by(&make, span));
            }
            _ => return self.resizing_method(place, name, arguments, span),
        }
        Some(if self.diverged { Value(0) } else { self.unit() })
    }

    fn retain(&mut self, place: &Place, test: &Function, by: By, span: Span) {
        self.keep_where(place, span, &|lower, index, _| {
            let item = Item::Place(lower.element(place, index), by);
            let stays = lower.apply_to(test, &[item], span);
            (!lower.diverged).then(|| lower.item_value(&stays, span))
        });
    }

    /// An element stays unless it equals the last that does.
    fn dedup(&mut self, place: &Place, span: Span) {
        self.keep_where(place, span, &|lower, index, kept| {
            let count = lower.read_state(kept, span);
            let zero = lower.number(0, span);
            let equal = syn::BinOp::Eq(syn::Token![==](span));
            let is_first = lower.comparison(equal, count, zero, span);
            lower.if_else(
                is_first,
                &|lower| Some(lower.boolean(true)),
                &|lower| {
                    let one = lower.number(1, span);
                    let last = lower.apply("sub", vec![count, one], Type::Int, span);
                    let sides = [index, last].map(|at| {
                        let element = lower.element(place, at);
                        lower.read(&element, span)
                    });
                    let differ = syn::BinOp::Ne(syn::Token![!=](span));
                    Some(lower.comparison(differ, sides[0], sides[1], span))
                },
                span,
            )
        });
    }

    /// Moves the elements that stay to the front, and takes out those behind.
    fn keep_where(&mut self, place: &Place, span: Span, test: Test<'_, 'a>) {
        let kept = self.counter("kept", span);
        let (zero, len) = (self.number(0, span), self.measured("len", place, span));
        self.over_indices(zero, len, span, &|lower, index| {
            let Some(stays) = test(lower, index, &kept) else { return };
            lower.only_if(
                stays,
                &|lower| {
                    let at = lower.counted_up(&kept, span);
                    let (first, second) = (lower.element(place, at), lower.element(place, index));
                    lower.exchange(&first, &second, span);
                },
                span,
            );
        });
        let len = self.take_state(&kept, span);
        let len = self.contents(len, span);
        self.shrink(place, len, span);
    }

    /// The elements of slices, arrays or vectors, one after the other in a vector.
    fn flattened(&mut self, place: &Place, span: Span) -> Option<Value> {
        let mut parts = Stream::of_elements(place.clone(), By::Shared, span);
        parts.stages.extend([Stage::Flatten, Stage::Copied]);
        self.collect(&parts, None, span)
    }

    fn fill_with(&mut self, place: &Place, make: &Function, span: Span) {
        let (zero, len) = (self.number(0, span), self.measured("len", place, span));
        self.over_indices(zero, len, span, &|lower, index| {
            if let Some(value) = lower.made_by(make, span) {
                let element = lower.element(place, index);
                lower.write(&element, value, span);
            }
        });
    }

    /// Makes an element by a function without arguments.
    fn made_by(&mut self, make: &Function, span: Span) -> Option<Value> {
        let item = self.apply_to(make, &[], span);
        if self.diverged {
            return None;
        }
        let value = self.item_to_keep(&item, span);
        Some(self.contents(value, span))
    }
}

/// Whether elements are compared by the language itself.
fn is_number(ty: &Type) -> bool {
    ty.is_float() || matches!(ty, Type::Int | Type::Bool)
}
