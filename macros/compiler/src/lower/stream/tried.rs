//! Chains that end at the first failure: `try_fold`, `try_for_each`, and sums and collections of options and results.
//!
//! In: a chain, and a function that gives an `Option` or a `Result`. Out: a loop that holds what the function gave last, and
//! that is left once this is a failure. Where the elements are options or results, the loop of what is in them, which is left
//! at the first failure (`GenericShunt` in the standard library).

use super::super::pattern::By;
use super::super::{Lower, Place};
use super::{Function, Item, Run, Sink, Stage, Stream};
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
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let mut items = vec![lower.held_in_variant(&outcome, success, span)];
            items.truncate(init.len());
            items.push(item);
            let value = lower.apply_to(&step_of, &items, span);
            if lower.diverged {
                return;
            }
            let value = lower.item_value(&value, span);
            lower.write(&outcome, value, span);
            let goes_on = lower.fits(&outcome, success, span);
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

    /// A sum, a product or a collection of what is in options or results, as one of these.
    pub(super) fn all_or_none(
        &mut self,
        mut stream: Stream,
        name: &str,
        (success, content): (Variant, Option<&syn::Type>),
        span: Span,
    ) -> Option<Value> {
        let content = content.filter(|content| !matches!(content, syn::Type::Infer(_)));
        let none = self.standard(Variant::None, None, span);
        let failure = self.held(none, "failure", span);
        stream.stages.push(Stage::Shunt(success, failure.clone()));
        let value = self.ended_by(&stream, name, &[], content, span)?;
        if self.diverged {
            return Some(Value(0));
        }
        let value = self.kept(value, span);
        let failed = self.fits(&failure, Variant::Some, span);
        let whole = self.if_else(
            failed,
            &|lower| {
                let error = lower.held_in_variant(&failure, Variant::Some, span);
                Some(match success {
                    Variant::Ok => {
                        let error = lower.item_value(&error, span);
                        lower.standard(Variant::Err, Some(error), span)
                    }
                    _ => lower.standard(Variant::None, None, span),
                })
            },
            &|lower| Some(lower.standard(success, Some(value), span)),
            span,
        );
        Some(self.value_or_never(whole))
    }

    /// The first option that a closure gives and that holds something.
    pub(super) fn first_inside(&mut self, stream: &Stream, choose: Function, span: Span) -> Value {
        let none = self.standard(Variant::None, None, span);
        let first = self.held(none, "first", span);
        let mut stream = stream.clone();
        stream.stages.push(Stage::FilterMap(choose));
        let run = self.run(span);
        self.drive(&stream, run, &|lower, item| {
            let value = lower.item_to_keep(&item, span);
            let value = lower.contents(value, span);
            let some = lower.standard(Variant::Some, Some(value), span);
            lower.write(&first, some, span);
            lower.leave(run.target, true);
        });
        self.take_state(&first, span)
    }

    /// Passes on the inside of an option or a result; a failure leaves the chain.
    pub(super) fn shunted(
        &mut self,
        (success, failure): (Variant, &Place),
        item: &Item,
        run: Run,
        sink: Sink<'_, 'a>,
    ) {
        let span = run.span;
        let value = self.item_value(item, span);
        let tried = self.held(value, "tried", span);
        let fits = self.fits(&tried, success, span);
        self.either(
            fits,
            &|lower| {
                let inside = lower.held_in_variant(&tried, success, span);
                sink(lower, inside);
            },
            &|lower| {
                let error = match success {
                    Variant::Ok => {
                        let error = lower.held_in_variant(&tried, Variant::Err, span);
                        lower.item_value(&error, span)
                    }
                    _ => lower.unit(),
                };
                let error = lower.standard(Variant::Some, Some(error), span);
                lower.write(failure, error, span);
                lower.leave(run.target, true);
            },
            span,
        );
    }

    fn fits(&mut self, place: &Place, variant: Variant, span: Span) -> Value {
        let path = variant.path(span);
        let pattern = Box::new(syn::parse_quote_spanned!(span=> #path(_)));
        let args = self.operands(place);
        self.inst(Op::Matches(pattern, Vec::new()), args, Type::Bool, "fits", span)
    }

    fn held_in_variant(&mut self, place: &Place, variant: Variant, span: Span) -> Item {
        let step = Projection::Variant(Box::new(variant.path(span)), "0".to_owned());
        Item::Place(self.part(place, step), By::Value)
    }
}

/// The variant that holds values, of a type that is written as an `Option` or a `Result`.
pub(super) fn success(ty: &syn::Type) -> Option<Variant> {
    let syn::Type::Path(path) = crate::syntax::signature::plain(ty) else { return None };
    match path.path.segments.last()?.ident.to_string().as_str() {
        "Option" => Some(Variant::Some),
        "Result" => Some(Variant::Ok),
        _ => None,
    }
}
