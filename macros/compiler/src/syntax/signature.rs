//! What a function's head says: its parameters, which of them are active, and its result.
//!
//! In: `syn::Signature` and the attribute's arguments. Out: a [`Signature`], with every parameter named.

use super::generics;
use crate::diag::{self, Reports};
use crate::ir::Type;
use crate::syntax::attr::{Arguments, Overlays};
use crate::syntax::callable::{self, Callable};
use crate::syntax::items::Seen;
use crate::syntax::sequence::{self, Sequence};
use crate::syntax::types::{self, Floats};
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use std::rc::Rc;
use syn::spanned::Spanned;

/// A function's head.
#[derive(Clone)]
pub struct Signature {
    pub name: Ident,
    /// What the names of derivatives beside a method begin with: its own, or that of a method which it has the rule of.
    pub siblings: Ident,
    pub params: Vec<Parameter>,
    pub output: Option<syn::Type>,
    pub output_kind: Type,
    pub generics: syn::Generics,
    /// The names of the user's type and const parameters, as a call of the function spells them: `_` for
    /// functions, and nothing for `impl Trait`.
    pub spelled: Vec<TokenStream>,
    /// Whether the user's function must be called for its parameters to be inferred.
    pub is_inferred: bool,
    /// Whether places behind references may hold cells, which calls may write through `&`.
    pub shares: bool,
    /// What a function stands in that is not a module or a body.
    pub owner: Option<Owner>,
    /// The type parameters of both that stand for floats.
    pub floats: Floats,
    /// What is called in place of what the source says.
    pub overlays: Overlays,
    /// Where it stands, in a module with the attribute.
    pub seen: Option<Seen>,
    /// The names that stand for types in it.
    pub types: Rc<HashSet<Ident>>,
    /// Whether derivatives check at run time what they are given and what rules make.
    pub is_watched: bool,
    /// Whether it is a `+` or `-` of a type of the user's.
    pub is_sum: bool,
    /// Whether types are named that may be added to floats, such as complex numbers.
    pub adds_to_floats: bool,
    /// Whether operands of operators may own memory, such as matrices of sizes that are known at run time.
    pub copies_operands: bool,
    /// How many orders of derivatives there are.
    pub orders: usize,
    /// Whether the gradient is that of the first part of the result.
    pub is_aux: bool,
}

/// The `impl` or the trait around a function.
#[derive(Clone)]
pub struct Owner {
    /// Its parameters.
    pub generics: syn::Generics,
    pub kind: OwnerKind,
    /// For a trait whose objects are differentiated through.
    pub object: Option<ObjectNames>,
    /// What `Self` is, if this is known to be an `impl`.
    pub ty: Option<syn::Type>,
    /// Functions of an `impl` of a type that can stand in the place of their calls.
    pub short: Rc<[syn::ImplItemFn]>,
}

impl Owner {
    pub fn of_impl(block: &syn::ItemImpl) -> Self {
        let kind = match block.trait_ {
            Some(_) => OwnerKind::Implementation,
            None => OwnerKind::Type,
        };
        let ty = Some((*block.self_ty).clone());
        let short = match kind {
            OwnerKind::Type => super::short::functions(block),
            _ => Rc::default(),
        };
        Self { generics: block.generics.clone(), kind, object: None, ty, short }
    }

    pub fn of_trait(item: &syn::ItemTrait, object: Option<ObjectNames>) -> Self {
        let (generics, short) = (item.generics.clone(), Rc::default());
        Self { generics, kind: OwnerKind::Trait, object, ty: None, short }
    }

    /// Whether it is a trait, and no `impl`.
    pub fn is_trait(&self) -> bool {
        matches!(self.kind, OwnerKind::Trait | OwnerKind::Declaration)
    }
}

/// The names of a trait and of the hidden one in which its objects' derivatives are.
#[derive(Clone)]
pub struct ObjectNames {
    pub of: Ident,
    pub hidden: Ident,
}

