//! Places of types of the module: `matrix[(row, column)]` becomes `matrix.data[row * matrix.columns + column]`.
//!
//! **In**: an index of a value whose `impl Index` stands in the same module. **Out**: the place that the `impl` leads to, as
//! an expression on the value's fields, so that a matrix of the user's own costs what its array costs, and an index may be
//! computed from fields that have no tangent.
//!
//! **Invariants**: the functions of `Index` and of `IndexMut` lead to the same place, by fields, indices and arithmetic of
//! integers alone. Names of the function become expressions that can be evaluated again: what is indexed, and the index.

use super::Build;
use crate::hir::ExprId;
use crate::syntax::items::IndexFunctions;
use quote::quote;
use rustc_hash::FxHashMap as HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, Pat, Stmt, UnOp};

impl Build<'_> {
    /// Returns the place that an index leads to, if the module shows it.
    pub(super) fn indexed_place(&self, base: ExprId, index: &syn::ExprIndex) -> Option<Expr> {
        let seen = self.seen.as_ref()?;
        if !is_repeatable(&index.expr) || !is_repeatable(&index.index) {
            return None;
        }
        let (location, _) = self.definition_of(base)?;
        let all = seen.items.indices(&location);
        let functions = match all.as_slice() {
            [only] => only,
            _ => all.iter().find(|functions| is_of_shape(functions, &index.index))?,
        };
        if !seen.items.is_within(seen.scope, functions.scope) || !is_of_sizes(functions) {
            return None;
        }
        place(functions, index)
    }
}

/// Whether an expression is evaluated to the same however often, and has no effect.
fn is_repeatable(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.qself.is_none() && path.path.get_ident().is_some(),
        Expr::Lit(_) => true,
        Expr::Field(field) => is_repeatable(&field.base),
        Expr::Paren(inner) => is_repeatable(&inner.expr),
        Expr::Group(inner) => is_repeatable(&inner.expr),
        Expr::Cast(cast) => is_repeatable(&cast.expr),
        Expr::Binary(binary) => is_repeatable(&binary.left) && is_repeatable(&binary.right),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_repeatable(&unary.expr),
        Expr::Index(index) => is_repeatable(&index.expr) && is_repeatable(&index.index),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_repeatable),
        Expr::Array(array) => array.elems.iter().all(is_repeatable),
        _ => false,
    }
}

/// Whether an index is written as one that the functions take.
fn is_of_shape(functions: &IndexFunctions, index: &Expr) -> bool {
    let Some(FnArg::Typed(param)) = functions.index.sig.inputs.get(1) else { return false };
    match (&*param.ty, index) {
        (syn::Type::Tuple(ty), Expr::Tuple(index)) => ty.elems.len() == index.elems.len(),
        (syn::Type::Array(_), Expr::Array(_)) => true,
        (syn::Type::Path(_), Expr::Tuple(_) | Expr::Array(_)) => false,
        (syn::Type::Path(ty), _) => ty.path.is_ident("usize"),
        _ => false,
    }
}

/// Whether an index is made of `usize`: a number that is written has that type then, wherever it stands.
fn is_of_sizes(functions: &IndexFunctions) -> bool {
    let is_size = |ty: &syn::Type| matches!(ty, syn::Type::Path(ty) if ty.path.is_ident("usize"));
    let Some(FnArg::Typed(param)) = functions.index.sig.inputs.get(1) else { return false };
    match &*param.ty {
        syn::Type::Tuple(ty) => ty.elems.iter().all(is_size),
        syn::Type::Array(ty) => is_size(&ty.elem),
        ty => is_size(ty),
    }
}

