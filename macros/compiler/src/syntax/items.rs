//! Items that the macro sees: those of a module with the attribute, and of the modules in it.
//!
//! In: a module. Out: its types and functions by scope, and what a path that stands in a scope leads to.
//!
//! Invariant: what may be another thing than it seems to be leads to nothing: items under `#[cfg]`, names that are
//! imported from outside, and what a macro may define.

use quote::ToTokens;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::rc::Rc;

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scope(usize);

/// An item by the module that it stands in and its name.
pub type Location = (Scope, String);

/// All modules, the outermost first.
#[derive(Default)]
pub struct Items {
    scopes: Vec<Contents>,
    /// Functions of types, of `impl` blocks without parameters and without a trait.
    methods: HashMap<(Location, String), Rc<Method>>,
    /// Functions of `Index` and `IndexMut` by type, with the modules that they stand in.
    indices: HashMap<Location, Vec<(Scope, syn::ImplItemFn)>>,
    /// Names of functions of traits, which may come before those of types.
    of_traits: HashSet<String>,
    /// Types with an `impl` of a trait of which not all functions are known.
    open_types: HashSet<Location>,
    /// Whether macros are called that may define items.
    has_macros: bool,
}

/// Traits of the standard library, and derives, that give a type no methods but those of [`METHODS`].
const TRAITS: [&str; 24] = [
    "Add",
    "AddAssign",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Differentiable",
    "Display",
    "Div",
    "DivAssign",
    "Drop",
    "Eq",
    "Error",
    "From",
    "Hash",
    "Index",
    "IndexMut",
    "Mul",
    "MulAssign",
    "Neg",
    "PartialEq",
    "Sub",
    "SubAssign",
];

/// Methods that these traits give to a type, and those that all types have.
const METHODS: [&str; 27] = [
    "add",
    "add_assign",
    "borrow",
    "borrow_mut",
    "cause",
    "clone",
    "clone_from",
    "clone_into",
    "description",
    "div",
    "div_assign",
    "drop",
    "eq",
    "fmt",
    "hash",
    "index",
    "index_mut",
    "into",
    "mul",
    "mul_assign",
    "ne",
    "neg",
    "source",
    "sub",
    "to_owned",
    "to_string",
    "try_into",
];

/// A function of a type.
pub struct Method {
    /// The module of its block.
    pub scope: Scope,
    /// The type of the block.
    pub ty: syn::Type,
    pub item: syn::ImplItemFn,
}

/// The functions of `Index` and `IndexMut` of a type for one type of indices.
pub struct IndexFunctions {
    /// The module of its blocks.
    pub scope: Scope,
    pub index: syn::ImplItemFn,
    pub index_mut: Option<syn::ImplItemFn>,
}

/// Where a function stands in a module that is seen.
#[derive(Clone)]
pub struct Seen {
    pub items: Rc<Items>,
    pub scope: Scope,
}

/// What stands in a module.
#[derive(Default)]
struct Contents {
    parent: Option<Scope>,
    modules: HashMap<String, Scope>,
    types: HashMap<String, syn::Item>,
    functions: HashMap<String, Rc<syn::ItemFn>>,
    /// The types of constants and statics.
    constants: HashMap<String, syn::Type>,
    /// The names that `use` gives to paths.
    imports: HashMap<String, Vec<String>>,
    /// The paths of `use path::*`.
    globs: Vec<Vec<String>>,
    /// Names of which only rustc knows what they are.
    open: HashSet<String>,
    /// Names that only this module and those in it see.
    private: HashSet<String>,
    /// Whether a macro is called that may define items.
    calls_macros: bool,
    /// Whether names are imported under `#[cfg]`.
    is_open: bool,
}

impl Items {
    /// Reads a module.
    pub fn of(items: &[syn::Item]) -> Self {
        let mut all = Items::default();
        let root = all.add(items, None);
        all.blocks(root, items);
        all
    }

    /// The module around all others.
    pub fn root(&self) -> Scope {
        Scope(0)
    }

    /// The module of a name in another one.
    pub fn module(&self, scope: Scope, name: &syn::Ident) -> Option<Scope> {
        self.scopes[scope.0].modules.get(&name.to_string()).copied()
    }

