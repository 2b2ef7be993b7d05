//! `check!(f(args..), x in domain, option = value)`: the rule tester, at a point or at points of a domain.
//!
//! In comes a call of a differentiated function, with the names that are drawn from domains, and options. Out comes a
//! call of its `__check`, for each point that is drawn, and with `against` a comparison of its `gradient`.

use crate::binding;
use crate::diag::{self, Diagnostic, Extent, Reports};
use crate::emit;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
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
    let callee = match Callee::of(&call) {
        Ok(callee) => callee,
        Err(at) => return error(at, &diag::CHECK_CALL),
    };
    let (settings, exact) = (settings(&items, &mut reports), exact(&items));
    if !reports.is_empty() {
        let errors = reports.to_tokens();
        return quote!({ #errors });
    }
    let drawn = items.iter().filter_map(draw).collect::<Vec<_>>();
    let [set, random] = ["settings", "random"].map(binding::local);
    if drawn.is_empty() && exact.is_none() {
        return callee.test(&quote!(&#settings), None);
    }
    let test = callee.test(&quote!(&#set), exact);
    let draws = drawn.iter().map(|(pattern, domain)| {
        quote!(let #pattern = ::cotangent::check::Domain::draw(&#domain, #random);)
    });
    let tests = match drawn.is_empty() {
        true => test,
        false => quote! {
            ::cotangent::check::at_points(&#set, &mut |#random: &mut ::cotangent::check::Random| {
                #(#draws)*
                #test
            })
        },
    };
    let expanded = quote!(let #set = #settings; #tests);
    let imports = binding::imports(&expanded, &[]);
    quote!({ #[allow(unused_imports)] #imports #expanded })
}

/// A function of what is called, such as its tester.
struct Callee<'c> {
    call: &'c syn::Expr,
    args: Vec<&'c syn::Expr>,
}

impl<'c> Callee<'c> {
    fn of(call: &'c syn::Expr) -> Result<Self, Extent> {
        let args = match call {
            syn::Expr::Call(syn::ExprCall { func, args, .. }) => match &**func {
                syn::Expr::Path(_) => args,
                other => return Err(Extent::of(other)),
            },
            syn::Expr::MethodCall(call) => &call.args,
            other => return Err(Extent::of(other)),
        };
        Ok(Callee { call, args: args.iter().collect() })
    }

    /// The name of one of its derivatives, up to the arguments. That of a method stands beside it.
    fn derivative(&self, name: &str, is_public: bool) -> TokenStream {
        match self.call {
            syn::Expr::MethodCall(syn::ExprMethodCall { receiver, method, turbofish, .. }) => {
                let sibling = emit::sibling(method, name, is_public);
                quote!(#receiver.#sibling #turbofish)
            }
            syn::Expr::Call(call) => match &*call.func {
                syn::Expr::Path(callee) => emit::companion_path(callee, name, is_public),
                other => other.to_token_stream(),
            },
            other => other.to_token_stream(),
        }
    }

    /// The test at one point.
    fn test(&self, settings: &TokenStream, exact: Option<&syn::Expr>) -> TokenStream {
        let (tester, args) = (self.derivative("check", false), &self.args);
        let test = quote!(#tester(#(#args,)* #settings));
        let Some(exact) = exact else { return test };
        let gradient = self.derivative("gradient", true);
        let receiver = match self.call {
            syn::Expr::MethodCall(call) => Some(&call.receiver).map(|receiver| quote!(&#receiver,)),
            _ => None,
        };
        let (text, report) = (exact.to_token_stream().to_string(), binding::local("report"));
        quote! {
            ::core::result::Result::and_then(#test, |#report: ::cotangent::check::Report| {
                #report.against(&#gradient(#(#args,)*), &(#exact)(#receiver #(#args,)*), #text, #settings)
            })
        }
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
            ("allocations" | "against" | "within" | "step", Some(_)) | ("rounded", None) => true,
            ("tape", None) => is_given("allocations"),
            _ => false,
        };
        if !fits || seen.contains(&name) {
            reports.report(name.span(), &diag::CHECK_ITEM, "");
        }
        seen.push(name);
        if name == "against" {
            continue;
        }
        settings.extend(quote!(.#name(#value)));
    }
    settings
}

/// The function that has the exact gradient.
fn exact(items: &[Item]) -> Option<&syn::Expr> {
    items.iter().find_map(|item| match item {
        Item::Option { name, value } if name == "against" => value.as_ref(),
        Item::Option { .. } | Item::Drawn { .. } => None,
    })
}

fn error(at: Extent, row: &Diagnostic) -> TokenStream {
    let mut reports = Reports::default();
    reports.report(at, row, "");
    let errors = reports.to_tokens();
    quote!({ #errors })
}
