//! Chains of parallel iterators, as functions of `cotangent::rayon` that are given the same chain for a piece.
//!
//! In: a call such as `x.par_iter().zip(&y).map(|(x, y)| x * y).sum::<f64>()`. Out: a call that is passed a function of
//! the compiler's own, whose body is that chain over the elements from `start` to `end`, and what makes one value of the
//! pieces' values. Lengths and bounds are evaluated once, in front of the call.
//!
//! Invariant: at most one source is written to, the first: its pieces are handed to the function.

use super::super::function::Within;
use super::super::pattern::By;
use super::super::place::Operand;
use super::super::{Code, Lower, Place, Storage};
use super::source::is_zero;
use super::{Item, Numbers, Size, Source, Stage, Stream};
use crate::diag;
use crate::hir::{ExprId, ExprKind};
use crate::ir::{Callee, Ends, Projection, Type, Value};
use proc_macro2::{Ident, Span};
use std::rc::Rc;

/// The chain of a piece, as the code of a function.
pub(in crate::lower) struct Piece {
    /// The call that ends the chain.
    call: ExprId,
    /// What is evaluated in front of the call.
    held: Vec<ExprId>,
    is_unique: bool,
    /// How many elements of what is written to belong together.
    unit: Option<ExprId>,
    /// The type of the piece's value.
    ty: Option<syn::Type>,
}

/// What a chain goes through.
struct Pieces {
    /// How many elements there are before filters.
    len: Value,
    unique: Option<Unique>,
}

/// A place whose pieces are written to by different threads.
struct Unique {
    place: Place,
    /// How many elements belong together.
    unit: Value,
    size: Option<ExprId>,
}

/// Chunks of a place that is written to.
struct Chunks {
    size: ExprId,
    value: Value,
    is_whole: bool,
}

/// A piece, inside its function.
struct Bounds {
    start: Value,
    /// None where the piece itself says it.
    end: Option<Value>,
    unique: Option<Place>,
    unit: Option<Value>,
    held: Vec<(ExprId, Place)>,
}

