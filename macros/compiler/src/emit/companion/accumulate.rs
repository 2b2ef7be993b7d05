//! `accumulate_gradient`: the gradient added to the caller's shadows.
//!
//! In: a head, and the derivatives of its function. Out: the function with a body of its own, or by way of the
//! pullback where only that is known, or where shadows may be shared.

use super::head::{Head, Named};
use super::{Source, cells, component, missing};
use crate::binding::local;
use crate::emit::{Context, Returns};
use crate::pipeline::Kind;
use crate::primitive::Rule;
use crate::syntax::signature::OwnerKind;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// Value and gradient. In a trait they come from the pullback, whatever an `impl` makes that of; in an `impl`
/// they are where the trait has them for certain.
pub fn accumulate(head: &Head, source: Source) -> TokenStream {
    let body = match &head.signature.owner {
        _ if !head.signature.may_be_float() => return TokenStream::new(),
        Some(owner) if owner.is_trait() => by_pullback(head),
        Some(owner)
            if owner.kind == OwnerKind::Implementation
                && !head.signature.output_kind.is_float() =>
        {
            return TokenStream::new();
        }
        _ => {
            let fitting = head.fitting(|named| {
                named.param.reference().map(|_| [named.param.name.clone(), named.bar.clone()])
            });
            let body = own_body(head, source);
            quote!(#fitting #body)
        }
    };
    function(head, &body)
}

fn function(head: &Head, body: &TokenStream) -> TokenStream {
    let (output, cotangents) = (head.output(), head.by_value_cotangents());
    let params = head.accumulate_params();
    super::own(head, (Kind::Accumulate, 1), &params, &quote!((#output, #cotangents)), body)
}

/// That of a function whose pullback is all that is known.
pub fn pulled(head: &Head) -> TokenStream {
    match head.signature.output_kind.is_float() {
        true => function(head, &by_pullback(head)),
        false => TokenStream::new(),
    }
}

fn own_body(head: &Head, source: Source) -> TokenStream {
    let is_given = source.rule.is_some_and(Rule::gives_reverse);
    match source.derived(Kind::Accumulate, 1) {
        _ if is_given => by_pullback(head),
        Some(function) => {
            let context = Context {
                alignment: component::alignment(&head.accumulate_components()),
                returns: Returns::ValueAndCotangents,
                ..super::context(head, &head.accumulate_params(), 1)
            };
            crate::emit::body(function, &context)
        }
        None if source.derived.is_some() => by_pullback(head),
        None => missing(),
    }
}

/// What the forward transform makes of it: everything is followed by its tangent. Where the gradient comes from
/// the pullback, that of the order does instead.
pub fn raised(head: &Head, source: Source, order: usize) -> TokenStream {
    let Some(function) = source.accumulated(head, order) else { return TokenStream::new() };
    let components = component::raised(head.accumulate_components(), order - 1);
    let params = component::params(&components);
    let context = Context {
        alignment: component::alignment(&components),
        ..super::context(head, &params, order)
    };
    let body = crate::emit::body(function, &context);
    let times = 1 << (order - 1);
    let outputs = head.outputs(times);
    let cotangents = head.by_value().flat_map(|named| vec![named.owned_tangent(); times]);
    let output = quote!((#(#outputs,)* #(#cotangents),*));
    super::own(head, (Kind::Accumulate, order), &params, &output, &body)
}

/// By way of the pullback. It would take what the caller's shadow of a place that the function writes holds for
/// the cotangent of what it leaves there: then it is given shadows of its own, in the shape of what is left.
fn by_pullback(head: &Head) -> TokenStream {
    let is_apart = head.signature.shares || active(head).any(|named| named.param.is_unique());
    let own = |named: &Named| {
        if is_apart { local(&format!("own_{}", named.bar)) } else { named.bar.clone() }
    };
    let references = head.params.iter().filter(|named| named.param.reference().is_some());
    let passed = references.map(|named| {
        let (name, own) = (&named.param.name, own(named));
        if named.param.active { quote!(#name, &mut *#own) } else { quote!(#name) }
    });
    let (places, shadows): (Vec<_>, Vec<_>) =
        active(head).map(|named| (&named.param.name, own(named))).unzip();
    let (zeros, added) = match is_apart {
        true => (
            quote!(#(let #shadows = &mut ::cotangent::Differentiable::zero_tangent(&*#places);)*),
            added(head, own),
        ),
        false => (TokenStream::new(), TokenStream::new()),
    };
    let joined = cells::joined(head);
    let (vjp, turbofish) = (head.derivative(&head.body_name("vjp")), head.turbofish());
    let (names, seed) = (head.plain_names(), head.seed());
    let [value, pullback, cotangents] = ["value", "pullback", "cotangents"].map(local);
    quote! {
        #joined
        let (#value, #pullback) = Self::#vjp #turbofish(#(#names),*);
        #zeros
        let #cotangents = #pullback(#(#passed,)* #seed);
        #added
        (#value, #cotangents)
    }
}

/// The active parameters behind references.
fn active<'h, 'a>(head: &'h Head<'a>) -> impl Iterator<Item = &'h Named<'a>> {
    head.params.iter().filter(|named| named.param.active && named.param.reference().is_some())
}

/// Adds the shadows to those of the caller. Those of cells are met as often as there are handles, and are added once.
fn added(head: &Head, own: impl Fn(&Named) -> Ident) -> TokenStream {
    let conformed = active(head).map(|named| {
        let (place, bar) = (&named.param.name, &named.bar);
        match named.is_slice() {
            true => quote!(::cotangent::__private::conform_each(&*#place, &mut *#bar);),
            false => quote!(::cotangent::Differentiable::conform(&*#place, &mut *#bar);),
        }
    });
    let conformed: TokenStream = conformed.collect();
    let (owns, bars): (Vec<_>, Vec<_>) = active(head)
        .map(|named| (own(named).to_token_stream(), named.bar.to_token_stream()))
        .unzip();
    let transferred = cells::transferred(&owns, &bars);
    quote!(#conformed #transferred)
}
