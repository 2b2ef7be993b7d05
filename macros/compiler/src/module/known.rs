//! What a module shows of a function that stands in it.
//!
//! In: the items of a module, and where a function stands. Out: arguments that the function's own text does not show, and
//! errors of parameters and results whose types have no tangent.

use super::cycles::{self, Cycles, Node};
use super::tangents::{self, Tangents};
use crate::diag::{self, Reports};
use crate::syntax::attr::Arguments;
use crate::syntax::items::{Items, Location, Scope, Seen};
use crate::syntax::types;
use crate::syntax::walk::{self, Tree};
use quote::ToTokens;
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// All that is known of a module.
pub struct Facts {
    pub items: Rc<Items>,
    pub tangents: Tangents,
    cycles: Cycles,
    /// Types that hold cells.
    cells: HashSet<Location>,
    /// Types whose tangent the module writes, or that it drops in its own way.
    implemented: HashSet<Location>,
    /// Traits that are left out.
    skipped: HashSet<Location>,
}

impl Facts {
    /// Looks through a module.
    pub fn of(content: &[syn::Item]) -> Self {
        let items = Rc::new(Items::of(content));
        let mut found = Found::default();
        found.items(&items, items.root(), content);
        let Found { types, nodes, implemented, skipped } = found;
        let tangents = Tangents::of(&items, &types, &implemented);
        let cycles = cycles::cycles(&items, &nodes);
        let cells = cells(&items, &types);
        Facts { tangents, cycles, cells, implemented, skipped, items }
    }

    /// Whether a path leads to a trait whose functions have derivatives.
    pub fn is_differentiated(&self, scope: Scope, path: &syn::Path) -> bool {
        self.items.type_at(scope, path).is_some_and(|(location, item)| {
            matches!(item, syn::Item::Trait(_)) && !self.skipped.contains(&location)
        })
    }

    /// Whether a type names one of the module that has no tangent.
    pub fn lacks_tangent(&self, scope: Scope, ty: &syn::Type) -> bool {
        let mut lacks = false;
        ty.walk(&mut |node| {
            let walk::Node::Path(path) = node else { return true };
            let own = self.items.type_at(scope, path);
            // Errors are constants.
            if let (None, Some(value)) = (&own, value_of_result(path)) {
                lacks |= self.lacks_tangent(scope, value);
                return false;
            }
            lacks |= own.is_some_and(|(location, item)| {
                tangents::definition(item).is_some()
                    && !self.tangents.has(&location)
                    && !self.implemented.contains(&location)
            });
            true
        });
        lacks
    }

    /// Whether all parts of a type are known to have tangents.
    pub fn has_tangent(&self, scope: Scope, ty: &syn::Type) -> bool {
        let is_number = |name: &syn::Ident| name != "str" && types::is_primitive(name);
        !any_path(ty, &mut |path| match self.items.type_at(scope, path) {
            Some((location, _)) => !self.tangents.has(&location),
            None => !path.get_ident().is_some_and(is_number) && !path_of_vector(path),
        })
    }

    fn holds_cells(&self, scope: Scope, ty: &syn::Type) -> bool {
        any_path(ty, &mut |path| {
            self.items
                .type_at(scope, path)
                .is_some_and(|(location, _)| self.cells.contains(&location))
        })
    }
}

/// What is known where a function stands; nothing where no module is seen.
#[derive(Clone, Default)]
pub struct Known<'a> {
    inner: Option<(&'a Facts, Scope)>,
    /// The name of the type or the trait around the function.
    owner: Option<String>,
    ty: Option<syn::Type>,
}

impl<'a> Known<'a> {
    pub fn of(facts: &'a Facts, scope: Scope, owner: Option<String>) -> Self {
        Known { inner: Some((facts, scope)), owner, ty: None }
    }

    /// The same in the `impl` of a type.
    #[must_use]
    pub fn within(self, ty: &syn::Type) -> Self {
        Known { ty: Some(ty.clone()), ..self }
    }

    /// The arguments of a function, with what the module shows.
    pub fn arguments(&self, arguments: &Arguments, head: &syn::Signature) -> Arguments {
        let Some((facts, scope)) = self.inner else { return arguments.clone() };
        let key = (scope, self.owner.clone(), head.ident.to_string());
        let shares = self.types(head).any(|ty| facts.holds_cells(scope, ty));
        let seen = Seen { items: facts.items.clone(), scope };
        arguments.clone().of_known(seen, facts.cycles.contains(&key), shares)
    }