impl<'a> Lower<'a> {
    /// The method that a chain without its end begins with, if it is a parallel one.
    fn parallel_source(&self, expr: ExprId) -> Option<&'a Ident> {
        let ExprKind::Method { receiver, name, .. } = &self.body.expr(expr).kind else {
            return None;
        };
        match is_parallel(name) {
            true => Some(name),
            false => is_stage(name).then(|| self.parallel_source(*receiver)).flatten(),
        }
    }

    /// A parallel chain with what ends it. Another method of one, and one that is kept, is reported.
    pub(in crate::lower) fn parallel(
        &mut self,
        call: ExprId,
        ty: Option<syn::Type>,
    ) -> Option<Value> {
        let ExprKind::Method { receiver, name, .. } = &self.body.expr(call).kind else {
            return None;
        };
        let source = match is_parallel(name) {
            true => name,
            false => self.parallel_source(*receiver)?,
        };
        let value = self.in_pieces(call, ty, source.span());
        Some(value.unwrap_or_else(|| {
            self.reports.report(source.span(), &diag::PARALLEL, &source.to_string());
            self.undefined(Type::Unknown)
        }))
    }

    fn in_pieces(&mut self, call: ExprId, ty: Option<syn::Type>, span: Span) -> Option<Value> {
        let body = self.body;
        let ExprKind::Method { receiver, name, arguments, .. } = &body.expr(call).kind else {
            return None;
        };
        let name = name.to_string();
        let mut within = Within::default();
        let pieces = self.pieces(*receiver, &mut within)?;
        within.evaluated.extend(arguments.iter().copied());
        let is_unique = pieces.unique.is_some();
        let (function, ty, of_piece) = match (name.as_str(), &arguments[..]) {
            ("sum" | "product", []) => {
                let float = ty.unwrap_or_else(|| syn::parse_quote!(f64));
                ("pieces", Some(float.clone()), Some(float))
            }
            ("count", []) => ("pieces", None, None),
            ("reduce", [_, _]) => ("pieces", ty, None),
            ("collect", []) if !is_unique => {
                let whole = ty?;
                let element = super::sink::content(&whole)?.clone();
                let part = syn::parse_quote!(::cotangent::__private::Vec<#element>);
                ("collected", Some(whole), Some(part))
            }
            ("for_each", [_]) if is_unique => ("pieces_mut", None, None),
            _ => return None,
        };
        let function = Ident::new(if is_unique { "pieces_mut" } else { function }, span);
        let held = within.held.iter().map(|(expr, _)| *expr).collect();
        let unit = pieces.unique.as_ref().and_then(|unique| unique.size);
        let code = Code::Piece(Rc::new(Piece { call, held, is_unique, unit, ty: of_piece }));
        let inputs = inputs_of(&pieces);
        let function_of_piece = self.passed_code(within, code, &inputs, span)?;
        let operands = match &pieces.unique {
            None => vec![Operand::value(pieces.len), function_of_piece],
            Some(unique) => {
                let whole = self.until(&unique.place, pieces.len, unique.unit, span);
                vec![self.passed(&whole, true), Operand::value(unique.unit), function_of_piece]
            }
        };
        let path = syn::parse_quote_spanned!(span=> ::cotangent::rayon::#function);
        let parts = self.call_of_operands(Callee::Path(path), operands, span);
        self.joined(parts, &name, arguments, ty, span)
    }

    /// The part of a place that has so many units, of which the last may be shorter.
    fn until(&mut self, place: &Place, count: Value, unit: Value, span: Span) -> Place {
        let wanted = self.apply("mul", vec![count, unit], Type::Int, span);
        let len = self.measured("len", place, span);
        let end = self.integer("min", vec![wanted, len], span);
        let mut part = place.clone();
        part.path.push(Projection::Range(Ends { start: false, end: true, inclusive: false }));
        part.indices.push(end);
        part.ty = Type::Slice(Box::new(place.ty.element()));
        part
    }

    /// One value of those of the pieces.
    fn joined(
        &mut self,
        parts: Value,
        name: &str,
        arguments: &[ExprId],
        ty: Option<syn::Type>,
        span: Span,
    ) -> Option<Value> {
        let one = match name {
            "for_each" => return Some(self.unit()),
            "count" => syn::parse_quote!(usize),
            "collect" => {
                self.annotate(parts, &ty?);
                return Some(parts);
            }
            _ => ty.unwrap_or_else(|| syn::parse_quote!(_)),
        };
        self.annotate(parts, &syn::parse_quote!(::cotangent::__private::Vec<#one>));
        let parts = self.held(parts, "parts", span);
        let stream = Stream::of_elements(parts, By::Value, span);
        match arguments {
            [identity, combine] => {
                let first = self.identity(*identity, span)?;
                let combine = self.function_of(*combine, 2)?;
                self.fold(&stream, first, &combine, span)
            }
            _ => self.sum(&stream, name == "product", Some(&one), span),
        }
    }

    /// `|| x`: the value, which may be made several times.
    fn identity(&mut self, identity: ExprId, span: Span) -> Option<Value> {
        let function = self.function_of(identity, 0)?;
        let item = self.apply_to(&function, &[], span);
        (!self.diverged).then(|| self.item_value(&item, span))
    }

    // --- in front of the call

    fn pieces(&mut self, expr: ExprId, within: &mut Within) -> Option<Pieces> {
        let body = self.body;
        let ExprKind::Method { receiver, name, arguments, .. } = &body.expr(expr).kind else {
            return None;
        };
        let (text, span) = (name.to_string(), name.span());
        if is_parallel(name) {
            return self.source_pieces(*receiver, &text, arguments, within, span);
        }
        let pieces = self.pieces(*receiver, within)?;
        match (text.as_str(), &arguments[..]) {
            ("with_min_len" | "with_max_len", [_]) | ("copied" | "cloned" | "enumerate", []) => {}
            ("map" | "filter" | "filter_map" | "inspect" | "flat_map_iter", [_])
            | ("fold", [_, _]) => within.evaluated.extend(arguments.iter().copied()),
            ("zip", [other]) => {
                let Pieces { len, unique: None } = self.iterable_pieces(*other, within)? else {
                    return None;
                };
                let len = self.integer("min", vec![pieces.len, len], span);
                return Some(Pieces { len, ..pieces });
            }
            _ => return None,
        }
        Some(pieces)
    }

    /// What is zipped with: a parallel iterator, or what becomes one.
    fn iterable_pieces(&mut self, expr: ExprId, within: &mut Within) -> Option<Pieces> {
        match &self.body.expr(expr).kind {
            ExprKind::Method { .. } => self.pieces(expr, within),
            _ => self.consumed_pieces(expr, within, self.span(expr)),
        }
    }

    fn source_pieces(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        within: &mut Within,
        span: Span,
    ) -> Option<Pieces> {
        const CHUNK: &str = "chunk_size must not be zero";
        match (name, arguments) {
            ("par_iter", []) => Some(self.elements_pieces(receiver, within, span)),
            ("par_iter_mut", []) => self.unique_pieces(receiver, None, span),
            ("par_chunks_mut" | "par_chunks_exact_mut", [size]) => {
                let value = self.held_size(*size, CHUNK, within, span);
                let chunks =
                    Chunks { size: *size, value, is_whole: name == "par_chunks_exact_mut" };
                self.unique_pieces(receiver, Some(chunks), span)
            }
            ("par_chunks" | "par_chunks_exact", [size]) => {
                let size = self.held_size(*size, CHUNK, within, span);
                let base = self.shared_base(receiver, within, span);
                let len = self.measured("len", &base, span);
                let len = self.count_of_chunks(len, size, name == "par_chunks_exact", span);
                Some(Pieces { len, unique: None })
            }
            ("par_windows", [size]) => {
                let size = self.held_size(*size, "window_size must not be zero", within, span);
                let base = self.shared_base(receiver, within, span);
                let (len, one) = (self.measured("len", &base, span), self.number(1, span));
                let len = self.apply("add", vec![len, one], Type::Int, span);
                let len = self.integer("max", vec![len, size], span);
                let len = self.apply("sub", vec![len, size], Type::Int, span);
                Some(Pieces { len, unique: None })
            }
            ("into_par_iter", []) => self.consumed_pieces(receiver, within, span),
            _ => None,
        }
    }

    fn count_of_chunks(&mut self, len: Value, size: Value, is_whole: bool, span: Span) -> Value {
        match is_whole {
            true => self.apply("div", vec![len, size], Type::Int, span),
            false => self.integer("div_ceil", vec![len, size], span),
        }
    }

    /// A size that must not be zero.
    fn held_size(
        &mut self,
        size: ExprId,
        message: &'static str,
        within: &mut Within,
        span: Span,
    ) -> Value {
        let value = self.size(size, message, span).value;
        within.hold(self.body, size, value);
        value
    }

    /// `into_par_iter` of a range or of a reference.
    fn consumed_pieces(&mut self, expr: ExprId, within: &mut Within, span: Span) -> Option<Pieces> {
        match self.body.expr(expr).kind {
            ExprKind::Range { start: Some(start), end: Some(end), is_inclusive } => {
                let first = self.number_of(start);
                within.hold(self.body, start, first);
                let mut last = self.number_of(end);
                if is_inclusive {
                    let one = self.number(1, span);
                    last = self.apply("add", vec![last, one], Type::Int, span);
                }
                if is_zero(self.body, start) {
                    return Some(Pieces { len: last, unique: None });
                }
                let last = self.integer("max", vec![first, last], span);
                let len = self.apply("sub", vec![last, first], Type::Int, span);
                Some(Pieces { len, unique: None })
            }
            ExprKind::Borrow { is_mutable: true, place } => self.unique_pieces(place, None, span),
            ExprKind::Borrow { place, .. } => Some(self.elements_pieces(place, within, span)),
            ExprKind::Local(local) => match self.storage.get(&local) {
                Some(Storage::Alias(place)) if place.mutable => {
                    self.unique_pieces(expr, None, span)
                }
                _ => Some(self.elements_pieces(expr, within, span)),
            },
            _ => None,
        }
    }

    fn elements_pieces(&mut self, base: ExprId, within: &mut Within, span: Span) -> Pieces {
        let base = self.shared_base(base, within, span);
        Pieces { len: self.measured("len", &base, span), unique: None }
    }

    /// A place that the function reads, or a value that it captures.
    fn shared_base(&mut self, base: ExprId, within: &mut Within, span: Span) -> Place {
        if self.is_repeatable(base) {
            within.evaluated.push(base);
            return self.base(base);
        }
        let value = self.owned(base);
        let place = self.held(value, "held", span);
        let version = self.state[place.var.0].expect("it has a value");
        within.held.push((base, version));
        place
    }

    /// What is written to, in single elements or in chunks.
    fn unique_pieces(
        &mut self,
        base: ExprId,
        chunks: Option<Chunks>,
        span: Span,
    ) -> Option<Pieces> {
        if !self.is_repeatable(base) {
            return None;
        }
        let place = self.place(base)?;
        let len = self.measured("len", &place, span);
        let (len, unit) = match &chunks {
            None => (len, self.number(1, span)),
            Some(Chunks { value, is_whole, .. }) => {
                (self.count_of_chunks(len, *value, *is_whole, span), *value)
            }
        };
        let size = chunks.map(|chunks| chunks.size);
        Some(Pieces { len, unique: Some(Unique { place, unit, size }) })
    }

    /// Whether an expression makes no difference when it is evaluated again: places, and arithmetic.
    fn is_repeatable(&self, expr: ExprId) -> bool {
        let kind = &self.body.expr(expr).kind;
        let is_simple = match kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Item(_)
            | ExprKind::Negate(_)
            | ExprKind::Binary(..)
            | ExprKind::Borrow { .. }
            | ExprKind::Deref(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Range { .. }
            | ExprKind::Cast(..) => true,
            ExprKind::Method { name, arguments, .. } => name == "len" && arguments.is_empty(),
            _ => false,
        };
        is_simple && kind.children().into_iter().all(|child| self.is_repeatable(child))
    }

    // --- in the function

    /// The body of a piece's function.
    pub(in crate::lower) fn piece(&mut self, piece: &Piece, params: &[Storage]) {
        let mut places = params.iter().map(|param| match param {
            Storage::Alias(place) => place.clone(),
            _ => unreachable!("an operand is a place"),
        });
        let held: Vec<(ExprId, Place)> = piece.held.iter().copied().zip(&mut places).collect();
        let (Some(start), Some(last)) = (places.next(), places.next()) else {
            unreachable!("a piece has two bounds")
        };
        let span = self.span(piece.call);
        let start = self.read_state(&start, span);
        let (end, unique) = match piece.is_unique {
            true => (None, Some(last)),
            false => (Some(self.read_state(&last, span)), None),
        };
        let mut bounds = Bounds { start, end, unique, unit: None, held };
        bounds.unit = piece.unit.map(|size| self.number_in(size, &bounds, span));
        match self.value_of_piece(piece, &bounds, span) {
            _ if self.diverged => {}
            Some(value) => self.set_result(value),
            None => self.unsupported("a chain of a parallel iterator"),
        }
    }

    fn value_of_piece(&mut self, piece: &Piece, bounds: &Bounds, span: Span) -> Option<Value> {
        let body = self.body;
        let ExprKind::Method { receiver, name, arguments, .. } = &body.expr(piece.call).kind else {
            return None;
        };
        let stream = self.chain_of_piece(*receiver, bounds)?;
        match (name.to_string().as_str(), &arguments[..]) {
            ("reduce", [identity, combine]) => {
                let first = self.identity(*identity, span)?;
                let combine = self.function_of(*combine, 2)?;
                self.fold(&stream, first, &combine, span)
            }
            (name, arguments) => self.ended_by(&stream, name, arguments, piece.ty.as_ref(), span),
        }
    }

    fn chain_of_piece(&mut self, expr: ExprId, bounds: &Bounds) -> Option<Stream> {
        let body = self.body;
        let ExprKind::Method { receiver, name, arguments, .. } = &body.expr(expr).kind else {
            return None;
        };
        let (text, span) = (name.to_string(), name.span());
        if is_parallel(name) {
            return self.source_of_piece(*receiver, &text, arguments, bounds, span);
        }
        let mut inner = self.chain_of_piece(*receiver, bounds)?;
        match (text.as_str(), &arguments[..]) {
            ("with_min_len" | "with_max_len", [_]) => Some(inner),
            ("enumerate", []) => {
                let mut numbers = self.numbers(bounds.start, None, span);
                let stage = self.zipped(&numbers, inner)?;
                numbers.stages.push(stage);
                Some(numbers)
            }
            ("fold", [identity, combine]) => {
                let first = self.identity(*identity, span)?;
                let combine = self.function_of(*combine, 2)?;
                let value = self.fold(&inner, first, &combine, span)?;
                let one = self.number(1, span);
                let mut once = Stream::of(Source::Repeat(Item::Value(value)), span);
                once.stages.push(Stage::Take(one));
                Some(once)
            }
            ("zip", [other]) => {
                let other = match &body.expr(*other).kind {
                    ExprKind::Method { .. } => self.chain_of_piece(*other, bounds)?,
                    _ => self.consumed_piece(*other, bounds, span)?,
                };
                let stage = self.zipped(&inner, other)?;
                inner.stages.push(stage);
                Some(inner)
            }
            ("flat_map_iter", [_]) => self.staged(inner, "flat_map", arguments, span),
            (name, arguments) => self.staged(inner, name, arguments, span),
        }
    }

    fn numbers(&mut self, start: Value, end: Option<Value>, span: Span) -> Stream {
        let numbers = Numbers {
            start,
            end,
            inclusive: false,
            of_indices: true,
            is_from_zero: false,
            next: None,
        };
        Stream::of(Source::Range(numbers), span)
    }

    fn source_of_piece(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        bounds: &Bounds,
        span: Span,
    ) -> Option<Stream> {
        let size = arguments.first().map(|size| self.size_in(*size, bounds, span));
        let source = match (name, size, &bounds.unique) {
            ("par_iter", None, _) => self.elements_of_piece(receiver, By::Shared, bounds, span),
            ("par_iter_mut", None, Some(piece)) => {
                Source::Elements { base: piece.clone(), by: By::Unique }
            }
            ("par_chunks_mut" | "par_chunks_exact_mut", Some(size), Some(piece)) => {
                let (base, exact) = (piece.clone(), name == "par_chunks_exact_mut");
                Source::Chunks { base, size, exact, mutable: true, all: None }
            }
            ("par_chunks" | "par_chunks_exact", Some(size), _) => {
                let base = self.base_in(receiver, bounds);
                let end = self.end(bounds, span);
                let start = self.apply("mul", vec![bounds.start, size.value], Type::Int, span);
                let end = self.apply("mul", vec![end, size.value], Type::Int, span);
                let len = self.measured("len", &base, span);
                let end = self.integer("min", vec![end, len], span);
                let (base, exact) = (self.between(&base, start, end), name == "par_chunks_exact");
                Source::Chunks { base, size, exact, mutable: false, all: None }
            }
            ("par_windows", Some(size), _) => {
                let base = self.base_in(receiver, bounds);
                let (end, one) = (self.end(bounds, span), self.number(1, span));
                let end = self.apply("add", vec![end, size.value], Type::Int, span);
                let end = self.apply("sub", vec![end, one], Type::Int, span);
                Source::Windows { base: self.between(&base, bounds.start, end), size }
            }
            ("into_par_iter", None, _) => return self.consumed_piece(receiver, bounds, span),
            _ => return None,
        };
        Some(Stream::of(source, span))
    }

    fn consumed_piece(&mut self, expr: ExprId, bounds: &Bounds, span: Span) -> Option<Stream> {
        let source = match self.body.expr(expr).kind {
            ExprKind::Range { start: Some(start), .. } => {
                let (mut first, mut end) = (bounds.start, self.end(bounds, span));
                if !is_zero(self.body, start) {
                    let by = self.number_in(start, bounds, span);
                    first = self.apply("add", vec![by, first], Type::Int, span);
                    end = self.apply("add", vec![by, end], Type::Int, span);
                }
                return Some(self.numbers(first, Some(end), span));
            }
            ExprKind::Borrow { is_mutable: true, .. } => {
                Source::Elements { base: bounds.unique.clone()?, by: By::Unique }
            }
            ExprKind::Borrow { place, .. } => {
                self.elements_of_piece(place, By::Shared, bounds, span)
            }
            ExprKind::Local(local) => match self.storage.get(&local) {
                None => Source::Elements { base: bounds.unique.clone()?, by: By::Unique },
                Some(Storage::Alias(place)) if place.mutable => {
                    Source::Elements { base: bounds.unique.clone()?, by: By::Unique }
                }
                Some(Storage::Alias(_)) => self.elements_of_piece(expr, By::Shared, bounds, span),
                Some(_) => self.elements_of_piece(expr, By::Value, bounds, span),
            },
            _ => return None,
        };
        Some(Stream::of(source, span))
    }

    fn elements_of_piece(&mut self, base: ExprId, by: By, bounds: &Bounds, span: Span) -> Source {
        let base = self.base_in(base, bounds);
        let end = self.end(bounds, span);
        Source::Elements { base: self.between(&base, bounds.start, end), by }
    }

    fn base_in(&mut self, base: ExprId, bounds: &Bounds) -> Place {
        match bounds.held.iter().find(|(expr, _)| *expr == base) {
            Some((_, place)) => place.clone(),
            None => self.base(base),
        }
    }

    fn number_in(&mut self, number: ExprId, bounds: &Bounds, span: Span) -> Value {
        match bounds.held.iter().find(|(expr, _)| *expr == number) {
            Some((_, place)) => self.read_state(place, span),
            None => self.number_of(number),
        }
    }

    fn size_in(&mut self, size: ExprId, bounds: &Bounds, span: Span) -> Size {
        let literal = match &self.body.expr(size).kind {
            ExprKind::Literal(syn::Lit::Int(int)) => int.base10_parse::<usize>().ok(),
            _ => None,
        };
        Size { value: self.number_in(size, bounds, span), literal }
    }

    /// What stands behind the last number of a piece.
    fn end(&mut self, bounds: &Bounds, span: Span) -> Value {
        let Some(piece) = &bounds.unique else {
            return bounds.end.expect("a piece that is not written to has bounds");
        };
        let mut len = self.measured("len", piece, span);
        if let Some(unit) = bounds.unit {
            len = self.integer("div_ceil", vec![len, unit], span);
        }
        self.apply("add", vec![bounds.start, len], Type::Int, span)
    }
}

impl Within {
    /// Has a value captured, unless it is a literal.
    fn hold(&mut self, body: &crate::hir::Body, expr: ExprId, value: Value) {
        if !matches!(body.expr(expr).kind, ExprKind::Literal(_)) {
            self.held.push((expr, value));
        }
    }
}

/// The parameters of a piece's function: its bounds, or where it starts and what is written to.
fn inputs_of(pieces: &Pieces) -> Vec<syn::PatType> {
    let start = syn::parse_quote!(start: usize);
    let last = match &pieces.unique {
        None => syn::parse_quote!(end: usize),
        Some(unique) => {
            let element = crate::syntax::types::float_syntax(&unique.place.ty.element())
                .unwrap_or_else(|| syn::parse_quote!(_));
            syn::parse_quote!(piece: &mut [#element])
        }
    };
    vec![start, last]
}

/// Whether a method makes a parallel iterator of one.
fn is_stage(name: &Ident) -> bool {
    const NAMES: [&str; 12] = [
        "copied",
        "cloned",
        "enumerate",
        "filter",
        "filter_map",
        "flat_map_iter",
        "fold",
        "inspect",
        "map",
        "with_max_len",
        "with_min_len",
        "zip",
    ];
    NAMES.iter().any(|stage| name == stage)
}

/// Whether a method makes a parallel iterator.
fn is_parallel(name: &Ident) -> bool {
    const NAMES: [&str; 10] = [
        "par_iter",
        "par_iter_mut",
        "into_par_iter",
        "par_chunks",
        "par_chunks_exact",
        "par_chunks_mut",
        "par_chunks_exact_mut",
        "par_windows",
        "par_bridge",
        "par_split",
    ];
    NAMES.iter().any(|parallel| name == parallel)
}
