//! Walks through syntax trees of `syn`.
//!
//! In: a tree, and a function that looks at its nodes or changes them. Out: calls of that function, outer nodes before
//! inner ones. Invariant: there is one visitor for all questions and one for all changes, because each is a thousand
//! functions that every user compiles; a change with inner nodes first, or in a context, has a visitor of its own.

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// A node of a tree. A path that is a value is an [`ExprPath`](Node::ExprPath) and then a [`Path`](Node::Path).
#[derive(Clone, Copy)]
pub enum Node<'ast> {
    Attribute(&'ast syn::Attribute),
    Expr(&'ast syn::Expr),
    ExprPath(&'ast syn::ExprPath),
    GenericArgument(&'ast syn::GenericArgument),
    Item,
    Lifetime(&'ast syn::Lifetime),
    Local(&'ast syn::Local),
    Macro(&'ast syn::Macro),
    Pat(&'ast syn::PatIdent),
    Path(&'ast syn::Path),
    PathSegment(&'ast syn::PathSegment),
    Receiver,
    Type(&'ast syn::Type),
}

/// A tree.
pub trait Tree {
    /// Shows the nodes to a function, which says of each whether to go into it.
    fn walk<'ast>(&'ast self, enters: &mut dyn FnMut(Node<'ast>) -> bool);

    /// Whether one of the nodes is wanted.
    fn has(&self, is_wanted: &dyn Fn(Node<'_>) -> bool) -> bool {
        let mut is_found = false;
        self.walk(&mut |node| {
            is_found |= is_wanted(node);
            !is_found
        });
        is_found
    }
}

struct Walk<'w, 'ast>(&'w mut dyn FnMut(Node<'ast>) -> bool);

macro_rules! nodes {
    ($($visit:ident: $variant:ident($ty:ident)),* $(,)?) => {
        impl<'ast> Visit<'ast> for Walk<'_, 'ast> {
            fn visit_item(&mut self, item: &'ast syn::Item) {
                if (self.0)(Node::Item) {
                    visit::visit_item(self, item);
                }
            }

            fn visit_receiver(&mut self, receiver: &'ast syn::Receiver) {
                if (self.0)(Node::Receiver) {
                    visit::visit_receiver(self, receiver);
                }
            }

            $(fn $visit(&mut self, node: &'ast syn::$ty) {
                if (self.0)(Node::$variant(node)) {
                    visit::$visit(self, node);
                }
            })*
        }
    };
}
nodes! {
    visit_attribute: Attribute(Attribute),
    visit_expr: Expr(Expr),
    visit_expr_path: ExprPath(ExprPath),
    visit_generic_argument: GenericArgument(GenericArgument),
    visit_lifetime: Lifetime(Lifetime),
    visit_local: Local(Local),
    visit_macro: Macro(Macro),
    visit_pat_ident: Pat(PatIdent),
    visit_path: Path(Path),
    visit_path_segment: PathSegment(PathSegment),
    visit_type: Type(Type),
}

macro_rules! trees {
    ($($ty:ident: $visit:ident),* $(,)?) => {
        $(impl Tree for syn::$ty {
            fn walk<'ast>(&'ast self, enters: &mut dyn FnMut(Node<'ast>) -> bool) {
                Walk(enters).$visit(self);
            }
        })*
    };
}
trees! {
    Block: visit_block,
    Expr: visit_expr,
    GenericArgument: visit_generic_argument,
    ItemFn: visit_item_fn,
    Pat: visit_pat,
    Signature: visit_signature,
    Stmt: visit_stmt,
    Type: visit_type,
}

/// A node of a tree that may be changed. A path that is a value is an [`ExprPath`](NodeMut::ExprPath) and then a
/// [`Path`](NodeMut::Path).
pub enum NodeMut<'n> {
    Expr(&'n mut syn::Expr),
    ExprPath(&'n mut syn::ExprPath),
    Ident(&'n mut syn::Ident),
    Lifetime(&'n mut syn::Lifetime),
    Path(&'n mut syn::Path),
    Type(&'n mut syn::Type),
}

/// A tree that may be changed.
pub trait TreeMut {
    /// Hands the nodes to a function, which says of each whether to go into it.
    fn change(&mut self, enters: &mut dyn FnMut(NodeMut<'_>) -> bool);
}

struct Change<'w>(&'w mut dyn FnMut(NodeMut<'_>) -> bool);

macro_rules! nodes_mut {
    ($($visit:ident: $variant:ident),* $(,)?) => {
        impl VisitMut for Change<'_> {
            $(fn $visit(&mut self, node: &mut syn::$variant) {
                if (self.0)(NodeMut::$variant(node)) {
                    visit_mut::$visit(self, node);
                }
            })*
        }
    };
}
nodes_mut! {
    visit_expr_mut: Expr,
    visit_expr_path_mut: ExprPath,
    visit_ident_mut: Ident,
    visit_lifetime_mut: Lifetime,
    visit_path_mut: Path,
    visit_type_mut: Type,
}

macro_rules! trees_mut {
    ($($ty:ident: $visit:ident),* $(,)?) => {
        $(impl TreeMut for syn::$ty {
            fn change(&mut self, enters: &mut dyn FnMut(NodeMut<'_>) -> bool) {
                Change(enters).$visit(self);
            }
        })*
    };
}
trees_mut! {
    Block: visit_block_mut,
    DeriveInput: visit_derive_input_mut,
    File: visit_file_mut,
    Type: visit_type_mut,
}
