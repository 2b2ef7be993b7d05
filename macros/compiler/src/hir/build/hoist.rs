//! Exits in the middle of an expression: `x * if c { return y } else { z }`.
//!
//! In: a statement that was just read. Out: the same as several statements, in which an exit stands in an
//! initialiser of its own, so that what is evaluated after it can be left out. Operands that are evaluated before the
//! exit are bound to locals first, in order.

use super::Build;
use crate::hir::{Block, ExprId, ExprKind, Local, LoopKind, Stmt};

impl Build<'_> {
    /// Takes a statement apart, if control may leave it from inside of an expression.
    pub(super) fn hoisted(&mut self, stmt: Stmt, stmts: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { value: Some(value), .. } => self.hoist_whole(value, stmts),
            Stmt::Expr(expr) => self.hoist_whole(expr, stmts),
            Stmt::Let { value: None, .. } | Stmt::Hold { .. } => {}
        }
        stmts.push(stmt);
    }

    /// Reads the body of an arm or of a closure: what is hoisted out of its operands stays in it.
    pub(super) fn body_expr(&mut self, expr: &syn::Expr) -> ExprId {
        let value = self.expr(expr);
        self.arm(value)
    }

    /// The body of an arm, as a block where something is hoisted out of its operands.
    fn arm(&mut self, value: ExprId) -> ExprId {
        let mut stmts = Vec::new();
        self.hoist_whole(value, &mut stmts);
        if stmts.is_empty() {
            return value;
        }
        let span = self.body.expr(value).span;
        self.made(ExprKind::Block { label: None, block: Block { stmts, value: Some(value) } }, span)
    }

    /// An expression that is a statement, an initialiser or a block's value: its own exits are handled there.
    pub(super) fn hoist_whole(&mut self, expr: ExprId, stmts: &mut Vec<Stmt>) {
        if self.exits_from(expr) && !self.is_statement_like(expr) {
            self.hoist_operands(expr, stmts);
        }
        match self.body.expr(expr).kind.clone() {
            ExprKind::If { condition, .. } => self.hoist_condition(condition, stmts),
            ExprKind::Match(value, _) if self.exits_from(value) => {
                self.bind_operand(expr, value, stmts)
            }
            ExprKind::Break(_, Some(value)) if self.exits_from(value) => {
                self.bind_operand(expr, value, stmts);
            }
            ExprKind::Loop(repeat) => {
                if let LoopKind::For(_, head) = repeat.kind
                    && self.exits_from(head)
                {
                    self.hoist_operands(head, stmts);
                }
            }
            _ => {}
        }
    }

    fn hoist_condition(&mut self, condition: ExprId, stmts: &mut Vec<Stmt>) {
        if !self.exits_from(condition) {
            return;
        }
        match self.body.expr(condition).kind {
            ExprKind::Let(_, value) => self.bind_operand(condition, value, stmts),
            _ if self.has_pattern(condition) => {
                let at = self.body.expr(condition).extent;
                self.reports.report(
                    at,
                    &crate::diag::UNSUPPORTED_EXPRESSION,
                    "an exit behind `let` in a condition",
                );
            }
            _ => {
                let moved = self.moved(condition);
                self.hoist_whole(moved, stmts);
                let local = self.bind(moved, stmts);
                self.body.exprs[condition.0 as usize].kind = local;
                self.body.exprs[condition.0 as usize].exits.clear();
            }
        }
    }

    /// The same expression under a number of its own.
    fn moved(&mut self, expr: ExprId) -> ExprId {
        let expr = self.body.expr(expr).clone();
        self.body.add_expr(expr)
    }

    fn exits_from(&self, expr: ExprId) -> bool {
        !self.body.expr(expr).exits.is_empty()
    }

    /// Binds operands up to the last that may exit.
    fn hoist_operands(&mut self, expr: ExprId, stmts: &mut Vec<Stmt>) {
        self.branch_for_lazy(expr);
        if self.is_statement_like(expr) {
            return self.bind_in_place(expr, stmts);
        }
        let operands = self.body.expr(expr).kind.children();
        let last = operands.iter().rposition(|operand| self.exits_from(*operand));
        let operands = &operands[..last.map_or(0, |last| last + 1)];
        for (index, operand) in operands.iter().enumerate() {
            let is_place = self.is_place_operand(expr, *operand)
                && !self.is_copied_receiver(expr, *operand, &operands[index + 1..]);
            match is_place {
                true => {
                    let local = self.root_of_receiver(expr, *operand);
                    stmts.extend(local.map(|local| Stmt::Hold { method: expr, local }));
                    self.hoist_place(*operand, stmts);
                }
                false => self.bind_in_place(*operand, stmts),
            }
        }
    }

    /// Whether an operand names a place, which is read or written when the expression runs.
    fn is_place_operand(&self, expr: ExprId, operand: ExprId) -> bool {
        let names_place = match &self.body.expr(expr).kind {
            ExprKind::Assign { target, .. } | ExprKind::Compound { target, .. } => {
                *target == operand
            }
            ExprKind::Field(..) | ExprKind::Borrow { .. } => true,
            ExprKind::Index(base, _) => *base == operand,
            ExprKind::Method { receiver, .. } => *receiver == operand,
            ExprKind::Call(callee, _) => *callee == operand,
            _ => false,
        };
        names_place && self.is_place(operand)
    }

    /// Whether a receiver is copied before the arguments are evaluated: these assign it, which they may not do with one
    /// that is borrowed.
    fn is_copied_receiver(&self, expr: ExprId, operand: ExprId, later: &[ExprId]) -> bool {
        self.root_of_receiver(expr, operand)
            .is_some_and(|local| later.iter().any(|operand| self.body.writes(*operand, local)))
    }

    /// The local at the root of an operand that is the receiver of a method.
    fn root_of_receiver(&self, expr: ExprId, operand: ExprId) -> Option<Local> {
        let is_receiver = matches!(
            self.body.expr(expr).kind,
            ExprKind::Method { receiver, .. } if receiver == operand
        );
        self.body.root(operand).filter(|_| is_receiver)
    }

    fn is_place(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Local(_) | ExprKind::Item(_) => true,
            ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Deref(base) => {
                self.is_place(*base)
            }
            _ => false,
        }
    }

    /// A place stays where it is, but not the indices in it.
    fn hoist_place(&mut self, place: ExprId, stmts: &mut Vec<Stmt>) {
        match self.body.expr(place).kind {
            ExprKind::Index(base, index) => {
                self.hoist_place(base, stmts);
                self.bind_in_place(index, stmts);
            }
            ExprKind::Field(base, _) | ExprKind::Deref(base) => self.hoist_place(base, stmts),
            _ => {}
        }
    }

    /// Binds an operand, which its expression then reads from the local.
    fn bind_operand(&mut self, whole: ExprId, operand: ExprId, stmts: &mut Vec<Stmt>) {
        self.bind_in_place(operand, stmts);
        let exits = self.exits(&self.body.expr(whole).kind);
        self.body.exprs[whole.0 as usize].exits = exits;
    }

    fn bind_in_place(&mut self, expr: ExprId, stmts: &mut Vec<Stmt>) {
        let stays = match &self.body.expr(expr).kind {
            ExprKind::Literal(_) | ExprKind::Item(_) => true,
            // One with `move` holds what its variables hold now.
            ExprKind::Closure(closure) => !closure.is_move,
            ExprKind::Borrow { .. } => !self.exits_from(expr),
            _ => false,
        };
        if stays {
            return;
        }
        let moved = self.moved(expr);
        self.hoist_whole(moved, stmts);
        let kind = self.bind(moved, stmts);
        let expr = &mut self.body.exprs[expr.0 as usize];
        expr.kind = kind;
        expr.exits.clear();
    }

    /// `let operand = expr;`, and the local.
    fn bind(&mut self, value: ExprId, stmts: &mut Vec<Stmt>) -> ExprKind {
        let span = self.body.expr(value).span;
        let (local, pattern) = self.made_binding("operand", span);
        stmts.push(Stmt::Let { pattern, value: Some(value), otherwise: None });
        ExprKind::Local(local)
    }

    /// Whether the lowering of statements and initialisers takes care of an expression's exits.
    fn is_statement_like(&self, expr: ExprId) -> bool {
        matches!(
            self.body.expr(expr).kind,
            ExprKind::If { .. }
                | ExprKind::Block { .. }
                | ExprKind::Loop(_)
                | ExprKind::Match(..)
                | ExprKind::Break(..)
                | ExprKind::Continue(_)
        )
    }

    /// `a && b` as `if a { b } else { false }` where the second operand may exit.
    fn branch_for_lazy(&mut self, expr: ExprId) {
        let ExprKind::Lazy { is_and, left, right } = self.body.expr(expr).kind else { return };
        let span = self.body.expr(expr).span;
        let known = syn::Lit::Bool(syn::LitBool::new(!is_and, span));
        let known = self.made(ExprKind::Literal(known), span);
        let right = self.arm(right);
        let (then, other) = if is_and { (right, known) } else { (known, right) };
        let kind = ExprKind::If { condition: left, then, other };
        self.body.exprs[expr.0 as usize].kind = kind;
    }
}
