//! What a chain starts with.
//!
//! In: an expression. Out: a [`Source`] whose operands are evaluated.

use super::super::map::Part;
use super::super::pattern::By;
use super::super::{Lower, Place, Storage};
use super::axis::Axis;
use super::{Item, Numbers, Size, Source, Stage, Stream};
use crate::hir::{ExprId, ExprKind, Local};
use crate::ir::{Callee, Op, Type, Value};
use crate::syntax::is_variant_of_std;
use crate::syntax::standard::Standard;
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// Whether an expression is a chain, as its form and the types of its places show.
    pub(in crate::lower) fn is_stream(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Range { start, .. } => start.is_some(),
            _ if self.is_range(expr) => true,
            ExprKind::Local(local) => matches!(self.storage.get(local), Some(Storage::Stream(_))),
            ExprKind::Method { receiver, name, arguments, turbofish: None } => {
                let name = name.to_string();
                is_source(&name, arguments.len()) && !self.is_set(*receiver)
                    || self.is_drain(expr)
                    || self.is_lent(*receiver, &name)
                    || arguments.is_empty() && self.part_of_map(*receiver, &name).is_some()
                    || self.is_copy_of_stream(&name, *receiver)
                    || is_stage(&name, arguments.len()) && self.is_stream(*receiver)
            }
            ExprKind::Call(callee, _) => function(self.body, *callee).is_some_and(|function| {
                function.is_iterator() && function != Standard::OtherIterator
            }),
            _ => false,
        }
    }

    /// Whether a method takes elements out of what is known to be a vector, and goes through them.
    pub(in crate::lower) fn is_drain(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, arguments, turbofish: None } => {
                let is_range = |argument: &ExprId| self.is_range(*argument);
                name == "drain"
                    && arguments.len() == 1
                    && arguments.iter().all(is_range)
                    && matches!(self.shown_type(*receiver), Some(Type::Vec(_)))
            }
            _ => false,
        }
    }

    /// The type of a variable, or of what a name leads to.
    pub(in crate::lower) fn shown_type(&self, expr: ExprId) -> Option<Type> {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => match self.storage.get(local)? {
                Storage::Variable(var) => Some(self.variable_place(*var).ty),
                Storage::Alias(place) | Storage::Part(place) => Some(place.ty.clone()),
                Storage::Closure(_)
                | Storage::Function(_)
                | Storage::Parts(_)
                | Storage::Stream(_)
                | Storage::Range(_)
                | Storage::Pullback(_) => None,
            },
            ExprKind::Deref(inner) => self.shown_type(*inner),
            _ => None,
        }
    }

    /// Whether a method copies a chain that has a name: the copy is gone through from the start, too.
    fn is_copy_of_stream(&self, name: &str, receiver: ExprId) -> bool {
        name == "clone"
            && matches!(self.body.expr(receiver).kind, ExprKind::Local(_))
            && self.is_stream(receiver)
    }

    /// The chain that an expression is.
    pub(in crate::lower) fn read_stream(&mut self, expr: ExprId) -> Option<Stream> {
        if !self.is_stream(expr) {
            return None;
        }
        let span = self.span(expr);
        if self.is_range(expr) {
            let numbers = self.numbers_of(expr)?;
            return Some(Stream::of(Source::Range(numbers), span));
        }
        match self.body.expr(expr).kind.clone() {
            ExprKind::Local(local) => match self.storage.get(&local)? {
                Storage::Stream(stream) => {
                    let stream = stream.clone();
                    Some(self.rest_of(local, &stream))
                }
                _ => None,
            },
            ExprKind::Method { receiver, name, arguments, .. } => {
                let text = name.to_string();
                if !self.is_stream(receiver)
                    && arguments.is_empty()
                    && let Some(part) = self.part_of_map(receiver, &text)
                {
                    let source = self.source_of_map(receiver, &text, part, span)?;
                    return Some(Stream::of(source, span));
                }
                if self.is_lent(receiver, &text) {
                    return self.read_stream(receiver);
                }
                if self.is_drain(expr) {
                    let place = self.place(receiver)?;
                    let drained = self.drained(&place, arguments[0], span)?;
                    return Some(Stream::of_elements(drained, By::Value, span));
                }
                if is_source(&text, arguments.len()) && !self.is_stream(receiver) {
                    let source = self.source_method(receiver, &text, &arguments, span)?;
                    return Some(Stream::of(source, span));
                }
                let inner = self.read_stream(receiver)?;
                self.staged(inner, &text, &arguments, span)
            }
            ExprKind::Call(callee, arguments) => self.source_call(callee, &arguments, span),
            _ => None,
        }
    }

    /// The numbers of a range.
    fn numbers_of(&mut self, expr: ExprId) -> Option<Numbers> {
        let (of_indices, is_from_zero) = (self.is_range_of_indices(expr), self.is_from_zero(expr));
        let bounds = self.bounds(expr)?;
        Some(Numbers {
            start: bounds.start?,
            end: bounds.end,
            inclusive: bounds.is_inclusive,
            of_indices,
            is_from_zero,
            next: None,
        })
    }

    /// The range that is written, by way of names and copies.
    fn written_range(&self, expr: ExprId) -> ExprId {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => match self.initials.get(local) {
                Some(initial) if self.is_range(expr) => self.written_range(*initial),
                _ => expr,
            },
            ExprKind::Method { receiver, .. } => self.written_range(*receiver),
            _ => expr,
        }
    }

    /// Whether syntax shows that the numbers of a range are `usize`.
    fn is_range_of_indices(&self, expr: ExprId) -> bool {
        match self.body.expr(self.written_range(expr)).kind {
            ExprKind::Range { start, end, .. } => {
                start.into_iter().chain(end).any(|end| self.is_index(end))
            }
            _ => false,
        }
    }

    fn is_from_zero(&self, expr: ExprId) -> bool {
        match self.body.expr(self.written_range(expr)).kind {
            ExprKind::Range { start: Some(start), .. } => is_zero(self.body, start),
            _ => false,
        }
    }

    pub(in crate::lower) fn number_of(&mut self, expr: ExprId) -> Value {
        let (value, span) = (self.expr(expr), self.span(expr));
        self.contents(value, span)
    }

    /// Whether a chain begins with a method of a type that the macro does not see, which may be no iterator's.
    pub(in crate::lower) fn is_opaque_chain(&mut self, expr: ExprId) -> bool {
        let body = self.body;
        let ExprKind::Method { receiver, .. } = &body.expr(expr).kind else { return false };
        if self.is_stream(*receiver) {
            return self.is_opaque_chain(*receiver);
        }
        match &body.expr(*receiver).kind {
            _ if self.makes_sequence(*receiver) => false,
            ExprKind::Method { .. } | ExprKind::Call(..) => true,
            _ => {
                self.is_plain(*receiver)
                    && self.place(*receiver).is_some_and(|place| place.ty == Type::Unknown)
            }
        }
    }

    /// Whether syntax shows that a number is a `usize`.
    fn is_index(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Literal(syn::Lit::Int(int)) => int.suffix() == "usize",
            ExprKind::Cast(_, ty) => is_usize(ty),
            ExprKind::Binary(_, left, right) => self.is_index(*left) || self.is_index(*right),
            ExprKind::Method { receiver, name, .. } => {
                name == "len" || name == "count" || self.is_index(*receiver)
            }
            ExprKind::Local(local) => {
                self.body.local(*local).ty.as_ref().is_some_and(is_usize)
                    || self.indices.contains(local)
            }
            _ => false,
        }
    }

    /// Notes a variable that syntax shows to be a `usize`.
    pub(in crate::lower) fn note_index(&mut self, local: Local, init: ExprId) {
        if self.is_index(init) {
            self.indices.insert(local);
        }
    }

    /// What is gone through where any `IntoIterator` may stand: the operand of `zip`, say.
    pub(in crate::lower) fn read_iterable(&mut self, expr: ExprId) -> Option<Stream> {
        if self.is_stream(expr) {
            return self.read_stream(expr);
        }
        let span = self.span(expr);
        if self.is_map(expr) {
            let source = self.consumed_entries(expr, span)?;
            return Some(Stream::of(source, span));
        }
        if self.is_set(expr) || self.is_other_iterable(expr) {
            return None;
        }
        let source = self.consumed_elements(expr)?;
        Some(Stream::of(source, span))
    }

    /// Lists the items of a constant that has no elements in places: a range, a set, an iterator.
    pub(in crate::lower) fn listed(&mut self, expr: ExprId) -> Option<Stream> {
        let storage = self.body.root(expr).and_then(|local| self.storage.get(&local));
        match storage {
            Some(Storage::Variable(var) | Storage::Alias(Place { var, .. }))
                if self.inert.contains(var) => {}
            _ => return None,
        }
        if let Some(stream) = self.listed_set(expr) {
            return Some(stream);
        }
        let span = self.span(expr);
        let function = syn::parse_quote_spanned!(span=> ::cotangent::__private::listed);
        Some(self.list(expr, function))
    }

    /// Lists the items of what a function makes a vector of.
    pub(in crate::lower) fn list(&mut self, expr: ExprId, function: syn::ExprPath) -> Stream {
        let (operand, span) = (self.operand(expr), self.span(expr));
        let items = self.call_with(Callee::Path(function), false, vec![operand], span);
        self.annotate(items, &syn::parse_quote_spanned!(span=> ::cotangent::__private::Vec<_>));
        let place = self.held(items, "items", span);
        Stream::of_elements(place, By::Value, span)
    }

    /// Lists the elements of a set, like the keys of a map.
    fn listed_set(&mut self, expr: ExprId) -> Option<Stream> {
        let (set, is_lent) = match self.body.expr(expr).kind.clone() {
            ExprKind::Method { receiver, name, arguments, .. }
                if name == "iter" && arguments.is_empty() =>
            {
                (receiver, true)
            }
            _ => (expr, self.reference(expr).is_some()),
        };
        if !self.is_set(set) {
            return None;
        }
        let place = self.base(set);
        let span = self.span(expr);
        let keys = self.keys_of(&place, span);
        Some(Stream::of_elements(
            keys,
            if is_lent { By::reference(false) } else { By::Value },
            span,
        ))
    }

    /// Whether an expression is gone through in another way than by numbers of elements.
    pub(in crate::lower) fn is_other_iterable(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Closure(_) | ExprKind::Literal(_) | ExprKind::Range { .. } => true,
            ExprKind::Call(callee, _) => match &self.body.expr(*callee).kind {
                ExprKind::Item(path) => {
                    is_variant_of_std(&path.path, &["Some", "Ok"])
                        || Standard::named(&path.path).is_some_and(Standard::is_iterator)
                }
                _ => false,
            },
            ExprKind::Item(path) => is_variant_of_std(&path.path, &["None"]),
            ExprKind::Method { name, .. } => {
                is_stage(&name.to_string(), 0)
                    || is_stage(&name.to_string(), 1)
                    || OTHERS.iter().any(|other| name == other)
            }
            _ => false,
        }
    }

    /// The elements of what is consumed: of what is behind a reference they are references.
    fn consumed_elements(&mut self, expr: ExprId) -> Option<Source> {
        if let Some(lines) = self.lines(expr) {
            return lines;
        }
        if let Some((base, mutable)) = self.reference(expr) {
            return Some(Source::Elements { base, by: By::reference(mutable) });
        }
        let base = self.base(expr);
        (!self.diverged).then_some(Source::Elements { base, by: By::Value })
    }

    /// `a.iter()`, `a.windows(k)` and kin.
    fn source_method(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Source> {
        let mutable = name.ends_with("_mut");
        match (name.trim_end_matches("_mut"), arguments) {
            ("into_iter", []) => self.consumed_elements(receiver),
            ("iter", []) => {
                let base = self.elements_of(receiver)?;
                Some(Source::Elements { base, by: By::reference(mutable) })
            }
            ("outer_iter", []) => self.along(receiver, Axis::Outer),
            ("axis_iter", [axis]) => self.along_axis(receiver, *axis, span),
            ("windows", [size]) => {
                let base = self.elements_of(receiver)?;
                let size = self.size(*size, "window size must be non-zero", span);
                Some(Source::Windows { base, size })
            }
            (name @ ("chunks" | "chunks_exact"), [size]) => {
                let base = self.elements_of(receiver)?;
                let size = self.size(*size, "chunk size must be non-zero", span);
                let exact = name == "chunks_exact";
                Some(Source::Chunks { base, size, exact, mutable, all: None })
            }
            _ => None,
        }
    }

    /// `m.iter()`, `m.values_mut()` and kin.
    fn source_of_map(
        &mut self,
        receiver: ExprId,
        name: &str,
        part: Part,
        span: Span,
    ) -> Option<Source> {
        if name == "into_iter" {
            return self.consumed_entries(receiver, span);
        }
        let map = self.elements_of(receiver)?;
        Some(self.entries(map, part, By::reference(name.ends_with("_mut")), span))
    }

    pub(super) fn elements_of(&mut self, receiver: ExprId) -> Option<Place> {
        let base = self.base(receiver);
        let is_known = base.ty.is_aggregate() || base.ty == Type::Unknown;
        (is_known && !self.diverged).then_some(base)
    }

    /// A length that must not be zero.
    pub(super) fn size(&mut self, len: ExprId, message: &'static str, span: Span) -> Size {
        let literal = match &self.body.expr(len).kind {
            ExprKind::Literal(syn::Lit::Int(int)) => int.base10_parse::<usize>().ok(),
            _ => None,
        };
        let value = self.number_of(len);
        if literal.is_none_or(|len| len == 0) {
            let zero = self.number(0, span);
            let equal = syn::BinOp::Eq(syn::Token![==](span));
            let is_zero = self.inst(Op::Binary(equal), vec![value, zero], Type::Bool, "fits", span);
            self.panic_if(is_zero, message, span);
        }
        Size { value, literal }
    }

    /// Panics under a condition.
    pub(super) fn panic_if(&mut self, condition: Value, message: &'static str, span: Span) {
        let message = super::super::element::Message::Text(message);
        self.if_else(
            condition,
            &|lower| {
                lower.panic(&message, span);
                None
            },
            &|lower| Some(lower.unit()),
            span,
        );
    }

    /// `std::iter::zip(a, b)`, `repeat(x)`, `successors(Some(x), |x| ..)`.
    fn source_call(&mut self, callee: ExprId, arguments: &[ExprId], span: Span) -> Option<Stream> {
        match (function(self.body, callee)?, arguments) {
            (Standard::Zip, [first, second]) => {
                let mut first = self.read_iterable(*first)?;
                let second = self.read_iterable(*second)?;
                let zip = self.zipped(&first, second)?;
                first.stages.push(zip);
                Some(first)
            }
            (Standard::Repeat, [value]) => {
                let item = self.repeated(*value);
                Some(Stream::of(Source::Repeat(item), span))
            }
            (Standard::Once, [value]) => {
                let item = self.repeated(*value);
                let one = self.number(1, span);
                let mut once = Stream::of(Source::Repeat(item), span);
                once.stages.push(Stage::Take(one));
                Some(once)
            }
            (Standard::Successors, [first, next]) => {
                let ExprKind::Call(constructor, inside) = &self.body.expr(*first).kind else {
                    return None;
                };
                let ExprKind::Item(path) = &self.body.expr(*constructor).kind else { return None };
                let ([inside], true) = (&inside[..], is_variant_of_std(&path.path, &["Some"]))
                else {
                    return None;
                };
                let first = self.owned(*inside);
                let next = self.function_of(*next, 1)?;
                Some(Stream::of(Source::Successors { first, next }, span))
            }
            _ => None,
        }
    }

    fn repeated(&mut self, value: ExprId) -> Item {
        match self.reference(value) {
            Some((place, mutable)) => Item::Place(place, By::reference(mutable)),
            None => Item::Value(self.owned(value)),
        }
    }
}

