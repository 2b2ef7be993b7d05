//! Closures outside of any function, as functions of their own, and the types that closures are lowered with.
//!
//! In: a closure's syntax, and what stands around it. Out: its parameters and its signature; for `function!`, which stands
//! outside of any function, its derivatives.

use crate::diag::{self, Reports};
use crate::ir::{Closure, ClosureParam, Code, Function, Type};
use crate::syntax::attr::Overlays;
use crate::syntax::items::Seen;
use crate::syntax::signature::{self, Parameter, Signature};
use crate::syntax::types::Floats;
use proc_macro2::{Ident, Span};
use std::collections::HashSet;
use std::rc::Rc;
use syn::{Expr, ExprClosure, Stmt, parse_quote};

/// A function that captures nothing, outside of any differentiated body, and proofs of what it takes names for.
pub fn function(
    expr: &Expr,
    order: usize,
    reports: &mut Reports,
) -> Option<(Code, Vec<syn::Item>)> {
    match expr {
        Expr::Paren(paren) => function(&paren.expr, order, reports),
        Expr::Group(group) => function(&group.expr, order, reports),
        Expr::Path(path) => Some((Code::Item(path.clone()), Vec::new())),
        Expr::Closure(closure) if closure.inputs.iter().any(|input| !is_typed(input)) => {
            reports.report(diag::Extent::of(expr), &diag::FUNCTION_VALUE, "");
            None
        }
        Expr::Closure(closure) => derived(closure, order, reports)
            .map(|(closure, proofs)| (Code::Closure(Box::new(closure)), proofs)),
        _ => {
            reports.report(diag::Extent::of(expr), &diag::FUNCTION_VALUE, "");
            None
        }
    }
}

/// A body as a block.
pub(super) fn block_of(body: &Expr) -> syn::Block {
    match body {
        Expr::Block(block) if block.label.is_none() => block.block.clone(),
        body => syn::Block {
            brace_token: Default::default(),
            stmts: vec![Stmt::Expr(body.clone(), None)],
        },
    }
}

/// The derivatives of a closure that captures nothing.
fn derived(
    closure: &ExprClosure,
    order: usize,
    reports: &mut Reports,
) -> Option<(Closure, Vec<syn::Item>)> {
    let (function, floats, overlays) = (super::empty(""), Floats::default(), Overlays::default());
    let none = Default::default();
    let outer = Outer {
        function: &function,
        floats: &floats,
        overlays: &overlays,
        seen: None,
        types: &none,
        orders: order,
    };
    let (mut params, mut types) = (Vec::new(), Vec::new());
    for (index, input) in closure.inputs.iter().enumerate() {
        let (typed, ty) = typed(input);
        types.push(ty);
        params.push(signature::parameter(&typed, index, &floats, reports));
    }
    let (own, output) = (declared(&params, types), output(closure));
    let signature = outer.closure(params, output.clone());
    let block = block_of(&closure.body);
    if crate::syntax::uses_cells(&block) {
        reports.report(diag::Extent::of(&closure.body), &diag::SHARED_HANDLE, "");
        return None;
    }
    let (lowered, proofs) = super::lower(&signature, &block, reports);
    let crate::pipeline::Closure { primal, jvp, vjp } =
        crate::pipeline::closure(&signature, lowered, reports)?;
    let closure = Closure { captures: Vec::new(), params: own, output, primal, jvp, vjp };
    Some((closure, proofs.items))
}

/// A closure's own parameters, with the types that are written.
pub(super) fn declared(params: &[Parameter], types: Vec<Option<syn::Type>>) -> Vec<ClosureParam> {
    let pairs = params.iter().zip(types);
    let declared = pairs.map(|(param, ty)| ClosureParam {
        name: param.name.clone(),
        ty,
        is_active: param.active,
    });
    declared.collect()
}

/// The type of a closure's result, where it is written.
fn output(closure: &ExprClosure) -> Option<syn::Type> {
    match &closure.output {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
    }
}

/// The properties that a closure takes over from the function around it.
pub(super) struct Outer<'o> {
    pub function: &'o Function,
    pub floats: &'o Floats,
    pub overlays: &'o Overlays,
    pub seen: Option<&'o Seen>,
    pub types: &'o Rc<HashSet<Ident>>,
    pub orders: usize,
}

impl Outer<'_> {
    /// The signature of a closure as a function of its own.
    pub(super) fn closure(&self, params: Vec<Parameter>, output: Option<syn::Type>) -> Signature {
        let name = match self.function.name.as_str() {
            "" => "closure",
            name => name,
        };
        let name =
            syn::parse_str(name).unwrap_or_else(|_| Ident::new("closure", Span::call_site()));
        Signature {
            siblings: Ident::clone(&name),
            name,
            params,
            output_kind: output.as_ref().map_or(Type::Unknown, |ty| self.floats.read(ty)),
            output,
            generics: syn::Generics::default(),
            spelled: Vec::new(),
            is_inferred: false,
            owner: None,
            shares: false,
            floats: self.floats.clone(),
            overlays: self.overlays.clone(),
            seen: self.seen.cloned(),
            types: Rc::clone(self.types),
            is_watched: self.function.is_watched,
            is_sum: false,
            adds_to_floats: self.function.adds_to_floats,
            copies_operands: self.function.copies_operands,
            is_aux: false,
            orders: self.orders,
        }
    }
}

/// A closure's parameter with its type, and that type if it is written. `&x` shows that it is a reference.
pub(super) fn typed(input: &syn::Pat) -> (syn::PatType, Option<syn::Type>) {
    match input {
        syn::Pat::Type(typed) => (typed.clone(), Some((*typed.ty).clone())),
        syn::Pat::Reference(reference) => {
            let mutable = reference.mutability;
            let ty: syn::Type = parse_quote!(& #mutable _);
            (pattern_of(input, ty.clone()), Some(ty))
        }
        pattern => (pattern_of(pattern, parse_quote!(_)), None),
    }
}

fn is_typed(input: &syn::Pat) -> bool {
    matches!(input, syn::Pat::Type(_))
}

fn pattern_of(pattern: &syn::Pat, ty: syn::Type) -> syn::PatType {
    syn::PatType {
        attrs: Vec::new(),
        pat: Box::new(pattern.clone()),
        colon_token: Default::default(),
        ty: Box::new(ty),
    }
}
