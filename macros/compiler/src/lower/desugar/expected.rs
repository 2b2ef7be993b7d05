//! The type that a chain's value is to have, where it is written around it.
//!
//! In: an expression, and the type of a `let`, or the function's result. Out: the same, with chains whose
//! value has that type as loops.

use super::Desugar;
use crate::lower::builtin::is_variant_of_std;
use syn::{Expr, Stmt};

impl Desugar<'_> {
    /// The value of a block.
    pub(super) fn expect_block(&mut self, block: &mut syn::Block, ty: &syn::Type) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last_mut() {
            self.expect(value, ty);
        }
    }

    /// An expression of a type.
    pub(super) fn expect(&mut self, expr: &mut Expr, ty: &syn::Type) {
        match expr {
            Expr::Paren(paren) => self.expect(&mut paren.expr, ty),
            Expr::Group(group) => self.expect(&mut group.expr, ty),
            Expr::Block(block) => self.expect_block(&mut block.block, ty),
            Expr::If(branch) => {
                self.expect_block(&mut branch.then_branch, ty);
                if let Some((_, other)) = &mut branch.else_branch {
                    self.expect(other, ty);
                }
            }
            Expr::Match(choice) => {
                choice.arms.iter_mut().for_each(|arm| self.expect(&mut arm.body, ty));
            }
            Expr::Tuple(tuple) => {
                let syn::Type::Tuple(types) = crate::signature::plain(ty) else { return };
                for (item, ty) in tuple.elems.iter_mut().zip(&types.elems) {
                    self.expect(item, ty);
                }
            }
            Expr::Call(call) if is_wrapper(&call.func) => {
                if let (Some(value), Some(ty)) = (call.args.first_mut(), content(ty)) {
                    self.expect(value, ty);
                }
            }
            Expr::MethodCall(_) | Expr::Call(_) => {
                if let Some(looped) = self.consumed(expr, Some(ty)) {
                    *expr = syn::parse_quote!((#looped));
                } else if let Expr::MethodCall(call) = expr
                    && call.method == "collect"
                {
                    // So that it is not taken for a vector, and is reported.
                    call.turbofish.get_or_insert_with(|| syn::parse_quote!(::<#ty>));
                }
            }
            _ => {}
        }
    }
}

/// `Some` and `Ok`.
fn is_wrapper(function: &Expr) -> bool {
    match function {
        Expr::Path(path) => is_variant_of_std(&path.path, &["Some", "Ok"]),
        _ => false,
    }
}

/// The first type argument of `Option<T>`, `Result<T, E>` or `Vec<T>`.
pub(super) fn content(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = crate::signature::plain(ty) else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
    else {
        return None;
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}