/// What kind of block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnerKind {
    /// An `impl` of a type.
    Type,
    /// A trait, for a function with a body.
    Trait,
    /// A trait, for a function without.
    Declaration,
    /// An `impl` of a trait.
    Implementation,
}

/// One parameter.
#[derive(Clone)]
pub struct Parameter {
    /// The name in emitted signatures.
    pub name: Ident,
    /// The type as written.
    pub ty: syn::Type,
    pub kind: Type,
    pub active: bool,
    /// How the parameter's parts are named in the body, when it is not a plain name.
    pub pattern: Option<syn::Pat>,
    /// Whether the body may change the parameter itself.
    pub is_mut: bool,
    /// Whether it is a tangent, of a derivative that is a function of its own.
    pub is_tangent: bool,
    /// What it is called with, when it is a function that derivatives take with its own.
    pub callable: Option<Callable>,
    /// Whether it is left as the function leaves it.
    pub advances: bool,
    /// Its items, when its type is only known to be a collection or an iterator.
    pub sequence: Option<Sequence>,
}

impl Parameter {
    /// The type behind the reference, and whether it is `&mut`, for a parameter passed by reference.
    pub fn reference(&self) -> Option<(&syn::Type, bool)> {
        match plain(&self.ty) {
            syn::Type::Reference(reference) => {
                Some((&reference.elem, reference.mutability.is_some()))
            }
            _ => None,
        }
    }

    /// Whether it is passed by `&mut`.
    pub fn is_unique(&self) -> bool {
        matches!(self.reference(), Some((_, true)))
    }
}

/// Strips parentheses and invisible groups.
pub fn plain(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => plain(&group.elem),
        syn::Type::Paren(paren) => plain(&paren.elem),
        _ => ty,
    }
}

impl Signature {
    /// Whether each instance of a type has one function of this name, so that the type says whether a method is it.
    pub fn is_one(&self) -> bool {
        let is_lifetime =
            |param: &syn::GenericParam| matches!(param, syn::GenericParam::Lifetime(_));
        let owner = self.owner.as_ref().map(|owner| owner.kind);
        owner == Some(OwnerKind::Type) && self.generics.params.iter().all(is_lifetime)
    }

    /// The generics of the function, and of the `impl` around it.
    pub fn all_generics(&self) -> Vec<&syn::Generics> {
        self.owner.iter().map(|owner| &owner.generics).chain([&self.generics]).collect()
    }

    /// The head of derivatives of an order: functions are taken with their derivatives of that order.
    #[must_use]
    pub fn of_order(&self, order: usize) -> Self {
        let mut signature = self.clone();
        for callable in self.params.iter().filter_map(|param| param.callable.as_ref()) {
            callable.raise(&mut signature.generics, &self.floats, order);
        }
        signature
    }

    /// Whether it may write cells that its caller holds.
    pub fn reaches_cells(&self) -> bool {
        let may_hold = |param: &Parameter| matches!(&param.kind, Type::Reference(inner, _) if inner.may_hold_cells());
        self.shares && self.params.iter().any(|param| param.active && may_hold(param))
    }

    /// Whether the result may be one float: gradients exist then.
    pub fn may_be_float(&self) -> bool {
        matches!(self.output_kind, Type::Float(_) | Type::Unknown) && self.fallible().is_none()
    }

    /// The float of a result that is a float and something constant, as `aux` says.
    pub fn auxiliary(&self) -> Option<&syn::Type> {
        let Some(syn::Type::Tuple(parts)) = self.output.as_ref().map(plain) else { return None };
        let float = parts.elems.first().filter(|_| self.is_aux && parts.elems.len() == 2)?;
        self.floats.read(float).is_float().then_some(float)
    }

