//! Functions and methods of the standard library that lowering knows by name.

use crate::ir::Type;
use syn::Ident;

/// What a path with a type in front, such as `f64::max`, stands for.
pub enum Associated {
    Rule(&'static str),
    Zero(Ident),
    Convert(Box<syn::Type>),
    Vector,
}

/// Reads paths such as `f64::sin`, `f64::from`, `Vec::new`.
pub fn associated(path: &syn::Path, arity: usize) -> Option<Associated> {
    let mut segments = path.segments.iter().rev();
    let method = segments.next()?;
    let owner = segments.next()?.ident.to_string();
    let name = method.ident.to_string();
    match owner.as_str() {
        "f64" | "f32" if name == "from" && arity == 1 => {
            Some(Associated::Convert(Box::new(syn::Type::Path(syn::TypePath {
                attrs: Vec::new(),
                qself: None,
                path: prefix(path),
            }))))
        }
        "f64" | "f32" if name == "sin_cos" => Some(Associated::Rule("sin_cos")),
        "f64" | "f32" if is_rule(&name, arity) => {
            cotangent_rules::find(&name).map(|rule| Associated::Rule(rule.name))
        }
        "f64" | "f32" if cotangent_rules::is_zero(&name) => {
            Some(Associated::Zero(method.ident.clone()))
        }
        "Vec" if matches!(name.as_str(), "new" | "with_capacity") => Some(Associated::Vector),
        _ => None,
    }
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

/// Methods with a step or a constant piece for a float: their result is a float too.
pub fn is_step(name: &str) -> bool {
    matches!(
        name,
        "floor" | "ceil" | "round" | "round_ties_even" | "trunc" | "signum" | "div_euclid"
    )
}

/// The result's type of a method without derivative.
pub fn result_of(name: &str, receiver: &Type) -> Type {
    match name {
        "len" | "capacity" | "count" => Type::Int,
        "is_empty" | "is_nan" | "is_finite" | "is_infinite" | "is_sign_positive"
        | "is_sign_negative" | "is_normal" | "is_subnormal" | "eq" | "ne" | "lt" | "le" | "gt"
        | "ge" => Type::Bool,
        "to_bits" => Type::Int,
        name if is_step(name) => receiver.clone(),
        _ if *receiver == Type::Int => Type::Int,
        _ => Type::Unknown,
    }
}
