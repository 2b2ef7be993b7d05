//! `#[differentiate]` on an `impl` block or a trait: each of its functions in turn.
//!
//! In: the block. Out: the same block, in which the derivatives of each function stand beside it. A function
//! with an attribute of its own is differentiated as that says, the others as the block's says.
//!
//! A trait declares the derivatives of what it declares, and an `impl` of it defines them: `vjp` and `jvp`, to
//! which the trait's other functions lead. Invariant: an `impl` that overrides a function overrides its
//! derivatives. Therefore each `impl` of a trait with derivatives of bodies must have the attribute, and
//! both must agree on what is skipped: `presence.rs` makes rustc see to that.

use crate::binding;
use crate::diag::{self, Reports};
use crate::emit::companion::{object, presence};
use crate::syntax::attr::{self, Arguments};
use crate::syntax::signature::{ObjectNames, Owner, OwnerKind};
use crate::{operators, places, rows};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// An `impl` block with derivatives, and what is wrong in it.
pub fn differentiate(
    block: syn::ItemImpl,
    arguments: &Arguments,
    reports: &mut Reports,
) -> TokenStream {
    arguments.check_block(false, reports);
    if let Some(operator) = operators::differentiate(&block, arguments, reports) {
        return operator;
    }
    if let Some(place) = places::differentiate(&block, reports) {
        return place;
    }
    binding::surrounded(|| members(block, arguments, reports))
}

/// The block with the derivatives of its functions beside these.
fn members(mut block: syn::ItemImpl, arguments: &Arguments, reports: &mut Reports) -> TokenStream {
    let mut owner = Owner::of_impl(&block);
    if arguments.selects() {
        owner.short = Default::default();
    }
    let kind = owner.kind;
    let mut members = Members::new(owner, arguments, reports);
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        let function = of_method(method);
        members.add(&function, kind);
        method.attrs = attr::with_adopted(function, false).attrs;
    }
    if kind == OwnerKind::Implementation {
        members.tokens.extend(presence::of_implementation());
    }
    let is_type = kind == OwnerKind::Type;
    let methods = members.differentiated.iter().filter(|_| is_type);
    let rows = methods.filter_map(|(method, arguments)| rows::of_method(&block, method, arguments));
    let rows: TokenStream = rows.collect();
    let (members, errors) = (&members.tokens, members.reports.to_tokens());
    block.items.push(syn::ImplItem::Verbatim(quote!(#members #errors)));
    let block = crate::syntax::plain(block.into_token_stream());
    quote!(#block #rows)
}

/// A trait with derivatives, and what is wrong in it.
pub fn differentiate_trait(
    mut item: syn::ItemTrait,
    arguments: &Arguments,
    reports: &mut Reports,
) -> TokenStream {
    arguments.check_block(true, reports);
    let object = arguments.is_object().then(|| object_names(&item, reports)).flatten();
    let owner = Owner::of_trait(&item, object);
    let mut members = Members::new(owner, arguments, reports);
    let mut has_bodies = false;
    for part in &mut item.items {
        let syn::TraitItem::Fn(method) = part else { continue };
        let kind = match method.default {
            Some(_) => OwnerKind::Trait,
            None => OwnerKind::Declaration,
        };
        let function = of_declaration(method);
        has_bodies |= members.add(&function, kind) && kind == OwnerKind::Trait;
        method.attrs = attr::with_adopted(function, false).attrs;
    }
    members.tokens.extend(presence::of_trait(has_bodies));
    let objects = match &members.owner.object {
        Some(names) => object::declare(names, &mut item, &members.differentiated),
        None => TokenStream::new(),
    };
    let (members, errors) = (&members.tokens, members.reports.to_tokens());
    item.items.push(syn::TraitItem::Verbatim(quote!(#members)));
    let item = crate::syntax::plain(item.into_token_stream());
    quote!(#item #errors #objects)
}

/// A method as a function by itself.
pub fn of_method(method: &syn::ImplItemFn) -> syn::ItemFn {
    syn::ItemFn {
        attrs: method.attrs.clone(),
        vis: method.vis.clone(),
        modifiers: method.modifiers.clone(),
        sig: method.sig.clone(),
        block: Box::new(method.block.clone()),
    }
}

/// A trait's function likewise. Where it has no body, that is empty.
pub fn of_declaration(method: &syn::TraitItemFn) -> syn::ItemFn {
    syn::ItemFn {
        attrs: method.attrs.clone(),
        vis: syn::Visibility::Inherited,
        modifiers: method.modifiers.clone(),
        sig: method.sig.clone(),
        block: Box::new(method.default.clone().unwrap_or_else(|| syn::parse_quote!({}))),
    }
}

/// The names for a trait's objects. They have no parameters that would be part of their type.
fn object_names(item: &syn::ItemTrait, reports: &mut Reports) -> Option<ObjectNames> {
    let parts = item.items.iter();
    let mut open = parts.filter(|part| !matches!(part, syn::TraitItem::Fn(_)));
    if let Some(part) = open.next() {
        reports.report(diag::Extent::of(part), &diag::OBJECT_TRAIT, "");
        return None;
    }
    if !item.generics.params.is_empty() {
        reports.report(diag::Extent::of(&item.generics), &diag::OBJECT_TRAIT, "");
        return None;
    }
    let hidden = quote::format_ident!("__{}Object", item.ident, span = item.ident.span());
    Some(ObjectNames { of: item.ident.clone(), hidden })
}

/// The derivatives of a block's functions, under way.
struct Members<'a> {
    owner: Owner,
    arguments: &'a Arguments,
    reports: &'a mut Reports,
    is_sound: bool,
    tokens: TokenStream,
    /// The functions that have derivatives, with what is said of them.
    differentiated: Vec<(syn::ItemFn, Arguments)>,
}

impl<'a> Members<'a> {
    fn new(owner: Owner, arguments: &'a Arguments, reports: &'a mut Reports) -> Self {
        let is_sound = reports.is_empty();
        let (tokens, differentiated) = (TokenStream::new(), Vec::new());
        Members { owner, arguments, reports, is_sound, tokens, differentiated }
    }

    /// Adds the derivatives of a function, unless it is skipped.
    fn add(&mut self, function: &syn::ItemFn, kind: OwnerKind) -> bool {
        let own = Arguments::of_item(function, self.reports).of_orders(self.arguments);
        own.check_member(self.reports);
        let arguments = if attr::has_own(function) { &own } else { self.arguments };
        if arguments.is_skipped() {
            self.tokens.extend(presence::of_skipped(&function.sig.ident, self.owner.kind));
            return false;
        }
        let function = attr::without_own(function.clone());
        if self.is_sound {
            let owner = Owner { kind, ..self.owner.clone() };
            let members = crate::guarded(&function, arguments, Some(owner), self.reports);
            self.tokens.extend(members);
            self.differentiated.push((function, arguments.clone()));
        }
        true
    }
}
