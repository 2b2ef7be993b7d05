//! `#[differentiate]` on an `impl` block or a trait: each of its functions in turn.
//!
//! In: the block. Out: the same block, in which the derivatives of each function stand beside it. A function
//! with an attribute of its own is differentiated as that says, the others as the block's says.
//!
//! A trait declares the derivatives of what it declares, and an `impl` of it defines them: `vjp` and `jvp`, to
//! which the trait's other functions lead. Invariant: an `impl` that overrides a function overrides its
//! derivatives. Therefore each `impl` of a trait with derivatives of bodies must have the attribute, and
//! both must agree on what is skipped: `presence.rs` makes rustc see to that.

use crate::Compiled;
use crate::binding::{self, Companions};
use crate::diag::{self, Reports};
use crate::emit::companion::{object, presence};
use crate::module::Known;
use crate::syntax::attr::{self, Arguments};
use crate::syntax::signature::{ObjectNames, Owner, OwnerKind};
use crate::{conversions, operators, places, rows};
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
    if let Some(conversion) = conversions::differentiate(&block, arguments, reports) {
        return conversion;
    }
    let members = Members::of_impl(&block, arguments, reports.is_empty(), &Known::default());
    implementation(block, members, reports)
}

/// An `impl` block with the derivatives of its functions beside these.
pub fn implementation(
    mut block: syn::ItemImpl,
    members: Members,
    reports: &mut Reports,
) -> TokenStream {
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        method.attrs = attr::with_adopted(of_method(method), false).attrs;
    }
    let is_type = members.owner.kind == OwnerKind::Type;
    binding::surrounded_with(members.companions.clone(), || {
        let mut beside = members.tokens(reports);
        if !is_type {
            beside.extend(presence::of_implementation());
        }
        let methods = members.differentiated().filter(|_| is_type);
        let rows = methods
            .filter_map(|member| rows::of_method(&block, &member.function, &member.arguments));
        let rows: TokenStream = rows.collect();
        let errors = reports.to_tokens();
        block.items.push(syn::ImplItem::Verbatim(quote!(#beside #errors)));
        let block = crate::syntax::plain(block.to_token_stream());
        quote!(#block #rows)
    })
}

/// A trait with derivatives, and what is wrong in it.
pub fn differentiate_trait(
    item: syn::ItemTrait,
    arguments: &Arguments,
    reports: &mut Reports,
) -> TokenStream {
    arguments.check_block(true, reports);
    let members = Members::of_trait(&item, arguments, reports, &Known::default());
    declaration(item, members, reports)
}

/// A trait with the derivatives of its functions beside these.
pub fn declaration(
    mut item: syn::ItemTrait,
    members: Members,
    reports: &mut Reports,
) -> TokenStream {
    for part in &mut item.items {
        let syn::TraitItem::Fn(method) = part else { continue };
        method.attrs = attr::with_adopted(of_declaration(method), false).attrs;
    }
    let mut beside = members.tokens(reports);
    let has_bodies = members.differentiated().any(|member| member.kind == OwnerKind::Trait);
    beside.extend(presence::of_trait(has_bodies));
    let objects = match &members.owner.object {
        Some(names) => {
            let methods = members.differentiated();
            let methods: Vec<_> =
                methods.map(|member| (member.function.clone(), member.arguments.clone())).collect();
            object::declare(names, &mut item, &methods)
        }
        None => TokenStream::new(),
    };
    let errors = reports.to_tokens();
    item.items.push(syn::TraitItem::Verbatim(beside));
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

/// The functions of a block with their derivatives.
pub struct Members {
    owner: Owner,
    members: Vec<Member>,
    /// The companions that their derivatives call.
    companions: Companions,
}

/// A function of a block.
pub struct Member {
    /// Without attributes of ours.
    pub function: syn::ItemFn,
    kind: OwnerKind,
    arguments: Arguments,
    /// Whether it has an attribute of its own.
    is_asked: bool,
    /// Its derivatives; none where it is left out.
    pub compiled: Option<Compiled>,
}

impl Members {
    /// Those of an `impl`.
    pub fn of_impl(
        block: &syn::ItemImpl,
        arguments: &Arguments,
        is_sound: bool,
        known: &Known,
    ) -> Self {
        let mut owner = Owner::of_impl(block);
        if arguments.selects() {
            owner.short = Default::default();
        }
        let methods = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some((of_method(method), owner.kind)),
            _ => None,
        });
        let methods: Vec<_> = methods.collect();
        let compile = || Self::compiled(owner, &methods, (arguments, is_sound), known);
        let (members, companions) = binding::within_surroundings(Companions::default(), compile);
        Members { companions, ..members }
    }

    /// Those of a trait.
    pub fn of_trait(
        item: &syn::ItemTrait,
        arguments: &Arguments,
        reports: &mut Reports,
        known: &Known,
    ) -> Self {
        let object = arguments.is_object().then(|| object_names(item, reports)).flatten();
        let owner = Owner::of_trait(item, object);
        let methods = item.items.iter().filter_map(|part| match part {
            syn::TraitItem::Fn(method) if method.default.is_some() => {
                Some((of_declaration(method), OwnerKind::Trait))
            }
            syn::TraitItem::Fn(method) => Some((of_declaration(method), OwnerKind::Declaration)),
            _ => None,
        });
        let methods: Vec<_> = methods.collect();
        Self::compiled(owner, &methods, (arguments, reports.is_empty()), known)
    }

    fn compiled(
        owner: Owner,
        methods: &[(syn::ItemFn, OwnerKind)],
        (arguments, is_sound): (&Arguments, bool),
        known: &Known,
    ) -> Self {
        let members = methods.iter().map(|(function, kind)| {
            let owner = Owner { kind: *kind, ..owner.clone() };
            Member::of(function, owner, (arguments, is_sound), known)
        });
        let members = members.collect();
        Members { owner, members, companions: Companions::default() }
    }

    /// Returns the derivatives that stand beside the functions, and reports the errors in them.
    fn tokens(&self, reports: &mut Reports) -> TokenStream {
        let mut tokens = TokenStream::new();
        for Member { function, kind, compiled, .. } in &self.members {
            match compiled {
                Some(compiled) => {
                    tokens.extend(compiled.tokens.clone());
                    reports.append(&compiled.reports);
                }
                None => tokens.extend(presence::of_skipped(&function.sig.ident, *kind)),
            }
        }
        tokens
    }

    /// The functions that have derivatives.
    fn differentiated(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.compiled.is_some())
    }

    /// All functions, to leave some out.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Member> {
        self.members.iter_mut()
    }
}

impl Member {
    /// Takes the derivatives away, unless the function's own attribute asks for them.
    pub fn leave_out(&mut self) {
        if !self.is_asked {
            self.compiled = None;
        }
    }

    fn of(
        function: &syn::ItemFn,
        owner: Owner,
        (block, is_sound): (&Arguments, bool),
        known: &Known,
    ) -> Self {
        let (kind, is_asked) = (owner.kind, attr::has_own(function));
        let mut reports = Reports::default();
        let own = Arguments::of_item(function, &mut reports).of_orders(block);
        own.check_member(&mut reports);
        let arguments = if is_asked { own } else { block.clone() };
        let arguments = known.arguments(&arguments, &function.sig);
        known.check(&function.sig, &arguments, &mut reports);
        let function = attr::without_own(function.clone());
        let is_compiled = is_sound && reports.is_empty();
        let compiled = (!arguments.is_skipped()).then(|| match is_compiled {
            true => crate::compiled_in_module(&function, &arguments, Some(owner), reports),
            false => Compiled { reports, ..Compiled::default() },
        });
        Member { function, kind, arguments, is_asked, compiled }
    }
}
