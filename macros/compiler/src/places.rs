//! `#[differentiate]` on an `impl` of `Index` or `Deref`: the derivative of a place is a place of the tangent.
//!
//! In: the `impl`. Out: beside it an impl of a trait of ours for the type, by which the tangent has the operator, too. Its
//! functions are the user's body, with the tangent in the place of `self`.
//!
//! Invariants: which place it is depends on the index alone, since constants of the value are not in the tangent. So
//! the body reads `self` only where a reference to a part of it is the result; assertions are those of the value. What
//! `IndexMut` and `DerefMut` lead to is the same place, which is what the standard library asks of them.

use crate::binding::{self, local};
use crate::diag::{self, Reports};
use crate::syntax::walk::{Node, NodeMut, Tree, TreeMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Expr, FnArg, ImplItem, Stmt, Type, parse_quote};

/// The traits, with their methods and types.
const PLACES: [(&str, &str, &str); 4] = [
    ("Index", "index", "Output"),
    ("IndexMut", "index_mut", ""),
    ("Deref", "deref", "Target"),
    ("DerefMut", "deref_mut", ""),
];

/// The `impl` with what is beside it, if it is one of places.
pub fn differentiate(block: &syn::ItemImpl, reports: &mut Reports) -> Option<TokenStream> {
    let (path, _) = block.trait_.as_ref()?;
    let name = &path.segments.last()?.ident;
    let (_, method, associated) = PLACES.iter().find(|(place, ..)| name == place)?;
    let method = block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == method => Some(function),
        _ => None,
    })?;
    let target = block.items.iter().find_map(|item| match item {
        ImplItem::Type(item) if item.ident == associated => Some(&item.ty),
        _ => None,
    });
    check(&method.block, reports);
    let shadow = target.filter(|_| reports.is_empty());
    let shadow = shadow
        .map(|target| binding::surrounded(|| implementation(block, method, associated, target)));
    let errors = reports.to_tokens();
    Some(quote!(#block #errors #shadow))
}

/// Our trait for the type.
fn implementation(
    block: &syn::ItemImpl,
    method: &syn::ImplItemFn,
    associated: &str,
    target: &Type,
) -> TokenStream {
    let mut generics = block.generics.clone();
    let ty = &block.self_ty;
    let index = method.sig.inputs.iter().nth(1);
    let shadow = match index {
        Some(FnArg::Typed(index)) => {
            let ty = &index.ty;
            quote!(IndexShadow<#ty>)
        }
        _ => {
            let any = binding::lifetime("any");
            generics.params.insert(0, parse_quote!(#any));
            quote!(DerefShadow<#any>)
        }
    };
    let (head, _, bounds) = generics.split_for_impl();
    let associated = Ident::new(associated, Span::call_site());
    let functions = [false, true].map(|is_mutable| part(method, target, is_mutable));
    quote! {
        #[allow(unused, clippy::all)]
        impl #head ::cotangent::__private::#shadow for #ty #bounds {
            type #associated = <#target as ::cotangent::Differentiable>::Tangent;

            #(#functions)*
        }
    }
}

/// One of its functions: the user's body on a tangent.
fn part(method: &syn::ImplItemFn, target: &Type, is_mutable: bool) -> TokenStream {
    let index = method.sig.inputs.iter().skip(1);
    let mut body = method.block.clone();
    let shadow = local("shadow");
    let replace = Replace { shadow: &shadow, is_mutable };
    body.stmts.retain(|statement| !asserts(statement));
    body.change(&mut |node| {
        replace.change(node);
        true
    });
    replace.tail_of_block(&mut body);
    let (name, reference) = match is_mutable {
        true => (quote!(part_mut), quote!(&mut)),
        false => (quote!(part), quote!(&)),
    };
    quote! {
        #[inline]
        fn #name(#shadow: #reference <Self as ::cotangent::Differentiable>::Tangent, #(#index),*) -> #reference <#target as ::cotangent::Differentiable>::Tangent #body
    }
}

/// Whether a statement asserts something of the value.
fn asserts(statement: &Stmt) -> bool {
    let Stmt::Macro(statement) = statement else { return false };
    let name = statement.mac.path.segments.last().map(|last| last.ident.to_string());
    name.is_some_and(|name| {
        let name = name.strip_prefix("debug_").unwrap_or(&name);
        ["assert", "assert_eq", "assert_ne"].contains(&name)
    })
}

/// Writes the tangent in the place of `self`, and in results references of the wanted kind.
struct Replace<'a> {
    shadow: &'a Ident,
    is_mutable: bool,
}

impl Replace<'_> {
    fn change(&self, node: NodeMut) {
        match node {
            NodeMut::Expr(Expr::Return(expr)) => {
                expr.expr.iter_mut().for_each(|value| self.tail(value));
            }
            NodeMut::Path(path) if path.is_ident("self") => {
                let span = path.segments[0].ident.span();
                path.segments[0].ident =
                    Ident::new(&self.shadow.to_string(), self.shadow.span().located_at(span));
            }
            _ => {}
        }
    }

    fn tail_of_block(&self, block: &mut syn::Block) {
        if let Some(Stmt::Expr(tail, None)) = block.stmts.last_mut() {
            self.tail(tail);
        }
    }

    fn tail(&self, expr: &mut Expr) {
        match expr {
            Expr::Reference(reference) => {
                reference.mutability = self.is_mutable.then(Default::default);
            }
            Expr::Block(block) => self.tail_of_block(&mut block.block),
            Expr::If(branch) => {
                self.tail_of_block(&mut branch.then_branch);
                branch.else_branch.iter_mut().for_each(|(_, other)| self.tail(other));
            }
            Expr::Match(scrutiny) => {
                scrutiny.arms.iter_mut().for_each(|arm| self.tail(&mut arm.body))
            }
            Expr::Paren(paren) => self.tail(&mut paren.expr),
            _ => {}
        }
    }
}

/// Reports what is no reference to a part of `self`, at the token.
fn check(block: &syn::Block, reports: &mut Reports) {
    Check { reports }.block(block);
}

struct Check<'r> {
    reports: &'r mut Reports,
}

impl Check<'_> {
    fn block(&mut self, block: &syn::Block) {
        let Some((last, statements)) = block.stmts.split_last() else { return };
        for statement in statements.iter().filter(|statement| !asserts(statement)) {
            self.outside(statement);
        }
        match last {
            Stmt::Expr(tail, None) => self.tail(tail),
            last => self.outside(last),
        }
    }

    /// What is returned: a reference to a part of `self`, by one of several ways.
    fn tail(&mut self, expr: &Expr) {
        match expr {
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Block(block) => self.block(&block.block),
            Expr::Paren(paren) => self.tail(&paren.expr),
            Expr::If(branch) => {
                self.outside(&*branch.cond);
                self.block(&branch.then_branch);
                branch.else_branch.iter().for_each(|(_, other)| self.tail(other));
            }
            Expr::Match(scrutiny) => {
                self.outside(&*scrutiny.expr);
                for arm in &scrutiny.arms {
                    self.outside(&arm.pat);
                    self.tail(&arm.body);
                }
            }
            Expr::Macro(_) => {}
            expr => self.outside(expr),
        }
    }

    /// Reports each `self` in a part that is not the result. A `return` inside of it is read as a result.
    fn outside(&mut self, tree: &dyn Tree) {
        tree.walk(&mut |node| match node {
            Node::Expr(Expr::Return(expr)) => {
                expr.expr.iter().for_each(|value| self.tail(value));
                false
            }
            Node::Path(path) if path.is_ident("self") => {
                self.reports.report(path.segments[0].ident.span(), &diag::PLACE, "");
                true
            }
            Node::Macro(call) => {
                let mut tokens = call.tokens.clone().into_iter();
                if let Some(token) = tokens.find(|token| token.to_string() == "self") {
                    self.reports.report(token.span(), &diag::PLACE, "");
                }
                false
            }
            _ => true,
        });
    }

    fn place(&mut self, expr: &Expr) {
        match expr {
            Expr::Field(field) => self.place(&field.base),
            Expr::Index(index) => {
                self.place(&index.expr);
                self.outside(&*index.index);
            }
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.place(&unary.expr)
            }
            Expr::Path(path) if path.path.is_ident("self") => {}
            expr => self.outside(expr),
        }
    }
}
