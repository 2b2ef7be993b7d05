//! What a closure reads of variables that are no numbers by their types.
//!
//! In: a closure that is passed, and names it takes from outside. Out: the closure where each use of such a
//! name as a value reads behind the reference that its body has instead. A use as a place (in front of a dot,
//! an index, behind `&`) stays, as rustc looks behind references there by itself. To use a value up that is
//! not `Copy` is rustc's error here as it is in the closure itself.

use super::hygiene;
use crate::lower::scope;
use proc_macro2::Ident;
use quote::format_ident;
use rustc_hash::FxHashMap as HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, parse_quote};

/// A closure whose names from outside are references.
pub fn behind_references(closure: &ExprClosure, names: &[Ident]) -> ExprClosure {
    let apart = |(index, name): (usize, &Ident)| {
        (hygiene::key(name), format_ident!("captured_{index}_apart", span = name.span()))
    };
    let marked: HashMap<String, Ident> = names.iter().enumerate().map(apart).collect();
    let mut reads = Reads { names: HashMap::default() };
    for name in names {
        reads.names.insert(marked[&hygiene::key(name)].clone(), name.clone());
    }
    let Some(Expr::Closure(mut changed)) =
        scope::with_names(&Expr::Closure(closure.clone()), marked)
    else {
        return closure.clone();
    };
    reads.visit_expr_mut(&mut changed.body);
    changed
}

/// The variables, by names that no other has.
struct Reads {
    names: HashMap<Ident, Ident>,
}

impl Reads {
    fn variable(&self, expr: &Expr) -> Option<Ident> {
        let Expr::Path(path) = expr else { return None };
        self.names.get(path.path.get_ident()?).map(|name| {
            let mut name = name.clone();
            name.set_span(path.path.segments[0].ident.span());
            name
        })
    }

    /// An operand that is a place.
    fn place(&mut self, expr: &mut Expr) {
        match self.variable(expr) {
            Some(name) => *expr = parse_quote!(#name),
            None => self.visit_expr_mut(expr),
        }
    }
}

impl VisitMut for Reads {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match self.variable(expr) {
            Some(name) => *expr = parse_quote!((*#name)),
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        match call.method == "into_iter" {
            true => self.visit_expr_mut(&mut call.receiver),
            false => self.place(&mut call.receiver),
        }
        call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
    }

    fn visit_expr_field_mut(&mut self, field: &mut syn::ExprField) {
        self.place(&mut field.base);
    }

    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        self.place(&mut index.expr);
        self.visit_expr_mut(&mut index.index);
    }

    fn visit_expr_reference_mut(&mut self, reference: &mut syn::ExprReference) {
        self.place(&mut reference.expr);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        self.place(&mut call.func);
        call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = self.tokens(std::mem::take(&mut call.tokens));
    }
}

impl Reads {
    /// Macros are lowered after this, and what they format is borrowed.
    fn tokens(&self, tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
        use proc_macro2::{Group, TokenTree};
        let each = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(ident) => TokenTree::Ident(match self.names.get(&ident) {
                Some(name) => Ident::new(&name.to_string(), ident.span()),
                None => ident,
            }),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token,
        });
        each.collect()
    }
}
