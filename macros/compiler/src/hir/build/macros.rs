//! Macros of the standard library: `vec!`, `matches!`, and what prints, asserts or panics.

use super::Build;
use crate::diag;
use crate::hir::{Argument, Condition, Effect, ExprId, ExprKind, Macro};
use crate::syntax::hygiene;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

type Exprs = Punctuated<syn::Expr, syn::Token![,]>;

/// What is known of a macro that does something with text.
struct Form {
    /// How many arguments stand in front of the text.
    asserted: usize,
    is_debug: bool,
    diverges: bool,
    makes_text: bool,
    /// Whether what is compared must differ.
    differs: bool,
}

fn form(name: &str) -> Option<Form> {
    let none =
        Form { asserted: 0, is_debug: false, diverges: false, makes_text: false, differs: false };
    Some(match name {
        "format" => Form { makes_text: true, ..none },
        "println" | "print" | "eprintln" | "eprint" => none,
        "panic" | "unreachable" | "todo" | "unimplemented" => Form { diverges: true, ..none },
        "assert" => Form { asserted: 1, ..none },
        "assert_eq" => Form { asserted: 2, ..none },
        "assert_ne" => Form { asserted: 2, differs: true, ..none },
        "debug_assert" => Form { asserted: 1, is_debug: true, ..none },
        "debug_assert_eq" => Form { asserted: 2, is_debug: true, ..none },
        "debug_assert_ne" => Form { asserted: 2, is_debug: true, differs: true, ..none },
        _ => return None,
    })
}

impl Build<'_> {
    /// Reads a call of a macro.
    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> ExprKind {
        let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if name == "array"
            && let Some(array) = self.array(call)
        {
            return array;
        }
        if !self.body.macros.contains(&call.path) {
            self.body.macros.push(call.path.clone());
        }
        match name.as_str() {
            "vec" => self.vector(call),
            "matches" => self.matches(call),
            name => match form(name) {
                Some(form) => self.effect(call, &form),
                None => {
                    self.report(&call.path, &diag::UNSUPPORTED_MACRO, name);
                    ExprKind::Unsupported
                }
            },
        }
    }

    fn vector(&mut self, call: &syn::Macro) -> ExprKind {
        match listed.parse2(call.tokens.clone()) {
            Ok((items, None)) => {
                let items = items.iter().map(|item| self.expr(item)).collect();
                ExprKind::Macro(Box::new(Macro::Vector(items)))
            }
            Ok((items, Some(len))) => {
                let (item, len) = (self.expr(&items[0]), self.expr(&len));
                ExprKind::Macro(Box::new(Macro::Filled(item, len)))
            }
            Err(error) => self.syntax_error(&error),
        }
    }

    fn matches(&mut self, call: &syn::Macro) -> ExprKind {
        match matching.parse2(call.tokens.clone()) {
            Ok((value, pattern, guard)) => {
                let value = self.expr(&value);
                self.scopes.open();
                let pattern = self.refutable(&pattern);
                let guard = guard.map(|guard| self.expr(&guard));
                self.scopes.close();
                self.check_exits(guard);
                ExprKind::Macro(Box::new(Macro::Matches(value, pattern, guard)))
            }
            Err(error) => self.syntax_error(&error),
        }
    }

    fn effect(&mut self, call: &syn::Macro, form: &Form) -> ExprKind {
        let exprs = match Exprs::parse_terminated.parse2(call.tokens.clone()) {
            Ok(exprs) => exprs,
            Err(error) => return self.syntax_error(&error),
        };
        let mut exprs: Vec<syn::Expr> = exprs.into_iter().collect();
        if exprs.len() < form.asserted {
            return self.give_up();
        }
        let rest = exprs.split_off(form.asserted);
        let asserted: Vec<ExprId> = exprs.iter().map(|expr| self.expr(expr)).collect();
        let condition = match asserted[..] {
            [] => Condition::None,
            [holds] => Condition::Holds(holds, exprs[0].to_token_stream()),
            [left, right, ..] => {
                let span = call.path.span();
                let operator = match form.differs {
                    true => syn::BinOp::Ne(syn::Token![!=](span)),
                    false => syn::BinOp::Eq(syn::Token![==](span)),
                };
                Condition::Compares { left, right, operator }
            }
        };
        let arguments = self.arguments(&rest);
        let effect = Macro::Effect(Effect {
            path: call.path.clone(),
            is_debug: form.is_debug,
            diverges: form.diverges,
            makes_text: form.makes_text,
            condition,
            arguments,
        });
        self.check_exits(effect.operands());
        ExprKind::Macro(Box::new(effect))
    }

    /// What stands behind the condition: a format string, operands, and operands with names.
    fn arguments(&mut self, exprs: &[syn::Expr]) -> Vec<Argument> {
        let Some((text, operands)) = exprs.split_first() else { return Vec::new() };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = text else {
            return exprs.iter().map(|expr| Argument::Operand(None, self.expr(expr))).collect();
        };
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for operand in operands {
            match operand {
                syn::Expr::Assign(assign) => {
                    let Some(name) = name_of(&assign.left) else { continue };
                    named.push((name, self.expr(&assign.right)));
                }
                operand => positional.push(Argument::Operand(None, self.expr(operand))),
            }
        }
        for name in captures(&text.value()) {
            let ident = hygiene::identifier(&name, text.span());
            let is_given = named.iter().any(|(given, _)| *given == ident);
            if !is_given && let Some(local) = self.scopes.resolve_text(&name, text.span()) {
                let operand = self.made(ExprKind::Local(local), text.span());
                named.push((ident, operand));
            }
        }
        let named = named.into_iter().map(|(name, expr)| Argument::Operand(Some(name), expr));
        std::iter::once(Argument::Text(text.clone())).chain(positional).chain(named).collect()
    }
}

