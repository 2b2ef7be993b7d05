//! Functions as parameters, and as what is handed to one.
//!
//! For who calls a derivative of the contract, a parameter that is a function is constant: these derivatives
//! are wrappers around the ones that give the cotangent of what the function captures. And for a function that
//! is handed to another, its derivatives stand once more in the form in which closures are passed: with what
//! is captured, which is nothing, in front.

use super::head::{Head, Named, Param};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

/// `accumulate_gradient`, `vjp` and `jvp`, where functions are constant.
pub fn functions(head: &Head, forward: bool, reverse: bool) -> TokenStream {
    let mut functions = TokenStream::new();
    if reverse && head.signature.may_be_float() {
        functions.extend(accumulate(head));
    }
    if reverse {
        functions.extend(vjp(head));
    }
    if forward {
        functions.extend(jvp(head));
    }
    functions
}

fn is_function(named: &Named) -> bool {
    named.param.callable.is_some()
}

/// A pattern for the cotangents that the inner derivative returns, and those that the outer one does.
fn cotangents(head: &Head) -> (TokenStream, TokenStream) {
    let by_value = |named: &&Named| named.param.reference().is_none();
    let all = head
        .params
        .iter()
        .filter(by_value)
        .filter(|named| named.param.active || is_function(named));
    let inner: Vec<TokenStream> = all
        .map(|named| match (is_function(named), &named.bar) {
            (true, _) => quote!(_),
            (false, bar) => quote!(#bar),
        })
        .collect();
    let outer: Vec<TokenStream> = head
        .by_value()
        .map(|named| {
            let bar = &named.bar;
            quote!(#bar)
        })
        .collect();
    (crate::emit::bare_or_tuple(&inner), crate::emit::bare_or_tuple(&outer))
}

fn accumulate(head: &Head) -> TokenStream {
    let params = head.accumulate_params();
    let (inner, outer) = cotangents(head);
    let names = params.iter().map(|(name, _)| name);
    let (own, turbofish) = (head.derivative("__active_accumulate_gradient"), head.turbofish());
    let body = quote! {
        let (value, #inner) = Self::#own #turbofish(#(#names),*);
        (value, #outer)
    };
    let (output, types) = (head.output(), head.by_value_cotangents());
    head.function(
        "accumulate_gradient",
        super::ACCUMULATE,
        &params,
        &quote!((#output, #types)),
        &head.float_clause(),
        &body,
    )
}

fn vjp(head: &Head) -> TokenStream {
    let pullback = head.pullback_params();
    let (inner, outer) = cotangents(head);
    let (names, own, turbofish) =
        (head.plain_names(), head.derivative("__active_vjp"), head.turbofish());
    let params = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let again = pullback.iter().map(|(name, _)| name);
    let body = quote! {
        let (value, pullback) = Self::#own #turbofish(#(#names),*);
        (value, move |#(#params),*| {
            let #inner = pullback(#(#again),*);
            #outer
        })
    };
    let (output, ty) = (head.output(), head.pullback_type(&pullback, &head.by_value_cotangents()));
    head.function(
        "vjp",
        super::VJP,
        &head.plain_params(),
        &quote!((#output, #ty)),
        &TokenStream::new(),
        &body,
    )
}

fn jvp(head: &Head) -> TokenStream {
    let functions = head.params.iter().filter(|named| is_function(named));
    let zeros = functions.map(|named| {
        let (name, dot) = (&named.param.name, &named.dot);
        quote!(let #dot = ::cotangent::Differentiable::zero_tangent(&#name);)
    });
    let args = head.params.iter().map(|named| {
        let (name, dot) = (&named.param.name, &named.dot);
        let has_tangent = named.param.active || is_function(named);
        if has_tangent { quote!(#name, #dot) } else { quote!(#name) }
    });
    let (own, turbofish) = (head.derivative("__active_jvp"), head.turbofish());
    let body = quote!(#(#zeros)* Self::#own #turbofish(#(#args),*));
    let (output, tangent) = (head.output(), head.output_tangent());
    head.function(
        "jvp",
        super::JVP,
        &head.jvp_params(),
        &quote!((#output, #tangent)),
        &TokenStream::new(),
        &body,
    )
}

/// The function and its derivatives with the state of a function that captures nothing.
pub fn with_state(head: &Head, forward: bool, reverse: bool) -> Vec<TokenStream> {
    let is_method = head.params.iter().any(|named| named.param.name == "self");
    if is_method || head.has_functions() {
        return Vec::new();
    }
    let mut functions = vec![with_primal(head)];
    if reverse {
        functions.push(with_vjp(head));
    }
    if forward {
        functions.push(with_jvp(head));
    }
    functions
}

fn state() -> Param {
    (format_ident!("_"), quote!(&()))
}

fn with_primal(head: &Head) -> TokenStream {
    let (primal, own) = (head.primal(), head.distinct_params());
    let names = own.iter().map(|(name, _)| name);
    let body = quote!(#primal(#(#names),*));
    let params: Vec<Param> = std::iter::once(state()).chain(own.clone()).collect();
    head.function("__with_primal", "", &params, &head.output(), &TokenStream::new(), &body)
}

fn with_vjp(head: &Head) -> TokenStream {
    let references = head.reference_params(|_| true);
    let all = head.params.iter().filter(|named| named.param.reference().is_none());
    let types = all.map(Named::owned_tangent);
    let shadow = (format_ident!("_"), quote!(&mut ()));
    let pullback: Vec<Param> = [state(), shadow].into_iter().chain(references.clone()).collect();
    let ty = head.pullback_type(&pullback, &quote!((#(#types,)*)));
    let (vjp, turbofish) = (head.derivative("__vjp"), head.turbofish());
    let (names, inner) = (head.plain_names(), format_ident!("pullback", span = Span::mixed_site()));
    let params = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let again = references.iter().map(|(name, _)| name);
    let body = quote! {
        let (value, #inner) = Self::#vjp #turbofish(#(#names),*);
        (value, move |#(#params),*| #inner(#(#again),*))
    };
    let params: Vec<Param> = std::iter::once(state()).chain(head.plain_params()).collect();
    let output = head.output();
    head.function(
        "__with_vjp",
        "",
        &params,
        &quote!((#output, #ty)),
        &head.constant_clause(|_| true),
        &body,
    )
}

fn with_jvp(head: &Head) -> TokenStream {
    let (jvp, turbofish) = (head.derivative("__jvp"), head.turbofish());
    let mut params = vec![state(), state()];
    let mut args = Vec::new();
    for named in &head.params {
        let (name, dot) = (&named.param.name, &named.dot);
        params.extend(head.passed(named));
        params.push((dot.clone(), named.tangent_type()));
        args.push(quote!(#name, #dot));
    }
    let body = quote!(Self::#jvp #turbofish(#(#args),*));
    let (output, tangent) = (head.output(), head.output_tangent());
    let result = quote!((#output, #tangent));
    head.function("__with_jvp", "", &params, &result, &head.constant_clause(|_| true), &body)
}