    /// The float in a result that is written as `Option<f64>` or `Result<f64, E>`, whatever error that names. If it is
    /// another type of such a name, its gradient does not compile.
    pub fn fallible(&self) -> Option<&syn::Type> {
        let Some(syn::Type::Path(path)) = &self.output else { return None };
        let last = path.path.segments.last()?;
        let is_fallible = last.ident == "Option" || last.ident == "Result";
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        match arguments.args.first()? {
            syn::GenericArgument::Type(float) if is_fallible => {
                self.floats.read(float).is_float().then_some(float)
            }
            _ => None,
        }
    }
}

/// Reads a head and reports what is not supported in it.
pub fn read(
    item: &syn::ItemFn,
    owner: Option<Owner>,
    arguments: &Arguments,
    reports: &mut Reports,
) -> Signature {
    let signature = &item.sig;
    check_kind(signature, reports);
    crate::syntax::conditional(item, reports);
    crate::syntax::nonsense(item, reports);
    let mut signature = signature.clone();
    let anonymous = generics::name_anonymous(&mut signature);
    let floats =
        generics::floats(owner.iter().map(|owner| &owner.generics).chain([&signature.generics]));
    let mut params = parameters(&signature, &floats, reports);
    let own = signature.generics.clone();
    let outer = owner.as_ref().map(|owner| &owner.generics);
    find_sequences(&mut params, outer, &own, &floats);
    arguments.select(&mut params, reports);
    let callables = name_functions(&mut params, outer, &mut signature.generics, &floats);
    let spelled = own.params.iter().filter_map(|param| spelled(param, &anonymous, &callables));
    let spelled = spelled.collect();
    params.iter().for_each(|param| check_parameter(param, reports));
    let output = match &signature.output {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
    };
    let output_kind = output.as_ref().map_or(Type::UNIT, |ty| floats.read(ty));
    check_output(output.as_ref(), &output_kind, (&floats, &params), reports);
    let signature = Signature {
        types: super::constructors::types_named(item, owner.as_ref()),
        siblings: arguments.companion(&signature.ident),
        name: signature.ident,
        params,
        output,
        output_kind,
        generics: signature.generics,
        spelled,
        is_inferred: !anonymous.is_empty() || !callables.is_empty(),
        shares: shows_cells(item) || arguments.shares(),
        owner,
        floats,
        overlays: arguments.overlays(),
        seen: arguments.seen(),
        is_watched: arguments.is_watched(),
        is_sum: arguments.is_sum(),
        adds_to_floats: types::add_to_floats(item),
        copies_operands: types::own_memory(item),
        orders: arguments.orders(),
        is_aux: arguments.is_aux(),
    };
    arguments.check_aux(&signature, reports);
    if let Some(rule) = arguments.rule() {
        rule.check(&signature, reports);
    }
    if arguments.orders() > 1 {
        check_orders(&signature, arguments, reports);
    }
    signature
}

/// Reports what derivatives of a higher order do not have.
fn check_orders(signature: &Signature, arguments: &Arguments, reports: &mut Reports) {
    if let Some(text) = arguments.rule().and_then(crate::primitive::Rule::why_closed) {
        reports.report(signature.name.span(), &diag::ORDER, text);
    }
    if arguments.has_too_many_orders() {
        let most = crate::syntax::attr::MOST_ORDERS;
        let text =
            format!("each has twice the code of the one before it, and there are {most} at most");
        reports.report(signature.name.span(), &diag::ORDER, &text);
    }
}

fn parameters(
    signature: &syn::Signature,
    floats: &Floats,
    reports: &mut Reports,
) -> Vec<Parameter> {
    let each = signature.inputs.iter().enumerate().map(|(index, input)| match input {
        syn::FnArg::Receiver(receiver) => self_parameter(receiver, reports),
        syn::FnArg::Typed(typed) => parameter(typed, index, floats, reports),
    });
    each.collect()
}

