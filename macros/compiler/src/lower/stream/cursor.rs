//! Iterators under a `mut` name, which `next`, `nth` and `peek` advance or look at: a chain and the position in it.
//!
//! In: `let mut all = a.iter();` and calls on `all`. Out: lookups by an index, which a variable of the compiler's own counts.
//!
//! Invariant: each element of the chain can be had by its index, and no closure of it changes anything, but for filters, which
//! are asked of each element when `next` comes to it. All other methods that borrow an iterator are refused, so that none is
//! taken to start from the beginning.

use super::super::control::Head;
use super::super::element::{Element, Lookup};
use super::super::{Lower, Place, Storage};
use super::position::Length;
use super::{Item, Stage, Stream};
use crate::hir::{ExprId, ExprKind, Local};
use crate::ir::{LoopKind, Type};
use proc_macro2::Span;
use std::rc::Rc;

/// Where an iterator is.
#[derive(Clone)]
pub(in crate::lower) struct Cursor {
    stream: Rc<Stream>,
    length: Length,
    /// The index of the next element.
    position: Place,
    /// The stages behind the part of the chain whose elements have positions: filters and copies.
    rest: Vec<Stage>,
}

impl<'a> Lower<'a> {
    /// Binds a `mut` name to a chain; `false` for chains that have no positions.
    pub(in crate::lower) fn bind_cursor(&mut self, local: Local, init: ExprId) -> bool {
        let span = self.span(init);
        let Some(mut stream) = self.read_stream(init) else { return false };
        let first = stream.stages.iter().position(|stage| matches!(stage, Stage::Filter(_)));
        let rest = first.map_or_else(Vec::new, |first| stream.stages.split_off(first));
        let leaves_out = |stage: &Stage| matches!(stage, Stage::Filter(_) | Stage::Copied);
        if !self.is_random_access(&stream) || !rest.iter().all(leaves_out) {
            return false;
        }
        self.apart_from(&mut stream, &|_, _| true);
        let Some(stream) = self.prepared(&stream) else { return false };
        let Some(length) = self.length(&stream) else { return false };
        if !rest.is_empty() && matches!(length, Length::Endless) {
            return false;
        }
        let position = self.counter("position", span);
        let stream = Rc::new(stream);
        self.storage.insert(local, Storage::Stream(stream.clone()));
        self.cursors.insert(local, Cursor { stream, length, position, rest });
        true
    }

