//! Inlining of short functions.
//!
//! In: a call of a function that stands in the same `impl`, or of one of the same module where the attribute is on the module:
//! `self.at(i + 1)`, `grid.at(i)`, `Point::new(x, y)`, `force(r)`. Out: a call of a closure with its parameters and its
//! body, `(|i: usize| -> f64 { self.velocity[i] })(i + 1)`, which is lowered in place. So the reverse sweep has no pullback to
//! keep, and reads again what the function reads; and a function may return a reference.
//!
//! Invariants: the function is the one that rustc calls: `self` has the type of the `impl`, whose own functions come before
//! those of traits; other receivers have the types that declarations show. The body is read with the names that stand in it
//! alone, and not with those around the call. What it names of the module means the same there: where a variable, an item or
//! a parameter of the calling function may hide it, the call stays a call. Functions of the body itself see its items alone, and
//! may be of any length.

use super::Build;
use crate::diag::Extent;
use crate::hir::{Expr, ExprId, ExprKind, Local, LocalData};
use crate::syntax::items::Method;
use crate::syntax::short;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// How many bodies may stand in the place of calls in one function.
const MOST: usize = 64;

/// A function that stands in the place of its call.
struct Inlined<'m> {
    attributes: &'m [syn::Attribute],
    head: &'m syn::Signature,
    block: &'m syn::Block,
}

impl<'m> Inlined<'m> {
    fn of(method: &'m syn::ImplItemFn) -> Self {
        Inlined { attributes: &method.attrs, head: &method.sig, block: &method.block }
    }
}

/// The meaning of `self` in the body.
enum Receiver {
    None,
    /// A local around the call.
    Local(Ident, Local),
    /// The closure's first parameter.
    Parameter(Ident, LocalData),
}

