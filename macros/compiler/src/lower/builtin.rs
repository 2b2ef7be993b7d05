//! Functions and methods of the standard library that lowering knows by name.

use crate::ir::{FloatKind, Type};
use crate::syntax::standard::Standard;
use crate::syntax::types::Floats;
use quote::ToTokens;
use syn::Ident;

/// What a path with a type in front, such as `f64::max`, stands for.
pub enum Associated {
    /// A row, and the float type in front.
    Rule(&'static str, Option<FloatKind>),
    Zero(Ident),
    Convert(Box<syn::Type>),
    Vector,
    /// `Box::new`.
    Boxed,
}

/// Reads paths such as `f64::sin`, `<f64>::sin`, `Float::sin`, `f64::from`, `Vec::new`. A function of another type's is
/// that type's own.
pub fn associated(callee: &syn::ExprPath, arity: usize, floats: &Floats) -> Option<Associated> {
    let mut segments = callee.path.segments.iter().rev();
    let method = segments.next()?;
    let owner = match (&callee.qself, segments.next()) {
        (Some(qself), _) if floats.read(&qself.ty).is_float() => {
            qself.ty.to_token_stream().to_string()
        }
        (_, owner) => owner?.ident.to_string(),
    };
    let kind = match owner.as_str() {
        "f64" => Some(FloatKind::F64),
        "f32" => Some(FloatKind::F32),
        name if floats.0.iter().any(|float| float == name) => {
            Some(FloatKind::Parameter(owner.clone()))
        }
        _ => None,
    };
    let name = method.ident.to_string();
    let is_written = matches!(kind, Some(FloatKind::F32 | FloatKind::F64));
    let is_float = kind.is_some() || owner == "Float";
    if is_written && name == "from" && arity == 1 && callee.qself.is_none() {
        return Some(Associated::Convert(Box::new(owner_type(&callee.path))));
    }
    match Standard::named(&callee.path) {
        Some(Standard::EmptyVec) => return Some(Associated::Vector),
        Some(Standard::NewBox) if arity == 1 => return Some(Associated::Boxed),
        _ => {}
    }
    match name.as_str() {
        _ if !is_float => None,
        "sin_cos" if arity == 1 => Some(Associated::Rule("sin_cos", kind)),
        name if is_rule(name, arity) => {
            cotangent_rules::find(name).map(|rule| Associated::Rule(rule.name, kind))
        }
        name if arity > 0 && cotangent_rules::is_zero(name) => {
            Some(Associated::Zero(method.ident.clone()))
        }
        _ => None,
    }
}

/// The type in front of the last segment.
fn owner_type(path: &syn::Path) -> syn::Type {
    syn::Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: prefix(path) })
}

fn prefix(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    path.segments.pop();
    path.segments.pop_punct();
    path
}

/// Whether a method with this many operands is a row of the rule table.
pub fn is_rule(name: &str, operands: usize) -> bool {
    let operator = matches!(name, "add" | "sub" | "mul" | "div" | "rem" | "neg");
    let sin_cos = name == "sin_cos" && operands == 1;
    sin_cos
        || (!operator
            && cotangent_rules::find(name).is_some_and(|rule| rule.params.len() == operands))
}

/// Methods that ask which variant an `Option` or a `Result` is.
pub fn is_variant_test(name: &str) -> bool {
    matches!(name, "is_some" | "is_none" | "is_ok" | "is_err")
}

/// Methods with a step or a constant piece for a float: their result is a float too.
pub fn is_step(name: &str) -> bool {
    matches!(
        name,
        "floor" | "ceil" | "round" | "round_ties_even" | "trunc" | "signum" | "div_euclid"
    )
}

/// Whether a method of a float may be that of a trait of the user's: the float's own go before it, and so do, but for an
/// error of rustc's, those of traits that are always in scope.
pub fn is_of_users_trait(name: &str) -> bool {
    let is_own = name.starts_with("to_") || name.starts_with("is_") || name.ends_with("_assign");
    let is_standard = matches!(
        name,
        "classify"
            | "next_up"
            | "next_down"
            | "total_cmp"
            | "algebraic_add"
            | "algebraic_sub"
            | "algebraic_mul"
            | "algebraic_div"
            | "algebraic_rem"
            | "erf"
            | "erfc"
            | "gamma"
            | "ln_gamma"
            | "maximum"
            | "minimum"
            | "cast"
            | "add"
            | "sub"
            | "mul"
            | "div"
            | "rem"
            | "neg"
            | "into"
            | "try_into"
            | "clone_from"
            | "hash"
            | "fmt"
            | "borrow"
            | "as_ref"
            | "type_id"
    );
    !is_own && !is_standard && !compares(name)
}

/// Methods that compare their receiver with what a reference leads to.
pub fn compares(name: &str) -> bool {
    matches!(name, "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "cmp" | "partial_cmp" | "total_cmp")
}

/// The method of `Differentiable` by which bodies make shadows for derivatives that they call.
pub const ZERO_TANGENT: &str = "zero_tangent";

/// The result's type of a method that integers alone have.
fn result_of_integers(name: &str) -> Type {
    match name {
        "is_multiple_of" | "is_negative" | "is_positive" | "is_power_of_two" => Type::Bool,
        name if name.starts_with("checked_") || name.starts_with("overflowing_") => Type::Unknown,
        _ => Type::Int,
    }
}

/// Whether integers and floats have a method of this name, whose result is a number like its receiver.
fn is_of_numbers(name: &str) -> bool {
    cotangent_rules::find(name).is_some() || cotangent_rules::is_zero(name)
}

/// The result's type of a method without derivative.
pub fn result_of(name: &str, receiver: &Type) -> Type {
    match name {
        ZERO_TANGENT => receiver.tangent().owned(),
        "len" | "capacity" | "count" => Type::Int,
        "contains_key" | "is_some" | "is_none" | "is_ok" | "is_err" => Type::Bool,
        "is_empty" | "is_nan" | "is_finite" | "is_infinite" | "is_sign_positive"
        | "is_sign_negative" | "is_normal" | "is_subnormal" | "eq" | "ne" | "lt" | "le" | "gt"
        | "ge" => Type::Bool,
        name if cotangent_rules::is_of_integers(name) => result_of_integers(name),
        "to_bits" => Type::Int,
        "to_string" => Type::Constant,
        name if is_step(name) => receiver.clone(),
        name if *receiver == Type::Int && is_of_numbers(name) => Type::Int,
        _ => Type::Unknown,
    }
}

/// Whether a path names a variant: a type stands in front of its last segment. A single name in front of
/// braces is taken for a struct's.
pub fn is_variant(path: &syn::Path) -> bool {
    let owner = path.segments.iter().rev().nth(1);
    crate::syntax::is_standard(path) || owner.is_some_and(|owner| is_capital(&owner.ident))
}

/// Whether a call of a path is taken for a variant's, and not for that of a function of the type in front of its last segment.
pub fn calls_variant(path: &syn::Path) -> bool {
    let is_named = |last: &syn::PathSegment| {
        let name = last.ident.to_string();
        is_capital(&last.ident) && name.contains(char::is_lowercase) && !name.contains('_')
    };
    is_variant(path) && path.segments.last().is_some_and(is_named)
}

fn is_capital(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
