//! What syntax shows of variables before types are known.
//!
//! In: a function's head and its block. Out: the names of maps, of references and of indices, and which names
//! are those of items.

use super::expected::content;
use crate::lower::types::Floats;
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
    /// Matrices of `nalgebra` and arrays of `ndarray`.
    matrices: HashSet<String>,
    /// Variables of other types, or of types that are not shown.
    others: HashSet<String>,
    /// Whether types are named that may be arrays of `ndarray`.
    pub names_arrays: bool,
    /// The type parameters that stand for floats.
    pub floats: Floats,
    /// All that the function binds.
    variables: HashSet<String>,
}

impl Known {
    /// What a function shows.
    pub fn of(signature: &Signature, block: &syn::Block) -> Self {
        let mut known = Known {
            floats: signature.floats.clone(),
            names_arrays: signature.adds_to_floats,
            ..Known::default()
        };
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

    /// Whether syntax shows that a value is a matrix of `nalgebra` or an array of `ndarray`, whose `map` goes over its
    /// entries: by the type of a variable or of its elements, or by what makes it.
    pub fn is_matrix(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_matrix(&paren.expr),
            Expr::Group(group) => self.is_matrix(&group.expr),
            Expr::Reference(reference) => self.is_matrix(&reference.expr),
            Expr::Unary(unary) => self.is_matrix(&unary.expr),
            Expr::Binary(binary) => self.is_matrix(&binary.left) || self.is_matrix(&binary.right),
            Expr::Call(call) => is_made_matrix(call),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "unwrap" | "expect" => self.is_optional_matrix(&call.receiver),
                name => MATRIX_METHODS.contains(&name) && self.is_matrix(&call.receiver),
            },
            Expr::Index(index) => {
                named(&index.expr).and_then(|name| self.element(name)).is_some_and(is_matrix_type)
            }
            expr => named(expr).is_some_and(|name| {
                let name = name.to_string();
                self.matrices.contains(&name) && !self.others.contains(&name)
            }),
        }
    }

    /// Whether it shows that a value is an `Option` of a matrix: an inverse, or what is solved for one.
    fn is_optional_matrix(&self, expr: &Expr) -> bool {
        let Expr::MethodCall(call) = expr else { return false };
        match call.method.to_string().as_str() {
            "try_inverse" => self.is_matrix(&call.receiver),
            "solve" => call.args.iter().all(|right| self.is_matrix(right)),
            _ => false,
        }
    }

    /// The type of a variable's elements, where it is written.
    pub fn element(&self, name: &syn::Ident) -> Option<&syn::Type> {
        self.elements.get(&name.to_string())
    }

    /// What is shown of a variable that may be a matrix. Of several of a name all must be.
    fn shown(&mut self, name: &str, is_matrix: bool) {
        let shown = if is_matrix { &mut self.matrices } else { &mut self.others };
        shown.insert(name.to_owned());
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
        self.shown(name, is_matrix_type(ty));
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
        let Pat::Ident(ident) = pattern else { return visit::visit_local(self, local) };
        let name = ident.ident.to_string();
        let init = local.init.as_ref().map(|init| &*init.expr);
        if ty.is_none() {
            self.shown(&name, init.is_some_and(|init| self.is_matrix(init)));
        }
        match (ty, init) {
            (Some(ty), _) => self.typed(&name, ty),
            (None, Some(Expr::Reference(reference))) => {
                self.references.insert(name.clone(), reference.mutability.is_some());
            }
            (None, Some(init)) if is_made_map(init) => {
                self.maps.insert(name.clone());
            }
            (None, Some(init)) if self.is_index(init) => {
                self.indices.insert(name.clone());
            }
            _ => {}
        }
        self.variables.insert(name);
        visit::visit_pat_ident(self, ident);
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
    }

    fn visit_pat_type(&mut self, typed: &'ast syn::PatType) {
        let Pat::Ident(ident) = &*typed.pat else { return visit::visit_pat_type(self, typed) };
        self.variables.insert(ident.ident.to_string());
        self.shown(&ident.ident.to_string(), is_matrix_type(&typed.ty));
        visit::visit_pat_ident(self, ident);
    }

    // A closure's parameter hides a variable in the closure alone, and often has its name: `x.map(|x| ..)`.
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let others = self.others.clone();
        closure.inputs.iter().for_each(|input| self.visit_pat(input));
        self.others = others;
        self.visit_expr(&closure.body);
    }

    fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
        self.variables.insert(ident.ident.to_string());
        self.shown(&ident.ident.to_string(), false);
        visit::visit_pat_ident(self, ident);
    }
}

/// A variable's name by itself.
fn named(expr: &Expr) -> Option<&syn::Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
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

/// A matrix of `nalgebra` or an array of `ndarray`, or a reference to one.
fn is_matrix_type(ty: &syn::Type) -> bool {
    match plain(ty) {
        syn::Type::Reference(reference) => is_matrix_type(&reference.elem),
        syn::Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| is_matrix_name(&last.ident))
        }
        _ => false,
    }
}

/// `Vector3::new(..)`, `DMatrix::zeros(..)`.
fn is_made_matrix(call: &syn::ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return false };
    let owner = path.path.segments.iter().rev().nth(1);
    owner.is_some_and(|owner| is_matrix_name(&owner.ident))
}

/// `Matrix3`, `Matrix2x3`, `RowVector4`, `MatrixXx3`, `SMatrix`, `DVector` and the like, and `Array2` and `ArrayD`.
fn is_matrix_name(name: &syn::Ident) -> bool {
    let name = name.to_string();
    if let Some(axes) = name.strip_prefix("Array") {
        return matches!(axes, "" | "D") || axes.chars().all(|axis| axis.is_ascii_digit());
    }
    let name = name.strip_prefix("Row").unwrap_or(&name);
    let (is_any, name) = match name.strip_prefix(['S', 'D', 'O']) {
        Some(name) => (true, name),
        None => (false, name),
    };
    let sizes = name.strip_prefix("Matrix").or_else(|| name.strip_prefix("Vector"));
    let is_size = |letter: char| letter.is_ascii_digit() || letter == 'x' || letter == 'X';
    sizes.is_some_and(|sizes| sizes.is_empty() == is_any && sizes.chars().all(is_size))
}

/// Methods that make matrices of matrices, and arrays of arrays.
const MATRIX_METHODS: [&str; 23] = [
    "add_scalar",
    "clone",
    "clone_owned",
    "column",
    "component_div",
    "component_mul",
    "cross",
    "diagonal",
    "into_owned",
    "map",
    "mapv",
    "normalize",
    "row",
    "scale",
    "symmetric_eigenvalues",
    "t",
    "to_owned",
    "tr_mul",
    "transpose",
    "unscale",
    "xy",
    "xyz",
    "zip_map",
];
