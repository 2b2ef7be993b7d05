//! `Tangent` for the tangent type, and `Zero` where its fields have a zero of known shape.

use crate::binding::local;
use crate::derive::bounds::{borrow_differently, path, with_late_bound};
use crate::derive::differentiable::visit_leaves;
use crate::derive::standard::{is_plain, leaf_types};
use crate::derive::subject::{Subject, Variant};
use proc_macro2::TokenStream;
use quote::quote;

/// The impl of `Tangent`.
pub fn tangent(subject: &Subject) -> TokenStream {
    let accumulate = accumulate(subject);
    let visit = visit(subject);
    let visit_mut = visit_mut(subject);
    let shares = shares(subject);
    let body = quote! {
        #shares
        #accumulate
        #visit
        #visit_mut
    };
    subject.impl_for_tangent(&subject.generics, &quote!(::cotangent::Tangent), &body)
}

/// The impl by which the tangent of a constant field takes what a field of this type would, and drops it.
pub fn constant_place(subject: &Subject) -> TokenStream {
    let (parameters, arguments, clause) = subject.generics.split_for_impl();
    let tangent = &subject.tangent;
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_lifetimes, unused_qualifications)]
        impl #parameters ::cotangent::__private::Accumulates<#tangent #arguments>
            for ::cotangent::__private::NoTangent
        #clause
        {
            #[inline(always)]
            fn accumulate_into(&mut self, _: #tangent #arguments) {}

            #[inline(always)]
            fn assign(&mut self, _: #tangent #arguments) {}
        }
    }
}

/// Whether a field's tangent has handles to shadows of cells. A recursive field has if another has.
fn shares(subject: &Subject) -> TokenStream {
    let fields = subject.fields().filter(|field| field.may_hold_cells(&subject.name));
    let types: Vec<_> = fields.flat_map(|field| leaf_types(&field.bound)).collect();
    if types.is_empty() {
        return TokenStream::new();
    }
    quote!(const SHARES: ::core::primitive::bool = false #(|| <#types as ::cotangent::Tangent>::SHARES)*;)
}

fn accumulate(subject: &Subject) -> TokenStream {
    let arms = subject.variants.iter().map(|variant| {
        let place = variant.pattern(&quote!(Self), "place");
        let value = variant.pattern(&quote!(Self), "value");
        let sums = variant.each(|field| {
            let (place, value) = (field.variable("place"), field.variable("value"));
            quote!(::cotangent::Tangent::accumulate(#place, #value);)
        });
        quote!((#place, #value) => { #sums })
    });
    let arms: TokenStream = arms.collect();
    let nothing = subject.zero_arm(|zero| quote!((_, Self::#zero)), &quote!({}));
    let given = local("other");
    let first = subject.zero_arm(|zero| quote!((Self::#zero, #given)), &quote!(*self = #given));
    let message = format!("tangents of different variants of `{}` were added", subject.name);
    let other = subject.other_arm(&quote!(::core::panic!(#message)));
    quote! {
        #[inline]
        fn accumulate(&mut self, #given: Self) {
            match (&mut *self, #given) { #arms #nothing #first #other }
        }
    }
}

fn visit(subject: &Subject) -> TokenStream {
    let body = visit_leaves(subject, &quote!(Tangent), subject.zero.as_ref());
    let visitor = local("visitor");
    quote! {
        fn visit(&self, #visitor: &mut dyn ::cotangent::Visitor) {
            #body
        }
    }
}

fn visit_mut(subject: &Subject) -> TokenStream {
    let visitor = local("visitor");
    let arms = subject.variants.iter().map(|variant| {
        let pattern = variant.pattern(&quote!(Self), "value");
        let visits = variant.each(|field| {
            let value = field.variable("value");
            quote!(::cotangent::Tangent::visit_mut(#value, #visitor);)
        });
        quote!(#pattern => { #visits })
    });
    let arms: TokenStream = arms.collect();
    let zero = subject.zero_arm(|zero| quote!(Self::#zero), &quote!({}));
    quote! {
        fn visit_mut(&mut self, #visitor: &mut dyn ::core::ops::FnMut(&mut ::core::primitive::f64)) {
            match self { #arms #zero }
        }
    }
}

/// The impl of `Zero`: for an enum without conditions, for a struct where every field has one. There is
/// none where the bounds for that would be ambiguous.
pub fn zero(subject: &Subject) -> TokenStream {
    let trait_path = quote!(::cotangent::__private::Zero);
    let value = match &subject.zero {
        Some(_) => subject.zero_value(),
        None => subject.variants.iter().map(zero_struct).collect(),
    };
    let fields = subject.fields().filter(|_| subject.zero.is_none());
    let types = fields.map(|field| field.bound.clone()).filter(|ty| !is_plain(ty));
    let types: Vec<_> = types.collect();
    if borrow_differently(&subject.generics, &types) {
        return TokenStream::new();
    }
    let generics = with_late_bound(&subject.generics, &types, |_, _| path(&trait_path));
    let body = quote! {
        #[inline]
        fn nothing() -> Self {
            #value
        }
    };
    subject.impl_for_tangent(&generics, &trait_path, &body)
}

fn zero_struct(whole: &Variant) -> TokenStream {
    whole.build(&quote!(Self), |_| quote!(::cotangent::__private::Zero::nothing()))
}
