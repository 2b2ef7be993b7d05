//! The macros of `ndarray` that make arrays and slices.
//!
//! In: `array![..]` of one and of two axes, and `s![..]` where it is what `slice` is given. Out: calls of the functions
//! that have rules, and an item by which rustc proves that the first of these macros makes an array of `ndarray`. The
//! rest is an error at the macro's name.

use super::Build;
use crate::hir::{ExprId, ExprKind, Macro};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Token, parse_quote};

impl Build<'_> {
    /// `array![a, b]` and `array![[a, b], [c, d]]`.
    pub(super) fn array(&mut self, call: &syn::Macro) -> Option<ExprKind> {
        let items = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
        let is_row = |item: &Expr| matches!(item, Expr::Array(_));
        let is_matrix =
            |item: &Expr| matches!(item, Expr::Array(row) if row.elems.iter().any(is_row));
        if items.is_empty() || items.iter().any(is_matrix) {
            return None;
        }
        self.prove_array(&call.path);
        let span = call.path.span();
        let function = match items.iter().all(is_row) {
            true => parse_quote!(::cotangent::ndarray::made::Array2::from),
            false => parse_quote!(::cotangent::ndarray::made::Array1::from),
        };
        let items = items.iter().map(|item| self.expr(item)).collect();
        let items = self.made(ExprKind::Macro(Box::new(Macro::Vector(items))), span);
        let callee = self.made(ExprKind::Item(function), span);
        Some(ExprKind::Call(callee, vec![items]))
    }

    /// An item that compiles only if a macro makes arrays of `ndarray`.
    fn prove_array(&mut self, path: &syn::Path) {
        let proof = parse_quote! {
            const _: fn() -> ::cotangent::ndarray::made::Array1<f64> = || #path![0.0];
        };
        if !self.body.items.contains(&proof) {
            self.body.items.push(proof);
        }
    }

    /// `s![i, a..b, ..]`, of up to three axes, as the only argument of a method `slice`.
    pub(super) fn slice(&mut self, call: &syn::ExprMethodCall) -> Option<ExprId> {
        let (Some(Expr::Macro(taken)), 1) = (call.args.first(), call.args.len()) else {
            return None;
        };
        if call.method != "slice" || taken.mac.path.segments.last()?.ident != "s" {
            return None;
        }
        let parse = Punctuated::<Piece, Token![,]>::parse_terminated;
        let pieces = taken.mac.parse_body_with(parse).ok()?;
        if !(1..=3).contains(&pieces.len()) {
            return None;
        }
        let span = taken.mac.path.span();
        let pieces = pieces.iter().map(|piece| self.piece(piece, span)).collect();
        let pieces = self.made(ExprKind::Tuple(pieces), span);
        Some(self.slicing(parse_quote!(taken), vec![pieces], span))
    }

    fn piece(&mut self, Piece(taken, step): &Piece, span: Span) -> ExprId {
        let Expr::Range(range) = taken else {
            let index = self.expr(taken);
            return self.slicing(parse_quote!(at), vec![index], span);
        };
        let is_closed = matches!(range.limits, syn::RangeLimits::Closed(_));
        let [start, end] =
            [&range.start, &range.end].map(|bound| bound.as_ref().map(|bound| self.expr(bound)));
        let (function, bounds): (syn::Ident, _) = match (start, end) {
            (None, None) => (parse_quote!(all), Vec::new()),
            (Some(start), None) => (parse_quote!(from), vec![start]),
            (None, Some(end)) if is_closed => {
                let zero = syn::Lit::Int(syn::LitInt::new("0", span));
                let zero = self.made(ExprKind::Literal(zero), span);
                (parse_quote!(through), vec![zero, end])
            }
            (Some(start), Some(end)) if is_closed => (parse_quote!(through), vec![start, end]),
            (None, Some(end)) => (parse_quote!(until), vec![end]),
            (Some(start), Some(end)) => (parse_quote!(between), vec![start, end]),
        };
        let made = self.slicing(function, bounds, span);
        match step {
            Some(step) => {
                let step = self.expr(step);
                self.slicing(parse_quote!(stepped), vec![made, step], span)
            }
            None => made,
        }
    }

    /// A call of a function that makes slices.
    fn slicing(&mut self, function: syn::Ident, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let path = parse_quote!(::cotangent::ndarray::slicing::#function);
        let callee = self.made(ExprKind::Item(path), span);
        self.made(ExprKind::Call(callee, arguments), span)
    }
}

/// What is taken along an axis, and the step.
struct Piece(Expr, Option<Expr>);

impl Parse for Piece {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let taken = input.parse()?;
        let step = input.parse::<Option<Token![;]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Piece(taken, step))
    }
}
