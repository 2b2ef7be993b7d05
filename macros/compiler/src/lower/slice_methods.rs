//! Methods of slices on places of unknown type: `self.rows.swap(i, j)`.
//!
//! In: a body. Out: the imports by which calls of these methods have derivatives (`core/src/slice_methods.rs`). Where the
//! type is known, the methods are taken apart instead; a type's own method of the name comes before what is imported.

use crate::hir::{Body, ExprKind};
use crate::ir::Function;
use quote::format_ident;
use syn::parse_quote;

/// The methods, how many arguments they have, and the traits with their derivatives.
const METHODS: [(&str, usize, &str); 5] = [
    ("fill", 1, "FillEntries"),
    ("reverse", 0, "ReverseEntries"),
    ("rotate_left", 1, "RotateLeft"),
    ("rotate_right", 1, "RotateRight"),
    ("swap", 2, "SwapEntries"),
];

/// Imports the derivatives of the methods that a body calls.
pub(super) fn import(body: &Body, function: &mut Function) {
    for (method, arity, name) in METHODS {
        let is_called = body.exprs().any(|expr| match &expr.kind {
            ExprKind::Method { name, arguments, .. } => name == method && arguments.len() == arity,
            _ => false,
        });
        if is_called {
            let name = format_ident!("{name}");
            function.items.push(parse_quote!(
                use ::cotangent::__private::#name as _;
            ));
        }
    }
}