/// Notes the parameters of which only the items are known. Where these are constant, so is the parameter; text is, too.
fn find_sequences(
    params: &mut [Parameter],
    owner: Option<&syn::Generics>,
    own: &syn::Generics,
    floats: &Floats,
) {
    let all: Vec<&syn::Generics> = owner.into_iter().chain([own]).collect();
    for param in params {
        let found = sequence::sequence(&param.ty, &all);
        let is_constant = |found: &Sequence| floats.read(&found.item).is_constant();
        let referent = param.reference().map_or(&param.ty, |(referent, _)| referent);
        let is_text = match plain(referent) {
            syn::Type::Path(path) => {
                path.path.get_ident().is_some_and(|name| generics::is_text(&all, name))
            }
            _ => false,
        };
        param.active &= !is_text && !found.as_ref().is_some_and(is_constant);
        param.sequence = found;
    }
}

/// A type or const parameter as a call of the function spells it.
fn spelled(
    param: &syn::GenericParam,
    anonymous: &[Ident],
    callables: &[Callable],
) -> Option<TokenStream> {
    match param {
        syn::GenericParam::Lifetime(_) => None,
        syn::GenericParam::Const(param) => Some(param.ident.to_token_stream()),
        syn::GenericParam::Type(param) if anonymous.contains(&param.ident) => None,
        syn::GenericParam::Type(param) if callable::is_replaced(callables, &param.ident) => {
            Some(quote!(_))
        }
        syn::GenericParam::Type(param) => Some(param.ident.to_token_stream()),
    }
}

/// Gives parameters that are functions the type that stands for them in derivatives.
fn name_functions(
    params: &mut [Parameter],
    owner: Option<&syn::Generics>,
    generics: &mut syn::Generics,
    floats: &Floats,
) -> Vec<Callable> {
    let all: Vec<&syn::Generics> = owner.into_iter().chain([&*generics]).collect();
    let read = |param: &Parameter| callable::read(&param.name, &param.ty, &all);
    let found: Vec<Option<Callable>> = params
        .iter()
        .map(|param| Some(param).filter(|param| param.active).and_then(read))
        .collect();
    for (param, callable) in params.iter_mut().zip(&found) {
        if let Some(callable) = callable {
            callable.replace(generics, floats);
            (param.kind, param.ty) = (callable.kind(floats), callable.ty());
            param.callable = Some(callable.clone());
        }
    }
    found.into_iter().flatten().collect()
}

/// Whether cells are named in the types of parameters or used in the body.
fn shows_cells(item: &syn::ItemFn) -> bool {
    let is_named = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(typed) => types::shared(&typed.ty).is_some(),
        syn::FnArg::Receiver(_) => false,
    };
    item.sig.inputs.iter().any(is_named) || crate::syntax::uses_cells(&item.block)
}

fn check_kind(signature: &syn::Signature, reports: &mut Reports) {
    if let Some(token) = signature.asyncness.as_ref() {
        reports.report(token.span(), &diag::ASYNC_FUNCTION, "");
    }
    if let Some(span) = unsafety(signature) {
        reports.report(span, &diag::UNSAFE_FUNCTION, "");
    }
}

fn unsafety(signature: &syn::Signature) -> Option<Span> {
    match &signature.safety {
        syn::Safety::Unsafe(token) => Some(token.span()),
        _ => None,
    }
}

