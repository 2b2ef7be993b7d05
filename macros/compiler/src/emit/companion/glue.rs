//! Hidden functions: the uniform shapes that calls and `check!` use.
//!
//! A caller knows how many arguments it passes and how, and not which of them are constant. Therefore
//! in `__jvp` every parameter is followed by a tangent, in `__vjp` every reference by a shadow, and the
//! pullback returns a tuple with a cotangent for every by-value parameter.

use super::head::{Head, Named, Param};
use crate::ir::Type;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn glue(head: &Head, forward: bool, reverse: bool) -> TokenStream {
    let mut functions = primal(head);
    if head.params.iter().any(|named| has_object(&named.param.ty)) {
        return functions;
    }
    if forward {
        functions.extend(uniform_jvp(head));
    }
    if reverse {
        functions.extend(uniform_vjp(head));
    }
    functions.extend(super::functions::with_state(head, forward, reverse).iter().map(hidden));
    functions.extend(super::check::check(head, forward, reverse).map(|check| hidden(&check)));
    functions
}

/// Mentions the user's function: to use its derivatives is to use it.
fn primal(head: &Head) -> TokenStream {
    let primal = head.primal();
    let body = match head.signature.is_inferred {
        false => quote!(let _ = #primal;),
        true => {
            let own = head.distinct_params();
            let params = own.iter().map(|(name, ty)| quote!(#name: #ty));
            let args = head
                .params
                .iter()
                .zip(&own)
                .map(|(named, (name, _))| head.plain_argument(named, &quote!(#name)));
            quote!(let _ = |#(#params),*| #primal(#(#args),*);)
        }
    };
    hidden(&head.function("__primal", "", &[], &quote!(()), &TokenStream::new(), &body))
}

/// A trait object has no tangent.
fn has_object(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(reference) => has_object(&reference.elem),
        ty => matches!(ty, syn::Type::TraitObject(_)),
    }
}

fn hidden(function: &TokenStream) -> TokenStream {
    quote!(#[doc(hidden)] #function)
}

fn uniform_jvp(head: &Head) -> TokenStream {
    let mut params = Vec::new();
    let mut args = Vec::new();
    for named in &head.params {
        let (name, dot) = (&named.param.name, &named.dot);
        params.extend(head.passed(named));
        let (ty, tangent) = match named.is_consumed_self() {
            true => {
                let tangent = named.tangent_type();
                (quote!(&#tangent), quote!(::core::clone::Clone::clone(#dot)))
            }
            false => (named.tangent_type(), quote!(#dot)),
        };
        params.push((dot.clone(), ty));
        args.push(if named.param.active { quote!(#name, #tangent) } else { quote!(#name) });
    }
    let (output, tangent, turbofish) = (head.output(), head.output_tangent(), head.turbofish());
    let (jvp, joined) = (head.derivative(&head.body_name("jvp")), head.joined());
    let body = quote!(#joined Self::#jvp #turbofish(#(#args),*));
    hidden(&head.function(
        "__jvp",
        "",
        &params,
        &quote!((#output, #tangent)),
        &head.constant_clause(),
        &body,
    ))
}

fn uniform_vjp(head: &Head) -> TokenStream {
    let consumed = head.params.iter().find(|named| named.is_consumed_self());
    let receiver = consumed.into_iter().flat_map(|named| {
        let tangent = named.owned_tangent();
        [(named.again.clone(), quote!(&Self)), (named.bar.clone(), quote!(&mut #tangent))]
    });
    let pullback: Vec<Param> = receiver.chain(head.reference_params(|_| true)).collect();
    let is_value = |named: &&Named| named.param.reference().is_none() && !named.is_consumed_self();
    let by_value: Vec<&Named> = head.params.iter().filter(is_value).collect();
    let types = by_value.iter().map(|named| named.owned_tangent());
    let cotangents = quote!((#(#types,)*));
    let ty = head.pullback_type(&pullback, &cotangents);
    let zeros = constants(&by_value).map(|named| {
        let (bar, name) = (&named.bar, &named.param.name);
        quote!(let #bar = ::cotangent::Differentiable::zero_tangent(&#name);)
    });
    let (output, names, turbofish) = (head.output(), head.plain_names(), head.turbofish());
    let params = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let args: Vec<_> = head.pullback_params().into_iter().map(|(name, _)| name).collect();
    let own = format_ident!("own_bar", span = proc_macro2::Span::mixed_site());
    let returned: Vec<TokenStream> = head
        .by_value()
        .map(|named| match (named.is_consumed_self(), &named.bar) {
            (true, _) => quote!(#own),
            (false, bar) => quote!(#bar),
        })
        .collect();
    let added = consumed.filter(|named| named.param.active).map(|named| {
        let bar = &named.bar;
        quote!(::cotangent::__private::accumulate(#bar, #own);)
    });
    let returned = crate::emit::bare_or_tuple(&returned);
    let all = by_value.iter().map(|named| cotangent(named));
    let inner = format_ident!("pullback", span = proc_macro2::Span::mixed_site());
    let (vjp, joined) = (head.derivative(&head.body_name("vjp")), head.joined());
    let passed: Vec<Param> = head.params.iter().flat_map(|named| head.passed(named)).collect();
    let body = quote! {
        #joined
        #(#zeros)*
        let (value, #inner) = Self::#vjp #turbofish(#(#names),*);
        (value, move |#(#params),*| {
            let #returned = #inner(#(#args),*);
            #added
            (#(#all,)*)
        })
    };
    hidden(&head.function(
        "__vjp",
        "",
        &passed,
        &quote!((#output, #ty)),
        &head.constant_clause(),
        &body,
    ))
}

/// By-value parameters without cotangent that hold more than a plain constant: they have a zero.
fn constants<'a, 'p>(by_value: &'a [&'p Named<'p>]) -> impl Iterator<Item = &'a &'p Named<'p>> {
    by_value.iter().filter(|named| !named.param.active && !is_plain(named))
}

fn cotangent(named: &Named) -> TokenStream {
    let bar = &named.bar;
    if is_plain(named) { quote!(::cotangent::__private::NoTangent) } else { quote!(#bar) }
}

/// Integers and the like, whose tangent is the type without values.
pub fn is_plain(named: &Named) -> bool {
    matches!(named.param.kind, Type::Int | Type::Bool | Type::Constant)
}
