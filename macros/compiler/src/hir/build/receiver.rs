//! Types of expressions and of closures' parameters, as far as the declarations of a module show them.
//!
//! In: an expression that is read. Out: its type, and the module in which that is spelled. It follows declared types of
//! parameters, variables, fields and results, literals of structs, references, and elements of arrays and vectors. A closure
//! that is passed has the types of parameters that the function's bound says.
//!
//! Invariant: a type is given only where rustc finds the same. What a type parameter or an item of the body may hide has
//! none.

use super::Build;
use crate::hir::results::is_result_type;
use crate::hir::{ExprId, ExprKind, Local};
use crate::syntax::items::{Location, Method, Scope, is_conditional};
use crate::syntax::walk::{NodeMut, TreeMut};
use crate::syntax::{callable, generics, hygiene};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::rc::Rc;

/// A type, and the module in which it is spelled.
type Spelled = (Scope, syn::Type);

impl Build<'_> {
    /// The type of an expression.
    pub(super) fn type_of(&self, expr: ExprId) -> Option<Spelled> {
        let seen = self.seen.as_ref()?;
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => self.type_of_local(*local),
            ExprKind::Field(base, member) => self.type_of_field(*base, member),
            ExprKind::Index(base, index) => {
                let is_range = matches!(self.body.expr(*index).kind, ExprKind::Range { .. });
                let (scope, ty) = self.type_of(*base).filter(|_| !is_range)?;
                Some((scope, self.element_of(scope, &ty)?))
            }
            ExprKind::Borrow { place, is_mutable } => {
                let (scope, ty) = self.type_of(*place)?;
                let mutable = is_mutable.then(<syn::Token![mut]>::default);
                Some((scope, syn::parse_quote!(&#mutable #ty)))
            }
            ExprKind::Deref(inner) => {
                let (scope, ty) = self.type_of(*inner)?;
                match ty {
                    syn::Type::Reference(reference) => Some((scope, *reference.elem)),
                    _ => None,
                }
            }
            ExprKind::Struct { path, .. } => {
                let path = &**path;
                self.spelled(&syn::parse_quote!(#path))
            }
            ExprKind::Call(callee, _) => match &self.body.expr(*callee).kind {
                ExprKind::Closure(closure) => self.spelled(closure.output.as_ref()?),
                ExprKind::Item(path) => self.type_of_result(path),
                _ => None,
            },
            ExprKind::Method { receiver, name, .. } => {
                let method = self.method_of(*receiver, name)?;
                result_of(&method).map(|ty| (method.scope, ty))
            }
            _ => None,
        }
        .filter(|(scope, _)| *scope != seen.scope || self.body.items.is_empty())
    }

    /// The type of an expression that is an array or a vector.
    pub(super) fn sequence_type(&self, expr: ExprId) -> Option<syn::Type> {
        let (scope, ty) = self.type_of(expr)?;
        self.sequence_in(scope, ty)
    }

    fn sequence_in(&self, scope: Scope, ty: syn::Type) -> Option<syn::Type> {
        let items = &self.seen.as_ref()?.items;
        match ty {
            syn::Type::Paren(inner) => self.sequence_in(scope, *inner.elem),
            syn::Type::Group(inner) => self.sequence_in(scope, *inner.elem),
            // A length by name may be another number where the function stands.
            syn::Type::Array(ref array) => matches!(array.len, syn::Expr::Lit(_)).then_some(ty),
            syn::Type::Path(ref path) if path.qself.is_none() => {
                if let Some((location, item)) = items.type_at(scope, &path.path) {
                    let syn::Item::Type(alias) = item else { return None };
                    let is_plain = alias.generics.params.is_empty();
                    return is_plain.then(|| self.sequence_in(location.0, (*alias.ty).clone()))?;
                }
                let is_named = |name: &Ident| items.is_named(scope, name);
                let last = path.path.segments.last().filter(|_| path.path.segments.len() == 1)?;
                (last.ident == "Vec" && !is_named(&last.ident)).then_some(ty)
            }
            _ => None,
        }
    }

    /// The function of the receiver's type that a method is.
    pub(super) fn method_of(&self, receiver: ExprId, name: &Ident) -> Option<Rc<Method>> {
        let (location, _) = self.definition_of(receiver)?;
        let seen = self.seen.as_ref()?;
        seen.items.method(seen.scope, (&location, self.depth_of(receiver)), name).cloned()
    }

    /// Whether a receiver is a `Result`.
    pub(super) fn is_result(&self, receiver: ExprId) -> bool {
        self.type_of(receiver).is_some_and(|(_, ty)| is_result_type(&ty))
    }

    /// How many references are around the struct or the enum that an expression is.
    pub(super) fn depth_of(&self, receiver: ExprId) -> usize {
        let mut ty = self.type_of(receiver).map(|(_, ty)| ty);
        let mut depth = 0;
        while let Some(syn::Type::Reference(reference)) = ty {
            (ty, depth) = (Some(*reference.elem), depth + 1);
        }
        depth
    }

    /// The struct or the enum that an expression is, behind references.
    pub(super) fn definition_of(&self, expr: ExprId) -> Option<(Location, &syn::Item)> {
        let (scope, ty) = self.type_of(expr)?;
        self.seen.as_ref()?.items.definition(scope, &ty)
    }

    fn type_of_local(&self, local: Local) -> Option<Spelled> {
        let data = self.body.local(local);
        match (&data.ty, data.init) {
            (Some(ty), _) => self.spelled(ty),
            (None, Some(init)) => self.type_of(init),
            (None, None) => None,
        }
    }

    fn type_of_field(&self, base: ExprId, member: &syn::Member) -> Option<Spelled> {
        let (location, item) = self.definition_of(base)?;
        let syn::Item::Struct(item) = item else { return None };
        if !item.generics.params.is_empty() {
            return None;
        }
        let is_it = |(index, field): &(usize, &syn::Field)| match (member, &field.ident) {
            (syn::Member::Named(name), Some(own)) => name == own,
            (syn::Member::Unnamed(at), None) => at.index as usize == *index,
            _ => false,
        };
        let (_, field) = item.fields.iter().enumerate().find(is_it)?;
        if item.fields.iter().any(|field| field.attrs.iter().any(is_conditional)) {
            return None;
        }
        Some((location.0, field.ty.clone()))
    }

    fn type_of_result(&self, path: &syn::ExprPath) -> Option<Spelled> {
        let seen = self.seen.as_ref().filter(|_| path.qself.is_none())?;
        if let Some(location) = seen.items.function_at(seen.scope, &path.path) {
            let function = seen.items.function(&location)?;
            let is_plain = function.sig.generics.params.is_empty();
            let syn::ReturnType::Type(_, ty) = &function.sig.output else { return None };
            return is_plain.then(|| (location.0, (**ty).clone()));
        }
        let method = self.function_of(&path.path)?;
        result_of(&method).map(|ty| (method.scope, ty))
    }

    /// The function of a type that a path leads to: `Point::new`.
    pub(super) fn function_of(&self, path: &syn::Path) -> Option<Rc<Method>> {
        let seen = self.seen.as_ref()?;
        let mut owner = path.clone();
        let name = owner.segments.pop()?;
        owner.segments.pop_punct();
        if !name.arguments.is_none() || owner.segments.is_empty() {
            return None;
        }
        let (scope, owner) = self.spelled(&syn::parse_quote!(#owner))?;
        let (location, _) = seen.items.definition(scope, &owner)?;
        seen.items.associated(&location, &name.ident).cloned()
    }

    /// The head of the function that a call by path calls, if it stands in the same module.
    pub(super) fn head_of(&self, callee: &syn::Expr) -> Option<syn::Signature> {
        let syn::Expr::Path(path) = callee else { return None };
        let is_local = path.path.get_ident().is_some_and(|name| self.scopes.names(name));
        let seen = self.seen.as_ref().filter(|_| path.qself.is_none() && !is_local)?;
        if let Some(location) = seen.items.function_at(seen.scope, &path.path) {
            let function = seen.items.function(&location)?;
            return (location.0 == seen.scope).then(|| named(&function.sig));
        }
        let method = self.function_of(&path.path)?;
        (method.scope == seen.scope).then(|| named(&method.item.sig))
    }

    /// The head of the method that a call calls.
    pub(super) fn head_of_method(&self, receiver: ExprId, name: &Ident) -> Option<syn::Signature> {
        let method = self.method_of(receiver, name)?;
        let is_here = self.seen.as_ref().is_some_and(|seen| seen.scope == method.scope);
        is_here.then(|| named(&method.item.sig))
    }

    /// Reads arguments, with the types of closures' parameters that the function's head says.
    pub(super) fn passed<'e>(
        &mut self,
        arguments: impl Iterator<Item = &'e syn::Expr>,
        head: Option<&syn::Signature>,
    ) -> Vec<ExprId> {
        let params = head.into_iter().flat_map(|head| &head.inputs);
        let mut params = params.filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(&*typed.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let mut read = Vec::new();
        for argument in arguments {
            let param = params.next();
            let typed = param.zip(head).and_then(|(ty, head)| typed(argument, ty, head));
            let is_lent = self.is_reference_item(argument, param);
            let argument = self.expr(typed.as_ref().unwrap_or(argument));
            read.push(if is_lent { self.lent_item(argument) } else { argument });
        }
        read
    }

    /// Whether an argument is the name of a constant that is a reference, by its own type or by that of the parameter.
    fn is_reference_item(&self, argument: &syn::Expr, param: Option<&syn::Type>) -> bool {
        let syn::Expr::Path(path) = argument else { return false };
        if path.qself.is_some() || self.resolve(path).is_some() {
            return false;
        }
        let is_reference = |ty: &syn::Type| match ty {
            syn::Type::Reference(reference) if reference.mutability.is_none() => {
                match &*reference.elem {
                    syn::Type::Path(path) => !path.path.is_ident("str"),
                    ty => matches!(ty, syn::Type::Slice(_) | syn::Type::Array(_)),
                }
            }
            _ => false,
        };
        let of_body = self.body.items.iter().find_map(|item| match item {
            syn::Item::Const(item) if path.path.is_ident(&item.ident) => Some(&*item.ty),
            syn::Item::Static(item) if path.path.is_ident(&item.ident) => Some(&*item.ty),
            _ => None,
        });
        let seen = self.seen.as_ref();
        let own = of_body
            .or_else(|| seen.and_then(|seen| seen.items.constant_at(seen.scope, &path.path)));
        own.or(param).is_some_and(is_reference)
    }

    /// A reference to what a constant refers to, for a call that takes a reference.
    fn lent_item(&mut self, item: ExprId) -> ExprId {
        let span = self.body.expr(item).span;
        let place = self.made(ExprKind::Deref(item), span);
        self.made(ExprKind::Borrow { is_mutable: false, place }, span)
    }

    /// A type as it is spelled in the function, with what `Self` stands for.
    fn spelled(&self, ty: &syn::Type) -> Option<Spelled> {
        let seen = self.seen.as_ref()?;
        Some((seen.scope, with_self(ty, self.own.as_ref())?))
    }

    /// The element of an array, a slice or a vector.
    fn element_of(&self, scope: Scope, ty: &syn::Type) -> Option<syn::Type> {
        match ty {
            syn::Type::Reference(reference) => self.element_of(scope, &reference.elem),
            syn::Type::Array(array) => Some((*array.elem).clone()),
            syn::Type::Slice(slice) => Some((*slice.elem).clone()),
            syn::Type::Path(path) => {
                let only = path.path.segments.first().filter(|_| path.path.segments.len() == 1)?;
                let is_named = self.seen.as_ref()?.items.is_named(scope, &only.ident);
                let syn::PathArguments::AngleBracketed(arguments) = &only.arguments else {
                    return None;
                };
                match arguments.args.first()? {
                    syn::GenericArgument::Type(item) if only.ident == "Vec" && !is_named => {
                        Some(item.clone())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The type of a function's results, with what `Self` stands for.
fn result_of(method: &Method) -> Option<syn::Type> {
    match &method.item.sig.output {
        syn::ReturnType::Type(_, ty) if method.item.sig.generics.params.is_empty() => {
            with_self(ty, Some(&method.ty))
        }
        _ => None,
    }
}

fn is_self(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self"))
}

/// A type in which `Self` is another one, if that is known where it is needed.
fn with_self(ty: &syn::Type, own: Option<&syn::Type>) -> Option<syn::Type> {
    let (mut ty, mut is_lacking) = (ty.clone(), false);
    ty.change(&mut |node| match node {
        NodeMut::Type(ty) if is_self(ty) => {
            match own {
                Some(own) => *ty = own.clone(),
                None => is_lacking = true,
            }
            false
        }
        _ => true,
    });
    (!is_lacking).then_some(ty)
}

/// A function's head, with names for what `impl Trait` stands for.
fn named(head: &syn::Signature) -> syn::Signature {
    let mut head = head.clone();
    generics::name_anonymous(&mut head);
    head
}

/// A closure with the types that a parameter's bound says, where it has none of its own.
fn typed(argument: &syn::Expr, param: &syn::Type, head: &syn::Signature) -> Option<syn::Expr> {
    let syn::Expr::Closure(closure) = argument else { return None };
    let name = Ident::new("given", Span::call_site());
    let inputs = callable::read(&name, param, &[&head.generics])?.inputs;
    if inputs.len() != closure.inputs.len() {
        return None;
    }
    let mut closure = closure.clone();
    for (pattern, ty) in closure.inputs.iter_mut().zip(inputs) {
        if !matches!(pattern, syn::Pat::Type(_)) && !names_parameter(&ty, &head.generics) {
            *pattern = syn::Pat::Type(syn::PatType {
                attrs: Vec::new(),
                pat: Box::new(pattern.clone()),
                colon_token: Default::default(),
                ty: Box::new(ty),
            });
        }
    }
    Some(syn::Expr::Closure(closure))
}

/// Whether a type names a lifetime, `Self` or a parameter of a function, which have no meaning where it is called.
fn names_parameter(ty: &syn::Type, all: &syn::Generics) -> bool {
    let is_param = |name: &Ident| {
        let mut params = all.params.iter();
        name == "Self"
            || params.any(|param| match param {
                syn::GenericParam::Type(param) => param.ident == *name,
                syn::GenericParam::Const(param) => param.ident == *name,
                syn::GenericParam::Lifetime(_) => false,
            })
    };
    hygiene::mentions_lifetime(ty.to_token_stream())
        || hygiene::mentions(ty.to_token_stream(), &is_param)
}