/// The place of the functions' result.
fn place(functions: &IndexFunctions, index: &syn::ExprIndex) -> Option<Expr> {
    let place = tail(&functions.index, false)?;
    if let Some(mutable) = &functions.index_mut {
        let parts = |function: &syn::ImplItemFn, place: &Expr| {
            let (param, before) = (&function.sig.inputs[1], before(function));
            quote!(#param #(#before)* #place).to_string()
        };
        if parts(&functions.index, &place) != parts(mutable, &tail(mutable, true)?) {
            return None;
        }
    }
    let mut names = Names { values: HashMap::default(), is_closed: true };
    names.values.insert("self".to_owned(), (*index.expr).clone());
    let FnArg::Typed(param) = &functions.index.sig.inputs[1] else { return None };
    names.bind(&param.pat, &index.index)?;
    for stmt in before(&functions.index) {
        let Stmt::Local(local) = stmt else { return None };
        let mut value = (*local.init.as_ref()?.expr).clone();
        names.visit_expr_mut(&mut value);
        names.bind(&local.pat, &value)?;
    }
    let mut place = place;
    names.visit_expr_mut(&mut place);
    names.is_closed.then(|| bare(&place).clone())
}

/// The statements in front of a function's result.
fn before(function: &syn::ImplItemFn) -> &[Stmt] {
    let stmts = &function.block.stmts;
    &stmts[..stmts.len().saturating_sub(1)]
}

/// The place behind the reference that a function returns.
fn tail(function: &syn::ImplItemFn, is_mutable: bool) -> Option<Expr> {
    match function.block.stmts.last()? {
        Stmt::Expr(Expr::Reference(reference), None)
            if reference.mutability.is_some() == is_mutable =>
        {
            Some((*reference.expr).clone())
        }
        _ => None,
    }
}

/// The meanings of names in the functions.
struct Names {
    values: HashMap<String, Expr>,
    /// Whether nothing else stands there.
    is_closed: bool,
}

impl Names {
    /// Binds the names of a pattern to parts of an expression.
    fn bind(&mut self, pattern: &Pat, value: &Expr) -> Option<()> {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                self.values.insert(name.ident.to_string(), value.clone());
                Some(())
            }
            Pat::Wild(_) => Some(()),
            Pat::Type(typed) => self.bind(&typed.pat, value),
            Pat::Paren(inner) => self.bind(&inner.pat, value),
            Pat::Tuple(tuple) => tuple.elems.iter().enumerate().try_for_each(|(at, item)| {
                let at = syn::Index::from(at);
                self.bind(item, &simplified(syn::parse_quote!((#value).#at)))
            }),
            Pat::Slice(slice) => slice.elems.iter().enumerate().try_for_each(|(at, item)| {
                let at = syn::Index::from(at);
                self.bind(item, &simplified(syn::parse_quote!((#value)[#at])))
            }),
            _ => None,
        }
    }
}

impl VisitMut for Names {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident().filter(|_| path.qself.is_none());
                match name.and_then(|name| self.values.get(&name.to_string())) {
                    Some(value) => *expr = syn::parse_quote!((#value)),
                    None => self.is_closed = false,
                }
                return;
            }
            Expr::Lit(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Paren(_)
            | Expr::Tuple(_)
            | Expr::Cast(_) => visit_mut::visit_expr_mut(self, expr),
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                visit_mut::visit_expr_mut(self, expr);
            }
            _ => self.is_closed = false,
        }
        *expr = simplified(expr.clone());
    }

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

fn is_arithmetic(operator: &syn::BinOp) -> bool {
    use syn::BinOp::{Add, Div, Mul, Rem, Sub};
    matches!(operator, Add(_) | Div(_) | Mul(_) | Rem(_) | Sub(_))
}

/// A part of a tuple or of an array that is written out.
fn simplified(expr: Expr) -> Expr {
    let part = match &expr {
        Expr::Field(field) => match (bare(&field.base), &field.member) {
            (Expr::Tuple(tuple), syn::Member::Unnamed(at)) => {
                tuple.elems.get(at.index as usize).cloned()
            }
            _ => None,
        },
        Expr::Index(index) => match (bare(&index.expr), bare(&index.index)) {
            (Expr::Array(array), Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(at), .. })) => {
                at.base10_parse().ok().and_then(|at: usize| array.elems.get(at).cloned())
            }
            _ => None,
        },
        _ => None,
    };
    part.map_or(expr, |part| syn::parse_quote!((#part)))
}

/// An expression without parentheses around it.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        _ => expr,
    }
}