/// `self`, `&self` or `&mut self`.
fn self_parameter(receiver: &syn::Receiver, reports: &mut Reports) -> Parameter {
    let span = receiver.self_token.span;
    let own: syn::Type = syn::parse_quote_spanned!(span=> Self);
    let ty = match &receiver.kind {
        syn::ReceiverKind::Value => own,
        syn::ReceiverKind::Reference(_, lifetime, mutable) => {
            syn::parse_quote_spanned!(span=> &#lifetime #mutable #own)
        }
        _ => {
            reports.report(diag::Extent::of(receiver), &diag::SELF_PARAMETER, "");
            own
        }
    };
    let (name, kind) = (Ident::from(receiver.self_token), types::read(&ty));
    let is_mut = receiver.mutability.is_some();
    Parameter {
        name,
        ty,
        kind,
        active: true,
        pattern: None,
        is_mut,
        is_tangent: false,
        callable: None,
        advances: false,
        sequence: None,
    }
}

/// A parameter as it is written.
pub fn parameter(
    typed: &syn::PatType,
    index: usize,
    floats: &Floats,
    reports: &mut Reports,
) -> Parameter {
    let is_mut = matches!(&*typed.pat, syn::Pat::Ident(ident) if ident.mutability.is_some());
    let (name, pattern) = match &*typed.pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            (ident.ident.clone(), None)
        }
        syn::Pat::Wild(wild) => {
            (crate::binding::local_at(&format!("unused_{index}"), wild.span()), None)
        }
        pattern => {
            let name = crate::binding::local_at(&format!("argument_{index}"), pattern.span());
            if !is_taken_apart(pattern) {
                reports.report(diag::Extent::of(pattern), &diag::PARAMETER_PATTERN, "");
            }
            (name, Some(pattern.clone()))
        }
    };
    let kind = floats.read(&typed.ty);
    let active = !kind.is_constant();
    let is_mut = is_mut || pattern.is_some();
    Parameter {
        name,
        ty: (*typed.ty).clone(),
        kind,
        active,
        pattern,
        is_mut,
        is_tangent: false,
        callable: None,
        advances: false,
        sequence: None,
    }
}

fn check_parameter(param: &Parameter, reports: &mut Reports) {
    let shared = match param.reference() {
        Some((inner, _)) => types::shared_otherwise(inner),
        None => types::shared(&param.ty),
    };
    if let Some(shared) = shared.filter(|_| param.active) {
        return reports.report(shared.span(), &diag::SHARED_STATE, &shared.to_string());
    }
    let kind = &param.kind;
    let ty = plain(&param.ty);
    let referent = param.reference().map_or(ty, |(inner, _)| plain(inner));
    let parts = Parts::of(referent, is_closure);
    let is_nested = parts.has_reference
        || match kind {
            Type::Reference(inner, _) => has_reference(inner),
            kind => has_reference(kind),
        };
    let is_opaque = matches!(
        ty,
        syn::Type::ImplTrait(_) | syn::Type::Ptr(_) | syn::Type::Macro(_) | syn::Type::Never(_)
    );
    if param.active && parts.has_object {
        return reports.report(diag::Extent::of(&param.ty), &diag::FUNCTION_PARAMETER, "");
    }
    if is_opaque || (param.active && is_nested) {
        reports.report(diag::Extent::of(&param.ty), &diag::PARAMETER_TYPE, "");
    }
}

fn check_output(
    output: Option<&syn::Type>,
    kind: &Type,
    (floats, params): (&Floats, &[Parameter]),
    reports: &mut Reports,
) {
    let Some(ty) = output else { return };
    if let Some(shared) = types::shared(ty) {
        return reports.report(shared.span(), &diag::SHARED_STATE, &shared.to_string());
    }
    let is_opaque =
        matches!(plain(ty), syn::Type::ImplTrait(_) | syn::Type::Ptr(_) | syn::Type::Never(_));
    let parts = match plain(ty) {
        syn::Type::Path(path) => value_and_error(path),
        _ => None,
    };
    let (value, kind) = match parts {
        Some((value, _)) => (value, floats.read(value)),
        None => (ty, kind.clone()),
    };
    let parts = Parts::of(value, |_| true);
    if has_reference(&kind) || parts.has_object || parts.has_reference || is_opaque {
        reports.report(diag::Extent::of(ty), &diag::RESULT_TYPE, "");
    } else if borrows(ty, params) {
        reports.report(diag::Extent::of(ty), &diag::BORROWED_RESULT, "");
    }
}

