//! What a sum or a product starts with.
//!
//! In: the type, where it is written. Out: `-0.0` or `1.0` for floats, and for a type of the user's what that makes of
//! nothing.

use super::super::Lower;
use crate::ir::{FloatKind, Form, Op, Type, Value};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// The sum or the product of nothing.
    pub(super) fn neutral(
        &mut self,
        ty: Option<&syn::Type>,
        is_product: bool,
        span: Span,
    ) -> Option<Value> {
        if let Some(path) = ty.and_then(complex) {
            return Some(self.neutral_complex(&path, is_product, span));
        }
        let kind = ty.map(|ty| self.signature.floats.read(ty));
        if let (Some(ty @ syn::Type::Path(_)), Some(Type::Unknown)) = (ty, &kind) {
            return Some(self.of_nothing(ty, is_product, span));
        }
        let suffix = match (&kind, ty) {
            (
                Some(Type::Int | Type::Float(FloatKind::F64 | FloatKind::F32)),
                Some(syn::Type::Path(path)),
            ) => {
                path.path.segments.last().map(|last| format!("_{}", last.ident)).unwrap_or_default()
            }
            _ => String::new(),
        };
        let is_int = kind == Some(Type::Int);
        let text = match (is_int, is_product) {
            (true, true) => "1",
            (true, false) => "0",
            (false, true) => "1.0",
            (false, false) => "0.0",
        };
        let literal: syn::Lit = syn::parse_str(&format!("{text}{suffix}")).ok()?;
        let ty = crate::syntax::types::of_literal(&literal);
        let value = self.inst(Op::Literal(literal), Vec::new(), ty.clone(), "literal", span);
        Some(match is_int || is_product {
            true => value,
            false => self.apply("neg", vec![value], ty, span),
        })
    }

    /// What a type of the user's makes of nothing.
    fn of_nothing(&mut self, ty: &syn::Type, is_product: bool, span: Span) -> Value {
        let empty = syn::parse_quote_spanned!(span=> ::core::iter::empty::<#ty>);
        let nothing = self.plain_call(&empty, &[], span);
        let path = match is_product {
            true => syn::parse_quote_spanned!(span=> <#ty as ::core::iter::Product>::product),
            false => syn::parse_quote_spanned!(span=> <#ty as ::core::iter::Sum>::sum),
        };
        self.call_on_values(&path, vec![nothing], span)
    }

    fn neutral_complex(&mut self, path: &syn::Path, is_product: bool, span: Span) -> Value {
        let parts = [if is_product { "1.0" } else { "0.0" }, "0.0"].map(|part| {
            let literal = syn::Lit::Float(syn::LitFloat::new(part, span));
            let ty = crate::syntax::types::of_literal(&literal);
            self.inst(Op::Literal(literal), Vec::new(), ty, "literal", span)
        });
        let names = vec!["re".to_owned(), "im".to_owned()];
        self.construct(path, names, parts.to_vec(), Form::Fields, span)
    }
}

/// A complex number's type, without its parameter.
fn complex(ty: &syn::Type) -> Option<syn::Path> {
    let syn::Type::Path(path) = crate::syntax::signature::plain(ty) else { return None };
    let mut path = path.path.clone();
    let last = path.segments.last_mut()?;
    let is_written = match (last.ident.to_string().as_str(), std::mem::take(&mut last.arguments)) {
        ("Complex64" | "Complex32", _) => true,
        ("Complex", syn::PathArguments::AngleBracketed(part)) => is_float(part.args.first()),
        _ => false,
    };
    is_written.then_some(path)
}

fn is_float(argument: Option<&syn::GenericArgument>) -> bool {
    let Some(syn::GenericArgument::Type(syn::Type::Path(part))) = argument else { return false };
    part.path.is_ident("f64") || part.path.is_ident("f32")
}
