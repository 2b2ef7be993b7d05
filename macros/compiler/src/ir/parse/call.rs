//! Calls from their text: callee, operands, and the functions that are passed.

use super::{Reader, all, any_word, eat, end, function, number, parenthesised, path, word};
use crate::ir::{
    Call, Callee, Capture, Closure, ClosureParam, Code, Given, MacroArgument, MacroCall, Passing,
};
use proc_macro2::Ident;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Result, Token, braced, bracketed, parenthesized};

impl Reader {
    pub(super) fn call(&mut self, input: ParseStream) -> Result<Call> {
        let callee = callee(input)?;
        let passing = self.passed(input)?;
        let (is_own, may_be_own) = (eat(input, "own"), eat(input, "may_own"));
        let (is_watched, runs_again) = (eat(input, "watched"), eat(input, "again"));
        let order = if eat(input, "order") { number(input)? } else { 0 };
        let mut functions: Vec<Option<Rc<Given>>> = passing.iter().map(|_| None).collect();
        if eat(input, "with") {
            let inner;
            bracketed!(inner in input);
            functions = all(&inner, given)?;
        }
        Ok(Call { callee, passing, functions, is_own, may_be_own, is_watched, runs_again, order })
    }

    pub(super) fn passed(&mut self, input: ParseStream) -> Result<Vec<Passing>> {
        let inner;
        parenthesized!(inner in input);
        all(&inner, passing)
    }
}

fn callee(input: ParseStream) -> Result<Callee> {
    if input.parse::<Option<Token![.]>>()?.is_some() {
        return Ok(Callee::Method(any_word(input)?));
    }
    if input.parse::<Option<Token![fn]>>()?.is_some() {
        return Ok(Callee::Function);
    }
    if input.parse::<Option<Token![*]>>()?.is_some() {
        input.parse::<Token![fn]>()?;
        return Ok(Callee::Pointer);
    }
    match input.parse::<Option<Token![!]>>()? {
        Some(_) => Ok(Callee::Stopped(input.parse()?)),
        None => Ok(Callee::Path(input.parse()?)),
    }
}

fn passing(input: ParseStream) -> Result<Passing> {
    if input.parse::<Option<Token![&]>>()?.is_none() {
        word(input, "value")?;
        return Ok(Passing::Value);
    }
    if input.parse::<Option<Token![mut]>>()?.is_some() {
        return Ok(Passing::Unique(path(input)?));
    }
    let make = if eat(input, "cells") { Passing::Interior } else { Passing::Shared };
    Ok(make(path(input)?))
}

fn given(input: ParseStream) -> Result<Option<Rc<Given>>> {
    if input.parse::<Option<Token![_]>>()?.is_some() {
        return Ok(None);
    }
    let is_reference = input.parse::<Option<Token![&]>>()?.is_some();
    let kind = any_word(input)?;
    let code = match kind.to_string().as_str() {
        "item" => Code::Item(input.parse()?),
        "var" => Code::Variable(number(input)?),
        "closure" => Code::Closure(Box::new(closure(input)?)),
        _ => return Err(syn::Error::new(kind.span(), "a function that is passed")),
    };
    Ok(Some(Rc::new(Given { code, is_reference })))
}

fn closure(input: ParseStream) -> Result<Closure> {
    let (captures, params, content);
    bracketed!(captures in input);
    parenthesized!(params in input);
    let (captures, params) = (all(&captures, capture)?, all(&params, param)?);
    let arrow = input.parse::<Option<Token![->]>>()?;
    let output = arrow.map(|_| parenthesised(input)).transpose()?;
    braced!(content in input);
    word(&content, "primal")?;
    let primal = function(&content)?;
    let mut closure =
        Closure { captures, params, output, primal, jvp: Vec::new(), vjp: Vec::new() };
    while eat(&content, "jvp") {
        closure.jvp.push(function(&content)?);
    }
    while eat(&content, "vjp") {
        closure.vjp.push(function(&content)?);
    }
    end(&content)?;
    Ok(closure)
}

fn capture(input: ParseStream) -> Result<Capture> {
    let name = any_word(input)?;
    Ok(Capture { name, is_active: eat(input, "active"), is_held: eat(input, "held") })
}

fn param(input: ParseStream) -> Result<ClosureParam> {
    let name = any_word(input)?;
    let colon = input.parse::<Option<Token![:]>>()?;
    let ty = colon.map(|_| parenthesised(input)).transpose()?;
    Ok(ClosureParam { name, ty, is_active: eat(input, "active") })
}

pub(super) fn macro_call(input: ParseStream) -> Result<MacroCall> {
    let path = input.parse()?;
    let compared = number(input)?;
    let inner;
    bracketed!(inner in input);
    Ok(MacroCall { path, compared, arguments: all(&inner, argument)? })
}

fn argument(input: ParseStream) -> Result<MacroArgument> {
    if input.peek(syn::token::Brace) {
        let inner;
        braced!(inner in input);
        return Ok(MacroArgument::Tokens(inner.parse()?));
    }
    let name = if input.peek(Ident::peek_any) && input.peek2(Token![=]) {
        let name = any_word(input)?;
        input.parse::<Token![=]>()?;
        Some(name)
    } else {
        None
    };
    Ok(MacroArgument::Operand(name, passing(input)?))
}
