//! Free variables of closures.

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
}
