//! `Tangent` for the tangent type, and `Zero` where its fields have a zero of known shape.

use crate::binding::local;
use crate::derive::bounds::{borrow_differently, path, with_late_bound};
use crate::derive::standard::{is_plain, leaf_types};
use crate::derive::subject::{Subject, Variant};
use proc_macro2::TokenStream;
use quote::quote;

/// The impl of `Tangent`.
pub fn tangent(subject: &Subject) -> TokenStream {
    let accumulate = accumulate(subject);
    let visit_pairs = visit_pairs(subject);
    let add_products = add_products(subject);
    let shares = shares(subject);
    let body = quote! {
        #shares
        #accumulate
        #visit_pairs
        #add_products
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

/// The zero without a variant takes that of the other tangent, or is paired as zeros.
fn visit_pairs(subject: &Subject) -> TokenStream {
    let [given, visitor] = ["other", "visitor"].map(local);
    let arms = pairs(
        subject,
        |tangent, other| quote!(::cotangent::Tangent::visit_pairs(#tangent, #other, #visitor);),
    );
    let zeros = quote!(::cotangent::__private::WithZeros(#visitor));
    let nothing = quote!(::cotangent::Differentiable::visit_floats_mut(self, &mut #zeros));
    let nothing = subject.zero_arm(|zero| quote!((_, Self::#zero)), &nothing);
    let first = quote!({
        *self = ::cotangent::Differentiable::zero_tangent(#given);
        ::cotangent::Tangent::visit_pairs(self, #given, #visitor);
    });
    let first = subject.zero_arm(|zero| quote!((Self::#zero, _)), &first);
    let other = subject.other_arm(&of_different_variants(subject));
    quote! {
        #[inline]
        fn visit_pairs(
            &mut self,
            #given: &Self,
            #visitor: &mut (impl ::cotangent::floats::PairVisitor + ?::core::marker::Sized),
        ) {
            match (&mut *self, #given) { #arms #nothing #first #other }
        }
    }
}

fn add_products(subject: &Subject) -> TokenStream {
    let [given, sum] = ["other", "sum"].map(local);
    let arms = pairs(
        subject,
        |tangent, other| quote!(::cotangent::Tangent::add_products(#tangent, #other, #sum);),
    );
    let zero = subject.zero_arm(|zero| quote!((_, Self::#zero) | (Self::#zero, _)), &quote!({}));
    let other = subject.other_arm(&of_different_variants(subject));
    quote! {
        #[inline]
        fn add_products(&self, #given: &Self, #sum: &mut ::cotangent::floats::InnerProduct) {
            match (self, #given) { #arms #zero #other }
        }
    }
}

fn of_different_variants(subject: &Subject) -> TokenStream {
    let message = format!("a tangent of another variant of `{}` was given", subject.name);
    quote!(::core::panic!(#message))
}

/// The arms in which both are of one variant: what is done with each field that is not constant.
fn pairs(
    subject: &Subject,
    content: impl Fn(&TokenStream, &TokenStream) -> TokenStream,
) -> TokenStream {
    let arms = subject.variants.iter().map(|variant| {
        let tangent = variant.pattern(&quote!(Self), "tangent");
        let other = variant.pattern(&quote!(Self), "other");
        let contents = variant.each_active(|field| {
            let (tangent, other) = (field.variable("tangent"), field.variable("other"));
            content(&quote!(#tangent), &quote!(#other))
        });
        quote!((#tangent, #other) => { #contents })
    });
    arms.collect()
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
