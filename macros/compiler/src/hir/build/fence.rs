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

    /// Reports an item that emitted code cannot repeat. Items go to the top of emitted bodies, where one of an inner block
    /// is visible to all of the body: it has a name then that stands nowhere else.
    pub(super) fn check_item(&mut self, item: &syn::Item, around: &[syn::Stmt]) {
        if self.depth > 1 && !self.is_only_within(item, around) {
            self.reports.report(syn::spanned::Spanned::span(item), &diag::INNER_ITEM, "");
        }
        if let syn::Item::Static(item) = item
            && !is_plain_data(&crate::syntax::types::read(&item.ty))
        {
            self.reports.report(item.static_token.span(), &diag::INNER_STATIC, "");
        }
    }
}

impl Build<'_> {
    /// Whether the name of an item stands in its own block alone.
    fn is_only_within(&self, item: &syn::Item, around: &[syn::Stmt]) -> bool {
        let name = match item {
            syn::Item::Const(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Static(item) => &item.ident,
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            _ => return false,
        };
        let name = name.to_string();
        let within = super::occurrences(quote::quote!(#(#around)*));
        self.names.get(&name) == within.get(&name)
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
