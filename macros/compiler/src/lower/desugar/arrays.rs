//! The macros of `ndarray` that make arrays and slices.
//!
//! In: `array![..]` of one and of two axes, and `s![..]` where it is what `slice` is given. Out: calls of the functions that
//! have rules, and items by which rustc proves that the first of these macros makes an array of `ndarray`. The rest stays, and
//! is an error at the macro's name.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, Stmt, Token, parse_quote};

/// What proves for the macros that were found whose they are, at the start of a body.
pub fn proofs(block: &mut syn::Block) {
    let mut found = Found(Vec::new());
    found.visit_block(block);
    let proofs = found.0.iter().map(|path| {
        parse_quote! {
            const _: fn() -> ::cotangent::ndarray::made::Array1<f64> = || #path![0.0];
        }
    });
    block.stmts.splice(0..0, proofs);
}

/// The names of macros that make arrays, one of each.
struct Found(Vec<syn::Path>);

impl<'ast> Visit<'ast> for Found {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if array(call).is_some() && !self.0.contains(&call.path) {
            self.0.push(call.path.clone());
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Calls in place of macros, in an expression itself.
pub fn without_macros(expr: &mut Expr) {
    let made = match expr {
        Expr::Macro(made) => array(&made.mac),
        Expr::MethodCall(call) if call.method == "slice" && call.args.len() == 1 => {
            if let Expr::Macro(taken) = &call.args[0]
                && let Some(slice) = slice(&taken.mac)
            {
                call.args[0] = slice;
            }
            None
        }
        _ => None,
    };
    if let Some(made) = made {
        *expr = made;
    }
}

/// A macro as a statement, or as a block's value.
pub fn without_macro(stmt: &mut Stmt) {
    if let Stmt::Macro(call) = &*stmt
        && let Some(made) = array(&call.mac)
    {
        *stmt = Stmt::Expr(made, call.semi_token);
    }
}

fn is_named(call: &syn::Macro, name: &str) -> bool {
    call.path.segments.last().is_some_and(|last| last.ident == name)
}

/// `array![a, b]` and `array![[a, b], [c, d]]`.
fn array(call: &syn::Macro) -> Option<Expr> {
    if !is_named(call, "array") {
        return None;
    }
    let items = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
    let is_row = |item: &Expr| matches!(item, Expr::Array(_));
    let is_matrix = |item: &Expr| matches!(item, Expr::Array(row) if row.elems.iter().any(is_row));
    if items.is_empty() || items.iter().any(is_matrix) {
        return None;
    }
    Some(match items.iter().all(is_row) {
        true => parse_quote!(::cotangent::ndarray::made::Array2::from(::std::vec![#items])),
        false => parse_quote!(::cotangent::ndarray::made::Array1::from(::std::vec![#items])),
    })
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

impl Piece {
    fn made(&self) -> Expr {
        let Piece(taken, step) = self;
        let range = match taken {
            Expr::Range(range) => range,
            index => return parse_quote!(::cotangent::ndarray::slicing::at(#index)),
        };
        let is_closed = matches!(range.limits, syn::RangeLimits::Closed(_));
        let made: Expr = match (&range.start, &range.end) {
            (None, None) => parse_quote!(::cotangent::ndarray::slicing::all()),
            (Some(start), None) => parse_quote!(::cotangent::ndarray::slicing::from(#start)),
            (None, Some(end)) if is_closed => {
                parse_quote!(::cotangent::ndarray::slicing::through(0, #end))
            }
            (Some(start), Some(end)) if is_closed => {
                parse_quote!(::cotangent::ndarray::slicing::through(#start, #end))
            }
            (None, Some(end)) => parse_quote!(::cotangent::ndarray::slicing::until(#end)),
            (Some(start), Some(end)) => {
                parse_quote!(::cotangent::ndarray::slicing::between(#start, #end))
            }
        };
        match step {
            Some(step) => parse_quote!(::cotangent::ndarray::slicing::stepped(#made, #step)),
            None => made,
        }
    }
}

/// `s![i, a..b, ..]`, of up to three axes.
fn slice(call: &syn::Macro) -> Option<Expr> {
    if !is_named(call, "s") {
        return None;
    }
    let pieces = call.parse_body_with(Punctuated::<Piece, Token![,]>::parse_terminated).ok()?;
    let made = pieces.iter().map(Piece::made);
    let is_known = (1..=3).contains(&pieces.len());
    is_known.then(|| parse_quote!(::cotangent::ndarray::slicing::taken((#(#made,)*))))
}
