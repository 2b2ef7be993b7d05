//! Which types of a module get the derive.
//!
//! In: the items of a module. Out: the structs and enums without a derive whose fields all have tangents, as their
//! definitions show: numbers, text, vectors, arrays, tuples, options, boxes and collections of such, and types of the module that have
//! the derive or get it.
//!
//! Invariants: a type whose tangent the user writes, a type with type parameters or lifetimes, and one that is skipped stay
//! as they are. So the derive adds no error that the user's code has not.

use crate::syntax::items::{Items, Location, Scope};
use crate::syntax::{attr, types};
use rustc_hash::FxHashSet as HashSet;
use syn::punctuated::Punctuated;

/// Types of the prelude that have tangents where what they hold has.
const CONTAINERS: [&str; 3] = ["Box", "Option", "Vec"];

/// Collections of the standard library that have tangents where what they hold has.
const COLLECTIONS: [&str; 3] = ["BTreeMap", "HashMap", "VecDeque"];

/// What is known of the types of a module.
#[derive(Default)]
pub struct Tangents {
    /// Those that have the derive.
    given: HashSet<Location>,
    /// Those that get it.
    added: HashSet<Location>,
}

impl Tangents {
    /// Looks through all types, with the modules that they stand in.
    pub fn of(
        items: &Items,
        types: &[(Scope, &syn::Item)],
        implemented: &HashSet<Location>,
    ) -> Self {
        let mut all = Tangents::default();
        for (scope, item) in types {
            let Some((name, attributes)) = definition(item) else { continue };
            let location = (*scope, name.to_string());
            if has_derive(attributes) {
                all.given.insert(location);
            } else if is_open(item)
                && !implemented.contains(&location)
                && !attr::is_among(attributes)
            {
                all.added.insert(location);
            }
        }
        while all.withdraw(items, types) {}
        all
    }

    /// Whether a type has the derive or gets it.
    pub fn has(&self, location: &Location) -> bool {
        self.given.contains(location) || self.added.contains(location)
    }

    /// Whether a type gets the derive.
    pub fn is_added(&self, scope: Scope, name: &syn::Ident) -> bool {
        self.added.contains(&(scope, name.to_string()))
    }

    /// Takes back the types of which a field has no tangent, and says whether there were any.
    fn withdraw(&mut self, items: &Items, types: &[(Scope, &syn::Item)]) -> bool {
        let has_tangents = |scope: Scope, item: &syn::Item| {
            fields(item).all(|field| self.has_tangent(items, scope, &field.ty))
        };
        let lacking = types.iter().filter_map(|(scope, item)| {
            let (name, _) = definition(item)?;
            let location = (*scope, name.to_string());
            (self.added.contains(&location) && !has_tangents(*scope, item)).then_some(location)
        });
        let lacking: Vec<Location> = lacking.collect();
        lacking.iter().for_each(|location| _ = self.added.remove(location));
        !lacking.is_empty()
    }

    /// Whether it shows that a type has a tangent.
    fn has_tangent(&self, items: &Items, scope: Scope, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Paren(inner) => self.has_tangent(items, scope, &inner.elem),
            syn::Type::Group(inner) => self.has_tangent(items, scope, &inner.elem),
            syn::Type::Array(array) => self.has_tangent(items, scope, &array.elem),
            syn::Type::Tuple(tuple) => {
                tuple.elems.iter().all(|ty| self.has_tangent(items, scope, ty))
            }
            syn::Type::Path(path) if path.qself.is_none() => {
                self.names_tangent(items, scope, &path.path)
            }
            _ => false,
        }
    }

    fn names_tangent(&self, items: &Items, scope: Scope, path: &syn::Path) -> bool {
        if let Some((location, item)) = items.type_at(scope, path) {
            return match item {
                syn::Item::Type(alias) if alias.generics.params.is_empty() => {
                    self.has_tangent(items, location.0, &alias.ty)
                }
                _ => self.has(&location),
            };
        }
        let Some(last) = path.segments.last() else { return false };
        let is_prelude = path.segments.len() == 1 && !items.is_named(scope, &last.ident);
        let is_collection = COLLECTIONS.iter().any(|name| last.ident == name)
            && items.imported(scope, path).starts_with(&["std".into(), "collections".into()]);
        match &last.arguments {
            syn::PathArguments::None => {
                is_prelude && (types::is_primitive(&last.ident) || last.ident == "String")
            }
            syn::PathArguments::AngleBracketed(arguments) => {
                let is_container = CONTAINERS.iter().any(|name| last.ident == name);
                (is_prelude && is_container || is_collection)
                    && arguments.args.iter().all(|argument| match argument {
                        syn::GenericArgument::Type(ty) => self.has_tangent(items, scope, ty),
                        _ => false,
                    })
            }
            syn::PathArguments::Parenthesized(_) => false,
        }
    }
}

/// The name of a struct or an enum, and its attributes.
pub fn definition(item: &syn::Item) -> Option<(&syn::Ident, &[syn::Attribute])> {
    match item {
        syn::Item::Struct(item) => Some((&item.ident, &item.attrs)),
        syn::Item::Enum(item) => Some((&item.ident, &item.attrs)),
        _ => None,
    }
}

/// Whether a type has no parameters but numbers.
fn is_open(item: &syn::Item) -> bool {
    let generics = match item {
        syn::Item::Struct(item) => &item.generics,
        syn::Item::Enum(item) => &item.generics,
        _ => return false,
    };
    generics.params.iter().all(|param| matches!(param, syn::GenericParam::Const(_)))
}

/// The fields of a type, through all variants.
pub fn fields(item: &syn::Item) -> Box<dyn Iterator<Item = &syn::Field> + '_> {
    match item {
        syn::Item::Struct(item) => Box::new(item.fields.iter()),
        syn::Item::Enum(item) => {
            Box::new(item.variants.iter().flat_map(|variant| variant.fields.iter()))
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// Whether `Differentiable` is among the derives.
fn has_derive(attributes: &[syn::Attribute]) -> bool {
    let parse = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
    let derives = attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
    let mut paths = derives.filter_map(|derive| derive.parse_args_with(parse).ok()).flatten();
    paths.any(|path| path.segments.last().is_some_and(|last| last.ident == "Differentiable"))
}
