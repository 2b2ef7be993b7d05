//! `#[differentiate]` on a module: each of its functions, `impl` blocks and traits in turn, and of the modules in it.
//!
//! In: the module. Out: the same module, with the derivatives of what can be differentiated, and with the derive on the
//! types that it fits (`tangents`). What stands in the module is seen as a whole: which functions call one another in a
//! circle (`cycles`), which types hold cells, and which functions have no derivatives.
//!
//! Invariants: an item with an attribute of its own is differentiated as that says, and its errors are reported. Another
//! one that cannot be differentiated stays as it is, and that is an error where a function of the module calls it with an
//! active argument. A trait and its impls leave out the same functions.

mod cycles;
mod known;
mod left_out;
mod tangents;

use crate::block::{self, Members};
use crate::diag::{self, Reports};
use crate::syntax::attr::{self, Arguments};
use crate::syntax::items::{Items, Location, Scope};
use crate::{Compiled, conversions, operators, places};
pub use known::{Facts, Known, type_name};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// An item of a module, with its derivatives.
enum Part {
    /// As it is.
    Plain(syn::Item),
    /// With what stands beside it already.
    Done(TokenStream),
    /// With what its attributes and the module's say.
    Function(syn::ItemFn, Compiled, Box<Arguments>),
    Implementation(syn::ItemImpl, Members, Reports),
    Trait(syn::ItemTrait, Members, Reports),
    Module(syn::ItemMod, Vec<Part>),
}

/// Functions without derivatives, and why.
type LeftOut = HashMap<Location, String>;

/// A module with derivatives, and what is wrong in it.
pub fn differentiate(
    mut module: syn::ItemMod,
    arguments: &Arguments,
    reports: &mut Reports,
) -> TokenStream {
    arguments.check_module(reports);
    let Some((_, items)) = &mut module.content else {
        reports.report(module.ident.span(), &diag::MODULE_ELSEWHERE, "");
        let errors = reports.to_tokens();
        return quote!(#module #errors);
    };
    let facts = Facts::of(items);
    let mut walk = Walk { facts: &facts, left_out: LeftOut::default(), operators: Vec::new() };
    let mut parts = walk.parts(std::mem::take(items), arguments, facts.items.root());
    agree(&facts.items, facts.items.root(), &mut parts);
    walk.check(facts.items.root(), &mut parts);
    let mut tokens = TokenStream::new();
    parts.into_iter().for_each(|part| emit(part, &mut tokens));
    let errors = reports.to_tokens();
    tokens.extend(errors);
    let shell = shell(module, tokens);
    crate::syntax::plain(shell)
}

/// The module with other contents.
fn shell(mut module: syn::ItemMod, items: TokenStream) -> TokenStream {
    attr::remove_own(&mut module.attrs);
    if let Some((_, contents)) = &mut module.content {
        *contents = vec![syn::Item::Verbatim(items)];
    }
    module.into_token_stream()
}

/// Goes through a module.
struct Walk<'a> {
    facts: &'a Facts,
    left_out: LeftOut,
    /// The operators that have derivatives.
    operators: Vec<(Scope, operators::Form)>,
}