    /// The name of an iterator that may be advanced.
    fn cursor_of(&self, expr: ExprId) -> Option<&Cursor> {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => self.cursors.get(local),
            _ => None,
        }
    }

    /// Whether a method borrows an iterator that is advanced, and is none that is known here.
    pub(in crate::lower) fn borrows_cursor(&self, receiver: ExprId, name: &str) -> bool {
        let borrows = matches!(
            name,
            "any"
                | "all"
                | "find"
                | "find_map"
                | "position"
                | "try_fold"
                | "try_for_each"
                | "by_ref"
        );
        // Behind a filter, elements are found one after the other.
        let counts = matches!(name, "nth" | "peek");
        self.cursor_of(receiver).is_some_and(|cursor| borrows || counts && !cursor.rest.is_empty())
    }

    /// The iterator under a name of which a chain takes as many elements as are counted, all of which are gone through:
    /// `all.by_ref().take(n)`, and what is done to each of these.
    pub(super) fn lent_part(&self, expr: ExprId) -> Option<Local> {
        let ExprKind::Method { receiver, name, .. } = &self.body.expr(expr).kind else {
            return None;
        };
        let is_each = matches!(
            name.to_string().as_str(),
            "map" | "filter" | "filter_map" | "copied" | "cloned" | "enumerate" | "inspect"
        );
        if name != "take" {
            return is_each.then(|| self.lent_part(*receiver)).flatten();
        }
        match &self.body.expr(*receiver).kind {
            ExprKind::Method { receiver, name, arguments, .. }
                if name == "by_ref" && arguments.is_empty() =>
            {
                let ExprKind::Local(local) = self.body.expr(*receiver).kind else { return None };
                self.cursors.get(&local).is_some_and(|it| it.rest.is_empty()).then_some(local)
            }
            _ => None,
        }
    }

    /// Whether a method lends the iterator of which a part is taken.
    pub(super) fn is_lent(&self, receiver: ExprId, name: &str) -> bool {
        let local = match self.body.expr(receiver).kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        name == "by_ref" && local.is_some() && local == self.lent
    }

    /// Puts an iterator behind the part that a chain takes.
    pub(super) fn step_over(&mut self, local: Local, stream: &Stream) {
        let Some(Cursor { stream: whole, length, position, .. }) =
            self.cursors.get(&local).cloned()
        else {
            return;
        };
        let start = whole.stages.len();
        if let [Stage::Skip(at), Stage::Take(count), ..] = stream.stages[start..] {
            let span = stream.span;
            let mut next = self.integer("saturating_add", vec![at, count], span);
            if let Length::Known(len) = length {
                next = self.integer("min", vec![next, len], span);
            }
            self.write(&position, next, span);
        }
    }

    /// Whether an expression advances an iterator under a name.
    pub(in crate::lower) fn is_step(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, arguments, turbofish: None } => {
                let is_step = match arguments.len() {
                    0 => name == "next",
                    1 => name == "nth",
                    _ => false,
                };
                is_step
                    && self.cursor_of(*receiver).is_some()
                    && !self.borrows_cursor(*receiver, &name.to_string())
            }
            _ => false,
        }
    }

    /// Whether an expression looks at the next element and leaves it there.
    pub(super) fn is_peek(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, arguments, .. } => {
                name == "peek" && arguments.is_empty() && self.cursor_of(*receiver).is_some()
            }
            _ => false,
        }
    }

    /// Returns the chain under a name from where its iterator is.
    pub(super) fn rest_of(&mut self, local: Local, stream: &Stream) -> Stream {
        let mut rest = stream.clone();
        if let Some(cursor) = self.cursors.get(&local).cloned() {
            let at = self.read_state(&cursor.position, stream.span);
            rest.stages.push(Stage::Skip(at));
            rest.stages.extend(cursor.rest);
        }
        rest
    }

    /// The element that `next`, `nth` or `peek` gives of an iterator under a name.
    pub(super) fn advanced(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Lookup> {
        let cursor = self.cursor_of(receiver)?.clone();
        if !cursor.rest.is_empty() {
            return self.next_that_stays(&cursor, span);
        }
        let Cursor { stream, length, position, .. } = cursor;
        let skipped = match arguments {
            [count] => Some(self.number_at(*count)),
            _ => None,
        };
        let at = self.read_state(&position, span);
        let index = match skipped {
            Some(count) => self.apply("add", vec![at, count], Type::Int, span),
            None => at,
        };
        let present = self.is_within(index, length, span);
        if name == "peek" {
            let lookup = self.chosen_element(present, &stream, index);
            return Some(self.looked_at(lookup, span));
        }
        let one = self.number(1, span);
        let mut next = self.apply("add", vec![index, one], Type::Int, span);
        if let Length::Known(len) = length {
            next = self.integer("min", vec![next, len], span);
        }
        self.write(&position, next, span);
        Some(self.chosen_element(present, &stream, index))
    }

    /// The next element that the filters behind the positions leave: each is asked once of each element, as far as the one
    /// that stays.
    fn next_that_stays(&mut self, cursor: &Cursor, span: Span) -> Option<Lookup> {
        let Length::Known(count) = cursor.length else { return None };
        let start = self.read_state(&cursor.position, span);
        let at = self.held(count, "found", span);
        let target = self.own_target();
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let head = Head::Range(vec![start, count], kind);
        self.counted(target, None, head, span, &|lower, index| {
            let index = index.expect("a range has an index");
            let item = lower.item_at(&cursor.stream, index);
            lower.staying(&cursor.rest, &item, span, &|lower| {
                lower.write(&at, index, span);
                lower.leave(target, true);
            });
        });
        let index = self.read_state(&at, span);
        let present = self.is_within(index, cursor.length, span);
        let one = self.number(1, span);
        let next = self.apply("add", vec![index, one], Type::Int, span);
        let next = self.integer("min", vec![next, count], span);
        self.write(&cursor.position, next, span);
        let is_copied = cursor.rest.iter().any(|stage| matches!(stage, Stage::Copied));
        let lookup = self.chosen_element(present, &cursor.stream, index);
        match is_copied {
            true => Some(Lookup { element: lookup.element.copied()?, ..lookup }),
            false => Some(lookup),
        }
    }

    /// Does something where an element passes all filters.
    fn staying(&mut self, rest: &[Stage], item: &Item, span: Span, then: &dyn Fn(&mut Lower<'a>)) {
        match rest.split_first() {
            None => then(self),
            Some((Stage::Filter(test), rest)) => {
                let Some(fits) = self.tested(test, item, span) else { return };
                self.only_if(fits, &|lower| lower.staying(rest, item, span, then), span);
            }
            Some((_, rest)) => self.staying(rest, &item.clone().copied(), span, then),
        }
    }

    /// The lookup of a reference to an element.
    fn looked_at(&mut self, lookup: Lookup, span: Span) -> Lookup {
        let lookup = Rc::new(std::cell::RefCell::new(lookup));
        let present = lookup.borrow().present;
        let make = move |lower: &mut Lower<'_>| {
            let item: Item = lower.element_item(&lookup);
            lower.referenced(&item, span)
        };
        Lookup { present, element: Element::Deferred { is_reference: true, make: Rc::new(make) } }
    }
}
