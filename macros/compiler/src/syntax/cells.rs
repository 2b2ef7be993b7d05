//! Whether a body uses cells of its caller's, which parameters may share.
//!
//! In: a body's syntax. Out: whether it borrows cells, or calls methods as those of a `Cell` are called. Cells that are made
//! in the body are variables like any other, and do not count.

use super::hygiene;
use super::standard::Standard;
use crate::syntax::walk::{Node, Tree};
use rustc_hash::FxHashSet as HashSet;
use syn::Expr;

/// Whether a body borrows cells, or calls methods as those of a `Cell` are called. Cells that are made in the
/// body are variables like any other, and do not count.
pub fn uses_cells(block: &syn::Block) -> bool {
    #[derive(Default)]
    struct Uses {
        own: HashSet<String>,
        found: bool,
    }
    impl Uses {
        /// Another handle to a cell of the body's own.
        fn is_own(&self, expr: &syn::Expr) -> bool {
            handle(expr).is_some_and(|handle| self.is_named_own(handle))
        }

        fn is_named_own(&self, expr: &syn::Expr) -> bool {
            matches!(expr, syn::Expr::Path(_))
                && root(expr).is_some_and(|name| self.own.contains(&name))
        }

        fn local(&mut self, local: &syn::Local) {
            if let (Some(init), syn::Pat::Ident(ident)) = (&local.init, pattern_of(local))
                && (contents(&init.expr).is_some() || self.is_own(&init.expr))
            {
                self.own.insert(hygiene::key(&ident.ident));
            }
        }
    }
    let mut uses = Uses::default();
    block.walk(&mut |node| {
        match node {
            Node::Local(local) => uses.local(local),
            Node::Expr(Expr::MethodCall(call)) => {
                uses.found |= is_access(call) && !uses.is_named_own(&call.receiver);
            }
            _ => {}
        }
        true
    });
    uses.found
}

/// `borrow()`, `borrow_mut()`, `get()`, `set(x)`.
fn is_access(call: &syn::ExprMethodCall) -> bool {
    match call.method.to_string().as_str() {
        "borrow" | "borrow_mut" | "get" => call.args.is_empty(),
        "set" => call.args.len() == 1,
        _ => false,
    }
}

/// What a cell is made of, through all constructors.
fn contents(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let is_cell = Standard::named(&path.path) == Some(Standard::NewCell);
    let content = call.args.first().filter(|_| is_cell && call.args.len() == 1)?;
    Some(contents(content).unwrap_or(content))
}

/// What `Rc::clone(&a)` and `a.clone()` are another handle of.
fn handle(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => {
            Some(&call.receiver)
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let is_clone = Standard::named(&path.path) == Some(Standard::CloneHandle);
            match call.args.first().filter(|_| is_clone)? {
                Expr::Reference(reference) => Some(&reference.expr),
                other => Some(other),
            }
        }
        _ => None,
    }
}

/// The name that an expression is.
fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(hygiene::key),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        _ => None,
    }
}

fn pattern_of(local: &syn::Local) -> &syn::Pat {
    match &local.pat {
        syn::Pat::Type(typed) => &typed.pat,
        pattern => pattern,
    }
}
