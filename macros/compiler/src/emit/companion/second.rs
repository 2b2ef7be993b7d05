//! The contract's second derivatives: `hvp`, `hessian`, `value_gradient_and_hessian`.
//!
//! In: a head. Out: functions that run the tangent of the gradient along given directions, or along each
//! coordinate.

use super::component::{Component, raised};
use super::head::{Head, Named, Param, mixed};
use super::is_active;
use crate::emit::bare_or_tuple;
use crate::ir::Type;
use crate::pipeline::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// The hidden function that the others lead to.
const ALONG: &str = "__value_gradient_and_hvp";

pub fn second(head: &Head, is_accumulated: bool) -> TokenStream {
    let mut functions = super::glue::hidden(&along(head, is_accumulated));
    functions.extend(hvp(head));
    functions.extend(value_gradient_and_hessian(head));
    functions.extend(hessian(head));
    functions
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
        bar: mixed(&named.bar.to_string()),
        dot: mixed(&format!("{}_dot", named.bar)),
    });
    each.collect()
}

/// Value, gradient, and the gradient's tangent.
fn along(head: &Head, is_accumulated: bool) -> TokenStream {
    let bars = bars(head);
    let zeros = bars.iter().filter(|one| one.named.param.reference().is_some()).map(|one| {
        let (place, bar, dot) = (&one.named.param.name, &one.bar, &one.dot);
        quote! {
            let mut #bar = ::cotangent::Differentiable::zero_tangent(&*#place);
            let mut #dot = ::cotangent::Differentiable::zero_tangent(&*#place);
        }
    });
    let zeros: TokenStream = zeros.collect();
    let run = if is_accumulated { accumulated(head, &zeros) } else { pulled(head, &zeros) };
    let gradient: Vec<TokenStream> = bars.iter().map(|Bars { bar, .. }| quote!(#bar)).collect();
    let product: Vec<TokenStream> = bars.iter().map(|Bars { dot, .. }| quote!(#dot)).collect();
    let (gradient, product) = (bare_or_tuple(&gradient), bare_or_tuple(&product));
    let (output, ty, value) = (head.output(), head.gradient(), mixed("value"));
    head.function(
        ALONG,
        "",
        &head.jvp_params(),
        &quote!((#output, #ty, #ty)),
        &head.float_clause(),
        &quote!(#run (#value, #gradient, #product)),
    )
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
            let own = mixed(&name.to_string());
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
    let (returned, value) = (by_value(head), mixed("value"));
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
    let [value, value_dot, pullback] = ["value", "value_dot", "pullback"].map(mixed);
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
    let doc =
        " The Hessian's product with a direction: each active parameter is followed by its part.";
    head.function("hvp", doc, &params, &head.gradient(), &head.float_clause(), &body)
}

/// The Hessian's type, and how it is made from a matrix.
fn shape(head: &Head) -> (TokenStream, TokenStream, TokenStream) {
    let (output, matrix) = (head.output(), mixed("matrix"));
    let active: Vec<&Named> = head.params.iter().filter(|named| is_active(named)).collect();
    match active[..] {
        [one] if one.param.kind.is_float() => (output, quote!(#matrix[(0, 0)]), TokenStream::new()),
        [one] if one.param.kind == Type::Unknown => {
            let (ty, by) = (&one.param.ty, quote!(::cotangent::__private::HessianBy));
            (
                quote!(<#ty as #by<'static>>::Hessian<#output>),
                quote!(<#ty as #by<'static>>::hessian(#matrix)),
                quote!(for<'by> #ty: #by<'by>,),
            )
        }
        _ => (quote!(::cotangent::Matrix<#output>), quote!(#matrix), TokenStream::new()),
    }
}

fn value_gradient_and_hessian(head: &Head) -> TokenStream {
    let active: Vec<&Named> = head.params.iter().filter(|named| is_active(named)).collect();
    let shapes: Vec<TokenStream> = active
        .iter()
        .map(|named| {
            let name = &named.param.name;
            let place =
                if named.param.reference().is_some() { quote!(*#name) } else { quote!(#name) };
            quote!(::cotangent::Differentiable::zero_tangent(&#place))
        })
        .collect();
    let (along, turbofish, direction) =
        (head.derivative(ALONG), head.turbofish(), mixed("direction"));
    let part = |index: usize| {
        let index = syn::Index::from(index);
        if active.len() == 1 { quote!((*#direction)) } else { quote!(#direction.#index) }
    };
    let mut index = 0..;
    let args = head.params.iter().map(|named| {
        let argument = super::wrappers::again(named);
        if !is_active(named) {
            return argument;
        }
        let part = part(index.next().unwrap_or_default());
        match named.param.reference() {
            Some((_, true)) => quote!(#argument, &mut #part),
            Some((_, false)) => quote!(#argument, &#part),
            None => quote!(#argument, ::core::clone::Clone::clone(&#part)),
        }
    });
    let (zero, (ty, made, clause)) = (bare_or_tuple(&shapes), shape(head));
    let (output, gradient, matrix) = (head.output(), head.gradient(), mixed("matrix"));
    let body = quote! {
        let (value, gradient, #matrix) = ::cotangent::__private::hessian(
            &#zero,
            |#direction: &mut #gradient| Self::#along #turbofish(#(#args),*),
        );
        (value, gradient, #made)
    };
    let doc = " Value, gradient, and the Hessian: a matrix, or a float for one float.";
    let (kept, float) = (head.kept_clause(|_| true), head.float_clause());
    let params: Vec<Param> = head.plain_params();
    head.function(
        "value_gradient_and_hessian",
        doc,
        &params,
        &quote!((#output, #gradient, #ty)),
        &quote!(#kept #clause #float),
        &body,
    )
}

fn hessian(head: &Head) -> TokenStream {
    let (ty, _, clause) = shape(head);
    let (all, turbofish) = (head.derivative("value_gradient_and_hessian"), head.turbofish());
    let (names, kept, float) =
        (head.plain_names(), head.kept_clause(|_| true), head.float_clause());
    let doc = " The Hessian: rows and columns are the floats of the active parameters; a float for one float.";
    let body = quote!(Self::#all #turbofish(#(#names),*).2);
    head.function("hessian", doc, &head.plain_params(), &ty, &quote!(#kept #clause #float), &body)
}
