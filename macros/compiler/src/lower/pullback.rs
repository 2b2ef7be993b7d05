//! Pullbacks by name: `let (y, pullback) = f::vjp(x, w);` and `pullback(w, &mut w_bar, y_bar)`.
//!
//! In: a `let` with such a call, and calls of the name. Out: a call of `f`, and, where the pullback is called, one of
//! the function beside `f` that does both at once: that one has derivatives. A name of a pullback stands for no value, so
//! that it is only called.

use super::place::Operand;
use super::{Lower, Storage};
use crate::diag;
use crate::hir::{ExprId, ExprKind, PatId, PatKind};
use crate::ir::{Callee, Op, Passing, Type, Value};
use crate::lower::pulled::{is_pulled, of_method, of_path};
use proc_macro2::Span;
use std::rc::Rc;

/// What a name of a pullback stands for.
pub(super) struct Pullback {
    /// The function that calls `vjp` and its pullback.
    callee: Callee,
    /// What `vjp` was given.
    operands: Vec<Operand>,
}

impl<'a> Lower<'a> {
    /// `let (y, pullback) = f::vjp(..)`, if the pattern and the value are of this form.
    pub(super) fn bind_pullback(&mut self, pattern: PatId, init: ExprId) -> bool {
        let body = self.body;
        let PatKind::Tuple(items) = &body.pat(pattern).kind else { return false };
        let [value, pullback] = items[..] else { return false };
        let Some(name) = self.plain_binding(pullback) else { return false };
        let Some([function, pulled]) = self.pair(init) else { return false };
        let is_of_companion = matches!(&pulled, Callee::Path(path) if is_pulled(path));
        if !body.is_called(name.local) && !is_of_companion {
            return false;
        }
        let span = self.span(init);
        let (receiver, arguments): (_, &[ExprId]) = match &body.expr(init).kind {
            ExprKind::Method { receiver, arguments, .. } => {
                let place = self.base(*receiver);
                (Some(self.passed(&place, false)), arguments)
            }
            ExprKind::Call(_, arguments) => (None, arguments),
            _ => unreachable!("a pair is a call"),
        };
        let Some((operands, apart)) = self.call_operands(receiver, arguments, span) else {
            return true;
        };
        if !apart.is_empty() || operands.iter().any(|operand| operand.passing.writes()) {
            self.reports.report(span, &diag::PULLBACK, "it is given a place by `&mut`");
        }
        let kept = operands.iter().map(|operand| self.kept_operand(operand, span)).collect();
        let result = self.call_with(function, false, operands, span);
        self.bind_value(value, result);
        let pullback = Pullback { callee: pulled, operands: kept };
        self.storage.insert(name.local, Storage::Pullback(Rc::new(pullback)));
        true
    }

    /// The function of which an expression calls the `vjp`, and the one that does both.
    fn pair(&self, init: ExprId) -> Option<[Callee; 2]> {
        match &self.body.expr(init).kind {
            ExprKind::Call(callee, _) => match &self.body.expr(*callee).kind {
                ExprKind::Item(path) => Some(of_path(path)?.map(Callee::Path)),
                _ => None,
            },
            ExprKind::Method { name, turbofish: None, .. } => {
                Some(of_method(name)?.map(Callee::Method))
            }
            _ => None,
        }
    }

    /// The call of such a name.
    pub(super) fn pullback_call(
        &mut self,
        pullback: &Pullback,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        let Some((own, apart)) = self.call_operands(None, arguments, span) else {
            return Value(0);
        };
        let mut operands = pullback.operands.clone();
        operands.extend(own);
        let result = self.call_with(pullback.callee.clone(), false, operands, span);
        self.write_back(apart, span);
        result
    }

    /// An operand that is passed once more: what is moved out of a place is a copy.
    fn kept_operand(&mut self, operand: &Operand, span: Span) -> Operand {
        let value = operand.args[0];
        if operand.passing != Passing::Value || self.builder.function.slot_of(value).is_none() {
            return operand.clone();
        }
        let copy = match self.ty(value) {
            Type::Unknown => {
                self.builder.inst(Op::Duplicate, vec![value], Type::Unknown, "kept", span)
            }
            ty => self.inst(Op::Clone(Vec::new()), vec![value], ty, "kept", span),
        };
        Operand { args: vec![copy], ..operand.clone() }
    }
}
