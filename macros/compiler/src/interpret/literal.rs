//! Data from text, as a call's arguments are written in Rust.

use super::data::Datum;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Token, UnOp};

impl Datum {
    /// Arguments between commas: numbers, `bool`s, texts, tuples, arrays, vectors, `Some` and `None`, and references to
    /// such. A number with a point is an `f64`, another one an integer, unless its suffix says otherwise.
    ///
    /// # Errors
    ///
    /// What is none of these.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, String> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let items =
            syn::parse::Parser::parse_str(parser, text).map_err(|error| error.to_string())?;
        items.iter().map(of_expression).collect()
    }
}

fn of_expression(expr: &Expr) -> Result<Datum, String> {
    let unknown = || format!("`{}` is no datum", super::operation::text(expr));
    let each = |items: &Punctuated<Expr, Token![,]>| {
        items.iter().map(of_expression).collect::<Result<Vec<Datum>, String>>()
    };
    Ok(match expr {
        Expr::Lit(literal) => of_literal(&literal.lit).ok_or_else(unknown)?,
        Expr::Unary(negation) if matches!(negation.op, UnOp::Neg(_)) => {
            match of_expression(&negation.expr)? {
                Datum::Double(number) => Datum::Double(-number),
                Datum::Single(number) => Datum::Single(-number),
                Datum::Integer(number) => Datum::Integer(-number),
                _ => return Err(unknown()),
            }
        }
        Expr::Reference(reference) => of_expression(&reference.expr)?,
        Expr::Paren(inner) => of_expression(&inner.expr)?,
        Expr::Tuple(tuple) => Datum::Tuple(each(&tuple.elems)?),
        Expr::Array(array) => Datum::List(each(&array.elems)?),
        Expr::Macro(list) if list.mac.path.is_ident("vec") => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            let items = list.mac.parse_body_with(parser).map_err(|_| unknown())?;
            Datum::List(each(&items)?)
        }
        Expr::Path(path) if path.path.is_ident("None") => Datum::Option(None),
        Expr::Call(call) if super::operation::text(&call.func) == "Some" => {
            let held = call.args.first().ok_or_else(unknown)?;
            Datum::Option(Some(Box::new(of_expression(held)?)))
        }
        _ => return Err(unknown()),
    })
}

fn of_literal(literal: &Lit) -> Option<Datum> {
    Some(match literal {
        Lit::Bool(holds) => Datum::Bool(holds.value),
        Lit::Str(text) => Datum::Text(text.value()),
        Lit::Int(number) if number.suffix() == "f64" => Datum::Double(number.base10_parse().ok()?),
        Lit::Int(number) if number.suffix() == "f32" => Datum::Single(number.base10_parse().ok()?),
        Lit::Int(number) => Datum::Integer(number.base10_parse().ok()?),
        Lit::Float(number) if number.suffix() == "f32" => {
            Datum::Single(number.base10_parse().ok()?)
        }
        Lit::Float(number) => Datum::Double(number.base10_parse().ok()?),
        _ => return None,
    })
}
