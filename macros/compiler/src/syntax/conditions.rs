//! Conditional compilation inside of a body: `#[cfg(feature = "std")] { .. }`, `cfg!(debug_assertions)`.
//!
//! **In**: a function. **Out**: one function for each set of conditions that may hold, without conditions, and the predicate
//! under which rustc keeps it. A macro does not see which conditions hold, so each variant has derivatives of its own and
//! rustc chooses among them, as it chooses among the parts of the body.
//!
//! **Invariants**: exactly one predicate holds. Items in the body keep their conditions, since they are emitted as they stand.

use crate::syntax::walk::{Node, Tree};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Meta, Stmt, Token};

/// The number of conditions from which on a body is refused: each doubles the code.
const TOO_MANY: usize = 4;

/// A function as it is where a predicate holds.
pub struct Variant {
    pub predicate: TokenStream,
    pub function: syn::ItemFn,
}

/// Returns the variants of a function, if its body has conditions, and few enough.
pub fn variants(function: &syn::ItemFn) -> Option<Vec<Variant>> {
    let mut found = Conditions::default();
    function.block.walk(&mut |node| {
        match node {
            Node::Attribute(attribute) => {
                predicate(attribute).iter().for_each(|predicate| found.add(predicate));
            }
            Node::Macro(call) => asked(call).iter().for_each(|predicate| found.add(predicate)),
            _ => {}
        }
        !matches!(node, Node::Attribute(_) | Node::Macro(_) | Node::Item)
    });
    let conditions = found.0;
    if conditions.is_empty() || conditions.len() >= TOO_MANY {
        return None;
    }
    let each = (0..1_usize << conditions.len()).map(|set| {
        let holds = conditions.iter().enumerate().map(|(bit, condition)| {
            (condition.to_string(), set >> bit & 1 == 1, condition.clone())
        });
        let holds: Vec<_> = holds.collect();
        let parts = holds.iter().map(|(_, holds, condition)| match holds {
            true => condition.clone(),
            false => quote!(not(#condition)),
        });
        let predicate = quote!(all(#(#parts),*));
        let mut function = function.clone();
        Choice { holds: holds.into_iter().map(|(text, holds, _)| (text, holds)).collect() }
            .visit_block_mut(&mut function.block);
        Variant { predicate, function }
    });
    Some(each.collect())
}

/// Returns a function whose body has conditions as it is where none holds.
pub fn bare(function: &syn::ItemFn) -> Option<syn::ItemFn> {
    variants(function)?.into_iter().next().map(|variant| variant.function)
}

/// Puts a predicate in front of each item of some tokens, which stand in a module, or in a block of functions.
pub fn under(predicate: &TokenStream, tokens: TokenStream, is_member: bool) -> TokenStream {
    let modules = |input: syn::parse::ParseStream<'_>| {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(match is_member {
                true => input.parse::<syn::ImplItem>()?.into_token_stream(),
                false => input.parse::<syn::Item>()?.into_token_stream(),
            });
        }
        Ok(items)
    };
    let items = modules.parse2(tokens).expect("emitted code is items");
    items.into_iter().map(|item| quote!(#[cfg(#predicate)] #item)).collect()
}

/// The smallest conditions that predicates are made of, each once.
#[derive(Default)]
struct Conditions(Vec<TokenStream>);

impl Conditions {
    fn add(&mut self, predicate: &Meta) {
        match operands(predicate) {
            Some((_, operands)) => operands.iter().for_each(|operand| self.add(operand)),
            None => {
                let condition = predicate.to_token_stream();
                let is_new = self.0.iter().all(|own| own.to_string() != condition.to_string());
                self.0.extend(is_new.then_some(condition));
            }
        }
    }
}

/// The predicate of `#[cfg(..)]`.
fn predicate(attribute: &Attribute) -> Option<Meta> {
    attribute.path().is_ident("cfg").then(|| attribute.parse_args().ok())?
}

/// The predicate of `cfg!(..)`.
fn asked(call: &syn::Macro) -> Option<Meta> {
    call.path.is_ident("cfg").then(|| call.parse_body().ok())?
}

/// The operator of a predicate and what it combines.
fn operands(predicate: &Meta) -> Option<(String, Vec<Meta>)> {
    let Meta::List(list) = predicate else { return None };
    let operator = list.path.get_ident()?.to_string();
    if !["all", "any", "not"].contains(&operator.as_str()) {
        return None;
    }
    let operands = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    Some((operator, operands.into_iter().collect()))
}

/// The conditions that hold in a variant.
struct Choice {
    holds: Vec<(String, bool)>,
}

impl Choice {
    fn holds(&self, predicate: &Meta) -> bool {
        match operands(predicate) {
            Some((operator, operands)) => {
                let mut each = operands.iter().map(|operand| self.holds(operand));
                match operator.as_str() {
                    "all" => each.all(|holds| holds),
                    "any" => each.any(|holds| holds),
                    _ => !each.any(|holds| holds),
                }
            }
            None => {
                let condition = predicate.to_token_stream().to_string();
                self.holds.iter().any(|(own, holds)| *own == condition && *holds)
            }
        }
    }

    /// Takes the conditions away from attributes, and says whether all hold.
    fn keeps(&self, attributes: &mut Vec<Attribute>) -> bool {
        let mut keeps = true;
        attributes.retain(|attribute| match predicate(attribute) {
            Some(predicate) => {
                keeps &= self.holds(&predicate);
                false
            }
            None => true,
        });
        keeps
    }

    /// A statement without its conditions, if they hold. Its first tokens are its attributes, whatever it is.
    fn statement(&self, stmt: Stmt) -> Option<Stmt> {
        let tokens = stmt.to_token_stream();
        let is_item = matches!(stmt, Stmt::Item(_));
        if is_item || tokens.clone().into_iter().next().is_none_or(|first| first.to_string() != "#")
        {
            return Some(stmt);
        }
        let parts = |input: syn::parse::ParseStream<'_>| {
            Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
        };
        let (mut attributes, rest) = parts.parse2(tokens).ok()?;
        if !self.keeps(&mut attributes) {
            return None;
        }
        let block: syn::Block = syn::parse2(quote!({ #(#attributes)* #rest })).ok()?;
        block.stmts.into_iter().next()
    }
}

impl VisitMut for Choice {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let stmts = std::mem::take(&mut block.stmts);
        block.stmts = stmts.into_iter().filter_map(|stmt| self.statement(stmt)).collect();
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, choice: &mut syn::ExprMatch) {
        choice.arms.retain_mut(|arm| self.keeps(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, choice);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut syn::ExprStruct) {
        let fields = std::mem::take(&mut value.fields).into_iter();
        value.fields =
            fields.filter_map(|mut field| self.keeps(&mut field.attrs).then_some(field)).collect();
        visit_mut::visit_expr_struct_mut(self, value);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        let fields = std::mem::take(&mut pattern.fields).into_iter();
        pattern.fields =
            fields.filter_map(|mut field| self.keeps(&mut field.attrs).then_some(field)).collect();
        visit_mut::visit_pat_struct_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Macro(call) = expr
            && let Some(predicate) = asked(&call.mac)
        {
            let holds = self.holds(&predicate);
            let span = syn::spanned::Spanned::span(&call.mac.path);
            *expr = syn::parse_quote_spanned!(span=> #holds);
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
