//! Constants of a type parameter that stands for a float: `T::zero()`, `T::from(0.5).unwrap()`.
//!
//! In: a call of an associated function of the parameter's. Out: a literal where the number is written, and
//! otherwise the call with the parameter as its type.

use super::Lower;
use super::types::Floats;
use crate::ir::{FloatKind, Op, Type, Value};
use proc_macro2::{Literal, Span};

impl Lower<'_> {
    /// `T::epsilon()`. What starts with `from` may return an `Option`.
    pub(super) fn constant_call(
        &mut self,
        callee: &syn::ExprPath,
        args: &[&syn::Expr],
    ) -> Option<Value> {
        let (ty, name) = self.of_parameter(callee)?;
        let span = self.span(callee);
        match name.as_str() {
            "zero" => return Some(self.float_literal("0.0", ty, span)),
            "one" => return Some(self.float_literal("1.0", ty, span)),
            _ => {}
        }
        let value = self.plain_call(callee, args);
        if !name.starts_with("from") {
            self.refine_float(value, &ty);
        }
        Some(value)
    }

    /// `T::from(0.5).unwrap()`.
    pub(super) fn converted(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        if call.method != "unwrap" && call.method != "expect" {
            return None;
        }
        let syn::Expr::Call(conversion) = &*call.receiver else { return None };
        let syn::Expr::Path(callee) = &*conversion.func else { return None };
        let (ty, name) = self.of_parameter(callee)?;
        let span = self.span(callee);
        let written = conversion.args.first().filter(|_| name == "from").and_then(number);
        if let Some(number) = written {
            return Some(self.float_literal(&number, ty, span));
        }
        let value = self.expr(&call.receiver);
        let mut args = vec![value];
        args.extend(call.args.iter().map(|arg| self.expr(arg)));
        Some(self.inst(Op::Method(call.method.clone()), args, ty, "constant", span))
    }

    /// Whether a path names a function of such a parameter's: `T::PI` is no struct.
    pub(super) fn is_constant(&self, callee: &syn::ExprPath) -> bool {
        self.of_parameter(callee).is_some()
    }

    /// Whether an expression is such a constant.
    pub(super) fn is_converted(&self, call: &syn::ExprMethodCall) -> bool {
        let syn::Expr::Call(conversion) = &*call.receiver else { return false };
        let syn::Expr::Path(callee) = &*conversion.func else { return false };
        let is_unwrapped = call.method == "unwrap" || call.method == "expect";
        is_unwrapped && self.of_parameter(callee).is_some()
    }

    /// The type in front of a path, where it is such a parameter, and the path's last name.
    fn of_parameter(&self, callee: &syn::ExprPath) -> Option<(Type, String)> {
        of_parameter(callee, &self.floats)
    }

    fn float_literal(&mut self, number: &str, ty: Type, span: Span) -> Value {
        let literal = syn::Lit::Float(syn::LitFloat::new(number, span));
        self.inst(Op::Literal(literal), Vec::new(), ty, "literal", span)
    }
}

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

fn number(expr: &syn::Expr) -> Option<String> {
    let syn::Expr::Lit(syn::ExprLit { lit, .. }) = expr else { return None };
    number_of(lit)
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
