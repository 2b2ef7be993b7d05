//! The fence: forms that are not supported, each reported on its tokens.
//!
//! In: what cannot be lowered. Out: a value that stands for it, and for what is made of it: nothing more is said of that.

use super::{Code, Lower, Storage};
use crate::diag::{self, Diagnostic, Extent};
use crate::hir::{ExprId, ExprKind, Local, PatId};
use crate::ir::{Type, Value};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

impl Lower<'_> {
    /// Reports an error at some tokens.
    pub(super) fn report(
        &mut self,
        at: impl Into<Extent>,
        row: &Diagnostic,
        particular: &str,
    ) -> Value {
        self.reports.report(at, row, particular);
        self.broken()
    }

    /// Reports an error in one of many copies of some code.
    pub(super) fn report_once(
        &mut self,
        at: impl Into<Extent>,
        row: &Diagnostic,
        particular: &str,
    ) -> Value {
        match self.reports.is_empty() {
            true => self.report(at, row, particular),
            false => self.broken(),
        }
    }

    /// Reports an expression, at all of its tokens.
    pub(super) fn refuse(&mut self, expr: ExprId, row: &Diagnostic, particular: &str) -> Value {
        let at = self.body.expr(expr).extent;
        self.report(at, row, particular)
    }

    /// Reports a form of expressions.
    pub(super) fn refuse_form(&mut self, expr: ExprId, name: &str) -> Value {
        self.refuse(expr, &diag::UNSUPPORTED_EXPRESSION, name)
    }

    /// Keeps in mind which version of its receiver a method starts from: one that is taken by value is copied here, one
    /// that is borrowed is not, and which it is only rustc knows.
    pub(super) fn hold(&mut self, method: ExprId, local: Local) {
        let var = match self.storage.get(&local) {
            Some(Storage::Variable(var)) => *var,
            Some(Storage::Alias(place)) => place.var,
            _ => return,
        };
        self.holds.insert(method, (var, self.state[var.0]));
    }

    /// Whether the two kinds of receivers differ.
    pub(super) fn is_changed_since_held(&self, method: ExprId) -> bool {
        self.holds.get(&method).is_some_and(|(var, version)| self.state[var.0] != *version)
    }

    /// Reports a pattern.
    pub(super) fn refuse_pattern(&mut self, pattern: PatId) {
        let at = self.body.pat(pattern).extent;
        self.reports.report(at, &diag::PATTERN, "");
    }

    /// Reports a field of what has none, as far as its type is known.
    pub(super) fn refuse_field(&mut self, at: Extent, ty: &Type) {
        match ty {
            Type::Tuple(items) if !items.is_empty() => {}
            Type::Unknown => {}
            // The result of an operator on a number and a value of unknown type is taken for a number.
            Type::Float(_) => {
                self.reports.report(at, &diag::UNSUPPORTED_EXPRESSION, "a field of a number");
            }
            // A method that returns nothing of a vector, such as `push`, may return something of another type.
            Type::Tuple(_) => {
                self.reports.report(at, &diag::UNSUPPORTED_EXPRESSION, "a field of `()`");
            }
            // rustc has its own error: no valid program comes here.
            Type::Int
            | Type::Bool
            | Type::Text
            | Type::Constant
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Cell(_)
            | Type::Reference(..)
            | Type::Function(..)
            | Type::Pullback
            | Type::Wrapped(_)
            | Type::Never => self.reports.give_up(),
        }
    }

    /// Reports a reference that would be a value.
    pub(super) fn refuse_reference(&mut self, expr: ExprId) -> Value {
        self.refuse(expr, &diag::REFERENCE_VALUE, "")
    }

    /// Gives up where rustc says what is wrong.
    pub(super) fn give_up(&mut self) -> Value {
        self.reports.give_up();
        self.broken()
    }

    /// Stands for what was reported where its parts were lowered.
    pub(super) fn reported(&mut self, what: &str) -> Value {
        if self.reports.is_empty() {
            self.unsupported(what);
        }
        self.broken()
    }

    fn broken(&mut self) -> Value {
        let value = self.builder.place(Type::Unknown, "undefined", Span::call_site(), false);
        self.builder.push(crate::ir::Op::Undefined, Vec::new(), vec![value], Span::call_site());
        self.broken.extend(self.builder.function.slot_of(value));
        value
    }

    /// Whether a value stands for what could not be lowered.
    pub(super) fn is_broken_value(&self, value: Value) -> bool {
        self.builder.function.slot_of(value).is_some_and(|slot| self.broken.contains(&slot))
    }

    /// Whether an error was already reported about what an expression names.
    pub(super) fn is_broken(&self, expr: ExprId) -> bool {
        let Some(local) = self.body.root(expr) else { return false };
        let var = match self.storage.get(&local) {
            Some(Storage::Variable(var)) => *var,
            Some(Storage::Alias(place) | Storage::Part(place)) => place.var,
            Some(_) => return false,
            None => return true,
        };
        self.slot_at(var).is_some_and(|slot| self.broken.contains(&slot))
    }

    /// A name, as a value, of what is known here only by its name.
    pub(super) fn known_as_value(&mut self, expr: ExprId, local: Local) -> Value {
        match self.storage.get(&local).cloned() {
            Some(Storage::Closure(_)) => self.refuse_form(expr, "a closure"),
            Some(Storage::Function(path)) => self.item(&path, self.span(expr)),
            Some(Storage::Pullback(_)) => {
                self.refuse(expr, &diag::PULLBACK, "it is used other than by a call")
            }
            Some(Storage::Stream(_)) => self.refuse(expr, &diag::KEPT_ITERATOR, ""),
            Some(Storage::Range(bounds)) => self.range_value(expr, bounds),
            Some(
                Storage::Variable(_) | Storage::Alias(_) | Storage::Part(_) | Storage::Parts(_),
            )
            | None => self.reported("a name of nothing"),
        }
    }

    /// Reports a method of a collection.
    pub(super) fn refuse_method(&mut self, receiver: ExprId, name: &Ident) -> Value {
        match self.is_broken(receiver) {
            true => self.reported("a method"),
            false => self.report(name.span(), &diag::COLLECTION_METHOD, &name.to_string()),
        }
    }

    /// Reports a method that gives an iterator, or that is told a type.
    pub(super) fn refuse_iterator(
        &mut self,
        (expr, receiver): (ExprId, ExprId),
        turbofish: Option<&syn::AngleBracketedGenericArguments>,
    ) -> Value {
        if self.is_broken(receiver) {
            return self.reported("an iterator");
        }
        match turbofish {
            Some(turbofish) if !self.is_stream(receiver) => {
                let what = "a method's own parameter";
                self.report(turbofish.span(), &diag::UNSUPPORTED_EXPRESSION, what)
            }
            _ => self.refuse_chain(expr),
        }
    }

    /// Reports a call of what is no name.
    pub(super) fn refuse_callee(&mut self, callee: ExprId, span: Span) -> Value {
        match self.body.expr(callee).kind {
            ExprKind::Unsupported => self.reported("a function"),
            _ => {
                let what = "a call of a computed function";
                self.report(span, &diag::UNSUPPORTED_EXPRESSION, what)
            }
        }
    }

    /// Reports what a closure changes that is passed to a function.
    pub(super) fn refuse_state(&mut self, code: &Code, local: Local) {
        let name = &self.body.local(local).name;
        let named = match code {
            Code::Body(body) => self.body.first_use(*body, local),
            Code::Rule(..) | Code::Piece(_) => None,
        };
        let span = named.map_or(name.span(), |named| self.span(named));
        self.reports.report(span, &diag::CLOSURE_STATE, &name.to_string());
    }

    /// Reports what a closure captures that is passed to a function, and that is known here only by its name.
    pub(super) fn refuse_capture(&mut self, local: Local, storage: &Storage) {
        let span = self.body.local(local).name.span();
        let (row, particular) = match storage {
            Storage::Pullback(_) => (&diag::PULLBACK, "it is used other than by a call"),
            Storage::Stream(_) => (&diag::KEPT_ITERATOR, ""),
            Storage::Range(_) => (&diag::UNSUPPORTED_EXPRESSION, "a range that a closure captures"),
            Storage::Variable(_)
            | Storage::Alias(_)
            | Storage::Part(_)
            | Storage::Closure(_)
            | Storage::Function(_)
            | Storage::Parts(_) => (&diag::REFERENCE_VALUE, ""),
        };
        self.reports.report(span, row, particular);
    }

    /// Reports a chain that has no form as a loop.
    pub(super) fn refuse_loop(&mut self, span: Span) {
        self.reports.report(span, &diag::UNSUPPORTED_ITERATOR, "");
    }

    /// Reports a chain that no loop is made of: at what makes its iterator of a collection.
    pub(super) fn refuse_chain(&mut self, expr: ExprId) -> Value {
        let mut from = expr;
        while let ExprKind::Method { receiver, .. } = &self.body.expr(from).kind
            && matches!(self.body.expr(*receiver).kind, ExprKind::Method { .. })
        {
            from = *receiver;
        }
        let span = self.span(from);
        match &self.body.expr(from).kind {
            _ if self.is_broken(from) => self.reported("a chain"),
            ExprKind::Method { name, .. } if name.to_string().contains("par_") => {
                self.report(span, &diag::PARALLEL, &name.to_string())
            }
            ExprKind::Method { .. } => self.report(span, &diag::KEPT_ITERATOR, ""),
            _ => self.refuse(expr, &diag::UNSUPPORTED_ITERATOR, ""),
        }
    }
}