impl Walk<'_> {
    fn parts(&mut self, items: Vec<syn::Item>, arguments: &Arguments, scope: Scope) -> Vec<Part> {
        items.into_iter().map(|item| self.part(item, arguments, scope)).collect()
    }

    fn part(&mut self, item: syn::Item, arguments: &Arguments, scope: Scope) -> Part {
        match item {
            syn::Item::Fn(function) => self.function(function, arguments, scope),
            syn::Item::Impl(mut block) => {
                let own = Own::take(&mut block.attrs, arguments);
                self.implementation(block, own, scope)
            }
            syn::Item::Trait(mut item) => {
                let mut own = Own::take(&mut item.attrs, arguments);
                if own.arguments.is_skipped() {
                    return Part::Plain(syn::Item::Trait(item));
                }
                let known = Known::of(self.facts, scope, Some(item.ident.to_string()));
                let members = Members::of_trait(&item, &own.arguments, &mut own.reports, &known);
                Part::Trait(item, members, own.reports)
            }
            syn::Item::Mod(mut module) => {
                let own = Own::take(&mut module.attrs, arguments);
                match (self.facts.items.module(scope, &module.ident), &mut module.content) {
                    (Some(inner), Some((_, items))) if !own.arguments.is_skipped() => {
                        let parts = self.parts(std::mem::take(items), &own.arguments, inner);
                        Part::Module(module, parts)
                    }
                    _ => Part::Plain(syn::Item::Mod(module)),
                }
            }
            item => Part::Plain(self.with_derive(item, scope)),
        }
    }

    /// A definition, with the derive where it fits.
    fn with_derive(&self, mut item: syn::Item, scope: Scope) -> syn::Item {
        let is_added = tangents::definition(&item)
            .is_some_and(|(name, _)| self.facts.tangents.is_added(scope, name));
        if let syn::Item::Struct(syn::ItemStruct { attrs, .. })
        | syn::Item::Enum(syn::ItemEnum { attrs, .. }) = &mut item
        {
            attr::remove_own(attrs);
            if is_added {
                attrs.push(syn::parse_quote!(#[derive(::cotangent::Differentiable)]));
            }
        }
        item
    }

    fn function(&mut self, function: syn::ItemFn, module: &Arguments, scope: Scope) -> Part {
        if attr::has_rule(&function.attrs) {
            // The rule's attribute expands by itself.
            return Part::Plain(syn::Item::Fn(function));
        }
        let is_asked = attr::has_own(&function);
        let mut reports = Reports::default();
        let own = Arguments::of_item(&function, &mut reports).of_orders(module);
        own.check_member(&mut reports);
        let arguments = if is_asked { own } else { module.clone() };
        let bare = attr::without_own(function.clone());
        if arguments.is_skipped() || (!is_asked && bare.sig.inputs.is_empty()) {
            return Part::Plain(syn::Item::Fn(attr::with_adopted(function, false)));
        }
        let known = Known::of(self.facts, scope, None);
        let arguments = known.arguments(&arguments, &bare.sig);
        known.check(&bare.sig, &arguments, &mut reports);
        let is_taken = self.facts.items.is_taken(scope, &arguments.companion(&bare.sig.ident));
        if is_taken {
            let name = bare.sig.ident.to_string();
            reports.report(bare.sig.ident.span(), &diag::COMPANION_TAKEN, &name);
        }
        let compiled = crate::compiled_in_module(&bare, &arguments, None, reports);
        if let (false, Some(reason)) = (is_asked, compiled.reports.first()) {
            let name = arguments.companion(&bare.sig.ident);
            let companion = (!is_taken).then(|| left_out::companion(&bare, &name, &reason));
            self.left_out.insert((scope, bare.sig.ident.to_string()), reason);
            return Part::Done(quote!(#bare #companion));
        }
        let function = attr::with_adopted(function, false);
        if is_taken {
            let errors = compiled.reports.to_tokens();
            return Part::Done(quote!(#function #errors));
        }
        Part::Function(function, compiled, Box::new(arguments))
    }

    /// An `impl`. That of a trait which is not seen has derivatives only if it is an operator or a place.
    fn implementation(&mut self, block: syn::ItemImpl, own: Own, scope: Scope) -> Part {
        let Own { arguments, mut reports, is_asked } = own;
        let plain = |block| Part::Plain(syn::Item::Impl(block));
        if arguments.is_skipped() {
            return plain(block);
        }
        if let Some((path, _)) = &block.trait_
            && !self.facts.is_differentiated(scope, path)
            && !is_asked
        {
            let has_tangent = |ty: &syn::Type| self.facts.has_tangent(scope, ty);
            let of = conversions::converted(&block);
            if of.is_some_and(|of| !has_tangent(of) || !has_tangent(&block.self_ty)) {
                return plain(block);
            }
            let form = operators::Form::of(&block).map(|form| (scope, form));
            if form.as_ref().is_some_and(|form| form.1.is_call() || self.is_repeated(form)) {
                return plain(block);
            }
            let is_without = self.facts.lacks_tangent(scope, &block.self_ty);
            let beside = (!is_without).then(|| beside(&block, &arguments, &mut reports)).flatten();
            return match beside {
                Some(tokens) if reports.is_empty() => {
                    self.operators.extend(form);
                    Part::Done(tokens)
                }
                _ => plain(block),
            };
        }
        let is_seen =
            |(path, _): &(syn::Path, syn::Token![for])| self.facts.is_differentiated(scope, path);
        if !block.trait_.as_ref().is_some_and(is_seen)
            && let Some(tokens) = beside(&block, &arguments, &mut reports)
        {
            return Part::Done(tokens);
        }
        let known = Known::of(self.facts, scope, type_name(&block.self_ty));
        let known = known.within(&block.self_ty);
        let members = Members::of_impl(&block, &arguments, reports.is_empty(), &known);
        Part::Implementation(block, members, reports)
    }

    /// Whether an operator on references has its derivatives already from the one on values, or the other way round.
    fn is_repeated(&self, (scope, form): &(Scope, operators::Form)) -> bool {
        self.operators.iter().any(|(own, other)| own == scope && form.repeats(other))
    }

    /// Reports calls of functions that have no derivatives.
    fn check(&self, scope: Scope, parts: &mut [Part]) {
        for part in parts {
            match part {
                Part::Function(_, compiled, _) => self.check_calls(scope, compiled),
                Part::Implementation(_, members, _) | Part::Trait(_, members, _) => {
                    let compiled = members.iter_mut().filter_map(|member| member.compiled.as_mut());
                    compiled.for_each(|compiled| self.check_calls(scope, compiled));
                }
                Part::Module(module, parts) => {
                    if let Some(inner) = self.facts.items.module(scope, &module.ident) {
                        self.check(inner, parts);
                    }
                }
                Part::Plain(_) | Part::Done(_) => {}
            }
        }
    }

    /// Likewise in one function, which gets no derivatives then.
    fn check_calls(&self, scope: Scope, compiled: &mut Compiled) {
        for path in &compiled.calls {
            let at = self.facts.items.function_at(scope, &path.path);
            let Some(reason) = at.as_ref().and_then(|at| self.left_out.get(at)) else { continue };
            let name = path.to_token_stream().to_string().replace(' ', "");
            let text = format!(
                "`{name}` is called with an active value, and cannot be differentiated: {reason}"
            );
            compiled.reports.report(diag::Extent::of(path), &diag::WITHOUT_DERIVATIVES, &text);
            compiled.tokens = TokenStream::new();
        }
    }
}

/// The `impl` of an operator, a place or a conversion, with what is beside it.
fn beside(
    block: &syn::ItemImpl,
    arguments: &Arguments,
    reports: &mut Reports,
) -> Option<TokenStream> {
    operators::differentiate(block, arguments, reports)
        .or_else(|| places::differentiate(block, reports))
        .or_else(|| conversions::differentiate(block, arguments, reports))
}

/// What the attributes of a block or of a module inside of another one say.
struct Own {
    arguments: Arguments,
    reports: Reports,
    is_asked: bool,
}

impl Own {
    fn take(attributes: &mut Vec<syn::Attribute>, module: &Arguments) -> Self {
        let (is_asked, mut reports) = (attr::is_among(attributes), Reports::default());
        let mut own = Arguments::default();
        own.adopt(attributes, &mut reports);
        attr::remove_own(attributes);
        let arguments = if is_asked { own.of_orders(module) } else { module.clone() };
        Own { arguments, reports, is_asked }
    }
}

/// Leaves out of each trait and of its impls the functions of which one has no derivatives, unless its attribute asks for
/// them. Of other blocks, each function by itself.
fn agree(items: &Items, root: Scope, parts: &mut [Part]) {
    let mut failed = HashSet::default();
    each_block(items, root, parts, &mut |owner, members| {
        for member in members.iter_mut() {
            let is_sound = |compiled: &Compiled| compiled.reports.is_empty();
            if member.compiled.as_ref().is_some_and(is_sound) {
                continue;
            }
            let name = member.function.sig.ident.to_string();
            failed.extend(owner.clone().map(|owner| (owner, name)));
            member.leave_out();
        }
    });
    each_block(items, root, parts, &mut |owner, members| {
        let Some(owner) = owner else { return };
        for member in members.iter_mut() {
            let key = (owner.clone(), member.function.sig.ident.to_string());
            if failed.contains(&key) {
                member.leave_out();
            }
        }
    });
}

/// The trait of the module that an `impl` is of.
fn trait_of(items: &Items, scope: Scope, block: &syn::ItemImpl) -> Option<Location> {
    let (path, _) = block.trait_.as_ref()?;
    items.type_at(scope, path).map(|(location, _)| location)
}

/// Visits the functions of each block, with the trait that it is or is of.
fn each_block(
    items: &Items,
    scope: Scope,
    parts: &mut [Part],
    visit: &mut dyn FnMut(Option<Location>, &mut Members),
) {
    for part in parts {
        match part {
            Part::Module(module, parts) => {
                if let Some(inner) = items.module(scope, &module.ident) {
                    each_block(items, inner, parts, visit);
                }
            }
            Part::Implementation(block, members, _) => {
                visit(trait_of(items, scope, block), members);
            }
            Part::Trait(item, members, _) => visit(Some((scope, item.ident.to_string())), members),
            Part::Plain(_) | Part::Done(_) | Part::Function(..) => {}
        }
    }
}

fn emit(part: Part, tokens: &mut TokenStream) {
    match part {
        Part::Plain(item) => item.to_tokens(tokens),
        Part::Done(done) => tokens.extend(done),
        Part::Function(function, compiled, arguments) => {
            let (companion, errors) = compiled.parts(&function, &arguments, false);
            tokens.extend(quote!(#function #errors #companion));
        }
        Part::Implementation(item, members, mut reports) => {
            tokens.extend(block::implementation(item, members, &mut reports));
        }
        Part::Trait(item, members, mut reports) => {
            tokens.extend(block::declaration(item, members, &mut reports));
        }
        Part::Module(module, parts) => {
            let mut inner = TokenStream::new();
            parts.into_iter().for_each(|part| emit(part, &mut inner));
            tokens.extend(shell(module, inner));
        }
    }
}