    /// Reports active parameters and results whose types have no tangent.
    pub fn check(&self, head: &syn::Signature, arguments: &Arguments, reports: &mut Reports) {
        let Some((facts, scope)) = self.inner else { return };
        let is_active = |input: &&syn::FnArg| match input {
            syn::FnArg::Receiver(_) => arguments.may_select("self"),
            syn::FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(name) => arguments.may_select(&name.ident.to_string()),
                _ => true,
            },
        };
        let params = head.inputs.iter().filter(is_active).filter_map(|input| self.type_of(input));
        let output = match &head.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(&**ty),
        };
        let own = |ty: &'_ syn::Type| self.ty.as_ref().filter(|_| mentions_self(ty)).cloned();
        for ty in params.chain(output) {
            let whole = own(ty).unwrap_or_else(|| ty.clone());
            if facts.lacks_tangent(scope, &whole) {
                let name = whole.to_token_stream().to_string().replace(' ', "");
                reports.report(diag::Extent::of(ty), &diag::WITHOUT_TANGENT, &name);
            }
        }
    }

    fn types<'s>(&'s self, head: &'s syn::Signature) -> impl Iterator<Item = &'s syn::Type> {
        head.inputs.iter().filter_map(|input| self.type_of(input))
    }

    fn type_of<'s>(&'s self, input: &'s syn::FnArg) -> Option<&'s syn::Type> {
        match input {
            syn::FnArg::Receiver(_) => self.ty.as_ref(),
            syn::FnArg::Typed(typed) => Some(&typed.ty),
        }
    }
}

/// The name of a type that an `impl` is of.
pub fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

fn mentions_self(ty: &syn::Type) -> bool {
    any_path(ty, &mut |path| path.is_ident("Self"))
}

/// Whether one of the paths in a type is wanted.
fn path_of_vector(path: &syn::Path) -> bool {
    path.segments.len() == 1 && path.segments[0].ident == "Vec"
}

fn any_path(ty: &syn::Type, is_wanted: &mut dyn FnMut(&syn::Path) -> bool) -> bool {
    let mut is_found = false;
    ty.walk(&mut |node| {
        if let walk::Node::Path(path) = node {
            is_found |= is_wanted(path);
        }
        true
    });
    is_found
}

/// `T` of a `Result<T, E>`.
fn value_of_result(path: &syn::Path) -> Option<&syn::Type> {
    path.segments.last().filter(|last| last.ident == "Result").and_then(types::argument)
}

/// The types that hold cells, themselves or by others.
fn cells(items: &Items, types: &[(Scope, &syn::Item)]) -> HashSet<Location> {
    let mut cells = HashSet::default();
    loop {
        let before = cells.len();
        for (scope, item) in types {
            let Some((name, _)) = tangents::definition(item) else { continue };
            let holds = |field: &syn::Field| {
                types::shared(&field.ty).is_some()
                    || any_path(&field.ty, &mut |path| {
                        let at = items.type_at(*scope, path);
                        at.is_some_and(|(location, _)| cells.contains(&location))
                    })
            };
            if tangents::fields(item).any(holds) {
                cells.insert((*scope, name.to_string()));
            }
        }
        if cells.len() == before {
            return cells;
        }
    }
}

/// What stands in a module and in those in it.
#[derive(Default)]
struct Found<'a> {
    types: Vec<(Scope, &'a syn::Item)>,
    nodes: Vec<Node<'a>>,
    implemented: HashSet<Location>,
    skipped: HashSet<Location>,
}

impl<'a> Found<'a> {
    fn items(&mut self, all: &Items, scope: Scope, items: &'a [syn::Item]) {
        for item in items {
            match item {
                syn::Item::Fn(function) => {
                    let (head, body) = (&function.sig, Some(&*function.block));
                    self.nodes.push(Node { scope, owner: None, function: head, body });
                }
                syn::Item::Impl(block) => self.implementation(all, scope, block),
                syn::Item::Trait(item) => self.declaration(scope, item),
                syn::Item::Mod(module) => {
                    let content = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    if let Some(inner) = all.module(scope, &module.ident) {
                        self.items(all, inner, content);
                    }
                }
                item => self.types.push((scope, item)),
            }
        }
    }

    fn implementation(&mut self, all: &Items, scope: Scope, block: &'a syn::ItemImpl) {
        let owner = type_name(&block.self_ty);
        let is_ours = |(path, _): &(syn::Path, _)| {
            let last = path.segments.last().map(|last| last.ident.to_string());
            matches!(last.as_deref(), Some("Differentiable" | "Drop"))
        };
        if block.trait_.as_ref().is_some_and(is_ours)
            && let syn::Type::Path(path) = &*block.self_ty
            && let Some((location, _)) = all.type_at(scope, &path.path)
        {
            self.implemented.insert(location);
        }
        for item in &block.items {
            let syn::ImplItem::Fn(method) = item else { continue };
            let (function, body) = (&method.sig, Some(&method.block));
            self.nodes.push(Node { scope, owner: owner.clone(), function, body });
        }
    }

    fn declaration(&mut self, scope: Scope, item: &'a syn::ItemTrait) {
        let name = item.ident.to_string();
        let mut arguments = Arguments::default();
        arguments.adopt(&item.attrs, &mut Reports::default());
        if arguments.is_skipped() {
            self.skipped.insert((scope, name.clone()));
        }
        for part in &item.items {
            let syn::TraitItem::Fn(method) = part else { continue };
            let (function, body) = (&method.sig, method.default.as_ref());
            self.nodes.push(Node { scope, owner: Some(name.clone()), function, body });
        }
    }
}
