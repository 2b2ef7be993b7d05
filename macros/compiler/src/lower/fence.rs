//! The fence: syntax that is not supported, and how each is called in its error.

use super::Lower;
use crate::diag::{self, Reports};
use crate::ir::Value;
use syn::visit::{self, Visit};

/// Reports `#[cfg]` on parameters and in a function's body: rustc looks at it after macros, so that derivatives would be
/// those of what may not be there. A parameter that is not there is one too many where derivatives are called.
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
    visit::visit_signature(&mut conditions, &item.sig);
    visit::visit_block(&mut conditions, &item.block);
}

/// Gives up where rustc says what is wrong: a path to a module as a value, a length that is left, and one with a
/// closure, which no constant calls.
pub fn nonsense(item: &syn::ItemFn, reports: &mut Reports) {
    struct Nonsense<'r>(&'r mut Reports);
    impl<'ast> Visit<'ast> for Nonsense<'_> {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            if path.path.segments.last().is_some_and(is_module) {
                self.0.give_up();
            }
        }

        fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
            if super::scan::exits(&repeat.len).any {
                self.0.give_up();
            }
            visit::visit_expr_repeat(self, repeat);
        }

        fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
            if super::scan::has_closure(&array.len) {
                self.0.give_up();
            }
            visit::visit_type_array(self, array);
        }

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut nonsense = Nonsense(reports);
    visit::visit_signature(&mut nonsense, &item.sig);
    visit::visit_block(&mut nonsense, &item.block);
}

/// Whether a segment is a keyword for a module.
pub fn is_module(segment: &syn::PathSegment) -> bool {
    segment.ident == "crate" || segment.ident == "super"
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
            syn::Expr::Unsafe(code) => self.unsafe_code(&code.block, at),
            _ => self.report(at, &diag::UNSUPPORTED_EXPRESSION, describe(expr)),
        }
    }

    /// The item that a method writes through `&`: an atomic, what a lock guards, or a cell of the thread.
    pub(super) fn written_item(&self, call: &syn::ExprMethodCall) -> Option<syn::Ident> {
        const WRITES: [&str; 11] = [
            "fetch_add",
            "fetch_and",
            "fetch_max",
            "fetch_min",
            "fetch_or",
            "fetch_sub",
            "lock",
            "set",
            "store",
            "with_borrow_mut",
            "write",
        ];
        let syn::Expr::Path(path) = &*call.receiver else { return None };
        let name = &path.path.segments.last()?.ident;
        let is_item = !name.to_string().contains(char::is_lowercase)
            && (path.path.segments.len() > 1 || self.lookup(&super::hygiene::key(name)).is_none());
        let is_write = WRITES.iter().any(|method| call.method == method);
        (is_item && is_write).then(|| name.clone())
    }

    /// Reports `unsafe` code: writes to statics are what is most often in it, and are reported as such.
    fn unsafe_code(&mut self, block: &syn::Block, at: diag::Extent) -> Value {
        let mut writes = Writes(Vec::new());
        writes.visit_block(block);
        let items = writes.0.into_iter().filter(|path| {
            path.get_ident().is_none_or(|name| self.lookup(&super::hygiene::key(name)).is_none())
        });
        let written: Vec<Value> = items
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|path| {
                let name = &path.segments.last()?.ident;
                Some(self.report(name.span(), &diag::STATIC_WRITE, &name.to_string()))
            })
            .collect();
        match written.last() {
            Some(broken) => *broken,
            None => self.report(at, &diag::UNSAFE_CODE, ""),
        }
    }
}

/// The paths that are assigned to.
struct Writes(Vec<syn::Path>);

impl Writes {
    fn target(&mut self, target: &syn::Expr) {
        match target {
            syn::Expr::Path(path) => self.0.push(path.path.clone()),
            syn::Expr::Index(index) => self.target(&index.expr),
            syn::Expr::Field(field) => self.target(&field.base),
            syn::Expr::Paren(paren) => self.target(&paren.expr),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Writes {
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.target(&assign.left);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if super::expr::assigning(&binary.op).is_some() {
            self.target(&binary.left);
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
        syn::Expr::While(_) => "`while let`",
        _ => "this expression",
    }
}
