//! The fence: syntax that is not supported, and how each is called in its error.

use super::Build;
use crate::diag::{self, Extent};
use crate::hir::{ExprId, ExprKind};
use crate::ir::Type;
use proc_macro2::Ident;
use syn::spanned::Spanned;

impl Build<'_> {
    /// Reports an expression of which nothing is made.
    pub(super) fn unsupported(&mut self, expr: &syn::Expr) -> ExprKind {
        let at = match has_block(expr) {
            true => expr.span().into(),
            false => Extent::of(expr),
        };
        match expr {
            syn::Expr::Unsafe(code) => self.unsafe_code(code, at),
            _ => self.reports.report(at, &diag::UNSUPPORTED_EXPRESSION, describe(expr)),
        }
        ExprKind::Unsupported
    }

    /// Reports `unsafe` code: writes to statics are what is most often in it, and are reported as such.
    fn unsafe_code(&mut self, code: &syn::ExprUnsafe, at: Extent) {
        let written = self.written_items(&code.block);
        if written.is_empty() {
            self.reports.report(at, &diag::UNSAFE_CODE, "");
        }
        for name in written {
            self.reports.report(name.span(), &diag::STATIC_WRITE, &name.to_string());
        }
    }

    /// The items that a block assigns to. What else is wrong in it is not said.
    fn written_items(&mut self, block: &syn::Block) -> Vec<Ident> {
        let (first, reports) = (self.body.exprs.len(), std::mem::take(self.reports));
        self.block(block);
        *self.reports = reports;
        let assigned = self.body.exprs[first..].iter().filter_map(|expr| match expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::Compound { target, .. } => Some(target),
            _ => None,
        });
        let items = assigned.filter_map(|target| self.body.item_at_root(target));
        items.filter_map(|path| Some(path.path.segments.last()?.ident.clone())).collect()
    }

    /// Reports exits in what a macro evaluates only sometimes, or not where it stands.
    pub(super) fn check_exits(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        for expr in exprs {
            let expr = self.body.expr(expr);
            if !expr.exits.is_empty() {
                self.reports.report(expr.extent, &diag::EXIT_IN_MACRO, "");
            }
        }
    }

    /// Reports an item that emitted code cannot repeat. Items go to the top of emitted bodies, which is where only those
    /// of the outermost block may go: an inner one would be visible where it is not.
    pub(super) fn check_item(&mut self, item: &syn::Item) {
        if self.depth > 1 {
            self.reports.report(syn::spanned::Spanned::span(item), &diag::INNER_ITEM, "");
        }
        if let syn::Item::Static(item) = item
            && !is_plain_data(&crate::syntax::types::read(&item.ty))
        {
            self.reports.report(item.static_token.span(), &diag::INNER_STATIC, "");
        }
    }
}

/// Whether a `static` of a type holds the same in each derivative: nothing writes it but `unsafe` code.
fn is_plain_data(ty: &Type) -> bool {
    match ty {
        Type::Float(_) | Type::Int | Type::Bool => true,
        Type::Tuple(items) => items.iter().all(is_plain_data),
        Type::Array(item, _) | Type::Slice(item) | Type::Reference(item, false) => {
            is_plain_data(item)
        }
        Type::Text
        | Type::Constant
        | Type::Vec(_)
        | Type::Cell(_)
        | Type::Reference(_, true)
        | Type::Function(..)
        | Type::Pullback
        | Type::Wrapped(_)
        | Type::Never
        | Type::Unknown => false,
    }
}

/// Expressions that go over several lines: their keyword is underlined, not all of them.
fn has_block(expr: &syn::Expr) -> bool {
    matches!(
        expr,
        syn::Expr::Async(_) | syn::Expr::Const(_) | syn::Expr::TryBlock(_) | syn::Expr::Unsafe(_)
    )
}

/// What a person calls the expression.
fn describe(expr: &syn::Expr) -> &'static str {
    match expr {
        syn::Expr::Async(_) | syn::Expr::Await(_) => "`async` code",
        syn::Expr::Const(_) => "a `const` block",
        syn::Expr::RawAddr(_) => "a raw pointer",
        syn::Expr::Struct(_) => "a struct literal",
        syn::Expr::TryBlock(_) => "`?`",
        _ => "this expression",
    }
}
