//! The derivatives of `value_gradient_and_hessian`: those of `value_and_gradient` and of `hessian`, side by side.

use super::component::{params, raised};
use super::head::{Head, numbered};
use super::nested;
use super::{glue, is_active, own};
use crate::binding::local;
use crate::emit::bare_or_tuple;
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

const NAME: &str = "value_gradient_and_hessian";

/// All that calls use, where the Hessian is of a known type.
pub fn all(head: &Head, hessian: &TokenStream, arguments: &Arguments) -> TokenStream {
    let (output, gradient) = (head.output(), head.gradient());
    let signatures = [NAME, "value_and_gradient", "hessian"]
        .map(|name| nested::derivative(head, name, quote!((#output, #gradient, #hessian))));
    let [Some(signature), Some(first), Some(second)] = &signatures else {
        return TokenStream::new();
    };
    let mut inner = nested::inner(head, signature, NAME);
    let (kept, float) = (head.kept_clause(|_| true), head.float_clause());
    inner.bounds.extend(quote!(#kept #float));
    let halves = [first, second].map(|signature| Head::new(head.vis, signature));
    let all = All { inner: &inner, halves: &halves, turbofish: head.turbofish() };
    let mut functions = TokenStream::new();
    for order in inner.orders(arguments) {
        functions.extend(all.jvp(order));
        functions.extend(all.vjp(order));
    }
    functions.extend(glue::of_derivative(&inner, arguments, false));
    functions
}

struct All<'l> {
    inner: &'l Head<'l>,
    /// Those of the other two.
    halves: &'l [Head<'l>; 2],
    turbofish: TokenStream,
}

impl All<'_> {
    fn jvp(&self, order: usize) -> TokenStream {
        let times = 1 << order;
        let components = raised(self.inner.plain_components(is_active), order);
        let [first, second] = self.calls(Kind::Jvp, order);
        let ([pairs, matrices], results) = results(times);
        let body = quote! {
            let (#(#pairs),*) = #first;
            let (#(#matrices),*) = #second;
            (#(#results),*)
        };
        let outputs = self.inner.outputs(times);
        own(self.inner, (Kind::Jvp, order), &params(&components), &quote!((#(#outputs),*)), &body)
    }

    fn vjp(&self, order: usize) -> TokenStream {
        let times = 1 << (order - 1);
        let components = raised(self.inner.plain_components(is_active), order - 1);
        let pullback = params(&raised(self.inner.pullback_components(is_active), order - 1));
        let ty = self.inner.pullback_type(&pullback, &self.inner.cotangents(times));
        let closed = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
        let (places, seeds) = pullback.split_at(pullback.len() - times);
        let places: Vec<&Ident> = places.iter().map(|(name, _)| name).collect();
        let seeds: Vec<&Ident> = seeds.iter().map(|(name, _)| name).collect();
        let [first, second] = self.calls(Kind::Vjp, order);
        let ([pairs, matrices], results) = results(times);
        let [pull_first, pull_second] = ["pull_first", "pull_second"].map(local);
        let count = self.inner.by_value().count() * times;
        let bars = ["first_bar", "second_bar"].map(|name| numbered(name, count));
        let [own_bars, other_bars] = &bars;
        let [bound, others] = [own_bars, other_bars].map(|bars| {
            bare_or_tuple(&bars.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>())
        });
        let sums = own_bars.iter().zip(other_bars);
        let sums = sums.map(|(own, other)| quote!(::cotangent::Tangent::plus(#own, #other)));
        let sums = bare_or_tuple(&sums.collect::<Vec<_>>());
        let body = quote! {
            let (#(#pairs,)* #pull_first) = #first;
            let (#(#matrices,)* #pull_second) = #second;
            (#(#results,)* move |#(#closed),*| {
                let #bound = #pull_first(#(#places,)* #((#seeds.0, #seeds.1)),*);
                let #others = #pull_second(#(#places,)* #(#seeds.2),*);
                #sums
            })
        };
        let (outputs, params) = (self.inner.outputs(times), params(&components));
        own(self.inner, (Kind::Vjp, order), &params, &quote!((#(#outputs,)* #ty)), &body)
    }

    /// Calls of the derivatives of both; the first is given copies.
    fn calls(&self, kind: Kind, order: usize) -> [TokenStream; 2] {
        let times = if kind == Kind::Jvp { order } else { order - 1 };
        let components = raised(self.inner.plain_components(is_active), times);
        let mut rest = components.iter().map(|component| &component.name);
        let (mut copies, mut names) = (Vec::new(), Vec::new());
        for named in &self.inner.params {
            let count = if is_active(named) { 1 << times } else { 1 };
            for name in rest.by_ref().take(count) {
                copies.push(match named.param.reference() {
                    Some((_, true)) => quote!(&mut *#name),
                    Some((_, false)) => quote!(#name),
                    None => quote!(::cotangent::__private::Kept::kept(&#name)),
                });
                names.push(quote!(#name));
            }
        }
        let turbofish = &self.turbofish;
        let [first, second] = self.halves.each_ref().map(|half| half.own_derivative(kind, order));
        [
            quote!(Self::#first #turbofish(#(#copies),*)),
            quote!(Self::#second #turbofish(#(#names),*)),
        ]
    }
}

/// The names of both results' components, and what is made of them.
fn results(times: usize) -> ([Vec<Ident>; 2], Vec<TokenStream>) {
    let names = ["pair", "matrix"].map(|name| numbered(name, times));
    let [pairs, matrices] = &names;
    let both = pairs.iter().zip(matrices);
    let results = both.map(|(pair, matrix)| quote!((#pair.0, #pair.1, #matrix))).collect();
    (names, results)
}