/// The types of the value and of the error of what is written as a `Result`. Errors are constants of any type.
pub fn value_and_error(path: &syn::TypePath) -> Option<(&syn::Type, &syn::Type)> {
    let last = path.path.segments.last().filter(|last| last.ident == "Result")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match (arguments.args.first()?, arguments.args.get(1)?) {
        (syn::GenericArgument::Type(value), syn::GenericArgument::Type(error)) => {
            Some((value, error))
        }
        _ => None,
    }
}

/// Whether a result borrows from a parameter: by a lifetime that has no name, or by one that a parameter has.
fn borrows(ty: &syn::Type, params: &[Parameter]) -> bool {
    let lifetimes = Lifetimes::of(ty);
    let of_params: Vec<Lifetimes> = params.iter().map(|param| Lifetimes::of(&param.ty)).collect();
    let is_shared =
        |name: &String| name == "_" || of_params.iter().any(|param| param.names.contains(name));
    lifetimes.names.iter().any(is_shared)
}

/// The names of the lifetimes in a type; `_` where there is none.
#[derive(Default)]
struct Lifetimes {
    names: Vec<String>,
}

impl Lifetimes {
    fn of(ty: &syn::Type) -> Self {
        let mut lifetimes = Lifetimes::default();
        ty.walk(&mut |node| {
            match node {
                Node::Type(syn::Type::Reference(reference)) if reference.lifetime.is_none() => {
                    lifetimes.names.push("_".to_owned());
                }
                Node::Lifetime(lifetime) => lifetimes.names.push(lifetime.ident.to_string()),
                _ => {}
            }
            !matches!(node, Node::Type(syn::Type::FnPtr(_)))
        });
        lifetimes
    }
}

/// Whether a trait object is that of a closure, which has no tangent.
fn is_closure(object: &syn::TypeTraitObject) -> bool {
    let is_closure =
        |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
                ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name)
            }),
            _ => false,
        };
    // `f64 +` is no type, and cannot be printed as one.
    object.bounds.iter().any(is_closure) || object.bounds.trailing_punct()
}

/// What a type holds that a parameter or a result must not.
struct Parts {
    /// A trait object that is not wanted.
    has_object: bool,
    /// A reference inside of a generic type.
    has_reference: bool,
}

impl Parts {
    fn of(ty: &syn::Type, is_unwanted: fn(&syn::TypeTraitObject) -> bool) -> Self {
        let is_reference = |node: Node| matches!(node, Node::Type(syn::Type::Reference(_)));
        let mut parts = Parts { has_object: false, has_reference: false };
        ty.walk(&mut |node| {
            match node {
                Node::Type(syn::Type::TraitObject(object)) => {
                    parts.has_object |= is_unwanted(object);
                    return false;
                }
                Node::GenericArgument(argument) => {
                    parts.has_reference |= argument.has(&is_reference);
                }
                _ => {}
            }
            true
        });
        parts
    }
}

fn has_reference(kind: &Type) -> bool {
    match kind {
        Type::Reference(..) => true,
        Type::Tuple(items) => items.iter().any(has_reference),
        Type::Array(item, _) | Type::Slice(item) | Type::Vec(item) => has_reference(item),
        _ => false,
    }
}

/// Whether a pattern names parts of what always fits it.
fn is_taken_apart(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Ident(_) | syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Paren(paren) => is_taken_apart(&paren.pat),
        syn::Pat::Type(typed) => is_taken_apart(&typed.pat),
        syn::Pat::Reference(reference) => is_taken_apart(&reference.pat),
        syn::Pat::Tuple(tuple) => tuple.elems.iter().all(is_taken_apart),
        syn::Pat::TupleStruct(whole) => whole.elems.iter().all(is_taken_apart),
        syn::Pat::Struct(whole) => whole.fields.iter().all(|field| is_taken_apart(&field.pat)),
        syn::Pat::Slice(slice) => slice.elems.iter().all(is_taken_apart),
        _ => false,
    }
}
