//! Methods that are given closures which run at once, such as those of options: the closure's body stands in the place
//! of the call, with its parameter bound to what the option holds.

use super::closure::Bound;
use super::function::Callable;
use super::pattern::{By, Subject};
use super::{Lower, Place};
use crate::diag;
use crate::hir::{ExprId, Variant};
use crate::ir::{Callee, Op, Projection, Type, Value};
use crate::lower::reserved::Method;
use proc_macro2::{Ident, Span};
use std::rc::Rc;

/// The code of one arm.
type Code<'l, 'a> = &'l dyn Fn(&mut Lower<'a>) -> Option<Value>;

impl<'a> Lower<'a> {
    /// A method of an option that is given a function; `bool::then`.
    pub(super) fn method_with_closure(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_result = self.results.holds(self.body, receiver);
        if name == "ok" && arguments.is_empty() && is_result {
            return Some(self.as_option(receiver, span));
        }
        if !self.takes_closure(receiver, name, arguments) {
            return None;
        }
        match name {
            "then" => self.then_some(receiver, arguments[0], span),
            "ok_or" => Some(self.as_result(receiver, arguments[0], span)),
            "map_or" => self.mapped_or(receiver, arguments, span),
            _ => self.with_closure(receiver, name, arguments, span),
        }
    }

    /// `option.map_or(default, function)`, which computes the default in any case.
    fn mapped_or(
        &mut self,
        receiver: ExprId,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_result = self.results.holds(self.body, receiver);
        let subject = self.subject(receiver, &[]);
        let default = self.owned(arguments[0]);
        let function = Rc::new(self.callable(arguments[1])?);
        let present =
            |lower: &mut Self, held: Bound| Some(lower.applied(&function, vec![held], span));
        let absent = |_: &mut Self, _| Some(default);
        Some(self.chosen(subject, is_result, span, &present, &absent))
    }

    /// A method that computes nothing but what its function does.
    fn with_closure(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_result = self.results.holds(self.body, receiver);
        let subject = self.option_subject(receiver);
        if self.diverged {
            return Some(Value(0));
        }
        let function = Rc::new(self.callable(*arguments.last()?)?);
        let apply = |lower: &mut Self, held: Vec<Bound>| Some(lower.applied(&function, held, span));
        let applied = |lower: &mut Self, held| apply(lower, vec![held]);
        let made = |lower: &mut Self, error: Option<Bound>| apply(lower, Vec::from_iter(error));
        let none = |lower: &mut Self, error| lower.absent(error, span);
        let kept = |lower: &mut Self, held| lower.kept_as(held, is_result, span);
        let value = match name {
            "map" => {
                let some = |lower: &mut Self, held| {
                    let value = applied(lower, held)?;
                    lower.some(value, is_result, span)
                };
                self.chosen(subject, is_result, span, &some, &none)
            }
            "and_then" => self.chosen(subject, is_result, span, &applied, &none),
            "is_some_and" | "is_ok_and" => {
                let not = |lower: &mut Self, _| Some(lower.boolean(false));
                self.chosen(subject, is_result, span, &applied, &not)
            }
            "map_or_else" => {
                let default = Rc::new(self.callable(arguments[0])?);
                let absent = |lower: &mut Self, error: Option<Bound>| {
                    Some(lower.applied(&default, Vec::from_iter(error), span))
                };
                self.chosen(subject, is_result, span, &applied, &absent)
            }
            "filter" => {
                let some = |lower: &mut Self, held: Bound| {
                    lower.kept_if(held, &function, &|lower| none(lower, None), span)
                };
                self.chosen(subject, is_result, span, &some, &none)
            }
            "or_else" => self.chosen(subject, is_result, span, &kept, &made),
            "ok_or_else" | "map_err" => {
                let kept = |lower: &mut Self, held| lower.kept_as(held, true, span);
                let other = |lower: &mut Self, error| {
                    let error = made(lower, error)?;
                    (!lower.diverged).then(|| lower.standard(Variant::Err, Some(error), span))
                };
                self.chosen(subject, is_result, span, &kept, &other)
            }
            _ => {
                let some = |lower: &mut Self, held| Some(lower.held_value(held, span));
                self.chosen(subject, is_result, span, &some, &made)
            }
        };
        Some(value)
    }

