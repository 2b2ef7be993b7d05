//! Expressions: the tokens of one instruction's value, with as few parentheses as the grammar needs.

use crate::ir::{Path, Projection, Slot, Value};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Binding {
    /// `if`, closures: always in parentheses inside another expression.
    Statement,
    Or,
    And,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    Postfix,
}

/// A part of a place that an expression reads, or moves out of it.
#[derive(Clone)]
pub struct Touch {
    pub slot: Slot,
    pub path: Path,
    pub takes: bool,
}

impl Touch {
    /// Whether two parts have something in common: different fields have nothing.
    pub fn overlaps(&self, other: &Touch) -> bool {
        let differ = |(a, b): (&Projection, &Projection)| match (a, b) {
            (Projection::Field(a), Projection::Field(b)) => a != b,
            _ => false,
        };
        self.slot == other.slot && !self.path.iter().zip(&other.path).any(differ)
    }
}

/// Tokens with what is needed to place them.
#[derive(Clone)]
pub struct Expression {
    pub tokens: TokenStream,
    pub binding: Binding,
    /// The variables that are read.
    pub leaves: Vec<Value>,
    /// The parts of places that are read or taken.
    pub touched: Vec<Touch>,
    /// Must not move over writes and effects: it reads a place or may panic.
    pub is_ordered: bool,
    /// `a op b`: the text of `a`, and `op= b`, which may be written if this is assigned to `a`.
    pub compound: Option<(String, TokenStream)>,
    /// `!a` or `-a`: what stands behind the operator.
    pub opposite: Option<TokenStream>,
}

impl Expression {
    pub fn new(tokens: TokenStream, binding: Binding) -> Self {
        Expression {
            tokens,
            binding,
            leaves: Vec::new(),
            touched: Vec::new(),
            is_ordered: false,
            compound: None,
            opposite: None,
        }
    }

    /// In a position that needs at least this binding.
    pub fn at(&self, least: Binding) -> TokenStream {
        let tokens = &self.tokens;
        if self.binding < least { quote!((#tokens)) } else { tokens.clone() }
    }

    /// `place = a op b`, or `a op= b` where `a` is the place.
    pub fn assigned_to(&self, place: &TokenStream, span: Span) -> TokenStream {
        let tokens = &self.tokens;
        match &self.compound {
            Some((left, rest)) if *left == place.to_string() => {
                quote_spanned!(span=> #place #rest;)
            }
            _ => quote_spanned!(span=> #place = #tokens;),
        }
    }

    /// Assigns by a call: the type of the place may differ from the value's.
    pub fn assigned_by(&self, place: &TokenStream, span: Span) -> TokenStream {
        let tokens = &self.tokens;
        quote_spanned!(span=> ::cotangent::__private::assign(#tokens, &mut #place);)
    }

    /// On the right of a left-associative operator.
    pub fn right_of(&self, operator: Binding) -> TokenStream {
        let tokens = &self.tokens;
        if self.binding <= operator { quote!((#tokens)) } else { tokens.clone() }
    }
}

/// How an operator binds.
pub fn operator(op: &syn::BinOp) -> Binding {
    use syn::BinOp;
    match op {
        BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => Binding::Product,
        BinOp::Add(_) | BinOp::Sub(_) => Binding::Sum,
        BinOp::Shl(_) | BinOp::Shr(_) => Binding::Shift,
        BinOp::BitAnd(_) => Binding::BitAnd,
        BinOp::BitXor(_) => Binding::BitXor,
        BinOp::BitOr(_) => Binding::BitOr,
        BinOp::And(_) => Binding::And,
        BinOp::Or(_) => Binding::Or,
        _ => Binding::Comparison,
    }
}
