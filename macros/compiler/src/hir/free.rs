//! Free variables of closures, and variables that code may change.

use super::{Body, Closure, ExprId, ExprKind, Local};
use std::collections::BTreeSet;

impl Body {
    /// Returns the locals that a closure takes from outside, in the order of their declarations.
    pub fn captures(&self, closure: &Closure) -> Vec<Local> {
        let mut used = BTreeSet::new();
        self.uses(closure.body, &mut used);
        used.into_iter().filter(|local| !closure.locals.contains(&local.0)).collect()
    }

    /// Adds the locals that an expression names.
    pub fn uses(&self, expr: ExprId, used: &mut BTreeSet<Local>) {
        let kind = &self.expr(expr).kind;
        if let ExprKind::Local(local) = kind {
            used.insert(*local);
        }
        kind.children().into_iter().for_each(|child| self.uses(child, used));
    }

    /// Whether an expression may change a local: it is assigned, borrowed to be written, or has a method called on it.
    pub fn changes(&self, expr: ExprId, local: Local) -> bool {
        let kind = &self.expr(expr).kind;
        let target = match kind {
            ExprKind::Assign { target, .. } | ExprKind::Compound { target, .. } => Some(*target),
            ExprKind::Borrow { is_mutable: true, place } => Some(*place),
            ExprKind::Method { receiver, .. } => Some(*receiver),
            _ => None,
        };
        target.is_some_and(|target| self.root(target) == Some(local))
            || kind.children().into_iter().any(|child| self.changes(child, local))
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
}
