//! Iterators under a `mut` name, which `next`, `nth` and `peek` advance or look at: a chain and the position in it.
//!
//! In: `let mut all = a.iter();` and calls on `all`. Out: lookups by an index, which a variable of the compiler's own counts.
//!
//! Invariant: each element of the chain can be had by its index, and no closure of it changes anything. All other
//! methods that borrow an iterator are refused, so that none is taken to start from the beginning.

use super::super::element::{Element, Lookup};
use super::super::{Lower, Place, Storage};
use super::position::Length;
use super::{Item, Stage, Stream};
use crate::hir::{ExprId, ExprKind, Local};
use crate::ir::Type;
use proc_macro2::Span;
use std::rc::Rc;

/// Where an iterator is.
#[derive(Clone)]
pub(in crate::lower) struct Cursor {
    stream: Rc<Stream>,
    length: Length,
    /// The index of the next element.
    position: Place,
}

impl<'a> Lower<'a> {
    /// Binds a `mut` name to a chain; `false` for chains that have no positions.
    pub(in crate::lower) fn bind_cursor(&mut self, local: Local, init: ExprId) -> bool {
        let span = self.span(init);
        let Some(mut stream) = self.read_stream(init) else { return false };
        if !self.is_random_access(&stream) {
            return false;
        }
        self.apart_from(&mut stream, &|_, _| true);
        let Some(stream) = self.prepared(&stream) else { return false };
        let Some(length) = self.length(&stream) else { return false };
        let position = self.counter("position", span);
        let stream = Rc::new(stream);
        self.storage.insert(local, Storage::Stream(stream.clone()));
        self.cursors.insert(local, Cursor { stream, length, position });
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
            "any" | "all" | "find" | "position" | "try_fold" | "try_for_each" | "by_ref"
        );
        borrows && self.cursor_of(receiver).is_some()
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
                is_step && self.cursor_of(*receiver).is_some()
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
        let Cursor { stream, length, position } = self.cursor_of(receiver)?.clone();
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