impl Build<'_> {
    /// The closure that a method of `self` is.
    pub(super) fn inlined_method(&mut self, call: &syn::ExprMethodCall) -> Option<ExprId> {
        let syn::Expr::Path(receiver) = &*call.receiver else { return None };
        let receiver = receiver.path.get_ident().filter(|ident| *ident == "self")?.clone();
        let local = self.scopes.resolve(&receiver)?;
        if self.body.local(local).name != "self" {
            return None;
        }
        let method = self.short(&call.method).filter(|_| call.turbofish.is_none())?;
        let receives = method.sig.receiver().map(|own| &own.kind);
        let is_borrowed = matches!(receives, Some(syn::ReceiverKind::Reference(..)));
        let is_fit = is_borrowed && method.sig.inputs.len() == call.args.len() + 1;
        let receiver = Receiver::Local(receiver, local);
        is_fit.then(|| self.inlined(&Inlined::of(&method), receiver, call.method.span()))?
    }

    /// The closure that a method of a receiver is whose type a module shows, and the receiver as it takes it.
    pub(super) fn inlined_method_of(
        &mut self,
        receiver: ExprId,
        call: &syn::ExprMethodCall,
    ) -> Option<(ExprId, ExprId)> {
        let method = self.method_of(receiver, &call.method)?;
        let own = method.item.sig.receiver().filter(|_| call.turbofish.is_none())?;
        let syn::ReceiverKind::Reference(_, _, mutable) = &own.kind else { return None };
        let is_fit = method.item.sig.inputs.len() == call.args.len() + 1;
        let item = self.inlinable(&method).filter(|_| is_fit)?;
        let (span, ty) = (call.method.span(), &method.ty);
        let ty = Some(syn::parse_quote!(&#mutable #ty));
        let data =
            LocalData { name: Ident::new("receiver", span), is_mutable: false, ty, init: None };
        let parameter = Receiver::Parameter(own.self_token.into(), data);
        let closure = self.inlined(&Inlined::of(&item), parameter, span)?;
        if self.seen.as_ref().is_some_and(|seen| seen.scope != method.scope)
            && self.names_items(closure)
        {
            return None;
        }
        let mut place = receiver;
        for _ in 0..self.depth_of(receiver) {
            place = self.made(ExprKind::Deref(place), span);
        }
        let is_mutable = mutable.is_some();
        Some((closure, self.made(ExprKind::Borrow { is_mutable, place }, span)))
    }

    /// The closure that a function of `Self`, or one of the module, is.
    pub(super) fn inlined_function(&mut self, call: &syn::ExprCall) -> Option<ExprId> {
        let syn::Expr::Path(path) = &*call.func else { return None };
        if path.qself.is_some() {
            return None;
        }
        let span = call.func.span();
        if let Some(method) = self.short_of_self(&path.path) {
            let is_fit =
                method.sig.receiver().is_none() && method.sig.inputs.len() == call.args.len();
            return is_fit.then(|| self.inlined(&Inlined::of(&method), Receiver::None, span))?;
        }
        if let Some(function) = self.inner_function(&path.path) {
            let (attributes, head) = (&*function.attrs, &function.sig);
            let inlined = Inlined { attributes, head, block: &function.block };
            let is_fit = head.inputs.len() == call.args.len() && self.copies < MOST;
            return is_fit.then(|| self.inlined(&inlined, Receiver::None, span))?;
        }
        let is_local = path.path.get_ident().is_some_and(|name| self.scopes.names(name));
        let seen = self.seen.clone().filter(|_| !is_local)?;
        if let Some(location) = seen.items.function_at(seen.scope, &path.path) {
            let function = seen.items.function(&location).filter(|_| location.0 == seen.scope)?;
            let (attributes, head) = (&*function.attrs, &function.sig);
            let inlined = Inlined { attributes, head, block: &function.block };
            let is_fit = head.inputs.len() == call.args.len() && self.may_inline(&inlined);
            return is_fit.then(|| self.inlined(&inlined, Receiver::None, span))?;
        }
        let method = self.function_of(&path.path)?;
        let head = &method.item.sig;
        let is_fit = head.receiver().is_none() && head.inputs.len() == call.args.len();
        let item = self.inlinable(&method).filter(|_| is_fit)?;
        let closure = self.inlined(&Inlined::of(&item), Receiver::None, span)?;
        (method.scope == seen.scope || !self.names_items(closure)).then_some(closure)
    }

    /// A function of the body that a path names, if it may be given active values and can stand in the place of its call.
    fn inner_function(&self, path: &syn::Path) -> Option<syn::ItemFn> {
        let name = path.get_ident().filter(|name| self.scopes.resolve(name).is_none())?;
        let mut functions = self.body.items.iter().filter_map(|item| match item {
            syn::Item::Fn(function) if function.sig.ident == *name => Some(function),
            _ => None,
        });
        let function = functions.next()?;
        let is_under_way = self.inlining.contains(&name.to_string());
        (!is_under_way && short::is_plain_function(function)).then(|| function.clone())
    }

    /// A short function of `Self` that a path names.
    fn short_of_self(&self, path: &syn::Path) -> Option<syn::ImplItemFn> {
        let mut segments = path.segments.iter();
        let (Some(owner), Some(name), None) = (segments.next(), segments.next(), segments.next())
        else {
            return None;
        };
        let is_plain = owner.ident == "Self" && name.arguments.is_none();
        self.short(&name.ident).filter(|_| is_plain)
    }

    /// A function that can stand in the place of its call, unless it is under way.
    fn short(&self, name: &Ident) -> Option<syn::ImplItemFn> {
        let method = self.short.iter().find(|method| method.sig.ident == *name)?;
        let is_under_way = self.inlining.contains(&name.to_string());
        (!is_under_way && !self.has_items).then(|| method.clone())
    }

    /// A function of a type of the same module, with the type's name in the place of `Self`, if it can stand in the place of
    /// its call.
    fn inlinable(&self, method: &Method) -> Option<syn::ImplItemFn> {
        let seen = self.seen.as_ref()?;
        if !seen.items.is_within(seen.scope, method.scope)
            || !self.may_inline(&Inlined::of(&method.item))
        {
            return None;
        }
        let ty = method.ty.to_token_stream();
        let sig = &method.item.sig;
        let mut item = method.item.clone();
        item.sig.inputs = sig
            .inputs
            .iter()
            .map(|input| match input {
                syn::FnArg::Typed(typed) => {
                    let ty = syn::parse2(named(typed.ty.to_token_stream(), &ty));
                    let ty = ty.map_or_else(|_| typed.ty.clone(), Box::new);
                    syn::FnArg::Typed(syn::PatType { ty, ..typed.clone() })
                }
                receiver @ syn::FnArg::Receiver(_) => receiver.clone(),
            })
            .collect();
        item.sig.output = syn::parse2(named(sig.output.to_token_stream(), &ty)).ok()?;
        item.block = syn::parse2(named(item.block.to_token_stream(), &ty)).ok()?;
        Some(item)
    }

    fn may_inline(&self, inlined: &Inlined) -> bool {
        let is_under_way = self.inlining.contains(&inlined.head.ident.to_string());
        !is_under_way
            && self.copies < MOST
            && !self.has_items
            && short::is_short_body(inlined.attributes, inlined.head, inlined.block)
    }

    fn inlined(&mut self, inlined: &Inlined, receiver: Receiver, span: Span) -> Option<ExprId> {
        let (exprs, locals) = (self.body.exprs().count(), self.body.locals());
        let outside = std::mem::take(&mut self.scopes);
        let parameter = match receiver {
            Receiver::None => None,
            Receiver::Local(name, local) => {
                self.scopes.bind(&name, local);
                None
            }
            Receiver::Parameter(name, data) => Some((name, data)),
        };
        self.inlining.push(inlined.head.ident.to_string());
        self.copies += 1;
        let kind = self.closure_on(parameter, &as_closure(inlined));
        self.inlining.pop();
        self.scopes = outside;
        let is_hidden = self.body.exprs().skip(exprs).any(|expr| self.may_hide(locals, expr));
        (!is_hidden).then(|| self.add(kind, Extent::from(span), span))
    }

    /// Whether a closure's body may name an item, which has another meaning in another module.
    fn names_items(&self, closure: ExprId) -> bool {
        let mut open = vec![closure];
        while let Some(expr) = open.pop() {
            let kind = &self.body.expr(expr).kind;
            let is_plain = match kind {
                ExprKind::Closure(closure) => {
                    open.push(closure.body);
                    true
                }
                ExprKind::Block { block, .. } => block.stmts.is_empty(),
                ExprKind::Literal(_)
                | ExprKind::Local(_)
                | ExprKind::Negate(_)
                | ExprKind::Not(_)
                | ExprKind::Binary(..)
                | ExprKind::Lazy { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Compound { .. }
                | ExprKind::Borrow { .. }
                | ExprKind::Deref(_)
                | ExprKind::Field(..)
                | ExprKind::Index(..)
                | ExprKind::Range { .. }
                | ExprKind::Tuple(_)
                | ExprKind::Array(_)
                | ExprKind::If { .. }
                | ExprKind::Method { turbofish: None, .. } => true,
                ExprKind::Method { .. }
                | ExprKind::Item(_)
                | ExprKind::Ignored
                | ExprKind::Repeat(..)
                | ExprKind::Struct { .. }
                | ExprKind::Cast(..)
                | ExprKind::Call(..)
                | ExprKind::Macro(_)
                | ExprKind::Let(..)
                | ExprKind::Match(..)
                | ExprKind::Loop(_)
                | ExprKind::Break(..)
                | ExprKind::Continue(_)
                | ExprKind::Unsupported => false,
            };
            if !is_plain {
                return true;
            }
            open.extend(kind.children());
        }
        false
    }

    /// Whether an expression names an item as one of the first locals is named.
    fn may_hide(&self, locals: usize, expr: &Expr) -> bool {
        let ExprKind::Item(path) = &expr.kind else { return false };
        let mut hiding = (0..locals).map(|local| &self.body.local(Local(local as u32)).name);
        path.path.get_ident().is_some_and(|item| hiding.any(|name| name == item))
    }
}

/// A function's parameters, result and body as a closure's.
fn as_closure(inlined: &Inlined) -> syn::ExprClosure {
    let params = inlined.head.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(param) => Some(param),
        syn::FnArg::Receiver(_) => None,
    });
    let (output, block) = (&inlined.head.output, &inlined.block);
    match output {
        syn::ReturnType::Default => syn::parse_quote!(|#(#params),*| -> () #block),
        output => syn::parse_quote!(|#(#params),*| #output #block),
    }
}

/// Tokens with a type's name in the place of `Self`.
fn named(tokens: TokenStream, ty: &TokenStream) -> TokenStream {
    let each = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => ty.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), named(group.stream(), ty));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        token => token.into(),
    });
    each.collect()
}
