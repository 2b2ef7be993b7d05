//! The fence: syntax that is not supported, and how each is called in its error.

use crate::diag::{self, Reports};
use crate::syntax::walk::{Node, Tree};

/// Reports `#[cfg]` on parameters and in a function's body: rustc looks at it after macros, so that derivatives would be
/// those of what may not be there. A parameter that is not there is one too many where derivatives are called.
pub fn conditional(item: &syn::ItemFn, reports: &mut Reports) {
    let mut look = |node: Node| match node {
        Node::Attribute(attribute) => {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                reports.report(diag::Extent::of(attribute), &diag::CONDITIONAL, "");
            }
            false
        }
        // Items are emitted as they stand.
        Node::Item => false,
        _ => true,
    };
    item.sig.walk(&mut look);
    item.block.walk(&mut look);
}

/// Gives up where rustc says what is wrong: a path to a module as a value, a length that is left, and one with a
/// closure, which no constant calls.
pub fn nonsense(item: &syn::ItemFn, reports: &mut Reports) {
    let is_nonsense = |node: Node| match node {
        Node::ExprPath(path) => path.path.segments.last().is_some_and(is_module),
        Node::Expr(syn::Expr::Repeat(repeat)) => is_no_constant(&repeat.len),
        Node::Type(syn::Type::Array(array)) => is_no_constant(&array.len),
        _ => false,
    };
    let mut look = |node: Node| {
        if is_nonsense(node) {
            reports.give_up();
        }
        !matches!(node, Node::Item | Node::ExprPath(_))
    };
    item.sig.walk(&mut look);
    item.block.walk(&mut look);
}

/// Whether a length has a closure, or leaves the function.
fn is_no_constant(len: &syn::Expr) -> bool {
    len.has(&|node| {
        use syn::Expr::{Break, Closure, Return};
        matches!(node, Node::Expr(Closure(_) | Return(_) | Break(_)))
    })
}

/// Whether a segment is a keyword for a module.
pub fn is_module(segment: &syn::PathSegment) -> bool {
    segment.ident == "crate" || segment.ident == "super"
}
