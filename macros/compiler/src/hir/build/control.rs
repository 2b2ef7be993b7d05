//! Control flow: branches, matches, loops and exits.

use super::{Build, Failure, Jumps};
use crate::diag::{self, Extent};
use crate::hir::{Arm, Block, ExprId, ExprKind, Loop, LoopKind, Stmt, Target, Variant};
use crate::ir::Schedule;
use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;

impl Build<'_> {
    /// Reads an expression that chooses, repeats or leaves.
    pub(super) fn control(&mut self, expr: &syn::Expr) -> (ExprKind, Span) {
        match expr {
            syn::Expr::Block(block) => (self.labelled(block), block.span()),
            syn::Expr::If(branch) => (self.branch(branch), branch.if_token.span()),
            syn::Expr::Let(test) => {
                let value = self.expr(&test.expr);
                (ExprKind::Let(self.refutable(&test.pat), value), test.let_token.span())
            }
            syn::Expr::Match(choice) => (self.choice(choice), choice.match_token.span()),
            syn::Expr::Try(attempt) => (self.attempt(attempt), attempt.question_token.span()),
            syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_) => {
                (self.repeat(expr, &[]), expr.span())
            }
            syn::Expr::Return(exit) => {
                let value = exit.expr.as_ref().map(|value| self.expr(value));
                let (target, _) = *self.functions.last().expect("a body is open");
                (ExprKind::Break(target, value), exit.return_token.span())
            }
            syn::Expr::Break(exit) => (self.leave(exit), exit.break_token.span()),
            syn::Expr::Continue(exit) => {
                let kind = match self.target(exit.label.as_ref(), Jumps::Loop) {
                    Some(target) => ExprKind::Continue(target),
                    None => self.give_up(),
                };
                (kind, exit.continue_token.span())
            }
            other => (self.unsupported(other), other.span()),
        }
    }

    fn labelled(&mut self, block: &syn::ExprBlock) -> ExprKind {
        let Some(label) = &block.label else {
            return ExprKind::Block { label: None, block: self.block(&block.block) };
        };
        let target = self.new_target();
        self.labels.push((Some(label.name.ident.to_string()), target, Jumps::Block));
        let block = self.block(&block.block);
        self.labels.pop();
        ExprKind::Block { label: Some(target), block }
    }

    /// A condition's names are those of the first arm alone.
    fn branch(&mut self, branch: &syn::ExprIf) -> ExprKind {
        self.scopes.open();
        let condition = self.expr(&branch.cond);
        let then = self.block_expr(&branch.then_branch);
        self.scopes.close();
        let other = match &branch.else_branch {
            Some((_, other)) => self.body_expr(other),
            None => self.made(ExprKind::Tuple(Vec::new()), branch.if_token.span()),
        };
        ExprKind::If { condition, then, other }
    }

    fn block_expr(&mut self, block: &syn::Block) -> ExprId {
        let kind = ExprKind::Block { label: None, block: self.block(block) };
        self.add(kind, Extent::of(block), block.brace_token.span.open())
    }

    fn choice(&mut self, choice: &syn::ExprMatch) -> ExprKind {
        let value = self.expr(&choice.expr);
        let arms = choice.arms.iter().map(|arm| {
            let (pattern, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            self.scopes.open();
            let pattern = self.refutable(pattern);
            let guard = guard.map(|guard| self.expr(guard));
            let body = self.body_expr(&arm.body);
            self.scopes.close();
            Arm { pattern, guard, body }
        });
        let arms: Vec<Arm> = arms.collect();
        let patterns: Vec<_> = arms.iter().map(|arm| arm.pattern).collect();
        self.tell_variants(&patterns);
        ExprKind::Match(value, arms)
    }

    /// `e?`: what is inside, or the end of the function with what says that there is nothing.
    fn attempt(&mut self, attempt: &syn::ExprTry) -> ExprKind {
        let value = self.expr(&attempt.expr);
        let span = attempt.question_token.span();
        let (target, failure) = *self.functions.last().expect("a body is open");
        let (local, binding) = self.made_binding("value", span);
        let success = Arm {
            pattern: self.standard_pattern(failure.success(), Some(binding), span),
            guard: None,
            body: self.made(ExprKind::Local(local), span),
        };
        let (pattern, returned) = match failure {
            Failure::Option => {
                let none = ExprKind::Item(path_of(Variant::None, span));
                (self.standard_pattern(Variant::None, None, span), self.made(none, span))
            }
            Failure::Result => {
                let (local, binding) = self.made_binding("error", span);
                let error = self.made(ExprKind::Local(local), span);
                let error = self.converted_error(error, target, span);
                let constructor = self.made(ExprKind::Item(path_of(Variant::Err, span)), span);
                let call = self.made(ExprKind::Call(constructor, vec![error]), span);
                (self.standard_pattern(Variant::Err, Some(binding), span), call)
            }
        };
        let body = self.made(ExprKind::Break(target, Some(returned)), span);
        ExprKind::Match(value, vec![success, Arm { pattern, guard: None, body }])
    }

    /// Converts an error as `?` does, into that of the function's result, whose type rustc knows. In a closure the error stays
    /// as it is, since its result has no type in emitted code.
    fn converted_error(&mut self, error: ExprId, target: Target, span: Span) -> ExprId {
        if target != Target::FUNCTION {
            return error;
        }
        let from = syn::parse_quote_spanned!(span=> ::core::convert::From::from);
        let from = self.made(ExprKind::Item(from), span);
        self.made(ExprKind::Call(from, vec![error]), span)
    }

    /// `let (a, b) = option?;` as `let Some((a, b)) = option else { return None };`: the parts may be references, which the
    /// whole of them as a value may not.
    pub(super) fn taken_apart_option(
        &mut self,
        local: &syn::Local,
        init: &syn::LocalInit,
    ) -> Option<Stmt> {
        use syn::{Expr, Pat};
        let (Expr::Try(attempt), None) = (&*init.expr, &init.diverge) else { return None };
        if !matches!(local.pat, Pat::Tuple(_) | Pat::Reference(_)) {
            return None;
        }
        let (target, Failure::Option) = *self.functions.last().expect("a body is open") else {
            return None;
        };
        let value = self.expr(&attempt.expr);
        let span = attempt.question_token.span();
        let none = self.made(ExprKind::Item(path_of(Variant::None, span)), span);
        let otherwise = self.made(ExprKind::Break(target, Some(none)), span);
        let parts = self.irrefutable(&local.pat);
        let pattern = self.standard_pattern(Variant::Some, Some(parts), span);
        Some(Stmt::Let { pattern, value: Some(value), otherwise: Some(otherwise) })
    }

    fn leave(&mut self, exit: &syn::ExprBreak) -> ExprKind {
        let value = exit.expr.as_ref().map(|value| self.expr(value));
        match self.target(exit.label.as_ref(), Jumps::Loop) {
            Some(target) => {
                self.left.push(target);
                ExprKind::Break(target, value)
            }
            None => self.give_up(),
        }
    }

    /// The target of a label, or the innermost loop.
    fn target(&self, label: Option<&syn::Lifetime>, innermost: Jumps) -> Option<Target> {
        let label = label.map(|label| label.ident.to_string());
        for (name, target, jumps) in self.labels.iter().rev() {
            match (&label, jumps) {
                (_, Jumps::Function) => return None,
                (Some(_), _) if *name == label => return Some(*target),
                (None, jumps) if *jumps == innermost => return Some(*target),
                _ => {}
            }
        }
        None
    }

    /// An initialiser: what `#[checkpoint]` in front of the `let` says is said of the loop.
    pub(super) fn scheduled(&mut self, expr: &syn::Expr, attributes: &[syn::Attribute]) -> ExprId {
        match expr {
            syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_) => {
                let kind = self.repeat(expr, attributes);
                self.add(kind, Extent::of(expr), expr.span())
            }
            expr => self.expr(expr),
        }
    }

    fn repeat(&mut self, expr: &syn::Expr, attributes: &[syn::Attribute]) -> ExprKind {
        let (own, label, body, span) = match expr {
            syn::Expr::ForLoop(repeat) => {
                (&repeat.attrs, &repeat.label, &repeat.body, repeat.for_token.span)
            }
            syn::Expr::While(repeat) => {
                (&repeat.attrs, &repeat.label, &repeat.body, repeat.while_token.span)
            }
            syn::Expr::Loop(repeat) => {
                (&repeat.attrs, &repeat.label, &repeat.body, repeat.loop_token.span)
            }
            _ => unreachable!("a loop"),
        };
        let schedule = own.iter().chain(attributes).find_map(|given| self.schedule(given));
        let target = self.new_target();
        let name = label.as_ref().map(|label| label.name.ident.to_string());
        let (kind, body) = match expr {
            syn::Expr::ForLoop(repeat) => {
                let iterated = self.expr(&repeat.expr);
                self.scopes.open();
                let pattern = self.irrefutable(&repeat.pat);
                let body = self.body_of(name, target, body);
                self.scopes.close();
                (LoopKind::For(pattern, iterated), body)
            }
            syn::Expr::While(repeat) => self.while_loop(&repeat.cond, name, target, body, span),
            _ => (LoopKind::Endless, self.body_of(name, target, body)),
        };
        let is_left = self.left.contains(&target) || !matches!(kind, LoopKind::Endless);
        ExprKind::Loop(Box::new(Loop { target, kind, body, is_left, schedule, span }))
    }

    fn body_of(&mut self, label: Option<String>, target: Target, body: &syn::Block) -> ExprId {
        self.labels.push((label, target, Jumps::Loop));
        let body = self.block_expr(body);
        self.labels.pop();
        body
    }

    /// `while` with patterns is an endless loop that an `if` leaves.
    fn while_loop(
        &mut self,
        condition: &syn::Expr,
        label: Option<String>,
        target: Target,
        body: &syn::Block,
        span: Span,
    ) -> (LoopKind, ExprId) {
        self.scopes.open();
        self.labels.push((label.clone(), target, Jumps::Loop));
        let condition = self.expr(condition);
        self.labels.pop();
        let body = self.body_of(label, target, body);
        self.scopes.close();
        if !self.has_pattern(condition) && self.body.expr(condition).exits.is_empty() {
            return (LoopKind::While(condition), body);
        }
        self.left.push(target);
        let stop = self.made(ExprKind::Break(target, None), span);
        let choice = ExprKind::If { condition, then: body, other: stop };
        let choice = self.made(choice, span);
        let mut stmts = Vec::new();
        self.hoisted(Stmt::Expr(choice), &mut stmts);
        let block = Block { stmts, value: None };
        (LoopKind::Endless, self.made(ExprKind::Block { label: None, block }, span))
    }

    /// Whether a condition binds names.
    pub(super) fn has_pattern(&self, condition: ExprId) -> bool {
        match &self.body.expr(condition).kind {
            ExprKind::Let(..) => true,
            ExprKind::Lazy { left, right, .. } => {
                self.has_pattern(*left) || self.has_pattern(*right)
            }
            _ => false,
        }
    }

    /// Reports `#[checkpoint]` where no loop stands.
    pub(super) fn check_attributes(&mut self, attributes: &[syn::Attribute]) {
        for attribute in attributes.iter().filter(|attribute| is_checkpoint(attribute)) {
            self.reports.report(Extent::of(attribute.path()), &diag::CHECKPOINT, "");
        }
    }

    fn schedule(&mut self, attribute: &syn::Attribute) -> Option<(Schedule, Option<ExprId>, Span)> {
        if !is_checkpoint(attribute) {
            return None;
        }
        let arguments = match &attribute.meta {
            syn::Meta::Path(_) => syn::parse2(TokenStream::new()),
            _ => attribute.parse_args::<Checkpoint>(),
        };
        match arguments {
            Ok(Checkpoint { schedule, given }) => {
                let given = given.map(|given| self.expr(&given));
                Some((schedule, given, attribute.path().span()))
            }
            Err(error) => {
                self.reports.report(error.span(), &diag::CHECKPOINT, "");
                None
            }
        }
    }
}

/// Whether an expression is a loop.
pub(super) fn is_loop(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_))
}

fn is_checkpoint(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "checkpoint")
}

fn path_of(variant: Variant, span: Span) -> syn::ExprPath {
    syn::ExprPath { attrs: Vec::new(), qself: None, path: variant.path(span) }
}

/// What stands in `#[checkpoint(..)]`.
struct Checkpoint {
    schedule: Schedule,
    given: Option<syn::Expr>,
}

impl Parse for Checkpoint {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Checkpoint { schedule: Schedule::Root, given: None });
        }
        let name: proc_macro2::Ident = input.parse()?;
        let schedule = match name.to_string().as_str() {
            "every" => Schedule::Every,
            "snapshots" => Schedule::Snapshots,
            _ => return Err(syn::Error::new(name.span(), "no such argument")),
        };
        input.parse::<syn::Token![=]>()?;
        let given = Some(input.parse()?);
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Checkpoint { schedule, given })
    }
}
