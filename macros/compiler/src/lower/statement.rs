//! Statements, and what follows an exit.
//!
//! `if c { return a; } rest` becomes `if c { a } else { rest }`: the rest of a block moves into the arm that goes on.
//! Where no single arm goes on, the rest runs under the frame's `live` flag.

use super::Lower;
use crate::hir::{Block, ExprId, ExprKind, Stmt};
use crate::ir::Value;
use proc_macro2::Span;

/// What follows an expression, given its value.
pub(super) type Next<'n, 'a> = &'n dyn Fn(&mut Lower<'a>, Value) -> Option<Value>;

impl<'a> Lower<'a> {
    /// The value of a block, behind which more code of an enclosing block stands.
    pub(super) fn block(&mut self, block: &'a Block) -> Option<Value> {
        self.statements(&block.stmts, block.value, &|_, value| Some(value))
    }

    /// Lowers statements in order, then the value, then what follows.
    pub(super) fn statements(
        &mut self,
        mut stmts: &'a [Stmt],
        value: Option<ExprId>,
        next: Next<'_, 'a>,
    ) -> Option<Value> {
        while let Some((stmt, rest)) = stmts.split_first() {
            match stmt {
                Stmt::Expr(expr) if self.may_exit(*expr) => {
                    return self.followed(*expr, &|lower, _| lower.statements(rest, value, next));
                }
                Stmt::Let { pattern, value: Some(init), otherwise: None }
                    if self.may_exit(*init) =>
                {
                    return self.followed(*init, &|lower, bound| {
                        lower.bind_value(*pattern, bound);
                        lower.statements(rest, value, next)
                    });
                }
                Stmt::Let { pattern, value: Some(init), otherwise: Some(otherwise) } => {
                    return self.let_else((*pattern, *init, *otherwise), &|lower, _| {
                        lower.statements(rest, value, next)
                    });
                }
                Stmt::Let { pattern, value: Some(init), .. } => self.bind(*pattern, *init),
                Stmt::Let { pattern, value: None, .. } => self.declare(*pattern),
                // The element that is passed over may be a reference, which is no value.
                Stmt::Expr(expr) if self.is_step(*expr) => drop(self.lookup(*expr)),
                Stmt::Expr(expr) => drop(self.expr(*expr)),
                Stmt::Hold { method, local } => self.hold(*method, *local),
            }
            if self.diverged {
                return None;
            }
            stmts = rest;
        }
        match value {
            Some(value) => self.followed(value, next),
            None => {
                let unit = self.unit();
                next(self, unit)
            }
        }
    }

    pub(super) fn may_exit(&self, expr: ExprId) -> bool {
        !self.body.expr(expr).exits.is_empty()
    }

    /// Lowers an expression that control may leave, and what follows it.
    pub(super) fn followed(&mut self, expr: ExprId, next: Next<'_, 'a>) -> Option<Value> {
        if !self.may_exit(expr) {
            let value = self.expr(expr);
            return if self.diverged { None } else { next(self, value) };
        }
        match &self.body.expr(expr).kind {
            ExprKind::Block { label: None, block } => {
                self.statements(&block.stmts, block.value, next)
            }
            ExprKind::If { .. } | ExprKind::Match(..) => self.choice_followed(expr, next),
            _ => {
                let value = self.owned(expr);
                self.guarded(value, expr, next)
            }
        }
    }

    /// What follows code that may have been left, under the flag that says whether it was.
    pub(super) fn guarded(
        &mut self,
        value: Value,
        expr: ExprId,
        next: Next<'_, 'a>,
    ) -> Option<Value> {
        if self.diverged {
            return None;
        }
        let live = self.frames.last().expect("a frame").live;
        let live = self.state[live.0].expect("the flag is always set");
        let span = self.span(expr);
        self.if_else(
            live,
            &|lower| {
                let value = lower.unwrapped(value, span);
                next(lower, value)
            },
            &|_| None,
            Span::call_site(),
        )
    }

    /// Whether control never reaches the end of an expression.
    pub(super) fn leaves(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Break(..) | ExprKind::Continue(_) => true,
            ExprKind::Block { label: None, block } => {
                let stmts = block.stmts.iter().any(|stmt| match stmt {
                    Stmt::Expr(expr) => self.leaves(*expr),
                    Stmt::Let { .. } | Stmt::Hold { .. } => false,
                });
                stmts || block.value.is_some_and(|value| self.leaves(value))
            }
            ExprKind::If { then, other, .. } => self.leaves(*then) && self.leaves(*other),
            ExprKind::Match(_, arms) => arms.iter().all(|arm| self.leaves(arm.body)),
            ExprKind::Loop(repeat) => !repeat.is_left,
            _ => false,
        }
    }
}
