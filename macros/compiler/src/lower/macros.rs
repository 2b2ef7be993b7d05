//! Macros of the standard library: output, assertions, panics, `vec!`.
//!
//! Their arguments are lowered like any expression; names captured in a format string become named
//! arguments, since variables are renamed.

use super::{Lower, hygiene};
use crate::diag;
use crate::ir::{MacroArgument, MacroCall, Op, Passing, Type, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;

type Exprs = Punctuated<syn::Expr, syn::Token![,]>;

/// How many leading arguments stand before the format string.
fn leading(name: &str) -> Option<usize> {
    match name {
        "println" | "print" | "eprintln" | "eprint" | "format" | "panic" | "unreachable"
        | "todo" | "unimplemented" => Some(0),
        "assert" | "debug_assert" => Some(1),
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => Some(2),
        _ => None,
    }
}

/// What the arguments of a macro that is known here compute. Of `name = value`, that is the value.
pub(super) fn arguments(call: &syn::Macro) -> Vec<syn::Expr> {
    let name = call.path.segments.last().map(|segment| segment.ident.to_string());
    match name.as_deref() {
        Some("vec") => {
            let (items, len) = listed.parse2(call.tokens.clone()).unwrap_or_default();
            return items.into_iter().chain(len).collect();
        }
        Some("matches") => {
            let parts = matching.parse2(call.tokens.clone()).ok();
            let computed = parts.map(|(value, _, guard)| std::iter::once(value).chain(guard));
            return computed.into_iter().flatten().collect();
        }
        _ => {}
    }
    let leading = name.as_deref().and_then(leading);
    let parser = Exprs::parse_terminated;
    let exprs = leading.and_then(|_| parser.parse2(call.tokens.clone()).ok());
    let computed = |(index, expr): (usize, syn::Expr)| match expr {
        syn::Expr::Assign(assign) if Some(index) > leading => *assign.right,
        expr => expr,
    };
    exprs.into_iter().flatten().enumerate().map(computed).collect()
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

/// The tokens of a `vec!` with other items.
pub(super) fn with_items(
    call: &syn::Macro,
    mut change: impl FnMut(&mut syn::Expr),
) -> Option<TokenStream> {
    if !call.path.is_ident("vec") {
        return None;
    }
    let (mut items, mut len) = listed.parse2(call.tokens.clone()).ok()?;
    items.iter_mut().chain(&mut len).for_each(&mut change);
    Some(match len {
        Some(len) => quote!(#(#items)*; #len),
        None => quote!(#(#items),*),
    })
}

impl Lower<'_> {
    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> Value {
        let name =
            call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if name == "vec" {
            return self.vec_macro(call);
        }
        if name == "matches" {
            return self.matches_macro(call);
        }
        let Some(leading) = leading(&name) else {
            let span = self.span(&call.path);
            return self.report(span, &diag::UNSUPPORTED_MACRO, &name);
        };
        if name.starts_with("debug_") {
            return self.debug_only(call, leading);
        }
        if name == "format" {
            return self.text(call);
        }
        self.asserting(call, leading);
        if matches!(name.as_str(), "panic" | "unreachable" | "todo" | "unimplemented") {
            (self.diverged, self.panicked) = (true, true);
            // What it would be an operand of is still lowered.
            return self.undefined(Type::Never);
        }
        self.unit()
    }

    /// The text that `format!` makes.
    fn text(&mut self, call: &syn::Macro) -> Value {
        let Some(exprs) = self.parsed(call) else { return self.undefined(Type::Constant) };
        let span = self.span(&call.path);
        let text = self.builder.fresh(Type::Constant, "text", span, false);
        self.known_macro(call, &exprs, 0, vec![text]);
        text
    }

    /// Arguments of a debug assertion are evaluated in debug builds only.
    fn debug_only(&mut self, call: &syn::Macro, leading: usize) -> Value {
        let span = self.span(&call.path);
        let condition = self.inst(Op::DebugAssertions, Vec::new(), Type::Bool, "debug", span);
        self.if_else(
            condition,
            &mut |lower| {
                lower.asserting(call, leading);
                Some(lower.unit())
            },
            &mut |lower| Some(lower.unit()),
            span,
        );
        self.unit()
    }

    /// The message of an assertion is evaluated only where the assertion fails: the macro stands there
    /// alone, and what it asserts is asked before.
    fn asserting(&mut self, call: &syn::Macro, leading: usize) {
        let Some(exprs) = self.parsed(call) else { return };
        let holds = match (leading, exprs.len()) {
            (1, 2..) => exprs[0].clone(),
            (2, 3..) => {
                let (left, right) = (&exprs[0], &exprs[1]);
                let is_ne = call
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident.to_string().ends_with("ne"));
                if is_ne {
                    syn::parse_quote!((#left) != (#right))
                } else {
                    syn::parse_quote!((#left) == (#right))
                }
            }
            _ => return self.known_macro(call, &exprs, leading, Vec::new()),
        };
        let span = self.span(&call.path);
        let condition = self.expr(&holds);
        self.if_else(
            condition,
            &mut |lower| Some(lower.unit()),
            &mut |lower| {
                lower.known_macro(call, &exprs, leading, Vec::new());
                Some(lower.unit())
            },
            span,
        );
    }

    /// The arguments of a macro, without exits.
    fn parsed(&mut self, call: &syn::Macro) -> Option<Exprs> {
        match Exprs::parse_terminated.parse2(call.tokens.clone()) {
            Ok(exprs) => {
                self.check_exits(&exprs);
                Some(exprs)
            }
            Err(error) => {
                self.reports.push(error.span(), error.to_string());
                None
            }
        }
    }

    /// The look ahead for exits does not see into macros.
    fn check_exits<'e>(&mut self, exprs: impl IntoIterator<Item = &'e syn::Expr>) {
        for expr in exprs {
            if super::scan::exits(expr).any {
                self.report(diag::Extent::of(expr), &diag::EXIT_IN_MACRO, "");
            }
        }
    }

    fn known_macro(
        &mut self,
        call: &syn::Macro,
        exprs: &Exprs,
        leading: usize,
        results: Vec<Value>,
    ) {
        let span = self.span(&call.path);
        let (mut arguments, mut values) = (Vec::new(), Vec::new());
        for (index, expr) in exprs.iter().enumerate() {
            match expr {
                syn::Expr::Lit(literal) if index == leading => {
                    self.format(&literal.lit, exprs, &mut arguments, &mut values)
                }
                syn::Expr::Assign(assign) if index > leading => {
                    let key = super::scan::root(&assign.left);
                    let name = key.map(|key| hygiene::identifier(hygiene::name(&key), span));
                    self.macro_operand(&assign.right, name, &mut arguments, &mut values);
                }
                _ => self.macro_operand(expr, None, &mut arguments, &mut values),
            }
        }
        if leading == 1 && exprs.len() == 1 {
            let condition = &exprs[0];
            arguments.push(MacroArgument::Tokens(quote!("assertion failed: {}")));
            arguments.push(MacroArgument::Tokens(quote!(::core::stringify!(#condition))));
        }
        order_named(&mut arguments, &mut values);
        // A single one, such as the condition of `assert!`, is compared with nothing.
        let compared = if leading > 1 { leading } else { 0 };
        let call = MacroCall { path: call.path.clone(), compared, arguments };
        self.builder.push(Op::Macro(Box::new(call)), values, results, span);
    }

    fn macro_operand(
        &mut self,
        expr: &syn::Expr,
        name: Option<Ident>,
        arguments: &mut Vec<MacroArgument>,
        values: &mut Vec<Value>,
    ) {
        let (passing, operands) = match self.place(expr) {
            Some(place) if self.slot_of(place.var).is_some() => {
                (Passing::Shared(place.path.clone()), self.operands(&place))
            }
            Some(place) if !place.path.is_empty() => {
                let span = self.span(expr);
                (Passing::Value, vec![self.read(&place, span)])
            }
            _ => {
                let operand = self.operand(expr);
                (operand.passing, operand.args)
            }
        };
        arguments.push(MacroArgument::Operand(name, passing));
        values.extend(operands);
    }

    /// A format string, and the names that it captures as named arguments.
    fn format(
        &mut self,
        literal: &syn::Lit,
        exprs: &Exprs,
        arguments: &mut Vec<MacroArgument>,
        values: &mut Vec<Value>,
    ) {
        let syn::Lit::Str(text) = literal else {
            self.reports.give_up();
            return;
        };
        arguments.push(MacroArgument::Tokens(quote!(#text)));
        let given: Vec<String> = exprs
            .iter()
            .filter_map(|expr| match expr {
                syn::Expr::Assign(assign) => super::scan::root(&assign.left),
                _ => None,
            })
            .map(|key| hygiene::name(&key).to_owned())
            .collect();
        let mut captured = captures(&text.value());
        let is_local = |name: &str| self.lookup(&hygiene::key_at(name, text.span())).is_some();
        captured.retain(|name| !given.contains(name) && is_local(name));
        for name in captured {
            let ident = hygiene::identifier(&name, text.span());
            let path: syn::Expr = syn::parse_quote!(#ident);
            self.macro_operand(&path, Some(ident), arguments, values);
        }
    }

    /// `matches!(value, pattern)`: a pattern without names, tested as it stands.
    fn matches_macro(&mut self, call: &syn::Macro) -> Value {
        let span = self.span(&call.path);
        let (value, pattern, guard) = match matching.parse2(call.tokens.clone()) {
            Ok(parts) => parts,
            Err(error) => {
                self.reports.push(error.span(), error.to_string());
                return self.undefined(Type::Bool);
            }
        };
        self.check_exits([&value].into_iter().chain(&guard));
        if super::desugar::binds(&pattern) {
            return self.report(diag::Extent::of(&pattern), &diag::PATTERN, "");
        }
        let (path, args) = match self.place(&value) {
            Some(place) if self.slot_of(place.var).is_some() => {
                (place.path.clone(), self.operands(&place))
            }
            Some(place) if !place.path.is_empty() => {
                (Vec::new(), vec![self.read(&place, self.span(&value))])
            }
            _ => (Vec::new(), vec![self.expr(&value)]),
        };
        let fits = self.inst(Op::Matches(Box::new(pattern), path), args, Type::Bool, "fits", span);
        let Some(guard) = guard else { return fits };
        let mut guard = |lower: &mut Self| Some(lower.expr(&guard));
        let fits = self.if_else(fits, &mut guard, &mut |lower| Some(lower.boolean(false)), span);
        self.value_or_never(fits)
    }

    fn vec_macro(&mut self, call: &syn::Macro) -> Value {
        let span = self.span(&call.path);
        match listed.parse2(call.tokens.clone()) {
            Ok((items, len)) => {
                self.check_exits(items.iter().chain(&len));
                self.vector_of(&items, len.as_ref(), span)
            }
            Err(error) => {
                self.reports.push(error.span(), error.to_string());
                self.undefined(Type::Unknown)
            }
        }
    }

    fn vector_of(&mut self, items: &[syn::Expr], len: Option<&syn::Expr>, span: Span) -> Value {
        let mut values: Vec<Value> = items.iter().map(|item| self.owned(item)).collect();
        let ty = Type::Vec(Box::new(self.item_type(&values)));
        match len {
            Some(len) => {
                values.push(self.expr(len));
                self.inst(Op::VecRepeat, values, ty, "vector", span)
            }
            None => self.inst(Op::VecList, values, ty, "vector", span),
        }
    }
}

/// Named arguments stand behind positional ones.
fn order_named(arguments: &mut Vec<MacroArgument>, values: &mut Vec<Value>) {
    let mut entries = Vec::new();
    let mut rest = values.drain(..);
    for argument in arguments.drain(..) {
        let width = match &argument {
            MacroArgument::Operand(_, passing) => passing.width(),
            MacroArgument::Tokens(_) => 0,
        };
        let operands: Vec<Value> = rest.by_ref().take(width).collect();
        entries.push((argument, operands));
    }
    drop(rest);
    entries.sort_by_key(|(argument, _)| matches!(argument, MacroArgument::Operand(Some(_), _)));
    for (argument, operands) in entries {
        arguments.push(argument);
        values.extend(operands);
    }
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
            let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            // A keyword stands for the raw identifier of this name.
            let is_keyword = is_name && syn::parse_str::<Ident>(name).is_err();
            let name = if is_keyword { format!("r#{name}") } else { name.to_owned() };
            if is_name && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}
