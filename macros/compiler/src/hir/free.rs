//! Free variables of closures, and variables that code may change.

use super::{Body, Closure, ExprId, ExprKind, Local, LoopKind, PatKind, Stmt};

impl Body {
    /// Returns the locals that a closure takes from outside, in the order in which they occur.
    pub fn captures(&self, closure: &Closure) -> Vec<Local> {
        let mut found = Vec::new();
        self.occurrences(closure.body, &mut found);
        found.retain(|local| !closure.locals.contains(&local.0));
        found
    }

    /// Adds the locals that an expression names, each once.
    pub fn occurrences(&self, expr: ExprId, found: &mut Vec<Local>) {
        let kind = &self.expr(expr).kind;
        if let ExprKind::Local(local) = kind
            && !found.contains(local)
        {
            found.push(*local);
        }
        kind.children().into_iter().for_each(|child| self.occurrences(child, found));
    }

    /// Whether a local is called by its name.
    pub fn is_called(&self, local: Local) -> bool {
        let is_local =
            |expr: ExprId| matches!(self.expr(expr).kind, ExprKind::Local(own) if own == local);
        self.exprs().any(|expr| matches!(expr.kind, ExprKind::Call(callee, _) if is_local(callee)))
    }

    /// Returns where an expression names a local first.
    pub fn first_use(&self, expr: ExprId, local: Local) -> Option<ExprId> {
        let kind = &self.expr(expr).kind;
        if matches!(kind, ExprKind::Local(own) if *own == local) {
            return Some(expr);
        }
        kind.children().into_iter().find_map(|child| self.first_use(child, local))
    }

    /// Whether parts of a local are named, or it is gone through. It is not assigned.
    pub fn is_used_as_place(&self, local: Local) -> bool {
        let is_local = |expr: &ExprId| self.root(*expr) == Some(local);
        let is_asked = self.exprs().any(|expr| match &expr.kind {
            ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Deref(base) => {
                is_local(base)
            }
            ExprKind::Method { receiver, .. } => is_local(receiver),
            ExprKind::Borrow { place, .. } => is_local(place),
            ExprKind::Match(subject, _) | ExprKind::Let(_, subject) => is_local(subject),
            ExprKind::Loop(repeat) => {
                matches!(&repeat.kind, LoopKind::For(_, head) if is_local(head))
            }
            ExprKind::Block { block, .. } => block.stmts.iter().any(|stmt| match stmt {
                Stmt::Let { pattern, value: Some(value), .. } => {
                    is_local(value) && !matches!(self.pat(*pattern).kind, PatKind::Bind(_))
                }
                Stmt::Let { .. } | Stmt::Expr(_) | Stmt::Hold { .. } => false,
            }),
            _ => false,
        });
        (is_asked || self.has_other_name(local)) && !self.local(local).is_mutable
    }

    /// Whether a local is another name of this one, and is used as a place.
    fn has_other_name(&self, local: Local) -> bool {
        let is_name = |init: ExprId| self.is_local(init, local);
        (0..self.locals.len()).map(|index| Local(index as u32)).any(|other| {
            self.local(other).init.is_some_and(is_name) && self.is_used_as_place(other)
        })
    }

    fn is_local(&self, expr: ExprId, local: Local) -> bool {
        matches!(self.expr(expr).kind, ExprKind::Local(named) if named == local)
    }

    /// Whether an expression may change a local: it is written, or has a method called on it.
    pub fn changes(&self, expr: ExprId, local: Local) -> bool {
        let kind = &self.expr(expr).kind;
        let is_receiver = matches!(kind, ExprKind::Method { receiver, .. }
            if self.root(*receiver) == Some(local));
        is_receiver
            || self.is_written_by(kind, local)
            || kind.children().into_iter().any(|child| self.changes(child, local))
    }

    /// Whether an expression assigns a local, or borrows it to be written.
    pub fn writes(&self, expr: ExprId, local: Local) -> bool {
        let kind = &self.expr(expr).kind;
        self.is_written_by(kind, local)
            || kind.children().into_iter().any(|child| self.writes(child, local))
    }

    fn is_written_by(&self, kind: &ExprKind, local: Local) -> bool {
        let target = match kind {
            ExprKind::Assign { target, .. } | ExprKind::Compound { target, .. } => *target,
            ExprKind::Borrow { is_mutable: true, place } => *place,
            _ => return false,
        };
        self.root(target) == Some(local)
    }

    /// Returns the local at the root of a place.
    pub fn root(&self, expr: ExprId) -> Option<Local> {
        match &self.expr(expr).kind {
            ExprKind::Local(local) => Some(*local),
            ExprKind::Field(base, _) | ExprKind::Index(base, _) | ExprKind::Deref(base) => {
                self.root(*base)
            }
            ExprKind::Borrow { place, .. } => self.root(*place),
            ExprKind::Method { receiver, .. } => self.root(*receiver),
            _ => None,
        }
    }

    /// Returns the item at the root of a place.
    pub fn item_at_root(&self, expr: ExprId) -> Option<&syn::ExprPath> {
        match &self.expr(expr).kind {
            ExprKind::Item(path) => Some(path),
            ExprKind::Field(base, _) | ExprKind::Index(base, _) | ExprKind::Deref(base) => {
                self.item_at_root(*base)
            }
            _ => None,
        }
    }
}
