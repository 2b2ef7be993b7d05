//! What syntax shows of variables before types are known.
//!
//! In: a function's head and its block. Out: the names of maps, of references and of indices, and which names
//! are those of items.

use super::expected::content;
use crate::signature::{Signature, plain};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

/// Facts about variables, by name.
#[derive(Default, Clone)]
pub struct Known {
    /// Variables that are maps: by their type, or by what makes them.
    pub maps: HashSet<String>,
    /// References, and whether each is a `&mut`.
    pub references: HashMap<String, bool>,
    /// The types of elements, of slices, arrays and vectors.
    elements: HashMap<String, syn::Type>,
    /// Variables of type `usize`.
    indices: HashSet<String>,
    /// All that the function binds.
    variables: HashSet<String>,
}

impl Known {
    /// What a function shows.
    pub fn of(signature: &Signature, block: &syn::Block) -> Self {
        let mut known = Known::default();
        for param in &signature.params {
            known.typed(&param.name.to_string(), &param.ty);
            known.variables.insert(param.name.to_string());
        }
        known.visit_block(block);
        known
    }

    /// Whether an expression is a function by its name: `wave`, `f64::sin`.
    pub fn is_function(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let last = path.path.segments.last();
        last.is_some_and(|last| self.names_function(&last.ident.to_string()))
    }

    /// Whether a name is a function's, as functions are named, and no variable of this function is called so. Names
    /// with a number behind may be variables that the compiler made.
    pub fn names_function(&self, name: &str) -> bool {
        let is_lower = name.trim_start_matches("r#").starts_with(char::is_lowercase);
        let number = name.rsplit_once('_').map_or("", |(_, behind)| behind);
        let may_be_made = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        is_lower && name != "self" && !may_be_made && !self.variables.contains(name)
    }

    /// Whether syntax shows that a number is a `usize`.
    pub fn is_index(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_index(&paren.expr),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.suffix() == "usize",
            Expr::Cast(cast) => is_usize(&cast.ty),
            Expr::Binary(binary) => self.is_index(&binary.left) || self.is_index(&binary.right),
            Expr::MethodCall(call) => {
                matches!(call.method.to_string().as_str(), "len" | "count")
                    || self.is_index(&call.receiver)
            }
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| self.indices.contains(&name.to_string()))
            }
            _ => false,
        }
    }

    /// The type of a variable's elements, where it is written.
    pub fn element(&self, name: &syn::Ident) -> Option<&syn::Type> {
        self.elements.get(&name.to_string())
    }

    fn typed(&mut self, name: &str, ty: &syn::Type) {
        if let Some(element) = element_type(ty) {
            self.elements.insert(name.to_owned(), element.clone());
        }
        if is_map_type(ty) {
            self.maps.insert(name.to_owned());
        }
        if is_usize(ty) {
            self.indices.insert(name.to_owned());
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
                (None, Some(init)) if self.is_index(init) => {
                    self.indices.insert(name);
                }
                _ => {}
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
        self.variables.insert(ident.ident.to_string());
        visit::visit_pat_ident(self, ident);
    }
}

/// `T` of `[T]`, `[T; N]`, `Vec<T>` and references to them.
fn element_type(ty: &syn::Type) -> Option<&syn::Type> {
    match plain(ty) {
        syn::Type::Reference(reference) => element_type(&reference.elem),
        syn::Type::Slice(slice) => Some(&slice.elem),
        syn::Type::Array(array) => Some(&array.elem),
        ty => vector_element(ty),
    }
}

/// `T` of `Vec<T>`.
pub(super) fn vector_element(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = plain(ty) else { return None };
    let last = path.path.segments.last()?;
    (last.ident == "Vec").then(|| content(ty))?
}

fn is_usize(ty: &syn::Type) -> bool {
    matches!(plain(ty), syn::Type::Path(path) if path.path.is_ident("usize"))
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

/// `BTreeMap::new()`, `HashMap::from_iter(..)`.
fn is_made_map(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    path.path.segments.iter().rev().nth(1).is_some_and(|owner| is_map_name(&owner.ident))
}

fn is_map_name(name: &syn::Ident) -> bool {
    name == "BTreeMap" || name == "HashMap"
}
