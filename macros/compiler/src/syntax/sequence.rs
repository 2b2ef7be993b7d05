//! Parameters of any type that can be gone through, `impl IntoIterator<Item = f64>` or a type parameter with that bound.
//!
//! **In**: a parameter's type and the generics around it. **Out**: the type of the items, and whether the parameter is an
//! iterator itself. **Invariants**: the bound names its items, and the parameter is passed by value.

use super::generics::bounds;
use super::signature::plain;
use syn::{GenericArgument, Generics, Ident, PathArguments, TypeParamBound};

/// The items of a parameter, as the bounds of its type say.
#[derive(Clone)]
pub struct Sequence {
    pub item: syn::Type,
    /// Whether the methods of iterators can be called on the parameter as it is.
    pub is_iterator: bool,
}

/// Returns the items of a parameter whose type is a type parameter with a bound on them.
pub fn sequence(ty: &syn::Type, all: &[&Generics]) -> Option<Sequence> {
    let syn::Type::Path(path) = plain(ty) else { return None };
    of_parameter(path.path.get_ident()?, all)
}

/// Returns the items that the bounds of a type parameter state.
pub fn of_parameter(name: &Ident, all: &[&Generics]) -> Option<Sequence> {
    all.iter().flat_map(|generics| bounds(generics, name)).find_map(|bound| of_bound(&bound))
}

fn of_bound(bound: &TypeParamBound) -> Option<Sequence> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let is_iterator = match last.ident.to_string().as_str() {
        "IntoIterator" => false,
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => true,
        _ => return None,
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let item = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(item) if item.ident == "Item" => Some(item.ty.clone()),
        _ => None,
    })?;
    Some(Sequence { item, is_iterator })
}
