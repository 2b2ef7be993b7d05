//! Matrices of `nalgebra` and arrays of `ndarray`, as far as the HIR shows them.
//!
//! In: an expression. Out: whether it is one, whose `map` goes over its entries rather than over what an option holds: by
//! the type that is written at a local, by what a local is declared with, or by what makes the value.

use super::{Body, ExprId, ExprKind, Local};

impl Body {
    /// Whether the HIR shows that a value is a matrix.
    pub fn is_matrix(&self, expr: ExprId) -> bool {
        match &self.expr(expr).kind {
            ExprKind::Local(local) => self.holds_matrix(*local),
            ExprKind::Borrow { place, .. } => self.is_matrix(*place),
            ExprKind::Deref(inner) | ExprKind::Negate(inner) => self.is_matrix(*inner),
            ExprKind::Binary(_, left, right) => self.is_matrix(*left) || self.is_matrix(*right),
            ExprKind::Call(callee, _) => self.makes_matrix(*callee),
            ExprKind::Method { receiver, name, .. } => match name.to_string().as_str() {
                "unwrap" | "expect" => self.is_optional_matrix(*receiver),
                name => METHODS.contains(&name) && self.is_matrix(*receiver),
            },
            ExprKind::Index(base, _) => match self.expr(*base).kind {
                ExprKind::Local(local) => {
                    self.local(local).ty.as_ref().and_then(element_of).is_some_and(is_matrix_type)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a local is one.
    pub fn holds_matrix(&self, local: Local) -> bool {
        let data = self.local(local);
        match (&data.ty, data.init) {
            (Some(ty), _) => is_matrix_type(ty),
            (None, Some(init)) => self.is_matrix(init),
            (None, None) => false,
        }
    }

    /// Whether it shows that a value is an `Option` of a matrix: an inverse, or what is solved for one.
    fn is_optional_matrix(&self, expr: ExprId) -> bool {
        let ExprKind::Method { receiver, name, arguments, .. } = &self.expr(expr).kind else {
            return false;
        };
        match name.to_string().as_str() {
            "try_inverse" => self.is_matrix(*receiver),
            "solve" => arguments.iter().all(|right| self.is_matrix(*right)),
            _ => false,
        }
    }

    /// `Vector3::new`, `DMatrix::zeros`.
    fn makes_matrix(&self, callee: ExprId) -> bool {
        let ExprKind::Item(path) = &self.expr(callee).kind else { return false };
        let owner = path.path.segments.iter().rev().nth(1);
        owner.is_some_and(|owner| is_matrix_name(&owner.ident))
    }
}

/// `T` of `[T]`, `[T; N]`, `Vec<T>` and references to them.
fn element_of(ty: &syn::Type) -> Option<&syn::Type> {
    match crate::syntax::signature::plain(ty) {
        syn::Type::Reference(reference) => element_of(&reference.elem),
        syn::Type::Slice(slice) => Some(&slice.elem),
        syn::Type::Array(array) => Some(&array.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            match arguments.args.first()? {
                syn::GenericArgument::Type(element) if last.ident == "Vec" => Some(element),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A matrix of `nalgebra` or an array of `ndarray`, or a reference to one.
fn is_matrix_type(ty: &syn::Type) -> bool {
    match crate::syntax::signature::plain(ty) {
        syn::Type::Reference(reference) => is_matrix_type(&reference.elem),
        syn::Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| is_matrix_name(&last.ident))
        }
        _ => false,
    }
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
const METHODS: [&str; 23] = [
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
