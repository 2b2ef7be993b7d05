//! Inlining of short methods.
//!
//! In: a call of a function that stands in the same `impl`: `self.at(i + 1)`. Out: a call of a closure with its
//! parameters and its body, `(|i: usize| -> f64 { self.velocity[i] })(i + 1)`, which is lowered in place. So the reverse
//! sweep has no pullback to keep, and reads again what the function reads.
//!
//! Invariants: `self` has the type of the `impl`, whose own functions come before those of traits. The body is read with
//! the names that stand in it alone, and not with those around the call. What it names of the module means the same there:
//! where a variable, an item or a parameter of the calling function may hide it, the call stays a call.

use super::Build;
use crate::diag::Extent;
use crate::hir::{Expr, ExprId, ExprKind, Local};
use syn::spanned::Spanned;

impl Build<'_> {
    /// The closure that a method of `self` is.
    pub(super) fn inlined_method(&mut self, call: &syn::ExprMethodCall) -> Option<ExprId> {
        let syn::Expr::Path(receiver) = &*call.receiver else { return None };
        let receiver = receiver.path.get_ident().filter(|ident| *ident == "self")?.clone();
        let local = self.scopes.resolve(&receiver)?;
        let method = self.short(&call.method).filter(|_| call.turbofish.is_none())?;
        let receives = method.sig.receiver().map(|own| &own.kind);
        let is_borrowed = matches!(receives, Some(syn::ReceiverKind::Reference(..)));
        let is_fit = is_borrowed && method.sig.inputs.len() == call.args.len() + 1;
        is_fit.then(|| self.inlined(&method, Some((receiver, local)), call.method.span()))?
    }

    /// The closure that a function of `Self` is.
    pub(super) fn inlined_function(&mut self, call: &syn::ExprCall) -> Option<ExprId> {
        let syn::Expr::Path(path) = &*call.func else { return None };
        let mut segments = path.path.segments.iter();
        let (Some(owner), Some(name), None) = (segments.next(), segments.next(), segments.next())
        else {
            return None;
        };
        let is_plain = path.qself.is_none() && owner.ident == "Self" && name.arguments.is_none();
        let method = self.short(&name.ident).filter(|_| is_plain)?;
        let is_fit = method.sig.receiver().is_none() && method.sig.inputs.len() == call.args.len();
        is_fit.then(|| self.inlined(&method, None, call.func.span()))?
    }

    /// A function that can stand in the place of its call, unless it is under way.
    fn short(&self, name: &proc_macro2::Ident) -> Option<syn::ImplItemFn> {
        let method = self.short.iter().find(|method| method.sig.ident == *name)?;
        let is_under_way = self.inlining.contains(&name.to_string());
        (!is_under_way && self.body.items.is_empty()).then(|| method.clone())
    }

    fn inlined(
        &mut self,
        method: &syn::ImplItemFn,
        receiver: Option<(proc_macro2::Ident, Local)>,
        span: proc_macro2::Span,
    ) -> Option<ExprId> {
        let (exprs, locals) = (self.body.exprs().count(), self.body.locals());
        let outside = std::mem::take(&mut self.scopes);
        if let Some((name, local)) = receiver {
            self.scopes.bind(&name, local);
        }
        self.inlining.push(method.sig.ident.to_string());
        let kind = self.closure(&as_closure(method));
        self.inlining.pop();
        self.scopes = outside;
        let is_hidden = self.body.exprs().skip(exprs).any(|expr| self.may_hide(locals, expr));
        (!is_hidden).then(|| self.add(kind, Extent::from(span), span))
    }

    /// Whether an expression names an item as one of the first locals is named.
    fn may_hide(&self, locals: usize, expr: &Expr) -> bool {
        let ExprKind::Item(path) = &expr.kind else { return false };
        let mut hiding = (0..locals).map(|local| &self.body.local(Local(local as u32)).name);
        path.path.get_ident().is_some_and(|item| hiding.any(|name| name == item))
    }
}

/// A function's parameters, result and body as a closure's.
fn as_closure(method: &syn::ImplItemFn) -> syn::ExprClosure {
    let params = method.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(param) => Some(param),
        syn::FnArg::Receiver(_) => None,
    });
    let (output, block) = (&method.sig.output, &method.block);
    match output {
        syn::ReturnType::Default => syn::parse_quote!(|#(#params),*| -> () #block),
        output => syn::parse_quote!(|#(#params),*| #output #block),
    }
}
