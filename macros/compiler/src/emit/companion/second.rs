//! The contract's second derivatives: `hvp`, and by way of `hessian.rs` the others.
//!
//! In: a head. Out: functions that run the tangent of the gradient along given directions, or along several at once
//! where that has a body of its own.

use super::batch::{Native, Width};
use super::component::{self, Component, Laned, raised};
use super::head::{Head, Named};
use super::is_active;
use crate::binding::local;
use crate::emit::bare_or_tuple;
use crate::pipeline::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// The hidden function that the others lead to.
pub const ALONG: &str = "__value_gradient_and_hvp";

/// The hidden function for several directions.
pub const ALONG_EACH: &str = "__value_gradient_and_hvp_batch";

/// The body of the gradient's tangent along several directions.
pub const EACH: &str = "__own_jvp_over_accumulate_gradient_batch";

/// All of them. `native` is the tangent of the gradient, where it has a form for several directions.
pub fn second(head: &Head, is_accumulated: bool, native: Option<Native>) -> TokenStream {
    let mut functions = super::glue::hidden(&along(head, is_accumulated));
    functions.extend(hvp(head));
    functions.extend(super::hessian::hessian(head, is_accumulated, native.is_some()));
    functions.extend(native.map(|native| each(head, native)));
    functions
}

/// Value, gradient, and the gradient's tangents along several directions.
fn each(head: &Head, native: Native) -> TokenStream {
    let width = Width::new(head);
    let (outer, count) = (width.head(head), &width.count);
    let (components, clause) = (head.accumulate_components(), head.float_clause());
    let (params, body) = super::batch::body(head, native, components, count);
    let tangents = |ty: TokenStream| quote!([#ty; #count]);
    let (output, value_dot) = (head.output(), tangents(head.output_tangent()));
    let cotangents = head.by_value().map(|named| {
        let (ty, each) = (named.owned_tangent(), tangents(named.owned_tangent()));
        quote!(#ty, #each)
    });
    let returned = quote!((#output, #value_dot, #(#cotangents),*));
    let body = outer.function(EACH, "", &params, &returned, &clause, &body);
    let along = along_each(head, &outer, &width);
    let (body, along) = (super::glue::hidden(&body), super::glue::hidden(&along));
    quote!(#body #along)
}

/// Directions and products as arrays of what a gradient is.
fn along_each(head: &Head, outer: &Head, width: &Width) -> TokenStream {
    let (bars, count) = (bars(head), &width.count);
    let zeros = zeros(&bars, |zero| quote!(::core::array::from_fn::<_, { #count }, _>(|_| #zero)));
    let (own, turbofish) = (outer.derivative(EACH), outer.turbofish());
    let laned = component::laned(head.accumulate_components(), count);
    let args = laned.iter().map(|one| argument_of_each(head, one));
    let [value, product] = ["value", "product"].map(local);
    let (returned, gradient) = (by_value(head), bars.iter().map(|one| one.bar.to_token_stream()));
    let gradient = bare_or_tuple(&gradient.collect::<Vec<_>>());
    let dots = bars.iter().map(|one| &one.dot);
    let taken = bars.iter().map(|one| {
        let dot = &one.dot;
        quote!(::core::option::Option::unwrap(::core::iter::Iterator::next(&mut #dot)))
    });
    let taken = bare_or_tuple(&taken.collect::<Vec<_>>());
    let body = quote! {
        #zeros
        let (#value, _, #(#returned),*) = Self::#own #turbofish(#(#args),*);
        #(let mut #dots = ::core::iter::IntoIterator::into_iter(#dots);)*
        let #product = ::core::array::from_fn(|_| #taken);
        (#value, #gradient, #product)
    };
    let params = component::laned(head.plain_components(is_active), count);
    let params = component::laned_params(&params);
    let (output, ty) = (head.output(), head.gradient());
    let returned = quote!((#output, #ty, [#ty; #count]));
    outer.function(ALONG_EACH, "", &params, &returned, &head.float_clause(), &body)
}

/// An argument for several directions: shadows and their tangents are places of the function's own.
fn argument_of_each(head: &Head, laned: &Laned) -> TokenStream {
    let argument = argument(head, &laned.component);
    let named = bars(head).into_iter().find(|one| one.dot == laned.component.name);
    let Some(named) = named.filter(|_| laned.is_array) else { return argument };
    let dot = &named.dot;
    match named.named.is_slice() {
        true => {
            let lane = local("lane");
            quote!(#dot.each_mut().map(|#lane| &mut #lane[..]))
        }
        false => quote!(#dot.each_mut()),
    }
}

/// What an active parameter is called, its cotangent and the tangent of that.
struct Bars<'h, 'a> {
    named: &'h Named<'a>,
    bar: Ident,
    dot: Ident,
}

fn bars<'h, 'a>(head: &'h Head<'a>) -> Vec<Bars<'h, 'a>> {
    let active = head.params.iter().filter(|named| is_active(named));
    let each = active.map(|named| Bars {
        named,
        bar: local(&named.bar.to_string()),
        dot: local(&format!("{}_dot", named.bar)),
    });
    each.collect()
}

/// Value, gradient, and the gradient's tangent.
fn along(head: &Head, is_accumulated: bool) -> TokenStream {
    let bars = bars(head);
    let zeros = zeros(&bars, TokenStream::clone);
    let run = if is_accumulated { accumulated(head, &zeros) } else { pulled(head, &zeros) };
    let gradient: Vec<TokenStream> = bars.iter().map(|Bars { bar, .. }| quote!(#bar)).collect();
    let product: Vec<TokenStream> = bars.iter().map(|Bars { dot, .. }| quote!(#dot)).collect();
    let (gradient, product) = (bare_or_tuple(&gradient), bare_or_tuple(&product));
    let (output, ty, value) = (head.output(), head.gradient(), local("value"));
    head.function(
        ALONG,
        "",
        &head.jvp_params(),
        &quote!((#output, #ty, #ty)),
        &head.float_clause(),
        &quote!(#run (#value, #gradient, #product)),
    )
}

/// Shadows of references and their tangents, which are made of a zero.
fn zeros(bars: &[Bars], tangent: impl Fn(&TokenStream) -> TokenStream) -> TokenStream {
    let references = bars.iter().filter(|one| one.named.param.reference().is_some());
    let zeros = references.map(|Bars { named, bar, dot }| {
        let zero = named.zero(&named.param.name);
        let tangent = tangent(&zero);
        quote!(let mut #bar = #zero; let mut #dot = #tangent;)
    });
    zeros.collect()
}

/// The names of by-value cotangents, each followed by its tangent.
fn by_value(head: &Head) -> Vec<TokenStream> {
    let bars = bars(head).into_iter().filter(|one| one.named.param.reference().is_none());
    bars.flat_map(|Bars { bar, dot, .. }| [quote!(#bar), quote!(#dot)]).collect()
}

/// An argument: shadows and their tangents are places of the function's own.
fn argument(head: &Head, component: &Component) -> TokenStream {
    let name = &component.name;
    let is_shadow = bars(head).into_iter().any(|Bars { bar, dot, .. }| [bar, dot].contains(name));
    match is_shadow {
        true => {
            let own = local(&name.to_string());
            quote!(&mut #own)
        }
        false => quote!(#name),
    }
}

/// By the gradient's own tangent.
fn accumulated(head: &Head, zeros: &TokenStream) -> TokenStream {
    let (own, turbofish) = (head.own_derivative(Kind::Accumulate, 2), head.turbofish());
    let components = raised(head.accumulate_components(), 1);
    let args = components.iter().map(|component| argument(head, component));
    let (returned, value) = (by_value(head), local("value"));
    quote! {
        #zeros
        let (#value, _, #(#returned),*) = Self::#own #turbofish(#(#args),*);
    }
}

/// By the tangent of the pullback.
fn pulled(head: &Head, zeros: &TokenStream) -> TokenStream {
    let (own, turbofish) = (head.own_derivative(Kind::Vjp, 2), head.turbofish());
    let names = raised(head.plain_components(is_active), 1);
    let names = names.iter().map(|component| &component.name);
    let mut components = raised(head.pullback_components(is_active), 1);
    components.truncate(components.len() - 2);
    let args = components.iter().map(|component| {
        let place = head.params.iter().find(|named| named.again == component.name);
        place.map_or_else(|| argument(head, component), |named| named.param.name.to_token_stream())
    });
    let (returned, seed) = (bare_or_tuple(&by_value(head)), head.seed());
    let [value, value_dot, pullback] = ["value", "value_dot", "pullback"].map(local);
    quote! {
        let (#value, #value_dot, #pullback) = Self::#own #turbofish(#(#names),*);
        #zeros
        let #returned = #pullback(
            #(#args,)* #seed, ::cotangent::Differentiable::zero_tangent(&#value_dot)
        );
    }
}

fn hvp(head: &Head) -> TokenStream {
    let (along, turbofish, params) = (head.derivative(ALONG), head.turbofish(), head.jvp_params());
    let names = params.iter().map(|(name, _)| name);
    let body = quote!(Self::#along #turbofish(#(#names),*).2);
    let doc = super::formula::hvp(head);
    head.function("hvp", &doc, &params, &head.gradient(), &head.float_clause(), &body)
}
