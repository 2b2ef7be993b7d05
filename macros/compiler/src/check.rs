//! `check!(f(args..), x in domain, option = value)`: the rule tester, at a point or at points of a domain.
//!
//! In comes a call of a differentiated function, with the names that are drawn from domains, and options. Out comes a
//! call of its `__check`, for each point that is drawn.

use crate::binding;
use crate::diag::{self, Diagnostic, Extent, Reports};
use crate::emit;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Token;
use syn::parse::{Parse, ParseStream};

/// What `check!` was given.
struct Input {
    call: syn::Expr,
    items: Vec<Item>,
}

/// What may follow the call.
enum Item {
    Drawn { pattern: syn::Pat, domain: syn::Expr },
    Option { name: Ident, value: Option<syn::Expr> },
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_bare = input.peek2(Token![,]) || input.peek2(syn::parse::End);
        if input.peek(syn::Ident) && (is_bare || input.peek2(Token![=])) {
            let name = input.parse()?;
            let has_value = input.parse::<Option<Token![=]>>()?.is_some();
            let value = has_value.then(|| input.parse()).transpose()?;
            return Ok(Item::Option { name, value });
        }
        let pattern = syn::Pat::parse_single(input)?;
        input.parse::<Token![in]>()?;
        Ok(Item::Drawn { pattern, domain: input.parse()? })
    }
}

/// The call and what follows it, as far as that can be read.
fn parse(input: ParseStream<'_>, reports: &mut Reports) -> syn::Result<Input> {
    let call = input.parse()?;
    let mut items = Vec::new();
    while !input.is_empty() {
        let has_comma = input.parse::<Token![,]>().is_ok();
        if has_comma && input.is_empty() {
            break;
        }
        let start = input.span();
        match input.parse() {
            Ok(item) if has_comma => items.push(item),
            _ => {
                reports.report(start, &diag::CHECK_ITEM, "");
                input.parse::<TokenStream>()?;
            }
        }
    }
    Ok(Input { call, items })
}

/// The expansion of `check!`.
pub fn check(input: TokenStream) -> TokenStream {
    if let Some(errors) = crate::nesting(&input) {
        return quote!({ #errors });
    }
    binding::scope([&input, &TokenStream::new()], || expanded(&input))
}

fn expanded(input: &TokenStream) -> TokenStream {
    let mut reports = Reports::default();
    let parser = |stream: ParseStream<'_>| parse(stream, &mut reports);
    let parsed = syn::parse::Parser::parse2(parser, input.clone());
    let Ok(Input { call, items }) = parsed else {
        return error(Extent::of(input), &diag::CHECK_CALL);
    };
    let (tester, args) = match tested(&call) {
        Ok(tested) => tested,
        Err(at) => return error(at, &diag::CHECK_CALL),
    };
    let settings = settings(&items, &mut reports);
    if !reports.is_empty() {
        let errors = reports.to_tokens();
        return quote!({ #errors });
    }
    let drawn = items.iter().filter_map(draw).collect::<Vec<_>>();
    if drawn.is_empty() {
        return quote!(#tester(#(#args,)* &#settings));
    }
    let [set, random] = ["settings", "random"].map(binding::local);
    let draws = drawn.iter().map(|(pattern, domain)| {
        quote!(let #pattern = ::cotangent::check::Domain::draw(&#domain, #random);)
    });
    let expanded = quote! {
        let #set = #settings;
        ::cotangent::check::at_points(&#set, &mut |#random: &mut ::cotangent::check::Random| {
            #(#draws)*
            #tester(#(#args,)* &#set)
        })
    };
    let imports = binding::imports(&expanded, &[]);
    quote!({ #[allow(unused_imports)] #imports #expanded })
}

/// The tester of what is called, up to its arguments, and those. That of a method stands beside it.
fn tested(call: &syn::Expr) -> Result<(TokenStream, impl Iterator<Item = &syn::Expr>), Extent> {
    match call {
        syn::Expr::Call(call) => match &*call.func {
            syn::Expr::Path(callee) => {
                Ok((emit::companion_path(callee, "check", false), call.args.iter()))
            }
            other => Err(Extent::of(other)),
        },
        syn::Expr::MethodCall(call) => {
            let syn::ExprMethodCall { receiver, method, turbofish, args, .. } = call;
            let tester = emit::sibling(method, "check", false);
            Ok((quote!(#receiver.#tester #turbofish), args.iter()))
        }
        other => Err(Extent::of(other)),
    }
}

/// A name with its domain. That of an array may be written like one of equal entries, `[0.0..1.0; 3]`, although a
/// range cannot be copied.
fn draw(item: &Item) -> Option<(&syn::Pat, TokenStream)> {
    match item {
        Item::Drawn { pattern, domain: syn::Expr::Repeat(array) } => {
            let (entry, length) = (&array.expr, &array.len);
            Some((pattern, quote!(::core::array::from_fn::<_, { #length }, _>(|_| #entry))))
        }
        Item::Drawn { pattern, domain } => Some((pattern, quote!((#domain)))),
        Item::Option { .. } => None,
    }
}

/// The options as `cotangent::check::Settings`.
fn settings(items: &[Item], reports: &mut Reports) -> TokenStream {
    let is_given = |wanted: &str| {
        items.iter().any(|item| matches!(item, Item::Option { name, .. } if name == wanted))
    };
    let draws = items.iter().any(|item| matches!(item, Item::Drawn { .. }));
    let mut settings = quote!(::cotangent::check::Settings::new());
    let mut seen: Vec<&Ident> = Vec::new();
    for item in items {
        let Item::Option { name, value } = item else { continue };
        let fits = match (name.to_string().as_str(), value) {
            ("points", Some(_)) => draws,
            ("allocations", Some(_)) | ("rounded", None) => true,
            ("tape", None) => is_given("allocations"),
            _ => false,
        };
        if !fits || seen.contains(&name) {
            reports.report(name.span(), &diag::CHECK_ITEM, "");
        }
        seen.push(name);
        settings.extend(quote!(.#name(#value)));
    }
    settings
}

fn error(at: Extent, row: &Diagnostic) -> TokenStream {
    let mut reports = Reports::default();
    reports.report(at, row, "");
    let errors = reports.to_tokens();
    quote!({ #errors })
}