    /// `result.ok()`.
    fn as_option(&mut self, receiver: ExprId, span: Span) -> Value {
        let subject = self.option_subject(receiver);
        if self.diverged {
            return Value(0);
        }
        let some = |lower: &mut Self, held| lower.kept_as(held, false, span);
        self.chosen(subject, true, span, &some, &|lower, _| lower.absent(None, span))
    }

    /// `option.ok_or(error)`, which computes the error in any case.
    fn as_result(&mut self, receiver: ExprId, error: ExprId, span: Span) -> Value {
        let subject = self.subject(receiver, &[]);
        let error = self.owned(error);
        let some = |lower: &mut Self, held| lower.kept_as(held, true, span);
        let none = |lower: &mut Self, _| Some(lower.standard(Variant::Err, Some(error), span));
        self.chosen(subject, false, span, &some, &none)
    }

    /// Whether a method is one of these, as far as its receiver and its arguments show.
    fn takes_closure(&mut self, receiver: ExprId, name: &str, arguments: &[ExprId]) -> bool {
        let is_known = match (name, arguments.len()) {
            ("map", 1) => {
                !self.is_collection(receiver)
                    && !self.is_stream(receiver)
                    && !self.body.is_matrix(receiver)
            }
            ("filter", 1) => !self.is_stream(receiver),
            ("map_err", 1) => self.results.holds(self.body, receiver),
            (
                "and_then" | "is_some_and" | "is_ok_and" | "or_else" | "then" | "unwrap_or_else",
                1,
            ) => true,
            ("ok_or", 1) => return !self.is_stream(receiver),
            ("ok_or_else", 1) => !self.results.holds(self.body, receiver),
            ("map_or" | "map_or_else", 2) => true,
            _ => false,
        };
        // Where there is no value, a `Result` has an error.
        let of_absent = usize::from(self.results.holds(self.body, receiver));
        let params = match name {
            "or_else" | "unwrap_or_else" => of_absent,
            "then" | "ok_or_else" => 0,
            _ => 1,
        };
        is_known
            && arguments.last().is_some_and(|last| self.may_be_callable(*last, params))
            && (name != "map_or_else" || self.may_be_callable(arguments[0], of_absent))
    }

    /// The contents of an option again, if a function says so of them.
    fn kept_if(
        &mut self,
        held: Bound,
        function: &Rc<Callable>,
        none: Code<'_, 'a>,
        span: Span,
    ) -> Option<Value> {
        let place = self.held_place(held, span);
        let fits = self.applied(function, vec![Bound::Reference(place.clone(), false)], span);
        let kept = |lower: &mut Self| {
            let value = lower.read(&place, span);
            lower.some(value, false, span)
        };
        self.if_else(fits, &kept, none, span)
    }

    /// Whether an argument is something that can be called, as far as its form shows. A closure for a `Result` may have
    /// another number of parameters.
    fn may_be_callable(&self, expr: ExprId, params: usize) -> bool {
        use crate::hir::ExprKind as E;
        match &self.body.expr(expr).kind {
            E::Closure(closure) => closure.params.len() == params,
            E::Item(path) => super::function::names_function(path),
            E::Local(local) => match self.storage.get(local) {
                Some(super::Storage::Closure(value)) => value.closure.params.len() == params,
                Some(super::Storage::Function(_)) => true,
                Some(super::Storage::Alias(place)) => matches!(place.ty, Type::Function(..)),
                Some(super::Storage::Variable(var)) => {
                    matches!(self.variable_place(*var).ty, Type::Function(..))
                }
                Some(
                    super::Storage::Pullback(_)
                    | super::Storage::Part(_)
                    | super::Storage::Parts(_)
                    | super::Storage::Stream(_)
                    | super::Storage::Range(_),
                )
                | None => false,
            },
            E::Borrow { place, is_mutable: false } | E::Deref(place) => {
                self.may_be_callable(*place, params)
            }
            _ => false,
        }
    }

