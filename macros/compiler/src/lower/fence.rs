//! The fence: syntax that is not supported, and how each is called in its error.

use super::Lower;
use crate::diag::{self, Reports};
use crate::ir::Value;
use syn::visit::{self, Visit};

/// Reports `#[cfg]` in a function's body: rustc looks at it after macros, so that derivatives would be those of what may
/// not be there. A parameter that is not there is one too many where derivatives are called.
pub fn conditional(item: &syn::ItemFn, reports: &mut Reports) {
    struct Conditions<'r>(&'r mut Reports);
    impl<'ast> Visit<'ast> for Conditions<'_> {
        fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.0.report(diag::Extent::of(attribute), &diag::CONDITIONAL, "");
            }
        }

        // Items are emitted as they stand.
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut conditions = Conditions(reports);
    visit::visit_block(&mut conditions, &item.block);
}

impl Lower<'_> {
    /// Reports an expression that cannot be lowered.
    pub(super) fn unsupported(&mut self, expr: &syn::Expr) -> Value {
        if self.is_broken(expr) {
            return self.broken();
        }
        let at = match has_block(expr) {
            true => self.span(expr).into(),
            false => diag::Extent::of(expr),
        };
        match expr {
            syn::Expr::Reference(_) => self.report(at, &diag::REFERENCE_VALUE, ""),
            _ => self.report(at, &diag::UNSUPPORTED_EXPRESSION, describe(expr)),
        }
    }
}

/// Expressions that go over several lines: their keyword is underlined, not all of them.
fn has_block(expr: &syn::Expr) -> bool {
    matches!(
        expr,
        syn::Expr::Async(_)
            | syn::Expr::Block(_)
            | syn::Expr::Const(_)
            | syn::Expr::If(_)
            | syn::Expr::Match(_)
            | syn::Expr::TryBlock(_)
            | syn::Expr::Unsafe(_)
            | syn::Expr::While(_)
    )
}

/// What a person calls the expression.
fn describe(expr: &syn::Expr) -> &'static str {
    match expr {
        syn::Expr::Async(_) | syn::Expr::Await(_) => "`async` code",
        syn::Expr::Block(_) => "a labelled block",
        syn::Expr::Closure(_) => "a closure",
        syn::Expr::Const(_) => "a `const` block",
        syn::Expr::Field(_) => "a field",
        syn::Expr::If(_) | syn::Expr::Let(_) => "`if let` with this pattern",
        syn::Expr::Match(_) => "`match` with these patterns",
        syn::Expr::Range(_) => "a range as a value",
        syn::Expr::RawAddr(_) => "a raw pointer",
        syn::Expr::Struct(_) => "a struct literal",
        syn::Expr::Try(_) | syn::Expr::TryBlock(_) => "`?`",
        syn::Expr::Unary(_) => {
            "a dereference of a value that is not a parameter or a borrowed place"
        }
        syn::Expr::Unsafe(_) => "`unsafe` code",
        syn::Expr::While(_) => "`while let`",
        _ => "this expression",
    }
}
