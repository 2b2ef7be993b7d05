//! Derivatives that are zero, of any order.

use super::{call, pullback};
use crate::binding::local;
use crate::emit::bare_or_tuple;
use crate::emit::companion::component::raised;
use crate::emit::companion::head::{Head, Named};
use crate::emit::companion::is_active;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A place that the function may change, and its tangents; in a pullback, the shadows of all of these.
struct Place<'h, 'a> {
    named: &'h Named<'a>,
    held: Vec<Ident>,
    shadows: Vec<Ident>,
}

impl Place<'_, '_> {
    /// Makes what is at the end of references zero.
    fn cleared(&self, tangents: &[Ident]) -> TokenStream {
        let place = &self.held[0];
        match self.named.is_slice() {
            true => quote!(#(::cotangent::__private::clear_each(&*#place, #tangents);)*),
            false => {
                quote!(#(*#tangents = ::cotangent::Differentiable::zero_tangent(&*#place);)*)
            }
        }
    }

    /// Puts back what was saved.
    fn restored(&self, saved: &[TokenStream]) -> TokenStream {
        let held = &self.held;
        match self.named.is_slice() {
            true => quote!(#(#held.clone_from_slice(&#saved);)*),
            false => quote!(#(*#held = #saved;)*),
        }
    }
}

/// The places among the parameters.
fn places<'h, 'a>(head: &'h Head<'a>, times: usize) -> Vec<Place<'h, 'a>> {
    let components = raised(head.plain_components(is_active), times.ilog2() as usize);
    let mut rest = components.iter().map(|component| component.name.clone());
    let each = head.params.iter().map(|named| {
        let count = if is_active(named) { times } else { 1 };
        let held = rest.by_ref().take(count).collect();
        Place { named, held, shadows: Vec::new() }
    });
    each.filter(|place| place.named.param.is_unique()).collect()
}

/// The places among the parameters of a pullback.
fn places_again<'h, 'a>(head: &'h Head<'a>, times: usize) -> Vec<Place<'h, 'a>> {
    let components = raised(head.pullback_components(is_active), times.ilog2() as usize);
    let mut rest = components.iter().map(|component| component.name.clone());
    let references = head.params.iter().filter(|named| named.param.reference().is_some());
    let each = references.map(|named| {
        let (held, shadows) = if is_active(named) { (times, times) } else { (1, 0) };
        let held = rest.by_ref().take(held).collect();
        Place { named, held, shadows: rest.by_ref().take(shadows).collect() }
    });
    each.filter(|place| place.named.param.is_unique()).collect()
}

/// The value, and statements that make as many zeros of its tangent as it has.
fn outputs(value: &Ident, times: usize) -> (TokenStream, Vec<TokenStream>) {
    let zeros: Vec<Ident> = (1..times).map(|index| local(&format!("zero_{index}"))).collect();
    let made = quote!(#(let #zeros = ::cotangent::Differentiable::zero_tangent(&#value);)*);
    let all = std::iter::once(value).chain(&zeros).map(|name| quote!(#name));
    (made, all.collect())
}

/// Tangents of what the function leaves are zero, and so is its result's.
pub fn jvp(head: &Head, order: usize) -> TokenStream {
    let (times, value) = (1 << order, local("value"));
    let cleared: TokenStream =
        places(head, times).iter().map(|place| place.cleared(&place.held[1..])).collect();
    let (call, (made, outputs)) = (call(head), outputs(&value, times));
    quote! {
        let #value = #call;
        #cleared
        #made
        (#(#outputs),*)
    }
}

/// Cotangents are zero in the shape of what was passed; what the call changed is as it was, and its shadow says
/// that nothing there mattered.
pub fn vjp(head: &Head, order: usize) -> TokenStream {
    let (times, [value, saved]) = (1 << (order - 1), ["value", "saved"].map(local));
    let given = places(head, times);
    let copies = given.iter().flat_map(|place| &place.held);
    let cleared: TokenStream = given.iter().map(|place| place.cleared(&place.held[1..])).collect();
    let mut indices = (0..).map(syn::Index::from);
    let restored: TokenStream = places_again(head, times)
        .iter()
        .map(|place| {
            let copies = place.held.iter().zip(indices.by_ref());
            let copies: Vec<TokenStream> = copies.map(|(_, index)| quote!(#saved.#index)).collect();
            let (restored, cleared) = (place.restored(&copies), place.cleared(&place.shadows));
            quote!(#restored #cleared)
        })
        .collect();
    let (bars, names): (Vec<_>, Vec<_>) =
        head.by_value().map(|named| (&named.bar, &named.param.name)).unzip();
    let returned: Vec<TokenStream> = bars
        .iter()
        .flat_map(|bar| {
            let copies = vec![quote!(::core::clone::Clone::clone(&#bar)); times - 1];
            copies.into_iter().chain([quote!(#bar)])
        })
        .collect();
    let returned = bare_or_tuple(&returned);
    let components = raised(head.pullback_components(is_active), order - 1);
    let pullback = pullback(&components, &quote!(#restored #returned));
    let (call, (made, outputs)) = (call(head), outputs(&value, times));
    quote! {
        #(let #bars = ::cotangent::Differentiable::zero_tangent(&#names);)*
        let #saved = (#(::cotangent::__private::ToOwned::to_owned(&*#copies),)*);
        let #value = #call;
        #cleared
        #made
        (#(#outputs,)* #pullback)
    }
}
