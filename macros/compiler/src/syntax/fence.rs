//! The fence: syntax that is not supported, and how each is called in its error.

use crate::diag::{self, Reports};
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
            if is_no_constant(&repeat.len) {
                self.0.give_up();
            }
            visit::visit_expr_repeat(self, repeat);
        }

        fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
            if is_no_constant(&array.len) {
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

/// Whether a length has a closure, or leaves the function.
fn is_no_constant(len: &syn::Expr) -> bool {
    struct Leaves(bool);
    impl<'ast> Visit<'ast> for Leaves {
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {
            self.0 = true;
        }

        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }

        fn visit_expr_break(&mut self, _: &'ast syn::ExprBreak) {
            self.0 = true;
        }
    }
    let mut leaves = Leaves(false);
    leaves.visit_expr(len);
    leaves.0
}

/// Whether a segment is a keyword for a module.
pub fn is_module(segment: &syn::PathSegment) -> bool {
    segment.ident == "crate" || segment.ident == "super"
}
