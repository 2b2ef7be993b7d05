//! Syntax of the compiler's own, which rewritten code contains and users do not write.
//!
//! Rewriting works on syntax and before types are known. What it cannot say in Rust it says in one of these
//! forms: the field of a variant, a binding whose mode hangs on a type, operations that move elements.

use crate::ir::Schedule;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, parse_quote};

const VARIANT: &str = "__cotangent_variant";
const BINDING: &str = "__cotangent_binding";

/// The field of a variant of a place, as a place.
pub fn variant_field(place: &Expr, path: &syn::Path, member: &syn::Member) -> Expr {
    parse_quote!(#place[__cotangent_variant!(#path, #member)])
}

/// Reads an index back: the variant, and the field's name or number.
pub fn as_variant_field(index: &Expr) -> Option<(syn::Path, String)> {
    let parser = |input: ParseStream| -> syn::Result<(syn::Path, syn::Member)> {
        let path = syn::Path::parse_mod_style(input)?;
        input.parse::<syn::Token![,]>()?;
        Ok((path, input.parse()?))
    };
    let (path, member) = parser.parse2(named(index, VARIANT)?.clone()).ok()?;
    Some((path, member.to_token_stream().to_string()))
}

/// What a pattern binds in a scrutinee: a reference where the scrutinee is one.
pub fn binding(scrutinee: &Expr, place: &Expr) -> Expr {
    parse_quote!(__cotangent_binding!(#scrutinee, #place))
}

/// Reads it back: the scrutinee and the part.
pub fn as_binding(expr: &Expr) -> Option<(Expr, Expr)> {
    let parser = |input: ParseStream| -> syn::Result<(Expr, Expr)> {
        let scrutinee = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        Ok((scrutinee, input.parse()?))
    };
    parser.parse2(named(expr, BINDING)?.clone()).ok()
}

/// The mark of a loop's schedule, as the first statement of the loop's body.
pub fn checkpoint(schedule: Schedule, given: Option<&Expr>, span: Span) -> syn::Stmt {
    let name = Ident::new(name_of(schedule), span);
    parse_quote!(#name(#given);)
}

/// Reads it back.
pub fn as_checkpoint(call: &syn::ExprCall) -> Option<(Schedule, Option<Expr>)> {
    let Expr::Path(path) = &*call.func else { return None };
    let all = [Schedule::Root, Schedule::Every, Schedule::Snapshots];
    let schedule = all.into_iter().find(|schedule| path.path.is_ident(name_of(*schedule)))?;
    Some((schedule, call.args.first().cloned()))
}

fn name_of(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Root => "__cotangent_checkpoint",
        Schedule::Every => "__cotangent_checkpoint_every",
        Schedule::Snapshots => "__cotangent_checkpoint_snapshots",
    }
}

fn named<'e>(expr: &'e Expr, name: &str) -> Option<&'e proc_macro2::TokenStream> {
    match expr {
        Expr::Macro(call) if call.mac.path.is_ident(name) => Some(&call.mac.tokens),
        _ => None,
    }
}

/// A method of the compiler's own on a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Exchanges what two places hold.
    Swap,
    /// Puts a value in and gives back what was there.
    Replace,
    /// Likewise with the type's default.
    Take,
    /// Takes out an element that is there.
    Pop,
    PopBack,
    PopFront,
    /// Takes out the entry of a key that is there.
    PopKey,
    /// The keys of a map, in its order.
    Keys,
    /// Whether an `Option` or a `Result` holds a value.
    Holds,
    /// What is not differentiated, as a closure captures it.
    Held,
}

impl Method {
    const ALL: [Method; 10] = [
        Method::Swap,
        Method::Replace,
        Method::Take,
        Method::Pop,
        Method::PopBack,
        Method::PopFront,
        Method::PopKey,
        Method::Keys,
        Method::Holds,
        Method::Held,
    ];

    fn text(self) -> &'static str {
        match self {
            Method::Swap => "__cotangent_swap",
            Method::Replace => "__cotangent_replace",
            Method::Take => "__cotangent_take",
            Method::Pop => "__cotangent_pop",
            Method::PopBack => "__cotangent_pop_back",
            Method::PopFront => "__cotangent_pop_front",
            Method::PopKey => "__cotangent_pop_key",
            Method::Keys => "__cotangent_keys",
            Method::Holds => "__cotangent_holds",
            Method::Held => "__cotangent_held",
        }
    }

    /// The method's name.
    pub fn ident(self, span: Span) -> Ident {
        Ident::new(self.text(), span)
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.text() == name)
    }
}
