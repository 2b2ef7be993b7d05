//! `#[differentiate]` on an operator of a type of the user's: `impl Add<B> for A`.
//!
//! In: the `impl`. Out: beside it the impl of the row's trait, by which derivative code of whoever writes `a + b` finds what
//! goes back to either operand. It calls the derivatives of a function of the operator's body.
//!
//! Invariants: the user's `impl` stays as it is, so that values are what they were. Operands are values of types that are
//! copied. What goes back from a sum reads neither operand, since they are not kept for it: `analysis/sums.rs` sees to
//! that.

use crate::binding::{self, local_at};
use crate::diag;
use crate::diag::Reports;
use crate::rows::{Operand, Passing, Row};
use crate::syntax::attr::Arguments;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ImplItem, Type, parse_quote};

/// The traits of operators, and their methods, which are called as the rows of the table are.
const OPERATORS: [(&str, &str); 5] =
    [("Add", "add"), ("Sub", "sub"), ("Mul", "mul"), ("Div", "div"), ("Neg", "neg")];

/// Those of which derivative code keeps no operands where it does not see their types.
const SUMS: [&str; 2] = ["add", "sub"];

/// An operator, and its parts.
struct Operator<'a> {
    block: &'a syn::ItemImpl,
    method: &'a syn::ImplItemFn,
    output: &'a Type,
    /// Types of the operands, behind the references where there are any.
    operands: Vec<Type>,
}

