//! Values that are a `Result`, as far as the HIR shows them.
//!
//! In: a body. Out: the expressions and locals that hold a `Result`, so that `map` and its kin, which an `Option` has as well,
//! are those of a `Result`: by what is matched on, by `?`, by methods that only a `Result` has, by a type that is written.
//!
//! Invariant: what is not shown to be a `Result` is taken for an `Option`, which rustc refuses where it is not.

use super::{Body, Constructor, ExprId, ExprKind, Local, PatId, PatKind, Stmt, Target, Variant};
use crate::syntax::is_variant_of_std;
use rustc_hash::FxHashSet as HashSet;

/// The expressions and locals that hold a `Result`.
#[derive(Default)]
pub struct Results {
    exprs: HashSet<ExprId>,
    locals: HashSet<Local>,
}

impl Results {
    /// Finds them in a body, of a function whose result is of a type.
    pub fn of(body: &Body, output: Option<&syn::Type>) -> Self {
        let mut found = Results::default();
        let is_declared =
            |local: &u32| body.local(Local(*local)).ty.as_ref().is_some_and(is_result_type);
        found.locals.extend((0..body.locals() as u32).filter(is_declared).map(Local));
        body.results.iter().for_each(|expr| found.mark(body, *expr));
        for expr in body.ids() {
            found.asked_by(body, expr);
        }
        if output.is_some_and(is_result_type) {
            body.root.into_iter().for_each(|root| found.mark(body, root));
            let exits = body.exprs().filter_map(|expr| match expr.kind {
                ExprKind::Break(Target::FUNCTION, value) => value,
                _ => None,
            });
            exits.for_each(|value| found.mark(body, value));
        }
        found
    }

    /// Whether an expression is one.
    pub fn holds(&self, body: &Body, expr: ExprId) -> bool {
        self.exprs.contains(&expr)
            || match &body.expr(expr).kind {
                ExprKind::Local(local) => self.locals.contains(local),
                ExprKind::Borrow { place, .. } => self.holds(body, *place),
                ExprKind::Method { receiver, name, .. } => match name.to_string().as_str() {
                    "ok_or" | "ok_or_else" | "map_err" => true,
                    name => keeps_kind(name) && self.holds(body, *receiver),
                },
                _ => false,
            }
    }

    /// Marks what an expression asks for a `Result`.
    fn asked_by(&mut self, body: &Body, expr: ExprId) {
        match &body.expr(expr).kind {
            ExprKind::Match(value, arms)
                if arms.iter().any(|arm| body.is_of_result(arm.pattern)) =>
            {
                self.mark(body, *value);
            }
            ExprKind::Let(pattern, value) if body.is_of_result(*pattern) => self.mark(body, *value),
            ExprKind::Block { block, .. } => {
                for stmt in &block.stmts {
                    if let Stmt::Let { pattern, value: Some(value), .. } = stmt
                        && body.is_of_result(*pattern)
                    {
                        self.mark(body, *value);
                    }
                }
            }
            ExprKind::Method { receiver, name, arguments, .. }
                if body.is_method_of_result(&name.to_string(), arguments) =>
            {
                self.mark(body, *receiver);
            }
            _ => {}
        }
    }

    /// Marks an expression, and what its value comes from.
    fn mark(&mut self, body: &Body, expr: ExprId) {
        if !self.exprs.insert(expr) {
            return;
        }
        match &body.expr(expr).kind {
            ExprKind::Local(local) => {
                self.locals.insert(*local);
                body.local(*local).init.into_iter().for_each(|init| self.mark(body, init));
            }
            ExprKind::Borrow { place, .. } => self.mark(body, *place),
            ExprKind::Method { receiver, name, .. } if keeps_kind(&name.to_string()) => {
                self.mark(body, *receiver);
            }
            ExprKind::Block { block, .. } => {
                block.value.into_iter().for_each(|value| self.mark(body, value));
            }
            ExprKind::If { then, other, .. } => {
                [*then, *other].into_iter().for_each(|arm| self.mark(body, arm));
            }
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.mark(body, arm.body)),
            _ => {}
        }
    }
}

impl Body {
    /// Whether a pattern is that of a variant of `Result`.
    fn is_of_result(&self, pattern: PatId) -> bool {
        match &self.pat(pattern).kind {
            PatKind::TupleStruct(Constructor::Path(path), _) => {
                is_variant_of_std(path, &["Ok", "Err"])
            }
            PatKind::TupleStruct(Constructor::Standard(variant, _), _) => {
                matches!(variant, Variant::Ok | Variant::Err)
            }
            PatKind::Or(cases) => cases.iter().any(|case| self.is_of_result(*case)),
            PatKind::Typed(inner, _) => self.is_of_result(*inner),
            _ => false,
        }
    }

    /// Whether a method is one that only a `Result` has: by its name, or by a closure that is given the error.
    fn is_method_of_result(&self, name: &str, arguments: &[ExprId]) -> bool {
        let takes_error = || match arguments.first().map(|first| &self.expr(*first).kind) {
            Some(ExprKind::Closure(closure)) => closure.params.len() == 1,
            _ => false,
        };
        match name {
            "ok" | "err" | "is_ok" | "is_err" | "unwrap_err" => arguments.is_empty(),
            "map_err" | "is_ok_and" | "is_err_and" => arguments.len() == 1,
            "or_else" | "unwrap_or_else" | "map_or_else" => takes_error(),
            _ => false,
        }
    }
}

/// Whether a method makes a `Result` of a `Result`, and an `Option` of an `Option`.
fn keeps_kind(name: &str) -> bool {
    matches!(name, "and_then" | "as_mut" | "as_ref" | "clone" | "map" | "map_err" | "or_else")
}

/// Whether a type is written as a `Result`.
pub fn is_result_type(ty: &syn::Type) -> bool {
    match crate::syntax::signature::plain(ty) {
        syn::Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "Result")
        }
        _ => false,
    }
}
