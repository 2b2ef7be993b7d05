//! What syntax shows of variables before types are known.
//!
//! In: a function's head and its block. Out: the names of maps, and those of references.

use crate::signature::{Signature, plain};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

/// Facts about variables, by name.
#[derive(Default, Clone)]
pub struct Known {
    /// Variables that are maps: by their type, or by what makes them.
    pub maps: HashSet<String>,
    /// References, and whether each is a `&mut`.
    pub references: HashMap<String, bool>,
}

impl Known {
    /// What a function shows.
    pub fn of(signature: &Signature, block: &syn::Block) -> Self {
        let mut known = Known::default();
        for param in &signature.params {
            known.typed(&param.name.to_string(), &param.ty);
        }
        known.visit_block(block);
        known
    }

    fn typed(&mut self, name: &str, ty: &syn::Type) {
        if is_map_type(ty) {
            self.maps.insert(name.to_owned());
        }
        if let syn::Type::Reference(reference) = plain(ty) {
            self.references.insert(name.to_owned(), reference.mutability.is_some());
        }
    }
}

impl<'ast> Visit<'ast> for Known {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        if let Pat::Ident(ident) = pattern {
            let name = ident.ident.to_string();
            match (ty, local.init.as_ref().map(|init| &*init.expr)) {
                (Some(ty), _) => self.typed(&name, ty),
                (None, Some(Expr::Reference(reference))) => {
                    self.references.insert(name, reference.mutability.is_some());
                }
                (None, Some(init)) if is_made_map(init) => {
                    self.maps.insert(name);
                }
                _ => {}
            }
        }
        visit::visit_local(self, local);
    }
}

fn is_map_type(ty: &syn::Type) -> bool {
    match plain(ty) {
        syn::Type::Reference(reference) => is_map_type(&reference.elem),
        syn::Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| is_map_name(&last.ident))
        }
        _ => false,
    }
}

/// `BTreeMap::new()`, `HashMap::from(..)`.
fn is_made_map(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    path.path.segments.iter().rev().nth(1).is_some_and(|owner| is_map_name(&owner.ident))
}

fn is_map_name(name: &syn::Ident) -> bool {
    name == "BTreeMap" || name == "HashMap"
}