    /// Whether an expression names an array, a vector or a slice, or makes one.
    fn is_collection(&mut self, expr: ExprId) -> bool {
        use crate::hir::ExprKind as E;
        match &self.body.expr(expr).kind {
            E::Array(_) | E::Repeat(..) => true,
            E::Local(_) => self.place(expr).is_some_and(|place| place.ty.is_aggregate()),
            E::Field(base, _) if self.is_plain(*base) => {
                self.place(expr).is_some_and(|place| place.ty.is_aggregate())
            }
            _ => false,
        }
    }

    /// Whether an expression is a local or a field of one, which no code evaluates.
    pub(super) fn is_plain(&self, expr: ExprId) -> bool {
        use crate::hir::ExprKind as E;
        match &self.body.expr(expr).kind {
            E::Local(_) => true,
            E::Field(base, _) => self.is_plain(*base),
            _ => false,
        }
    }

    /// What an option's method looks at.
    fn option_subject(&mut self, receiver: ExprId) -> Subject {
        self.subject(receiver, &[])
    }

    /// The value by whether something is in an option or a result, whose error the other arm is given. Where it is neither,
    /// rustc says so at the method's name.
    fn chosen(
        &mut self,
        subject: Subject,
        is_result: bool,
        span: Span,
        some: &dyn Fn(&mut Lower<'a>, Bound) -> Option<Value>,
        none: &dyn Fn(&mut Lower<'a>, Option<Bound>) -> Option<Value>,
    ) -> Value {
        let value = match subject {
            Subject::Lookup(lookup) => {
                let present = lookup.borrow().present;
                let some = |lower: &mut Self| {
                    let subject = lower.element_subject(&lookup);
                    some(lower, Bound::Part(subject))
                };
                self.if_else(present, &some, &|lower| none(lower, None), span)
            }
            Subject::Place(place, by) => {
                let name = Ident::new(if is_result { "Ok" } else { "Some" }, span);
                let fits = syn::parse_quote_spanned!(span=> #name(_));
                let args = self.operands(&place);
                let op = Op::Matches(Box::new(fits), place.path.clone());
                let fits = self.inst(op, args, Type::Bool, "fits", span);
                let part_of = |lower: &mut Self, path: syn::Path| {
                    let step = Projection::Variant(Box::new(path), "0".to_owned());
                    Bound::Part(Subject::Place(lower.part(&place, step), by))
                };
                let some = |lower: &mut Self| {
                    let held = part_of(lower, syn::parse_quote_spanned!(span=> #name));
                    some(lower, held)
                };
                let other = |lower: &mut Self| {
                    let path = syn::parse_quote_spanned!(span=> Err);
                    let error = is_result.then(|| part_of(lower, path));
                    none(lower, error)
                };
                self.if_else(fits, &some, &other, span)
            }
            Subject::Parts(_) => return self.give_up(),
        };
        self.value_or_never(value)
    }

    /// `Some(value)`, or `Ok(value)`.
    fn some(&mut self, value: Value, is_result: bool, span: Span) -> Option<Value> {
        if self.diverged {
            return None;
        }
        let value = self.kept(value, span);
        let variant = if is_result { Variant::Ok } else { Variant::Some };
        Some(self.standard(variant, Some(value), span))
    }

    /// What is held, as that of an option or of a result.
    fn kept_as(&mut self, held: Bound, is_result: bool, span: Span) -> Option<Value> {
        let value = self.held_value(held, span);
        self.some(value, is_result, span)
    }

    /// `None`, or `Err(error)` again.
    fn absent(&mut self, error: Option<Bound>, span: Span) -> Option<Value> {
        let Some(error) = error else { return Some(self.standard(Variant::None, None, span)) };
        let error = self.held_value(error, span);
        Some(self.standard(Variant::Err, Some(error), span))
    }

    /// `condition.then(|| value)`.
    fn then_some(&mut self, receiver: ExprId, function: ExprId, span: Span) -> Option<Value> {
        let condition = self.expr(receiver);
        if self.diverged {
            return Some(Value(0));
        }
        let function = self.callable(function)?;
        let some = |lower: &mut Self| {
            let value = lower.applied(&function, Vec::new(), span);
            lower.some(value, false, span)
        };
        let none = |lower: &mut Self| Some(lower.standard(Variant::None, None, span));
        let value = self.if_else(condition, &some, &none, span);
        Some(self.value_or_never(value))
    }

    /// What can be called, with arguments that are there already.
    fn applied(&mut self, function: &Callable, arguments: Vec<Bound>, span: Span) -> Value {
        if let Callable::Closure(closure) = function {
            return self.enter_with(closure, arguments);
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.held_value(argument, span));
        }
        match function {
            Callable::Path(path) => self.call_on_values(path, values, span),
            Callable::Variable(place) => {
                let mut operands = vec![self.passed(place, false)];
                operands.extend(values.into_iter().map(super::place::Operand::value));
                self.call_with(Callee::Function, false, operands, span)
            }
            Callable::Closure(_) => unreachable!("entered above"),
        }
    }

    /// What is bound, as a value.
    fn held_value(&mut self, bound: Bound, span: Span) -> Value {
        match bound {
            Bound::Value(value) => value,
            Bound::Part(Subject::Place(place, By::Value)) => {
                let value = self.read(&place, span);
                self.kept(value, span)
            }
            Bound::Part(_) | Bound::Reference(..) => self.report(span, &diag::REFERENCE_VALUE, ""),
        }
    }

    fn held_place(&mut self, bound: Bound, span: Span) -> Place {
        match bound {
            Bound::Part(Subject::Place(place, By::Value)) => place,
            bound => {
                let value = self.held_value(bound, span);
                self.held(value, "held", span)
            }
        }
    }

    /// `o.take()`, `o.replace(x)`, `o.insert(x)` of an `Option` in a place.
    pub(super) fn moving_option(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Value> {
        if place.ty != Type::Unknown {
            return None;
        }
        let value = match (name, arguments) {
            ("take", []) => self.standard(Variant::None, None, span),
            ("replace" | "insert", [value]) => {
                let value = self.owned(*value);
                self.standard(Variant::Some, Some(value), span)
            }
            _ => return None,
        };
        let old = self.replace(place, value, span);
        Some(if name == "insert" { self.unit() } else { old })
    }

    /// `unwrap_or(default)` and `unwrap_or_default()` of an option that is a value.
    pub(super) fn unwrapped_or(
        &mut self,
        receiver: ExprId,
        default: Option<ExprId>,
        span: Span,
    ) -> Value {
        let value = self.owned(receiver);
        if self.diverged {
            return Value(0);
        }
        let held = self.held(value, "held", span);
        if held.ty != Type::Unknown {
            return self.unknown("an option of a known type");
        }
        let default = match default {
            Some(default) => {
                let value = self.owned(default);
                self.contents(value, span)
            }
            None => {
                let path = syn::parse_quote_spanned!(span=> ::core::default::Default::default);
                self.plain_call(&path, &[], span)
            }
        };
        let args = self.operands(&held);
        let op = Op::Measure(Method::Holds.ident(span), held.path.clone());
        let holds = self.inst(op, args, Type::Bool, "holds", span);
        let name = Ident::new("unwrap", span);
        let some = |lower: &mut Self| {
            let mut part = held.clone();
            part.path.push(Projection::Unwrap(Box::new(name.clone()), None));
            part.ty = Type::Unknown;
            Some(lower.read(&part, span))
        };
        let value = self.if_else(holds, &some, &|_| Some(default), span);
        self.value_or_never(value)
    }
}
