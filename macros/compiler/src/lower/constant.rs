//! Constants of a type parameter that stands for a float: `T::zero()`, `T::from(0.5).unwrap()`.

use crate::ir::{FloatKind, Type};
use crate::syntax::types::Floats;
use proc_macro2::Literal;

/// The type in front of a path, where it is a type parameter that stands for a float, and the path's last name.
pub(super) fn of_parameter(callee: &syn::ExprPath, floats: &Floats) -> Option<(Type, String)> {
    let name = callee.path.segments.last()?.ident.to_string();
    let ty = match &callee.qself {
        Some(qself) => floats.read(&qself.ty),
        None if callee.path.segments.len() == 2 => {
            let path = syn::Path::from(callee.path.segments[0].ident.clone());
            floats.read(&syn::Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path }))
        }
        None => return None,
    };
    matches!(ty, Type::Float(FloatKind::Parameter(_))).then_some((ty, name))
}

/// A number that is written, and means the same as a double.
pub(super) fn number_of(lit: &syn::Lit) -> Option<String> {
    match lit {
        syn::Lit::Float(float) if matches!(float.suffix(), "" | "f64") => {
            Some(float.base10_digits().to_owned())
        }
        syn::Lit::Int(int) if int.suffix().is_empty() => {
            let number: i32 = int.base10_parse().ok()?;
            Some(Literal::f64_unsuffixed(f64::from(number)).to_string())
        }
        _ => None,
    }
}
