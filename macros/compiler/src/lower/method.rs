//! Methods: of numbers, of collections, of options, and of types that the macro does not see.

use super::element::Message;
use super::pattern::By;
use super::stream::Item;
use super::{Lower, Place};
use crate::diag;
use crate::hir::{ExprId, ExprKind};
use crate::ir::{FloatKind, Op, Projection, Type, Value};
use crate::lower::builtin;
use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// A method. The receiver is lowered once, whatever the method turns out to be.
    pub(super) fn method(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        name: &'a Ident,
        turbofish: Option<&syn::AngleBracketedGenericArguments>,
        arguments: &'a [ExprId],
    ) -> Value {
        if self.is_changed_since_held(expr) {
            return self.refuse_form(expr, "a receiver that an operand with an exit changes");
        }
        if self.is_range(expr)
            && let Some(bounds) = self.bounds(expr)
        {
            return self.range_value(expr, bounds);
        }
        let (text, span) = (name.to_string(), name.span());
        if let Some(item) = self.written_item(receiver, &text) {
            return self.refuse(receiver, &diag::STATIC_WRITE, &item);
        }
        if let Some(value) = self.special_method(receiver, name, arguments) {
            return value;
        }
        if text == "into"
            && turbofish.is_none()
            && let Some(float) = self.converted_to(expr, receiver, arguments)
        {
            return self.converted_float(receiver, float, span);
        }
        if let Some(value) = self.consumed(expr, receiver, &text, turbofish, arguments) {
            return value;
        }
        if let Some(value) = self.method_with_closure(receiver, &text, arguments, span) {
            return value;
        }
        if turbofish.is_some() || self.is_chain(expr) && !self.is_drain(expr) {
            return self.refuse_iterator((expr, receiver), turbofish);
        }
        if let Some(turbofish) = turbofish {
            let (at, what) = (crate::diag::Extent::of(turbofish), "a method's own parameter");
            self.reports.report(at, &crate::diag::UNSUPPORTED_EXPRESSION, what);
            return self.undefined(Type::Unknown);
        }
        if let Some(value) = self.option_method(expr, receiver, &text, arguments, span) {
            return value;
        }
        if !self.is_opaque_lookup(receiver, &text)
            && let Some(lookup) = self.lookup(expr)
        {
            return self.lookup_option(lookup, span);
        }
        if text == "map"
            && let Some(value) = self.map_of_array(receiver, arguments, span)
        {
            return value;
        }
        match self.place(receiver) {
            Some(place) => self.method_of_place(receiver, &place, name, arguments),
            None => self.method_of_temporary(receiver, name, arguments),
        }
    }

    fn converted_float(&mut self, receiver: ExprId, float: Box<syn::Type>, span: Span) -> Value {
        let value = self.expr(receiver);
        if self.diverged { Value(0) } else { self.as_float(value, float, span) }
    }

    /// The float that `into` makes of a receiver, where the bounds of a type parameter say it, or a type that is written
    /// where the receiver is an integer: `let x: f64 = n.into();`.
    fn converted_to(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        arguments: &[ExprId],
    ) -> Option<Box<syn::Type>> {
        if !arguments.is_empty() {
            return None;
        }
        if let Some(float) = self.conversion() {
            return Some(float);
        }
        let wanted = self.expected.get(&expr)?.clone();
        let is_float = self.signature.floats.read(&wanted).is_float();
        if !is_float || !self.is_plain(receiver) {
            return None;
        }
        let place = self.place(receiver)?;
        (place.ty == Type::Int).then(|| Box::new(wanted))
    }

    /// Whether an expression is a chain, and not a range or a value of a type that the macro does not see.
    fn is_chain(&mut self, expr: ExprId) -> bool {
        self.is_stream(expr)
            && !self.is_range(expr)
            && !self.is_opaque_chain(expr)
            && !self.is_open_part(expr)
    }

    /// A method whose receiver is a place, and which no form of a call gave a meaning.
    fn method_of_place(
        &mut self,
        receiver: ExprId,
        place: &Place,
        name: &'a Ident,
        arguments: &'a [ExprId],
    ) -> Value {
        let (text, span) = (name.to_string(), name.span());
        if let Some(value) = self.method_on_place(receiver, place, &text, arguments, span) {
            return value;
        }
        if let Some(value) = self.ordering_method(place, &text, arguments, span) {
            return value;
        }
        if may_have_own_method(&place.ty, &text) && is_unknown(&text, arguments.len()) {
            return self.own_method((receiver, place), name, arguments, span);
        }
        if place.ty.is_aggregate() {
            return self.refuse_method(receiver, name);
        }
        let value = self.read(place, span);
        self.method_on_value(name, value, arguments, span)
    }

    /// The same of a value that has no place yet.
    fn method_of_temporary(
        &mut self,
        receiver: ExprId,
        name: &'a Ident,
        arguments: &'a [ExprId],
    ) -> Value {
        let (text, span) = (name.to_string(), name.span());
        let is_state = super::stream::needs_state(&text) || self.borrows_cursor(receiver, &text);
        if !is_state && self.is_chain(receiver) {
            return self.refuse_method(receiver, name);
        }
        let value = self.expr(receiver);
        if self.diverged {
            return Value(0);
        }
        if self.is_broken_value(value) {
            return value;
        }
        let ty = self.ty(value);
        if may_have_own_method(&ty, &text) && is_unknown(&text, arguments.len())
            || ty.is_aggregate()
        {
            let place = match self.item_place(receiver) {
                // What a constant item holds may be neither `Copy` nor movable.
                Some(item) => item,
                None => self.held(value, "place", span),
            };
            if let Some(value) = self.method_on_place(receiver, &place, &text, arguments, span) {
                return value;
            }
            if place.ty.is_aggregate() {
                return self.method_on_value(name, value, arguments, span);
            }
            return self.own_method((receiver, &place), name, arguments, span);
        }
        self.method_on_value(name, value, arguments, span)
    }

    /// A method of a cell, an entry, a range, an array that is written there or a constant.
    fn special_method(
        &mut self,
        receiver: ExprId,
        name: &'a Ident,
        arguments: &'a [ExprId],
    ) -> Option<Value> {
        let (text, span) = (name.to_string(), name.span());
        if let Some(value) = self.cell_method(receiver, &text, arguments, span) {
            return Some(value);
        }
        if let Some((place, _)) = self.part_by_method(receiver, &text, arguments, span) {
            return Some(if self.diverged { Value(0) } else { self.read(&place, span) });
        }
        if let Some(value) = self.in_range(receiver, &text, arguments, span) {
            return Some(value);
        }
        if let ("concat", ExprKind::Array(parts), []) =
            (text.as_str(), &self.body.expr(receiver).kind, arguments)
            && let Some(value) = self.concatenated(parts, span)
        {
            return Some(value);
        }
        self.converted_constant(receiver, name, arguments)
    }

    /// `array.map(f)`.
    fn map_of_array(
        &mut self,
        receiver: ExprId,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let [function] = arguments else { return None };
        let place = self.array_of(receiver)?;
        let value = self.mapped_array(&place, *function, span);
        Some(value.unwrap_or_else(|| self.report_once(span, &diag::COLLECTION_METHOD, "map")))
    }

    /// The place of an array, or of one that is written there.
    fn array_of(&mut self, expr: ExprId) -> Option<Place> {
        let place = match self.body.expr(expr).kind {
            ExprKind::Array(_) | ExprKind::Repeat(..) => Some(self.temporary(expr)),
            _ => self.place(expr),
        };
        place.filter(|place| matches!(place.ty, Type::Array(..)))
    }

    /// Whether a method that could look for an element is one of a type that the macro does not see.
    fn is_opaque_lookup(&mut self, receiver: ExprId, name: &str) -> bool {
        let is_lookup = matches!(name.trim_end_matches("_mut"), "get" | "first" | "last");
        is_lookup
            && self.is_plain(receiver)
            && self.place(receiver).is_some_and(|place| place.ty == Type::Unknown)
    }

    /// The item that a method writes through `&`: an atomic, what a lock guards, or a cell of the thread.
    fn written_item(&self, receiver: ExprId, name: &str) -> Option<String> {
        const WRITES: [&str; 11] = [
            "fetch_add",
            "fetch_and",
            "fetch_max",
            "fetch_min",
            "fetch_or",
            "fetch_sub",
            "lock",
            "set",
            "store",
            "with_borrow_mut",
            "write",
        ];
        let ExprKind::Item(path) = &self.body.expr(receiver).kind else { return None };
        let item = path.path.segments.last()?.ident.to_string();
        let is_static = !super::function::names_function(path) && WRITES.contains(&name);
        is_static.then_some(item)
    }

    fn method_on_place(
        &mut self,
        receiver: ExprId,
        place: &Place,
        name: &str,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_measure = builtin::is_variant_test(name)
            || matches!(name, "len" | "is_empty" | "capacity" | builtin::ZERO_TANGENT);
        if is_measure && arguments.is_empty() {
            return Some(self.measured(name, place, span));
        }
        if matches!(name, "clone" | "to_vec" | "to_owned") && arguments.is_empty() {
            return self.copy(place, name, span);
        }
        if name == "into" && arguments.is_empty() && self.is_converted(&place.ty) {
            let value = self.read(place, span);
            return Some(self.value_by_into(value, span));
        }
        if let Some(value) = self.method_of_maps(receiver, place, name, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.method_of_vectors(place, name, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.moving_option(place, name, arguments, span) {
            return Some(value);
        }
        self.moving_method(place, name, arguments, span)
    }

    /// Methods that do nothing to values, and `clone_from`.
    fn method_of_vectors(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_vector = matches!(place.ty, Type::Vec(_));
        match (name, arguments) {
            ("reserve" | "reserve_exact" | "shrink_to", [size]) if is_vector => {
                self.expr(*size);
            }
            ("shrink_to_fit", []) if is_vector => {}
            ("clone_from", [source]) => {
                let (source, _) = self.reference(*source)?;
                let value = match is_vector {
                    true => self.copied(&source, span),
                    false => self.copy(&source, "clone", span)?,
                };
                self.write(place, value, span);
            }
            _ => return None,
        }
        Some(self.unit())
    }

    /// `clone` and `to_vec`: what a place holds, in a place of its own.
    pub(super) fn copy(&mut self, place: &Place, name: &str, span: Span) -> Option<Value> {
        let ty = match (&place.ty, name) {
            (Type::Slice(_) | Type::Vec(_), _) | (Type::Array(..), "to_vec") => {
                Type::Vec(Box::new(place.ty.element()))
            }
            (ty @ (Type::Float(_) | Type::Int | Type::Bool | Type::Array(..)), _) => ty.clone(),
            (Type::Unknown | Type::Tuple(_), "clone") => place.ty.clone(),
            _ => return None,
        };
        let operands = self.operands(place);
        let op = match ty {
            Type::Unknown => Op::Clone(place.path.clone()),
            _ => Op::Load(place.path.clone()),
        };
        Some(self.inst(op, operands, ty, name, span))
    }

    fn method_on_value(
        &mut self,
        name: &Ident,
        receiver: Value,
        arguments: &[ExprId],
        span: Span,
    ) -> Value {
        let text = name.to_string();
        if text == "into" && arguments.is_empty() && self.is_converted(&self.ty(receiver)) {
            let value = self.contents(receiver, span);
            return self.value_by_into(value, span);
        }
        if builtin::is_variant_test(&text) {
            let place = self.held(receiver, "place", span);
            return self.measured(&text, &place, span);
        }
        // Read now: an argument may change the place.
        let mut args = vec![self.contents(receiver, span)];
        let compares = builtin::compares(&text);
        let may_be_rule = builtin::is_rule(&text, 1 + arguments.len());
        for argument in arguments {
            let value = match self.body.expr(*argument).kind {
                ExprKind::Borrow { place, .. } if compares => self.expr(place),
                _ if may_be_rule => self.operand_of(*argument),
                _ => self.expr(*argument),
            };
            args.push(self.contents(value, span));
        }
        if self.diverged {
            return Value(0);
        }
        let is_float_like =
            !matches!(self.ty(receiver), Type::Bool | Type::Text | Type::Constant | Type::Tuple(_));
        if is_float_like && may_be_rule {
            let value = self.rule(&text, args, span);
            if self.builder.function.copies_operands {
                self.builder.function.lent.insert((value, 0));
            }
            for (index, argument) in arguments.iter().enumerate() {
                self.lend(value, 1 + index, *argument);
            }
            return value;
        }
        let ty = builtin::result_of(&text, &self.ty(receiver));
        self.inst(Op::Method(name.clone()), args, ty, &text, span)
    }

    /// The entry of a map that is made where there is none, or what a cell holds.
    fn part_by_method(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<(Place, bool)> {
        match self.entry(receiver, name, arguments, span) {
            Some(entry) => Some((entry, true)),
            None => self.borrowed(receiver, name, arguments),
        }
    }

    /// Methods whose value is a reference to a part of their receiver.
    pub(super) fn method_reference(
        &mut self,
        _expr: ExprId,
        receiver: ExprId,
        name: &Ident,
        arguments: &[ExprId],
    ) -> Option<(Place, bool)> {
        let (text, span) = (name.to_string(), name.span());
        if let Some(part) = self.part_by_method(receiver, &text, arguments, span) {
            return Some(part);
        }
        if !matches!(text.as_str(), "unwrap" | "expect") {
            return self.view(receiver, &text, arguments);
        }
        let message_of = arguments.to_vec();
        if let Some(lookup) = self.lookup_of_reference(receiver) {
            if !lookup.element.is_reference() {
                self.stashed = Some((receiver, lookup));
                return None;
            }
            let message = self.message(&text, arguments)?;
            self.expected(&lookup, message, span);
            let lookup = Rc::new(RefCell::new(lookup));
            return match self.element_item(&lookup) {
                Item::Place(place, by) => Some((place, by == By::Unique)),
                Item::Value(_) | Item::Tuple(_) => None,
            };
        }
        let ExprKind::Method { receiver: inner, name: method, arguments, .. } =
            self.body.expr(receiver).kind.clone()
        else {
            return None;
        };
        let mutable = method == "as_mut";
        if !arguments.is_empty() || !mutable && method != "as_ref" {
            return None;
        }
        let mut place = self.base(inner);
        let given = self.message_syntax(&message_of)?;
        place.path.push(Projection::Unwrap(Box::new(name.clone()), given));
        place.ty = Type::Unknown;
        Some((place, mutable))
    }

    /// `a.as_slice()`, `a.as_mut_slice()`: the whole of a place.
    fn view(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
    ) -> Option<(Place, bool)> {
        let mutable = match name {
            "as_slice" => false,
            "as_mut_slice" => true,
            _ => return None,
        };
        if !arguments.is_empty() {
            return None;
        }
        let place = self.place(receiver)?;
        place.ty.is_aggregate().then_some((place, mutable))
    }

    /// A lookup whose element is a reference.
    fn lookup_of_reference(&mut self, expr: ExprId) -> Option<super::element::Lookup> {
        let ExprKind::Method { name, .. } = &self.body.expr(expr).kind else { return None };
        let is_reference =
            matches!(name.to_string().trim_end_matches("_mut"), "get" | "first" | "last");
        if !is_reference && !self.is_choice(expr) {
            return None;
        }
        self.lookup(expr)
    }

    /// What `unwrap` and `expect` say where there is nothing.
    pub(super) fn message(&mut self, name: &str, arguments: &[ExprId]) -> Option<Message> {
        match (name, arguments) {
            ("unwrap", []) => Some(Message::Text("called `Option::unwrap()` on a `None` value")),
            ("expect", [message]) => Some(Message::Given(self.expr(*message))),
            _ => None,
        }
    }

    /// `unwrap`, `unwrap_or` and kin of what may not be there.
    fn option_method(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        match (name, arguments) {
            ("unwrap" | "expect", _) => {
                if let Some((place, _)) = self.reference(expr) {
                    return Some(self.read(&place, span));
                }
                if let Some(lookup) = self.lookup(receiver) {
                    let message = self.message(name, arguments)?;
                    self.expected(&lookup, message, span);
                    let lookup = Rc::new(RefCell::new(lookup));
                    return Some(self.element_value(&lookup));
                }
                self.unwrapped_place(expr, receiver, arguments, span)
            }
            ("unwrap_or", [default]) => {
                let Some(lookup) = self.lookup(receiver) else {
                    return Some(self.unwrapped_or(receiver, Some(*default), span));
                };
                let default = self.owned(*default);
                let default = self.contents(default, span);
                let lookup = Rc::new(RefCell::new(lookup));
                let present = lookup.borrow().present;
                let value = self.if_else(
                    present,
                    &|lower| Some(lower.element_value(&lookup)),
                    &|_| Some(default),
                    span,
                );
                Some(self.value_or_never(value))
            }
            ("unwrap_or_default", []) => Some(self.unwrapped_or(receiver, None, span)),
            _ => None,
        }
    }

    /// The message of `expect` as it is emitted behind the method.
    fn message_syntax(&mut self, arguments: &[ExprId]) -> Option<Option<Box<syn::Expr>>> {
        match arguments {
            [] => Some(None),
            [message] => match &self.body.expr(*message).kind {
                ExprKind::Literal(lit) => {
                    let (attrs, lit) = (Vec::new(), lit.clone());
                    Some(Some(Box::new(syn::Expr::Lit(syn::ExprLit { attrs, lit }))))
                }
                _ => {
                    self.refuse_form(*message, "a computed message");
                    None
                }
            },
            _ => None,
        }
    }

    /// What an `Option` in a place holds.
    fn unwrapped_place(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let message = self.message_syntax(arguments)?;
        let ExprKind::Method { name, .. } = &self.body.expr(expr).kind else { return None };
        let mut place = self.base(receiver);
        if place.ty != Type::Unknown {
            return None;
        }
        place.path.push(Projection::Unwrap(Box::new(name.clone()), message));
        place.ty = Type::Unknown;
        Some(self.read(&place, span))
    }
}

/// Whether a method of values of a type may be one of the user's.
fn may_have_own_method(ty: &Type, name: &str) -> bool {
    let is_float = ty.is_float() && *ty != Type::Float(FloatKind::Literal);
    *ty == Type::Unknown || is_float && builtin::is_of_users_trait(name)
}

/// Whether nothing is known of a method by its name: then it may change its receiver.
pub(super) fn is_unknown(name: &str, arguments: usize) -> bool {
    !builtin::is_rule(name, 1 + arguments)
        && !cotangent_rules::is_zero(name)
        && !builtin::is_variant_test(name)
        && !matches!(name, "clone" | "to_vec" | "unwrap" | "expect" | "sin_cos")
}