fn name_of(expr: &syn::Expr) -> Option<Ident> {
    match expr {
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// The items of a `vec!`, and how often the one of `vec![x; n]` is there.
fn listed(input: ParseStream) -> syn::Result<(Vec<syn::Expr>, Option<syn::Expr>)> {
    if input.is_empty() {
        return Ok((Vec::new(), None));
    }
    let first: syn::Expr = input.parse()?;
    if input.parse::<Option<syn::Token![;]>>()?.is_some() {
        return Ok((vec![first], Some(input.parse()?)));
    }
    let mut items = vec![first];
    if input.parse::<Option<syn::Token![,]>>()?.is_some() {
        items.extend(Exprs::parse_terminated(input)?);
    }
    Ok((items, None))
}

/// The value, the pattern and the guard of a `matches!`.
fn matching(input: ParseStream) -> syn::Result<(syn::Expr, syn::Pat, Option<syn::Expr>)> {
    let value = input.parse()?;
    input.parse::<syn::Token![,]>()?;
    let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = input.parse::<Option<syn::Token![if]>>()?.map(|_| input.parse()).transpose()?;
    input.parse::<Option<syn::Token![,]>>()?;
    Ok((value, pattern, guard))
}

/// The names in a format string: `{name}`, `{name:?}`, `{:width$}`.
fn captures(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for piece in text.replace("{{", "").split('{').skip(1) {
        let inside = piece.split('}').next().unwrap_or_default();
        let (argument, spec) = inside.split_once(':').unwrap_or((inside, ""));
        let widths = spec.split('$').rev().skip(1).map(|part| {
            part.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
        });
        for name in std::iter::once(argument.trim()).chain(widths) {
            // A keyword stands for the raw identifier of this name.
            let raw = format!("r#{name}");
            let name = match syn::parse_str::<Ident>(name) {
                Ok(_) => name.to_owned(),
                Err(_) if syn::parse_str::<Ident>(&raw).is_ok() => raw,
                Err(_) => continue,
            };
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}