/// The `impl` with what is beside it, if it is that of an operator.
pub fn differentiate(
    block: &syn::ItemImpl,
    arguments: &Arguments,
    reports: &mut Reports,
) -> Option<TokenStream> {
    if let Some((name, plain)) = assigning(block) {
        reports.report(name.span(), &diag::ASSIGNING_OPERATOR, &plain);
        let (block, errors) = (crate::syntax::plain(block.to_token_stream()), reports.to_tokens());
        return Some(quote!(#block #errors));
    }
    let operator = Operator::read(block)?;
    if Form::of(block).is_some_and(|form| form.is_call()) {
        reports.report(operator.method.sig.ident.span(), &diag::FORWARDED_OPERATOR, "");
    }
    if arguments.orders() > 1 {
        reports.report(operator.method.sig.ident.span(), &diag::OPERATOR_ORDERS, "");
    }
    let mut derivatives = || {
        let function = operator.function().filter(|_| reports.is_empty())?;
        let is_sum = SUMS.iter().any(|name| function.sig.ident == name);
        let arguments = arguments.of_operator(is_sum);
        let compiled = crate::compiled(&function, &arguments, None, std::mem::take(reports));
        *reports = compiled.reports;
        let companion = compiled.tokens;
        let (row, function) = (operator.row(), crate::syntax::plain(function.to_token_stream()));
        Some(quote!(#[allow(dead_code, clippy::all)] #function #companion #row))
    };
    let derivatives = binding::surrounded(|| derivatives().unwrap_or_default());
    let (block, errors) = (crate::syntax::plain(block.to_token_stream()), reports.to_tokens());
    Some(quote!(#block #errors #derivatives))
}

/// The form of an operator: its trait, the types of its operands behind references, and its body as it reads without
/// references.
#[derive(Clone, PartialEq, Eq)]
pub struct Form {
    row: &'static str,
    operands: Vec<String>,
    /// Whether an operand is a reference.
    is_lent: bool,
    body: String,
}

impl Form {
    /// Returns the form of an `impl`, if it is one of an operator.
    pub fn of(block: &syn::ItemImpl) -> Option<Self> {
        let operator = Operator::read(block)?;
        let row = row_of(&trait_name(block)?.to_string())?;
        let operands = operator.operands.iter().map(|ty| ty.to_token_stream().to_string());
        let other = operator.method.sig.inputs.iter().nth(1).and_then(|input| match input {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        let name = other.and_then(|other| match &*other.pat {
            syn::Pat::Ident(name) => Some(&name.ident),
            _ => None,
        });
        let types = other.map(|other| &*other.ty).into_iter().chain([&*block.self_ty]);
        let is_lent = types.into_iter().any(|ty| matches!(ty, Type::Reference(_)));
        let body = without_references(operator.method.block.to_token_stream(), name);
        let body = body.to_string();
        Some(Form { row, operands: operands.collect(), is_lent, body })
    }

    /// Whether another `impl` of the same operator for the same types, one of values and one of references, computes the same.
    pub fn repeats(&self, other: &Form) -> bool {
        let is_same = self.row == other.row && self.operands == other.operands;
        is_same && self.body == other.body
    }

    /// Whether an operator on references is the one on what these lead to, which has the derivatives. One on values that is
    /// written so calls a method of the type.
    pub fn is_call(&self) -> bool {
        let symbol = match self.row {
            "add" => "+",
            "sub" | "neg" => "-",
            "mul" => "*",
            _ => "/",
        };
        let calls = [
            format!("{{self{symbol}other}}"),
            format!("{{{symbol}self}}"),
            format!("{{self.{}(other)}}", self.row),
            format!("{{self.{}()}}", self.row),
        ];
        // Rustc decides where the text of tokens has spaces.
        self.is_lent && calls.contains(&self.body.split_whitespace().collect())
    }
}

/// Returns a body without `&` and `*` in front of the operands, and with one name for the second.
fn without_references(tokens: TokenStream, other: Option<&Ident>) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inner = without_references(group.stream(), other);
                let mut items = inner.clone().into_iter();
                match (group.delimiter(), items.next(), items.next()) {
                    (proc_macro2::Delimiter::Parenthesis, Some(item), None)
                        if !matches!(out.last(), Some(TokenTree::Ident(_))) =>
                    {
                        drop_references(&mut out);
                        out.push(item);
                    }
                    _ => out.push(Group::new(group.delimiter(), inner).into()),
                }
            }
            TokenTree::Ident(ident) if ident == "self" || Some(&ident) == other => {
                drop_references(&mut out);
                let name = if ident == "self" { "self" } else { "other" };
                out.push(Ident::new(name, Span::call_site()).into());
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// Takes the `&` and `*` at the end away that have an operator, or nothing, in front of them.
fn drop_references(out: &mut Vec<TokenTree>) {
    let is_prefix = |out: &[TokenTree]| match out {
        [.., before, TokenTree::Punct(last)] => {
            "&*".contains(last.as_char()) && matches!(before, TokenTree::Punct(_))
        }
        [TokenTree::Punct(last)] => "&*".contains(last.as_char()),
        _ => false,
    };
    while is_prefix(out) {
        out.pop();
    }
}

/// The trait's name, and what is to be differentiated in its place.
fn assigning(block: &syn::ItemImpl) -> Option<(&Ident, String)> {
    let name = trait_name(block)?;
    let plain = name.to_string().strip_suffix("Assign")?.to_owned();
    row_of(&plain).map(|_| (name, plain))
}

fn trait_name(block: &syn::ItemImpl) -> Option<&Ident> {
    let (path, _) = block.trait_.as_ref()?;
    path.segments.last().map(|last| &last.ident)
}

fn row_of(operator: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|(name, _)| *name == operator).map(|(_, row)| *row)
}

impl<'a> Operator<'a> {
    fn read(block: &'a syn::ItemImpl) -> Option<Self> {
        let row = row_of(&trait_name(block)?.to_string())?;
        let is_itself = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("Self"));
        if is_itself(&block.self_ty) {
            return None;
        }
        let method = block.items.iter().find_map(|item| match item {
            ImplItem::Fn(method) if method.sig.ident == row => Some(method),
            _ => None,
        })?;
        let output = block.items.iter().find_map(|item| match item {
            ImplItem::Type(item) if item.ident == "Output" => Some(&item.ty),
            _ => None,
        })?;
        let mut operator = Operator { block, method, output, operands: Vec::new() };
        operator.operands.push(behind_reference(&block.self_ty).clone());
        if let Some(FnArg::Typed(other)) = method.sig.inputs.get(1) {
            let ty = syn::parse2(operator.outside(other.ty.to_token_stream())).ok()?;
            operator.operands.push(behind_reference(&ty).clone());
        }
        Some(operator)
    }

    /// The operator as a function of values: where the user's takes a reference, there is one to the value.
    fn function(&self) -> Option<syn::ItemFn> {
        let mut function = crate::block::of_method(self.method);
        function.sig.generics = self.block.generics.clone();
        if let Some(first @ FnArg::Receiver(_)) = function.sig.inputs.first_mut() {
            let FnArg::Receiver(receiver) = &*first else { return None };
            let (mutability, ty) = (&receiver.mutability, &self.block.self_ty);
            let name = receiver_at(receiver.self_token.span);
            *first = parse_quote!(#mutability #name: #ty);
        }
        let mut function: syn::ItemFn =
            syn::parse2(self.outside(function.to_token_stream())).ok()?;
        let lent: Vec<syn::Stmt> = function.sig.inputs.iter_mut().filter_map(lend).collect();
        function.block.stmts.splice(0..0, lent);
        Some(function)
    }

    /// Tokens of the `impl` as they are written outside of it.
    fn outside(&self, tokens: TokenStream) -> TokenStream {
        Outside { ty: &self.block.self_ty, output: Some(self.output) }.tokens(tokens)
    }

    /// The impl of the row's trait. Operands must be copied, which bounds say at the user's types.
    fn row(&self) -> TokenStream {
        let mut generics = self.block.generics.clone();
        for ty in &self.operands {
            let span = ty.span();
            let bound = quote_spanned!(span=> #ty: ::cotangent::__private::CopiedOperand<'static>);
            generics.make_where_clause().predicates.push(parse_quote!(#bound));
        }
        let name = &self.method.sig.ident;
        let operands = self.operands.iter().cloned();
        let operands = operands.map(|ty| Operand { ty, passing: Passing::Value }).collect();
        let row = Row {
            name,
            generics,
            operands,
            output: self.outside(self.output.to_token_stream()),
            derivatives: [quote!(#name::__vjp), quote!(#name::__jvp)],
        };
        row.to_tokens(None)
    }
}

/// An `impl` whose tokens are written outside of it.
pub struct Outside<'a> {
    pub ty: &'a Type,
    /// The type that `Self::Output` means.
    pub output: Option<&'a Type>,
}

impl Outside<'_> {
    pub fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut at, mut out) = (0, TokenStream::new());
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(ident) if ident == "self" => {
                    receiver_at(ident.span()).to_tokens(&mut out);
                }
                TokenTree::Ident(ident) if ident == "Self" => {
                    let output = self.output.filter(|_| is_output(&tokens[at..]));
                    at += if output.is_some() { 3 } else { 0 };
                    out.extend(self.name(output.unwrap_or(self.ty), ident.span()));
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    inner.to_tokens(&mut out);
                }
                token => token.to_tokens(&mut out),
            }
        }
        out
    }

    /// A type as a path that may stand in expressions, too.
    fn name(&self, ty: &Type, span: Span) -> TokenStream {
        let Type::Path(path) = ty else { return ty.to_token_stream() };
        if path.path.is_ident("Self") {
            return self.name(self.ty, span);
        }
        let mut path = path.clone();
        for segment in &mut path.path.segments {
            if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                arguments.colon2_token = Some(Default::default());
            }
        }
        let tokens = path.to_token_stream().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        tokens.collect()
    }
}

/// What `self` is called in the function.
fn receiver_at(span: Span) -> Ident {
    local_at("receiver", span)
}

/// A type, or what a reference leads to.
fn behind_reference(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => &reference.elem,
        ty => ty,
    }
}

/// Makes a parameter that is a reference one by value, and the statement that borrows it.
fn lend(param: &mut FnArg) -> Option<syn::Stmt> {
    let FnArg::Typed(param) = param else { return None };
    let syn::Pat::Ident(name) = &*param.pat else { return None };
    let name = name.ident.clone();
    let Type::Reference(reference) = &*param.ty else { return None };
    *param.ty = (*reference.elem).clone();
    Some(parse_quote!(let #name = &#name;))
}

/// Whether `::Output` stands here.
fn is_output(tokens: &[TokenTree]) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    matches!(tokens, [first, second, TokenTree::Ident(name), ..] if is_colon(first) && is_colon(second) && name == "Output")
}
