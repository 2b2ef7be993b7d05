//! Ranges as values: a range is known by its ends for as long as it has a name.
//!
//! In: `a..b` and kin, names bound to them, and parameters whose type is written `Range<usize>`. Out: the ends, or a value of
//! the standard library's type where one is passed on or kept. A range that is a value has no tangent: its ends are integers.
//!
//! Invariant: the ends are read once, where the range is written.

use super::{Lower, Place, Storage};
use crate::hir::{ExprId, ExprKind, Local};
use crate::ir::{Callee, Form, Op, Projection, Type, Value};
use crate::syntax::types;
use proc_macro2::Span;

/// The ends of a range.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub start: Option<Value>,
    pub end: Option<Value>,
    pub is_inclusive: bool,
}

impl<'a> Lower<'a> {
    /// Whether an expression is a range, or a name or a copy of one.
    pub(super) fn is_range(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Range { .. } => true,
            ExprKind::Local(local) => match self.storage.get(local) {
                Some(Storage::Range(_)) => true,
                Some(Storage::Variable(_)) => self.is_declared_range(*local),
                _ => false,
            },
            ExprKind::Method { receiver, name, arguments, .. } => {
                name == "clone" && arguments.is_empty() && self.is_range(*receiver)
            }
            _ => false,
        }
    }

    /// Whether a variable is a range with two ends: its type is written as that of a range of integers, or all that it is
    /// declared with are ranges. Methods advance one that is `mut`, which is a value like any other.
    fn is_declared_range(&self, local: Local) -> bool {
        let data = self.body.local(local);
        match &data.ty {
            _ if data.is_mutable => false,
            Some(ty) => types::is_range(ty),
            None => self.initials.get(&local).is_some_and(|initial| self.makes_range(*initial)),
        }
    }

    /// Whether the value of an expression is a range with two ends on all ways.
    fn makes_range(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Range { start, end, is_inclusive } => {
                start.is_some() && end.is_some() && !is_inclusive
            }
            ExprKind::Block { label: None, block } => {
                block.value.is_some_and(|value| self.makes_range(value))
            }
            ExprKind::If { then, other, .. } => self.makes_range(*then) && self.makes_range(*other),
            ExprKind::Match(_, arms) => arms.iter().all(|arm| self.makes_range(arm.body)),
            _ => false,
        }
    }

    /// The ends of a range.
    pub(super) fn bounds(&mut self, expr: ExprId) -> Option<Bounds> {
        let span = self.span(expr);
        match self.body.expr(expr).kind.clone() {
            ExprKind::Range { start, end, is_inclusive } => {
                let [start, end] = [start, end].map(|end| end.map(|end| self.number_of(end)));
                Some(Bounds { start, end, is_inclusive })
            }
            ExprKind::Local(local) => match self.storage.get(&local)? {
                Storage::Range(bounds) => Some(*bounds),
                Storage::Variable(var) if self.is_declared_range(local) => {
                    let place = self.variable_place(*var);
                    Some(self.bounds_in(&place, span))
                }
                _ => None,
            },
            ExprKind::Method { receiver, .. } if self.is_range(expr) => self.bounds(receiver),
            _ => None,
        }
    }

    /// The ends that a variable holds.
    fn bounds_in(&mut self, place: &Place, span: Span) -> Bounds {
        let [start, end] = ["start", "end"].map(|name| {
            let end = self.part(place, Projection::Field(name.to_owned()));
            let end = Place { ty: Type::Int, ..end };
            Some(self.read(&end, span))
        });
        Bounds { start, end, is_inclusive: false }
    }

    /// `r.start` and `r.end`.
    pub(super) fn end_of_range(&mut self, expr: ExprId) -> Option<Value> {
        let ExprKind::Field(base, syn::Member::Named(name)) = &self.body.expr(expr).kind else {
            return None;
        };
        if !self.is_range(*base) {
            return None;
        }
        let bounds = self.bounds(*base)?;
        match name.to_string().as_str() {
            "start" => bounds.start,
            "end" => bounds.end,
            _ => None,
        }
    }

    /// Binds a name to a range that is not consumed by steps.
    pub(super) fn bind_range(&mut self, local: Local, init: ExprId) -> bool {
        if self.body.local(local).is_mutable || !self.is_range(init) {
            return false;
        }
        let Some(bounds) = self.bounds(init) else { return false };
        self.storage.insert(local, Storage::Range(bounds));
        true
    }

    /// A range as a value of its own.
    pub(super) fn range_value(&mut self, expr: ExprId, bounds: Bounds) -> Value {
        let span = self.span(expr);
        if self.diverged {
            return Value(0);
        }
        let ends = [bounds.start, bounds.end].into_iter().flatten();
        let types: Vec<Type> = ends.map(|end| self.ty(end)).collect();
        if types.iter().any(Type::is_float) {
            return self.refuse_form(expr, "a range of floats as a value");
        }
        let is_known = types.contains(&Type::Int);
        let [start, end] = [bounds.start, bounds.end]
            .map(|end| end.map(|end| self.integer_end(end, is_known, span)));
        let (name, fields) = match (start, end, bounds.is_inclusive) {
            (Some(start), Some(end), true) => {
                let function = syn::parse_quote_spanned!(span=> ::core::ops::RangeInclusive::new);
                let operands = [start, end].map(super::place::Operand::value).into();
                return self.call_with(Callee::Path(function), false, operands, span);
            }
            (Some(_), Some(_), false) => ("Range", vec!["start", "end"]),
            (Some(_), None, _) => ("RangeFrom", vec!["start"]),
            (None, Some(_), true) => ("RangeToInclusive", vec!["end"]),
            (None, Some(_), false) => ("RangeTo", vec!["end"]),
            (None, None, _) => ("RangeFull", vec![]),
        };
        let name = proc_macro2::Ident::new(name, span);
        let path = syn::parse_quote_spanned!(span=> ::core::ops::#name);
        let fields = fields.into_iter().map(str::to_owned).collect();
        self.construct(&path, fields, start.into_iter().chain(end).collect(), Form::Fields, span)
    }

    /// An end of a range that is kept as a value, which must be an integer.
    fn integer_end(&mut self, end: Value, is_known: bool, span: Span) -> Value {
        if is_known {
            return end;
        }
        let function = syn::parse_quote_spanned!(span=> ::cotangent::__private::integer);
        let operand = super::place::Operand::value(end);
        self.call_with(Callee::Stopped(function), false, vec![operand], span)
    }

    /// `(a..b).contains(&x)`: two comparisons.
    pub(super) fn in_range(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let [asked] = arguments[..] else { return None };
        if name != "contains" || !self.is_range(receiver) {
            return None;
        }
        let bounds = self.bounds(receiver)?;
        let value = match self.reference(asked) {
            Some((place, _)) => self.read(&place, span),
            None => self.expr(asked),
        };
        let value = self.contents(value, span);
        let below = match bounds.is_inclusive {
            true => syn::BinOp::Le(syn::Token![<=](span)),
            false => syn::BinOp::Lt(syn::Token![<](span)),
        };
        let above = syn::BinOp::Le(syn::Token![<=](span));
        let tests = [
            bounds.start.map(|start| self.operator(&above, start, value, span)),
            bounds.end.map(|end| self.operator(&below, value, end, span)),
        ];
        let both = syn::BinOp::BitAnd(syn::Token![&](span));
        let joined = tests
            .into_iter()
            .flatten()
            .reduce(|a, b| self.inst(Op::Binary(both), vec![a, b], Type::Bool, "condition", span));
        Some(joined.unwrap_or_else(|| self.boolean(true)))
    }
}
