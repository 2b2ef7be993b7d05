//! Chains that end at the first failure: `try_fold` and `try_for_each`.
//!
//! In: a chain, and a function that gives an `Option` or a `Result`. Out: a loop that holds what the function gave last, and
//! that is left once this is a failure.

use super::super::Lower;
use super::super::pattern::By;
use super::{Function, Item, Stream};
use crate::hir::results::is_result_type;
use crate::hir::{ExprId, ExprKind, Variant};
use crate::ir::{Op, Projection, Type, Value};
use crate::syntax::is_variant_of_std;
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// `chain.try_fold(init, function)` and `chain.try_for_each(function)`.
    pub(super) fn tried(
        &mut self,
        expr: ExprId,
        stream: &Stream,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let (step, init) = arguments.split_last()?;
        let first = match init.first() {
            Some(init) => self.owned(*init),
            None => self.unit(),
        };
        if self.diverged {
            return Some(Value(0));
        }
        let step_of = self.function_of(*step, arguments.len())?;
        let success = if self.is_result(expr, *step) { Variant::Ok } else { Variant::Some };
        let first = self.contents(first, span);
        if let Function::Closure(value) = &step_of
            && let Some(ty) = self.written_type(value.closure.params[0])
            && !init.is_empty()
        {
            self.annotate(first, &ty);
        }
        let outcome = self.standard(success, Some(first), span);
        let outcome = self.held(outcome, "outcome", span);
        let path = success.path(span);
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let step = Projection::Variant(Box::new(path.clone()), "0".to_owned());
            let mut items = vec![Item::Place(lower.part(&outcome, step), By::Value)];
            items.truncate(init.len());
            items.push(item);
            let value = lower.apply_to(&step_of, &items, span);
            if lower.diverged {
                return;
            }
            let value = lower.item_value(&value, span);
            lower.write(&outcome, value, span);
            let fits = Box::new(syn::parse_quote_spanned!(span=> #path(_)));
            let args = lower.operands(&outcome);
            let goes_on = lower.inst(Op::Matches(fits, Vec::new()), args, Type::Bool, "fits", span);
            lower.either(goes_on, &|_| {}, &|lower| lower.leave(run.target, true), span);
        });
        Some(self.take_state(&outcome, span))
    }

    /// Whether the function gives a `Result`, as its body shows, or what is done with what it gives.
    fn is_result(&self, expr: ExprId, step: ExprId) -> bool {
        let shown = match &self.body.expr(step).kind {
            ExprKind::Closure(closure) => self.result_at_end(closure.body),
            _ => None,
        };
        let is_asked = || {
            self.results.holds(self.body, expr)
                || self.expected.get(&expr).is_some_and(is_result_type)
        };
        shown.unwrap_or_else(is_asked)
    }

    /// Whether a body ends with a `Result`, and not with an `Option`, where it shows.
    fn result_at_end(&self, body: ExprId) -> Option<bool> {
        match &self.body.expr(body).kind {
            ExprKind::Block { block, .. } => self.result_at_end(block.value?),
            ExprKind::If { then, other, .. } => {
                self.result_at_end(*then).or_else(|| self.result_at_end(*other))
            }
            ExprKind::Match(_, arms) => arms.iter().find_map(|arm| self.result_at_end(arm.body)),
            ExprKind::Call(callee, _) => self.result_at_end(*callee),
            ExprKind::Item(path) if is_variant_of_std(&path.path, &["Ok", "Err"]) => Some(true),
            ExprKind::Item(path) if is_variant_of_std(&path.path, &["Some", "None"]) => Some(false),
            _ => None,
        }
    }
}
