//! `Differentiable` for the type, and for its tangent type, which is its own tangent type: derivatives of
//! derivatives have tangents for values.

use crate::binding::local;
use crate::derive::standard::unraw;
use crate::derive::subject::{Field, Side, Subject, Variant};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The impl for the type.
pub fn differentiable(subject: &Subject) -> TokenStream {
    let (body, stand_ins) = (functions(subject, Side::Primal), stand_ins(subject));
    subject.impl_for_primal(
        &subject.generics,
        &quote!(::cotangent::Differentiable),
        &quote!(#body #stand_ins),
    )
}

/// Some value, for where none is read: of an enum, its first variant.
fn stand_ins(subject: &Subject) -> Option<TokenStream> {
    let some = |field: &Field| match field.is_constant {
        true => {
            let ty = &field.ty;
            quote_spanned!(field.span()=> ::cotangent::__stand_in_of_constant!(#ty))
        }
        false => {
            let differentiable = field.differentiable(Side::Primal);
            quote_spanned!(field.span()=> #differentiable::stand_in())
        }
    };
    let first = subject.variants.first()?;
    let is_sized = !first.fields.last().is_some_and(Field::may_be_unsized);
    let value = first.build(&quote!(Self), some);
    is_sized.then(|| quote!(::cotangent::__stand_ins!(#value);))
}

/// The impl for the tangent type. It needs no bounds: that a field's tangent type is its own is said by the trait.
pub fn differentiable_tangent(subject: &Subject) -> TokenStream {
    let body = functions(subject, Side::Tangent);
    subject.impl_for_tangent(&subject.generics, &quote!(::cotangent::Differentiable), &body)
}

fn functions(subject: &Subject, side: Side) -> TokenStream {
    let tangent = &subject.tangent;
    let (_, arguments, _) = subject.generics.split_for_impl();
    let of_floats = [visit_floats, visit_floats_mut];
    let functions = [zero_tangent, conform, conforms, share, perturb, visit]
        .into_iter()
        .chain(of_floats)
        .map(|function| function(subject, side));
    quote! {
        type Tangent = #tangent #arguments;
        #(#functions)*
    }
}

/// A match on `self`. An enum without variants is matched by value, since there might be a reference to
/// one.
fn by_variant(
    subject: &Subject,
    arm: impl Fn(usize, &Variant) -> TokenStream,
    zero: &TokenStream,
) -> TokenStream {
    let arms = subject.variants.iter().enumerate().map(|(number, variant)| {
        let (pattern, body) = (variant.pattern(&quote!(Self), "value"), arm(number, variant));
        quote!(#pattern => #body,)
    });
    let mut arms: TokenStream = arms.collect();
    arms.extend(zero.clone());
    if arms.is_empty() { quote!(match *self {}) } else { quote!(match self { #arms }) }
}

/// The arm of the additional variant, which values of the type itself do not have.
fn zero_arm(
    subject: &Subject,
    side: Side,
    pattern: impl Fn(&Ident) -> TokenStream,
    body: &TokenStream,
) -> TokenStream {
    match side {
        Side::Primal => TokenStream::new(),
        Side::Tangent => subject.zero_arm(pattern, body),
    }
}

fn zero_tangent(subject: &Subject, side: Side) -> TokenStream {
    let tangent = &subject.tangent;
    let zero = |field: &Field| {
        let value = field.variable("value");
        match field.is_constant {
            true => quote!(::cotangent::__private::NoTangent),
            false => {
                let differentiable = field.differentiable(side);
                quote_spanned!(field.span()=> #differentiable::zero_tangent(#value))
            }
        }
    };
    let of_zero = zero_arm(subject, side, |zero| quote!(Self::#zero), &subject.zero_value());
    let body = by_variant(subject, |_, variant| variant.build(&quote!(#tangent), zero), &of_zero);
    quote! {
        #[inline]
        fn zero_tangent(&self) -> Self::Tangent {
            #body
        }
    }
}

/// The arms in which value and tangent are of one variant: a function of each field with its tangent.
fn paired(
    (subject, side): (&Subject, Side),
    function: &TokenStream,
    further: &TokenStream,
) -> TokenStream {
    let tangent = &subject.tangent;
    let arms = subject.variants.iter().map(|variant| {
        let value = variant.borrowed(&quote!(Self), "value", false);
        let place = variant.borrowed(&quote!(#tangent), "place", true);
        let fields = variant.each_active(|field| {
            let (value, place) = (field.variable("value"), field.variable("place"));
            let differentiable = field.differentiable(side);
            quote_spanned!(field.span()=> #differentiable::#function(#value, #place #further);)
        });
        quote!((#value, #place) => { #fields })
    });
    arms.collect()
}

/// The zero without a variant becomes that of the value's variant, and so it goes on in the fields.
fn conform(subject: &Subject, side: Side) -> TokenStream {
    let tangent = &subject.tangent;
    let arms = paired((subject, side), &quote!(conform), &TokenStream::new());
    let [made, given] = ["zero", "tangent"].map(local);
    let whole = quote!({
        let #made = ::cotangent::Differentiable::zero_tangent(self);
        *#given = #made;
    });
    let of_zero = zero_arm(subject, side, |zero| quote!((Self::#zero, _)), &quote!({}));
    let zero = subject.zero_arm(|zero| quote!((_, #tangent::#zero)), &whole);
    let other = subject.other_arm(&quote!({}));
    quote! {
        #[inline]
        fn conform(&self, #given: &mut Self::Tangent) {
            match (self, &mut *#given) { #arms #of_zero #zero #other }
        }
    }
}

/// Whether all fields have the shapes of their values. An enum is a layer.
fn conforms(subject: &Subject, side: Side) -> TokenStream {
    let tangent = &subject.tangent;
    let is_enum = subject.zero.is_some();
    let [given, depth] = ["tangent", "layers"].map(local);
    let (innermost, layers) = match is_enum {
        true => (quote!(#depth <= 1 ||), quote!(#depth - 1)),
        false => (TokenStream::new(), quote!(#depth)),
    };
    let arms = subject.variants.iter().map(|variant| {
        let value = variant.borrowed(&quote!(Self), "value", false);
        let place = variant.borrowed(&quote!(#tangent), "place", false);
        let fields: Vec<TokenStream> = variant
            .active_fields()
            .map(|field| {
                let (value, place) = (field.variable("value"), field.variable("place"));
                let differentiable = field.differentiable(side);
                quote_spanned!(field.span()=> #differentiable::conforms(#value, #place, #layers))
            })
            .collect();
        let fit = if fields.is_empty() { quote!(true) } else { quote!(#innermost #(#fields)&&*) };
        quote!((#value, #place) => #fit,)
    });
    let arms: TokenStream = arms.collect();
    let of_zero = zero_arm(subject, side, |zero| quote!((Self::#zero, _)), &quote!(true));
    let zero = subject.zero_arm(|zero| quote!((_, #tangent::#zero)), &quote!(false));
    let other = subject.other_arm(&quote!(true));
    quote! {
        #[inline]
        #[allow(unused_variables)]
        fn conforms(
            &self,
            #given: &Self::Tangent,
            #depth: ::core::primitive::usize,
        ) -> ::core::primitive::bool {
            match (self, #given) { #arms #of_zero #zero #other }
        }
    }
}

/// The cells of all fields. Where the tangent is of another variant there are no shadows of them.
fn share(subject: &Subject, side: Side) -> TokenStream {
    if !subject.fields().any(|field| field.may_hold_cells(&subject.name)) {
        return TokenStream::new();
    }
    let [given, sharing] = ["tangent", "sharing"].map(local);
    let arms = paired((subject, side), &quote!(share), &quote!(, #sharing));
    let other = subject.zero.as_ref().map(|_| quote!(_ => {}));
    quote! {
        #[inline]
        #[allow(unreachable_patterns)]
        fn share(&self, #given: &mut Self::Tangent, #sharing: &mut ::cotangent::Sharing) {
            match (self, &mut *#given) { #arms #other }
        }
    }
}

fn perturb(subject: &Subject, side: Side) -> TokenStream {
    let (name, tangent) = (&subject.name, &subject.tangent);
    let arms = subject.variants.iter().map(|variant| {
        let value = variant.borrowed(&quote!(Self), "value", true);
        let direction = variant.borrowed(&quote!(#tangent), "direction", false);
        let moves = variant.each_active(|field| perturb_field(field, side));
        quote!((#value, #direction) => { #moves })
    });
    let arms: TokenStream = arms.collect();
    let zero = subject.zero_arm(|zero| quote!((_, #tangent::#zero)), &quote!({}));
    let of_zero = zero_arm(subject, side, |zero| quote!((Self::#zero, _)), &from_zero());
    let message = format!("a direction of another variant was given for a value of type `{name}`");
    let other = subject.other_arm(&quote!(::core::panic!(#message)));
    let [given, step] = ["direction", "step"].map(local);
    quote! {
        fn perturb(&mut self, #given: &Self::Tangent, #step: ::core::primitive::f64) {
            match (&mut *self, #given) { #arms #zero #of_zero #other }
        }
    }
}

/// What becomes of the zero without a variant when it moves.
fn from_zero() -> TokenStream {
    let [direction, step] = ["direction", "step"].map(local);
    quote!({
        *self = ::core::clone::Clone::clone(#direction);
        ::cotangent::Tangent::scale(self, #step);
    })
}

fn perturb_field(field: &Field, side: Side) -> TokenStream {
    let (value, direction) = (field.variable("value"), field.variable("direction"));
    let (differentiable, step) = (field.differentiable(side), local("step"));
    quote_spanned!(field.span()=> #differentiable::perturb(#value, #direction, #step);)
}

fn visit(subject: &Subject, side: Side) -> TokenStream {
    let visitor = local("visitor");
    let shape = |number: usize| quote!({ #visitor.leaf(::cotangent::Leaf::Shape(#number)); });
    let visits = |number, variant: &Variant| {
        let shape = variant.name.as_ref().map(|_| shape(number));
        let visits = variant.each_active(|field| visit_field(field, side));
        match &variant.name {
            Some(name) if !visits.is_empty() => {
                let visits = within(&quote!(Variant), &unraw(&name.to_string()), &visits);
                quote!({ #shape #visits })
            }
            _ => quote!({ #shape #visits }),
        }
    };
    let last = shape(subject.variants.len());
    let of_zero = zero_arm(subject, side, |zero| quote!(Self::#zero), &last);
    let body = by_variant(subject, visits, &of_zero);
    quote! {
        fn visit(&self, #visitor: &mut dyn ::cotangent::Visitor) {
            #body
        }
    }
}

fn visit_field(field: &Field, side: Side) -> TokenStream {
    let (value, differentiable) = (field.variable("value"), field.differentiable(side));
    let name = unraw(&field.member.to_token_stream().to_string());
    let visitor = local("visitor");
    let visit = quote_spanned!(field.span()=> #differentiable::visit(#value, #visitor););
    within(&quote!(Field), &name, &visit)
}

fn visit_floats(subject: &Subject, side: Side) -> TokenStream {
    let (visitor, function) = (local("visitor"), quote!(visit_floats));
    let body = visit_each(subject, side, &function);
    quote! {
        #[inline]
        fn #function(
            &self,
            #visitor: &mut (impl ::cotangent::floats::FloatVisitor + ?::core::marker::Sized),
        ) {
            #body
        }
    }
}

fn visit_floats_mut(subject: &Subject, side: Side) -> TokenStream {
    let (visitor, function) = (local("visitor"), quote!(visit_floats_mut));
    let body = visit_each(subject, side, &function);
    quote! {
        #[inline]
        fn #function(
            &mut self,
            #visitor: &mut (impl ::cotangent::floats::FloatVisitorMut + ?::core::marker::Sized),
        ) {
            #body
        }
    }
}

/// Calls a function on each field that is not constant, with the visitor.
fn visit_each(subject: &Subject, side: Side, function: &TokenStream) -> TokenStream {
    let visitor = local("visitor");
    let visits = |_: usize, variant: &Variant| {
        let visits = variant.each_active(|field| {
            let value = field.variable("value");
            let differentiable = field.differentiable(side);
            quote_spanned!(field.span()=> #differentiable::#function(#value, #visitor);)
        });
        quote!({ #visits })
    };
    by_variant(subject, visits, &zero_arm(subject, side, |zero| quote!(Self::#zero), &quote!({})))
}

/// Visits between the step into a part and that out of it.
fn within(step: &TokenStream, name: &str, visits: &TokenStream) -> TokenStream {
    let visitor = local("visitor");
    quote! {
        #visitor.enter(::cotangent::Step::#step(#name));
        #visits
        #visitor.leave();
    }
}