/// The function of the standard library that a callee is.
fn function(body: &crate::hir::Body, callee: ExprId) -> Option<Standard> {
    let ExprKind::Item(path) = &body.expr(callee).kind else { return None };
    Standard::named(&path.path)
}

/// Whether a method of a collection makes an iterator of its elements.
fn is_source(name: &str, arguments: usize) -> bool {
    match name {
        "iter" | "iter_mut" | "into_iter" | "outer_iter" => arguments == 0,
        "axis_iter" | "windows" | "chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut" => {
            arguments == 1
        }
        _ => false,
    }
}

/// Whether a method of an iterator makes an iterator.
fn is_stage(name: &str, arguments: usize) -> bool {
    match name {
        "into_iter" | "fuse" | "peekable" | "rev" | "copied" | "cloned" | "cycle" | "enumerate"
        | "flatten" => arguments == 0,
        "scan" => arguments == 2,
        "zip" | "map" | "inspect" | "filter" | "filter_map" | "flat_map" | "take_while"
        | "skip_while" | "map_while" | "chain" | "skip" | "take" | "step_by" => arguments == 1,
        _ => false,
    }
}

/// Whether a method of an iterator means one that is kept and advanced.
pub(in crate::lower) fn needs_state(name: &str) -> bool {
    matches!(name, "by_ref" | "cycle" | "next" | "next_back" | "peek")
}

/// Methods of other collections that make iterators.
const OTHERS: [&str; 12] = [
    "values",
    "values_mut",
    "keys",
    "into_values",
    "into_keys",
    "par_iter",
    "par_iter_mut",
    "into_par_iter",
    "chars",
    "bytes",
    "drain",
    "split",
];

fn is_usize(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("usize"))
}

pub(super) fn is_zero(body: &crate::hir::Body, expr: ExprId) -> bool {
    match &body.expr(expr).kind {
        ExprKind::Literal(syn::Lit::Int(int)) => int.base10_digits() == "0",
        _ => false,
    }
}