    fn add(&mut self, items: &[syn::Item], parent: Option<Scope>) -> Scope {
        let scope = Scope(self.scopes.len());
        self.scopes.push(Contents { parent, ..Contents::default() });
        for item in items {
            self.enter(scope, item);
        }
        scope
    }

    fn enter(&mut self, scope: Scope, item: &syn::Item) {
        let Some((name, attributes, visibility)) = named(item) else {
            if let syn::Item::Use(item) = item {
                let is_private = matches!(item.vis, syn::Visibility::Inherited);
                self.import(scope, &item.tree, is_private, &mut Vec::new());
                let is_open = item.attrs.iter().any(is_conditional) && gives_names(&item.tree);
                self.scopes[scope.0].is_open |= is_open;
            }
            self.scopes[scope.0].calls_macros |=
                matches!(item, syn::Item::Macro(call) if call.ident.is_none());
            return;
        };
        let name = name.to_string();
        let contents = &mut self.scopes[scope.0];
        if matches!(visibility, syn::Visibility::Inherited) {
            contents.private.insert(name.clone());
        }
        if attributes.iter().any(is_conditional) {
            contents.open.insert(name);
            return;
        }
        match item {
            syn::Item::Fn(function) => {
                contents.functions.insert(name, Rc::new(function.clone()));
            }
            syn::Item::Const(item) => {
                contents.constants.insert(name, (*item.ty).clone());
            }
            syn::Item::Static(item) => {
                contents.constants.insert(name, (*item.ty).clone());
            }
            syn::Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) => {
                let inner = self.add(items, Some(scope));
                self.scopes[scope.0].modules.insert(name, inner);
            }
            item => {
                contents.types.insert(name, item.clone());
            }
        }
    }

    fn import(
        &mut self,
        scope: Scope,
        tree: &syn::UseTree,
        is_private: bool,
        path: &mut Vec<String>,
    ) {
        let contents = &mut self.scopes[scope.0];
        let (name, last) = match tree {
            syn::UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.import(scope, &step.tree, is_private, path);
                path.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                return group
                    .items
                    .iter()
                    .for_each(|tree| self.import(scope, tree, is_private, path));
            }
            syn::UseTree::Glob(_) => return contents.globs.push(path.clone()),
            syn::UseTree::Name(last) if last.ident == "self" => (path.last().cloned(), None),
            syn::UseTree::Name(last) => (Some(last.ident.to_string()), Some(&last.ident)),
            syn::UseTree::Rename(renamed) => {
                (Some(renamed.rename.to_string()), Some(&renamed.ident))
            }
        };
        let Some(name) = name else { return };
        if is_private {
            contents.private.insert(name.clone());
        }
        let last = last.map(ToString::to_string);
        contents.imports.insert(name, path.iter().cloned().chain(last).collect());
    }

    /// The type, the trait or the alias that a path leads to from a module.
    pub fn type_at(&self, scope: Scope, path: &syn::Path) -> Option<(Location, &syn::Item)> {
        let location = self.locate(scope, path)?;
        let item = self.scopes[location.0.0].types.get(&location.1)?;
        Some((location, item))
    }

    /// The function that a path leads to from a module.
    pub fn function_at(&self, scope: Scope, path: &syn::Path) -> Option<Location> {
        let (scope, name) = self.locate(scope, path)?;
        self.scopes[scope.0].functions.contains_key(&name).then_some((scope, name))
    }

    /// The type of the constant that a path leads to from a module.
    pub fn constant_at(&self, scope: Scope, path: &syn::Path) -> Option<&syn::Type> {
        let (scope, name) = self.locate(scope, path)?;
        self.scopes[scope.0].constants.get(&name)
    }

    /// A function of a module.
    pub fn function(&self, (scope, name): &Location) -> Option<&Rc<syn::ItemFn>> {
        self.scopes[scope.0].functions.get(name)
    }

    /// The struct or the enum that a type is, behind references.
    pub fn definition(&self, scope: Scope, ty: &syn::Type) -> Option<(Location, &syn::Item)> {
        match ty {
            syn::Type::Paren(inner) => self.definition(scope, &inner.elem),
            syn::Type::Group(inner) => self.definition(scope, &inner.elem),
            syn::Type::Reference(reference) => self.definition(scope, &reference.elem),
            syn::Type::Path(path) if path.qself.is_none() => {
                let (location, item) = self.type_at(scope, &path.path)?;
                match item {
                    syn::Item::Type(alias) if alias.generics.params.is_empty() => {
                        self.definition(location.0, &alias.ty)
                    }
                    syn::Item::Struct(_) | syn::Item::Enum(_) => Some((location, item)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The type that an alias of the same module stands for.
    pub fn aliased<'t>(&'t self, scope: Scope, ty: &'t syn::Type) -> Option<&'t syn::Type> {
        let syn::Type::Path(path) = ty else { return None };
        let (location, item) = self.type_at(scope, &path.path).filter(|_| path.qself.is_none())?;
        let syn::Item::Type(alias) = item else { return None };
        let is_plain = alias.generics.params.is_empty() && location.0 == scope;
        is_plain.then(|| self.aliased(scope, &alias.ty).unwrap_or(&alias.ty))
    }

    /// The function of a type of a name: `Type::name`.
    pub fn associated(&self, ty: &Location, name: &syn::Ident) -> Option<&Rc<Method>> {
        self.methods.get(&(ty.clone(), name.to_string()))
    }

    /// The function of a type that a method is which is called in a module, on a receiver behind so many references. A type's
    /// own function comes before those of traits only where it takes the receiver as it is.
    pub fn method(
        &self,
        scope: Scope,
        (ty, depth): (&Location, usize),
        name: &syn::Ident,
    ) -> Option<&Rc<Method>> {
        let method = self.associated(ty, name)?;
        let is_first = match depth {
            0 => takes_value(&method.item.sig),
            1 => !takes_value(&method.item.sig),
            _ => false,
        };
        (is_first || self.is_alone(scope, ty, &name.to_string())).then_some(method)
    }

    /// Whether no trait gives a type a method of a name, as far as a module sees.
    fn is_alone(&self, scope: Scope, ty: &Location, name: &str) -> bool {
        let contents = &self.scopes[scope.0];
        let mut imports = contents.imports.values().chain(&contents.globs);
        let is_known = |path: &Vec<String>| {
            let first = path.first().map(String::as_str);
            matches!(first, Some("std" | "core" | "alloc" | "self" | "cotangent"))
                || first == Some("super") && contents.parent.is_some()
                || first.is_some_and(|first| contents.modules.contains_key(first))
        };
        !self.has_macros
            && !self.open_types.contains(ty)
            && !self.of_traits.contains(name)
            && !METHODS.contains(&name)
            && imports.all(is_known)
            && contents.parent.is_none_or(|parent| self.is_alone(parent, ty, name))
    }

    fn blocks(&mut self, scope: Scope, items: &[syn::Item]) {
        for item in items {
            match item {
                syn::Item::Impl(block) => self.block(scope, block),
                syn::Item::Trait(item) => {
                    let methods = item.items.iter().filter_map(|part| match part {
                        syn::TraitItem::Fn(method) => Some(&method.sig),
                        _ => None,
                    });
                    self.of_traits.extend(methods.map(|head| head.ident.to_string()));
                }
                syn::Item::Macro(call) => self.has_macros |= call.ident.is_none(),
                syn::Item::Struct(syn::ItemStruct { ident, attrs, .. })
                | syn::Item::Enum(syn::ItemEnum { ident, attrs, .. })
                    if !attrs.iter().all(gives_known_methods) =>
                {
                    self.open_types.insert((scope, ident.to_string()));
                }
                syn::Item::Mod(module) => {
                    if let (Some(inner), Some((_, items))) =
                        (self.module(scope, &module.ident), &module.content)
                    {
                        self.blocks(inner, items);
                    }
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, scope: Scope, block: &syn::ItemImpl) {
        let methods = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method),
            _ => None,
        });
        if let Some((path, _)) = &block.trait_ {
            self.index_functions(scope, block, path);
            self.of_traits.extend(methods.map(|method| method.sig.ident.to_string()));
            let is_seen = self.type_at(scope, path).is_some() || names_known_trait(path);
            let of = self.definition(scope, &block.self_ty).map(|(location, _)| location);
            self.open_types.extend(of.filter(|_| !is_seen));
            return;
        }
        let is_sure = block.generics.params.is_empty() && !block.attrs.iter().any(is_conditional);
        let Some((location, _)) = self.definition(scope, &block.self_ty).filter(|_| is_sure) else {
            return;
        };
        for item in methods.filter(|method| !method.attrs.iter().any(is_conditional)) {
            let key = (location.clone(), item.sig.ident.to_string());
            let ty = (*block.self_ty).clone();
            self.methods.insert(key, Rc::new(Method { scope, ty, item: item.clone() }));
        }
    }

    /// Notes what an `impl` of `Index` or `IndexMut` leads to. Where conditions or parameters decide, it is not known.
    fn index_functions(&mut self, scope: Scope, block: &syn::ItemImpl, path: &syn::Path) {
        let is_sure = block.generics.params.is_empty() && !block.attrs.iter().any(is_conditional);
        let function = |name: &str| {
            block.items.iter().find_map(|item| match item {
                syn::ImplItem::Fn(method) if method.sig.ident == name => Some(method.clone()),
                _ => None,
            })
        };
        let owner = self.definition(scope, &block.self_ty).map(|(location, _)| location);
        let Some(owner) = owner.filter(|_| is_sure && self.type_at(scope, path).is_none()) else {
            return;
        };
        let found = ["index", "index_mut"].into_iter().filter_map(function);
        let found = found.filter(|own| own.sig.inputs.len() == 2).map(|own| (scope, own));
        self.indices.entry(owner).or_default().extend(found);
    }

    /// The functions by which a type is indexed.
    pub fn indices(&self, owner: &Location) -> Vec<IndexFunctions> {
        let all = self.indices.get(owner).map_or(&[][..], Vec::as_slice);
        let param = |own: &syn::ImplItemFn| match &own.sig.inputs[1] {
            syn::FnArg::Typed(typed) => typed.ty.to_token_stream().to_string(),
            syn::FnArg::Receiver(_) => String::new(),
        };
        let named = |name: &'static str| all.iter().filter(move |(_, own)| own.sig.ident == name);
        let pairs = named("index").map(|(scope, index)| {
            let index_mut = named("index_mut").find(|(_, own)| param(own) == param(index));
            let index_mut = index_mut.map(|(_, own)| own.clone());
            IndexFunctions { scope: *scope, index: index.clone(), index_mut }
        });
        pairs.collect()
    }

    /// Whether a type, a trait or a module of a name stands in a module, so that no companion can.
    pub fn is_taken(&self, scope: Scope, name: &syn::Ident) -> bool {
        let (contents, name) = (&self.scopes[scope.0], name.to_string());
        contents.types.contains_key(&name) || contents.modules.contains_key(&name)
    }

    /// Whether a name is that of an item or an import, and so none of the prelude's.
    pub fn is_named(&self, scope: Scope, name: &syn::Ident) -> bool {
        let (contents, text) = (&self.scopes[scope.0], name.to_string());
        contents.open.contains(&text)
            || contents.imports.contains_key(&text)
            || self.find(scope, &text, &mut Vec::new()).is_some()
    }

    /// A path with what its first name is imported from in its place.
    pub fn imported(&self, scope: Scope, path: &syn::Path) -> Vec<String> {
        let mut names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let first = names.first().and_then(|first| self.scopes[scope.0].imports.get(first));
        if let Some(import) = first.cloned() {
            names.splice(..1, import);
        }
        names
    }

    fn locate(&self, scope: Scope, path: &syn::Path) -> Option<Location> {
        if path.leading_colon.is_some() {
            return None;
        }
        let path: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.follow(scope, &path, &mut Vec::new())
    }

    /// Follows a path. The names that are being looked for are known, since imports may lead in a circle.
    fn follow(
        &self,
        scope: Scope,
        path: &[String],
        under_way: &mut Vec<Location>,
    ) -> Option<Location> {
        let (last, modules) = path.split_last()?;
        let at = self.enter_modules(scope, modules, under_way)?;
        self.find(at, last, under_way)
    }

    fn enter_modules(
        &self,
        scope: Scope,
        modules: &[String],
        under_way: &mut Vec<Location>,
    ) -> Option<Scope> {
        modules.iter().enumerate().try_fold(scope, |at, (index, module)| match module.as_str() {
            "self" if index == 0 => Some(at),
            "super" => self.scopes[at.0].parent,
            name => {
                let (scope, name) = self.find(at, name, under_way)?;
                self.scopes[scope.0].modules.get(&name).copied()
            }
        })
    }

    /// What a name is in a module.
    fn find(&self, scope: Scope, name: &str, under_way: &mut Vec<Location>) -> Option<Location> {
        let location = (scope, name.to_owned());
        let contents = &self.scopes[scope.0];
        if contents.is_open || contents.open.contains(name) || under_way.contains(&location) {
            return None;
        }
        let is_here = contents.types.contains_key(name)
            || contents.functions.contains_key(name)
            || contents.constants.contains_key(name)
            || contents.modules.contains_key(name);
        if is_here {
            return Some(location);
        }
        under_way.push(location);
        let found = match contents.imports.get(name) {
            Some(path) => self.follow(scope, path, under_way),
            // A macro may define the name, which comes before what a glob shows.
            None if contents.calls_macros => None,
            None => contents.globs.iter().find_map(|glob| self.shown(scope, glob, name, under_way)),
        };
        under_way.pop();
        found
    }

    /// What a name is in a module whose names are imported into another one.
    fn shown(
        &self,
        scope: Scope,
        module: &[String],
        name: &str,
        under_way: &mut Vec<Location>,
    ) -> Option<Location> {
        let at = self.enter_modules(scope, module, under_way)?;
        let is_seen = self.is_within(scope, at) || !self.scopes[at.0].private.contains(name);
        is_seen.then(|| self.find(at, name, under_way)).flatten()
    }

    /// Whether a module is another one or stands in it.
    pub fn is_within(&self, scope: Scope, outer: Scope) -> bool {
        scope == outer
            || self.scopes[scope.0].parent.is_some_and(|parent| self.is_within(parent, outer))
    }
}

/// The name of an item that is a type, a function, a constant or a module, its attributes, and who sees it.
fn named(item: &syn::Item) -> Option<(&syn::Ident, &[syn::Attribute], &syn::Visibility)> {
    match item {
        syn::Item::Const(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Enum(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Fn(item) => Some((&item.sig.ident, &item.attrs, &item.vis)),
        syn::Item::Mod(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Static(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Struct(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Trait(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Type(item) => Some((&item.ident, &item.attrs, &item.vis)),
        syn::Item::Union(item) => Some((&item.ident, &item.attrs, &item.vis)),
        _ => None,
    }
}

/// Whether an attribute gives a type no methods but known ones.
fn gives_known_methods(attribute: &syn::Attribute) -> bool {
    let parse = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
    match attribute.path().is_ident("derive") {
        true => attribute
            .parse_args_with(parse)
            .is_ok_and(|derives| derives.iter().all(names_known_trait)),
        false => ["allow", "differentiable", "doc", "repr", "serde"]
            .iter()
            .any(|name| attribute.path().is_ident(name)),
    }
}

fn names_known_trait(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| TRAITS.iter().any(|name| last.ident == name))
}

/// Whether a tree of imports gives names: `as _` gives none.
fn gives_names(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Path(step) => gives_names(&step.tree),
        syn::UseTree::Group(group) => group.items.iter().any(gives_names),
        syn::UseTree::Rename(renamed) => renamed.rename != "_",
        syn::UseTree::Name(_) | syn::UseTree::Glob(_) => true,
    }
}

/// Whether an attribute may leave an item out.
pub fn is_conditional(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

/// Whether a function takes `self` by value.
fn takes_value(head: &syn::Signature) -> bool {
    head.receiver().is_some_and(|own| matches!(own.kind, syn::ReceiverKind::Value))
}
