//! `a.into()` of a value: the conversion that an `impl From<..>` defines.
//!
//! In: a value of known type, or a body. Out: a call of the standard library's `into`, whose derivatives are those of
//! the `impl` (`core/src/conversions.rs`); for values of unknown type the import by which their `into` has them.
//!
//! Invariant: no reference is converted, since derivative code would convert what it leads to. A body in which one may be has
//! neither the calls nor the import.

use super::Lower;
use super::place::Operand;
use crate::hir::references::References;
use crate::hir::{Body, ExprId, ExprKind};
use crate::ir::{Callee, FloatKind, Function, Type, Value};
use crate::lower::builtin::is_rule;
use proc_macro2::Span;
use syn::{parse_quote, parse_quote_spanned};

/// Whether a body converts by `into`, and nothing that it converts may be a reference.
fn converts(body: &Body) -> bool {
    let receivers = body.exprs().filter_map(|expr| match &expr.kind {
        ExprKind::Method { receiver, name, arguments, .. }
            if name == "into" && arguments.is_empty() =>
        {
            Some(*receiver)
        }
        _ => None,
    });
    let receivers: Vec<_> = receivers.collect();
    let references = References::of(body);
    !receivers.is_empty()
        && receivers.into_iter().all(|receiver| is_value(body, &references, receiver))
}

/// Whether an expression is no reference for certain. A method may stand for one that returns a reference to a field.
fn is_value(body: &Body, references: &References, expr: ExprId) -> bool {
    match &body.expr(expr).kind {
        ExprKind::Call(callee, _) => matches!(body.expr(*callee).kind, ExprKind::Item(_)),
        ExprKind::Method { receiver, name, arguments, .. } => {
            is_rule(&name.to_string(), 1 + arguments.len()) && is_value(body, references, *receiver)
        }
        ExprKind::Local(local) => match (&body.local(*local).ty, body.local(*local).init) {
            (None, Some(init)) => is_value(body, references, init),
            _ => !references.may_be_reference(expr),
        },
        ExprKind::Literal(_)
        | ExprKind::Negate(_)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Deref(_)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Array(_)
        | ExprKind::Repeat(..)
        | ExprKind::Tuple(_)
        | ExprKind::Struct { .. } => !references.may_be_reference(expr),
        _ => false,
    }
}

/// Imports the derivatives of `into`, if the body converts by it.
pub(super) fn import(body: &Body, function: &mut Function) -> bool {
    let converts = converts(body);
    if converts {
        function.items.push(parse_quote!(
            use ::cotangent::__private::ConvertingPlace as _;
        ));
    }
    converts
}

impl Lower<'_> {
    /// Whether values of a type have no method `into` but the standard library's.
    pub(super) fn is_converted(&self, ty: &Type) -> bool {
        let is_known = match ty {
            Type::Float(kind) => *kind != FloatKind::Literal,
            Type::Array(..) | Type::Tuple(_) | Type::Vec(_) => true,
            _ => false,
        };
        self.converts && is_known
    }

    pub(super) fn value_by_into(&mut self, value: Value, span: Span) -> Value {
        let path = parse_quote_spanned!(span=> ::cotangent::__private::Converting::into);
        self.call_with(Callee::Path(path), false, vec![Operand::value(value)], span)
    }
}
