//! Derivatives of a higher order of a function whose `jvp` is given: those of that `jvp`.
//!
//! In: a head, and the path of the given function, which has `#[differentiate]` itself. Out: bodies that call its
//! derivatives. With T for the forward and R for the reverse transform: T of `jvp` is T T f, and T R f is R of
//! `jvp` with tangents in the place of values. Components are numbered as in `nested.rs`.

use super::pullback;
use crate::binding::local;
use crate::emit::companion::component::raised;
use crate::emit::companion::head::{Head, Named, numbered};
use crate::emit::companion::is_active;
use crate::emit::{bare_or_tuple, companion_path, hidden_name};
use crate::pipeline::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The given function's own `jvp`, of one order less.
pub fn jvp(head: &Head, path: &syn::ExprPath, order: usize) -> TokenStream {
    let (zeros, args) = arguments(head, order, 1 << (order - 1));
    let function = companion_path(path, &hidden_name(Kind::Jvp, order - 1), false);
    let outputs = numbered("output", 1 << (order - 1));
    quote! {
        #zeros
        let (#(#outputs),*) = #function(#(#args),*);
        (#(#outputs.0,)* #(#outputs.1),*)
    }
}

/// The arguments of the given function's derivative, in which every parameter has tangents, and those that are
/// constant here zeros.
fn arguments(head: &Head, order: usize, times: usize) -> (TokenStream, Vec<TokenStream>) {
    let components = raised(head.plain_components(is_active), order);
    let mut names = components.iter().map(|component| component.name.clone());
    let (mut zeros, mut args) = (TokenStream::new(), Vec::new());
    for named in &head.params {
        if is_active(named) {
            args.extend(names.by_ref().take(2 * times).map(|name| quote!(#name)));
            continue;
        }
        let name = names.next().expect("a parameter");
        let own = numbered(&format!("{}_zero", named.bar), times - 1);
        zeros.extend(zeros_of(named, &name, &own));
        args.push(quote!(#name));
        args.extend(own.iter().map(|zero| named.lent(zero)));
    }
    (zeros, args)
}

/// Zeros of a constant.
fn zeros_of(named: &Named, name: &Ident, own: &[Ident]) -> TokenStream {
    let zero = named.zero(name);
    quote!(#(let mut #own = #zero;)*)
}

/// The given function's pullback, in which values change places with tangents.
pub fn vjp(head: &Head, path: &syn::ExprPath, order: usize) -> TokenStream {
    let times = 1 << (order - 2);
    let (zeros, args) = arguments(head, order - 1, times);
    let function = companion_path(path, &hidden_name(Kind::Vjp, order - 1), false);
    let (outputs, inner) = (numbered("output", times), local("pullback"));
    let components = raised(head.pullback_components(is_active), order - 1);
    let mut names = components.iter().map(|component| component.name.clone());
    let (mut opened, mut passed) = (TokenStream::new(), Vec::new());
    for named in head.params.iter().filter(|named| named.param.reference().is_some()) {
        if is_active(named) {
            let (places, shadows) = (taken(&mut names, times), taken(&mut names, times));
            for (place, shadow) in [(&places[0], &shadows[1]), (&places[1], &shadows[0])] {
                passed.extend(place.iter().chain(shadow).map(|name| quote!(#name)));
            }
            continue;
        }
        let place = names.next().expect("a place");
        let own = numbered(&format!("{}_own", named.bar), times);
        let dots = numbered(&format!("{}_still", named.bar), times - 1);
        opened.extend(zeros_of(named, &place, &own));
        opened.extend(zeros_of(named, &place, &dots));
        passed.push(quote!(#place));
        passed.extend(dots.iter().map(|dot| named.lent(dot)));
        passed.extend(own.iter().map(|own| quote!(&mut #own)));
    }
    let [seeds, dots] = taken(&mut names, times);
    let (bound, returned) = cotangents(head, times);
    let body = quote! {
        #opened
        let #bound = #inner(#(#passed,)* #((#dots, #seeds)),*);
        #returned
    };
    let pullback = pullback(&components, &body);
    quote! {
        #zeros
        let (#(#outputs,)* #inner) = #function(#(#args),*);
        (#(#outputs.0,)* #(#outputs.1,)* #pullback)
    }
}

/// The next names: those of values, and those of tangents.
fn taken(names: &mut impl Iterator<Item = Ident>, times: usize) -> [Vec<Ident>; 2] {
    let mut next = || names.by_ref().take(times).collect();
    [next(), next()]
}

/// A pattern for the cotangents of all by-value parameters of the given function, and those of this one's, of
/// which that of a tangent comes first.
fn cotangents(head: &Head, times: usize) -> (TokenStream, TokenStream) {
    let (mut bound, mut returned) = (Vec::new(), Vec::new());
    for named in head.params.iter().filter(|named| named.param.reference().is_none()) {
        if !is_active(named) {
            bound.extend(vec![quote!(_); times]);
            continue;
        }
        let (of_value, of_tangent) = (
            numbered(&format!("{}_value", named.bar), times),
            numbered(&format!("{}_tangent", named.bar), times),
        );
        bound.extend(of_value.iter().chain(&of_tangent).map(|bar| quote!(#bar)));
        returned.extend(of_tangent.iter().chain(&of_value).map(|bar| quote!(#bar)));
    }
    (quote!((#(#bound,)*)), bare_or_tuple(&returned))
}
