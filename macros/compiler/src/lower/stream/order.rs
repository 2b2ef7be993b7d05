//! Slices that are put in order, and what is looked for in one that is.
//!
//! In: `v.sort_by(..)` or `v.partition_point(..)`. Out: loops. A sort merges runs of positions (Knuth 1998, 5.2.4),
//! which have no derivatives, and moves each element once, so that nothing of the order is differentiated or undone.
//!
//! Invariant: the order is that of the standard library. Of a sort that may leave equal elements in any order only
//! comparisons of whole elements are taken, where equal elements are the same.

use super::super::pattern::By;
use super::super::{Lower, Place};
use super::choose::Order;
use super::{Function, Item, Numbers, Source, Stream};
use crate::diag;
use crate::hir::{Closure, ExprId, ExprKind, Local};
use crate::ir::{Op, Type, Value};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// A method that puts a slice in order or looks for something in an order. `None` is for other methods, and for
    /// comparisons that are not understood.
    pub(in crate::lower) fn ordering_method(
        &mut self,
        slice: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let [argument] = arguments[..] else { return None };
        match name {
            "sort_by" | "sort_unstable_by" => {
                let compare = self.quiet_function(argument, 2)?;
                let keeps_equals = name == "sort_by";
                if !keeps_equals && !self.compares_wholes(&compare) {
                    return None;
                }
                self.sorted((name, slice), &Order::By(compare), span)
            }
            "sort_by_key" | "sort_by_cached_key" => {
                let key = self.quiet_function(argument, 1)?;
                self.sorted((name, slice), &Order::Key(key), span)
            }
            "partition_point" => {
                let test = self.quiet_function(argument, 1)?;
                Some(self.partition_point(slice, &test, span))
            }
            _ => None,
        }
    }

    fn sorted(
        &mut self,
        (name, slice): (&str, &Place),
        compare: &Order,
        span: Span,
    ) -> Option<Value> {
        let count = self.measured("len", slice, span);
        let order = self.positions(count, "order", span)?;
        let merged = self.positions(count, "merged", span)?;
        // Runs of one element become runs of two, and so on: there are as many passes as `count - 1` has bits.
        let whole = self.method_of(count, "next_power_of_two", span);
        let passes = self.method_of(whole, "trailing_zeros", span);
        let zero = self.number(0, span);
        self.over_indices(zero, passes, span, &|lower, pass| {
            let width = lower.shifted_one(pass, span);
            let two = lower.number(2, span);
            let both = lower.apply("mul", vec![two, width], Type::Int, span);
            let runs = lower.integer("div_ceil", vec![count, both], span);
            let zero = lower.number(0, span);
            lower.over_indices(zero, runs, span, &|lower, run| {
                let start = lower.apply("mul", vec![run, both], Type::Int, span);
                let middle = lower.moved_up(start, width, count, span);
                let end = lower.moved_up(middle, width, count, span);
                let merge = Merge { name, slice, order: &order, merged: &merged, compare };
                lower.merge(&merge, [start, middle, end], span);
            });
            lower.exchange(&order, &merged, span);
        });
        self.put_in_order(slice, &order, count, span);
        Some(self.unit())
    }

    /// `0..count` in a vector.
    fn positions(&mut self, count: Value, name: &str, span: Span) -> Option<Place> {
        let numbers = Numbers {
            start: self.number(0, span),
            end: Some(count),
            inclusive: false,
            of_indices: true,
            is_from_zero: true,
            next: None,
        };
        let stream = Stream::of(Source::Range(numbers), span);
        let ty = syn::parse_quote!(::cotangent::__private::Vec<usize>);
        let positions = self.collect(&stream, Some(&ty), span)?;
        Some(self.held(positions, name, span))
    }

    fn method_of(&mut self, value: Value, name: &str, span: Span) -> Value {
        let method = Op::Method(proc_macro2::Ident::new(name, span));
        self.inst(method, vec![value], Type::Int, name, span)
    }

    /// `1usize << by`.
    fn shifted_one(&mut self, by: Value, span: Span) -> Value {
        let one = syn::Lit::Int(syn::LitInt::new("1usize", span));
        let one = self.inst(Op::Literal(one), Vec::new(), Type::Int, "one", span);
        let shift = syn::BinOp::Shl(syn::Token![<<](span));
        self.inst(Op::Binary(shift), vec![one, by], Type::Int, "width", span)
    }

    /// `min(at + by, most)`.
    fn moved_up(&mut self, at: Value, by: Value, most: Value, span: Span) -> Value {
        let up = self.apply("add", vec![at, by], Type::Int, span);
        self.integer("min", vec![up, most], span)
    }

    /// Two neighbouring runs of positions as one. Of equals, those of the first come first.
    fn merge(&mut self, merge: &Merge, [start, middle, end]: [Value; 3], span: Span) {
        let left = self.held(start, "left", span);
        let right = self.held(middle, "right", span);
        self.over_indices(start, end, span, &|lower, index| {
            let takes_left = lower.takes_left(merge, [&left, &right], [middle, end], span);
            let taken = |lower: &mut Lower<'a>, run: &Place| {
                let at = lower.counted_up(run, span);
                let from = lower.element(merge.order, at);
                let position = lower.read(&from, span);
                let to = lower.element(merge.merged, index);
                lower.write(&to, position, span);
            };
            lower.either(
                takes_left,
                &|lower| taken(lower, &left),
                &|lower| taken(lower, &right),
                span,
            );
        });
    }

    /// Whether the next position is that of the first run.
    fn takes_left(
        &mut self,
        merge: &Merge,
        [left, right]: [&Place; 2],
        [middle, end]: [Value; 2],
        span: Span,
    ) -> Value {
        let is_left = self.is_below(left, middle, span);
        let compared = |lower: &mut Lower<'a>| {
            let [a, b] = [left, right].map(|run| {
                let at = lower.read_state(run, span);
                let position = lower.element(merge.order, at);
                let position = lower.read(&position, span);
                // The comparison is given references to these.
                Item::Place(lower.element(merge.slice, position), By::Value)
            });
            let Some(is_after) = lower.compared_in(merge.compare, &[a, b], span) else {
                lower.reports.report(span, &diag::COLLECTION_METHOD, merge.name);
                return Some(lower.boolean(true));
            };
            Some(lower.inst(Op::Not, vec![is_after], Type::Bool, "not", span))
        };
        let value = self.if_else(
            is_left,
            &|lower| {
                let is_right = lower.is_below(right, end, span);
                lower.if_else(is_right, &compared, &|lower| Some(lower.boolean(true)), span)
            },
            &|lower| Some(lower.boolean(false)),
            span,
        );
        self.value_or_never(value)
    }

    fn is_below(&mut self, place: &Place, end: Value, span: Span) -> Value {
        let at = self.read_state(place, span);
        self.comparison(syn::BinOp::Lt(syn::Token![<](span)), at, end, span)
    }

    /// Moves the elements to where an order of their positions says, each by one exchange.
    fn put_in_order(&mut self, slice: &Place, order: &Place, count: Value, span: Span) {
        // Where each element is by now, and which is at each place.
        let (Some(places), Some(held)) =
            (self.positions(count, "place", span), self.positions(count, "held", span))
        else {
            return self.unsupported("a vector of positions");
        };
        let zero = self.number(0, span);
        self.over_indices(zero, count, span, &|lower, index| {
            let wanted = lower.position_in(order, index, span);
            let from = lower.position_in(&places, wanted, span);
            let moved = lower.position_in(&held, index, span);
            lower.set_number(&held, from, moved, span);
            lower.set_number(&places, moved, from, span);
            lower.set_number(order, index, from, span);
        });
        let zero = self.number(0, span);
        self.over_indices(zero, count, span, &|lower, index| {
            let from = lower.position_in(order, index, span);
            let first = lower.element(slice, index);
            let second = lower.element(slice, from);
            lower.exchange(&first, &second, span);
        });
    }

    fn position_in(&mut self, numbers: &Place, index: Value, span: Span) -> Value {
        let element = self.element(numbers, index);
        self.read(&element, span)
    }

    fn set_number(&mut self, numbers: &Place, index: Value, number: Value, span: Span) {
        let element = self.element(numbers, index);
        self.write(&element, number, span);
    }

    /// Halves what is left, from the whole slice on.
    fn partition_point(&mut self, slice: &Place, test: &Function, span: Span) -> Value {
        let low = self.counter("low", span);
        let count = self.measured("len", slice, span);
        let high = self.held(count, "high", span);
        let target = self.own_target();
        self.counted(target, None, super::super::control::Head::Endless, span, &|lower, _| {
            let end = lower.read_state(&high, span);
            let goes_on = lower.is_below(&low, end, span);
            lower.either(
                goes_on,
                &|lower| lower.halve(slice, test, [&low, &high], span),
                &|lower| lower.leave(target, true),
                span,
            );
        });
        self.take_state(&low, span)
    }

    fn halve(&mut self, slice: &Place, test: &Function, [low, high]: [&Place; 2], span: Span) {
        let (start, end) = (self.read_state(low, span), self.read_state(high, span));
        let left = self.apply("sub", vec![end, start], Type::Int, span);
        let two = self.number(2, span);
        let half = self.apply("div", vec![left, two], Type::Int, span);
        let middle = self.apply("add", vec![start, half], Type::Int, span);
        let item = Item::Place(self.element(slice, middle), By::Shared);
        let is_before = self.apply_to(test, &[item], span);
        if self.diverged {
            return;
        }
        let is_before = self.item_value(&is_before, span);
        self.either(
            is_before,
            &|lower| {
                let one = lower.number(1, span);
                let next = lower.apply("add", vec![middle, one], Type::Int, span);
                lower.write(low, next, span);
            },
            &|lower| lower.write(high, middle, span),
            span,
        );
    }

    /// Whether it is the elements themselves that are compared: `|a, b| a.total_cmp(b)`, or a function of both.
    fn compares_wholes(&self, compare: &Function) -> bool {
        let Function::Closure(value) = compare else { return true };
        let own = self.parameters(&value.closure);
        let is_whole = |expr: &ExprId| match &self.body.expr(*expr).kind {
            ExprKind::Local(local) => own.contains(&Some(*local)),
            _ => false,
        };
        match &self.body.expr(self.comparison_in(value.closure.body)).kind {
            ExprKind::Method { receiver, arguments, .. } => {
                is_whole(receiver) && arguments.iter().all(is_whole)
            }
            ExprKind::Call(_, arguments) => arguments.iter().all(is_whole),
            _ => false,
        }
    }

    fn parameters(&self, closure: &Closure) -> Vec<Option<Local>> {
        let binding = |pattern| self.plain_binding(pattern).map(|binding| binding.local);
        closure.params.iter().map(|pattern| binding(*pattern)).collect()
    }

    /// What `unwrap` or `expect` unwraps.
    fn comparison_in(&self, expr: ExprId) -> ExprId {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, .. } if name == "unwrap" || name == "expect" => {
                *receiver
            }
            _ => expr,
        }
    }
}

/// What a merge goes by.
struct Merge<'m> {
    /// The method.
    name: &'m str,
    slice: &'m Place,
    /// The positions of both runs.
    order: &'m Place,
    /// Where they go.
    merged: &'m Place,
    compare: &'m Order,
}
