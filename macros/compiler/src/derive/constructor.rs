//! Derivatives of the constructors of tuple structs and tuple variants.
//!
//! In: a type. Out: hidden functions of it, under the names and with the signatures by which derivative code calls
//! those of a function, so that a call `Pair(a, b)` need not say what `Pair` is. A constructor is linear: each
//! component of its result is made of the same components of its arguments.

use crate::binding::local;
use crate::derive::subject::{Field, Form, Side, Subject, Variant};
use crate::emit::{hidden_name, sibling};
use crate::pipeline::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The highest order of derivatives that constructors have.
const ORDERS: usize = 3;

/// The functions of all constructors that take something.
pub fn constructors(subject: &Subject) -> TokenStream {
    let constructors = subject.variants.iter().filter(|variant| is_called(variant));
    let functions: TokenStream = constructors
        .flat_map(|variant| (1..=ORDERS).map(move |order| Constructor { subject, variant, order }))
        .flat_map(|constructor| [constructor.jvp(), constructor.vjp(), constructor.batch()])
        .collect();
    if functions.is_empty() {
        return functions;
    }
    let (parameters, arguments, clause) = subject.generics.split_for_impl();
    let name = &subject.name;
    quote! {
        #[automatically_derived]
        #[allow(dead_code, nonstandard_style, deprecated, unused_qualifications, clippy::all)]
        impl #parameters #name #arguments #clause { #functions }
    }
}

/// Whether a variant is made by a call whose arguments are all values: what takes text is given it by reference.
fn is_called(variant: &Variant) -> bool {
    let is_value =
        |field: &Field| !matches!(field.ty, syn::Type::Reference(_)) && !field.may_be_unsized();
    variant.form == Form::Tuple && !variant.fields.is_empty() && variant.fields.iter().all(is_value)
}

struct Constructor<'s> {
    subject: &'s Subject,
    variant: &'s Variant,
    order: usize,
}

impl Constructor<'_> {
    /// The name under which calls find a derivative.
    fn name(&self, kind: Kind) -> Ident {
        let derivative = hidden_name(kind, self.order);
        match &self.variant.name {
            Some(name) => sibling(name, &derivative, false),
            None => format_ident!("__{derivative}"),
        }
    }

    /// Whoever can call the constructor can call its derivatives.
    fn visibility(&self) -> &syn::Visibility {
        let is_narrow = |vis: &&syn::Visibility| !matches!(vis, syn::Visibility::Public(_));
        let fields = self.variant.fields.iter().map(|field| &field.visibility);
        let narrow = fields.filter(|_| self.variant.name.is_none()).find(is_narrow);
        narrow.unwrap_or(&self.subject.visibility)
    }

    /// A parameter for each component of each field.
    fn params(&self, times: usize) -> TokenStream {
        let params = self.variant.fields.iter().flat_map(|field| {
            (0..times).map(|index| {
                let name = component(field, index);
                let ty = if index == 0 { field.ty.to_token_stream() } else { tangent_of(field) };
                quote!(#name: #ty,)
            })
        });
        params.collect()
    }

    /// What the same components of all fields make.
    fn made(&self, index: usize) -> TokenStream {
        let ty = if index == 0 { &self.subject.name } else { &self.subject.tangent };
        self.variant.build(&quote!(#ty), |field| component(field, index).into_token_stream())
    }

    /// The types of a value and its tangents.
    fn outputs(&self, times: usize) -> Vec<TokenStream> {
        std::iter::once(quote!(Self)).chain(vec![self.tangent(); times - 1]).collect()
    }

    fn tangent(&self) -> TokenStream {
        let (tangent, (_, arguments, _)) =
            (&self.subject.tangent, self.subject.generics.split_for_impl());
        quote!(#tangent #arguments)
    }

    /// Value and tangents.
    fn jvp(&self) -> TokenStream {
        let times = 1 << self.order;
        let (name, vis, params) = (self.name(Kind::Jvp), self.visibility(), self.params(times));
        let (outputs, made) = (self.outputs(times), (0..times).map(|index| self.made(index)));
        quote! {
            #[doc(hidden)]
            #[inline]
            #vis fn #name(#params) -> (#(#outputs),*) {
                (#(#made),*)
            }
        }
    }

    /// Value and tangents along several directions, and the constant by which callers know of it. Only functions
    /// without an owner are called so.
    fn batch(&self) -> TokenStream {
        if self.order > 1 || self.variant.name.is_some() {
            return TokenStream::new();
        }
        let (vis, tangent, made, lanes) =
            (self.visibility(), self.tangent(), self.made(0), format_ident!("__LANES"));
        let params = self.variant.fields.iter().map(|field| {
            let (value, dots) = (component(field, 0), component(field, 1));
            let (ty, part) = (&field.ty, tangent_of(field));
            quote!(#value: #ty, #dots: [#part; #lanes],)
        });
        let (name, lane) = (&self.subject.tangent, local("lane"));
        let lane_made = self.variant.build(&quote!(#name), |field| {
            let dots = component(field, 1);
            quote!(::core::clone::Clone::clone(&#dots[#lane]))
        });
        quote! {
            #[doc(hidden)]
            #vis const __IS_BATCHED: ::core::primitive::bool = true;
            #[doc(hidden)]
            #[inline]
            #vis fn __jvp_batch<const #lanes: ::core::primitive::usize>(#(#params)*)
                -> (Self, [#tangent; #lanes])
            {
                (#made, ::core::array::from_fn(|#lane| #lane_made))
            }
        }
    }

    /// Value, tangents, and the pullback, which gives each field its part of the cotangent. An enum's cotangent may be
    /// the zero of all variants: then each field's is its own zero.
    fn vjp(&self) -> TokenStream {
        let times = 1 << (self.order - 1);
        let (name, vis, params) = (self.name(Kind::Vjp), self.visibility(), self.params(times));
        let (outputs, made) = (self.outputs(times), (0..times).map(|index| self.made(index)));
        let (tangent, captured) = (self.tangent(), self.captured());
        let (seeds, seed) = (vec![&tangent; times], |index: usize| local(&format!("seed_{index}")));
        let fields = &self.variant.fields;
        let cotangents: Vec<TokenStream> =
            fields.iter().flat_map(|field| vec![tangent_of(field); times]).collect();
        let returned =
            fields.iter().flat_map(|field| (0..times).map(|index| component(field, index)));
        let (names, zeros) = ((0..times).map(seed), self.zeros());
        let opened = (0..times).map(|index| self.opened(index, &seed(index)));
        quote! {
            #[doc(hidden)]
            #[inline]
            #vis fn #name(#params) -> (
                #(#outputs,)*
                impl ::core::ops::FnOnce(#(#seeds),*) -> (#(#cotangents,)*) + use<#(#captured),*>,
            ) {
                #zeros
                (#(#made,)* move |#(#names: #seeds),*| { #(#opened)* (#(#returned,)*) })
            }
        }
    }

    /// The zeros of an enum's fields.
    fn zeros(&self) -> TokenStream {
        let fields = self.variant.fields.iter().filter(|_| self.variant.name.is_some());
        let zeros = fields.map(|field| {
            let (zero, value) = (field.variable("zero"), component(field, 0));
            match field.is_constant {
                true => quote!(let #zero = ::cotangent::__private::NoTangent;),
                false => {
                    let differentiable = field.differentiable(Side::Primal);
                    quote!(let #zero = #differentiable::zero_tangent(&#value);)
                }
            }
        });
        zeros.collect()
    }

    /// A statement that takes a cotangent apart.
    fn opened(&self, index: usize, seed: &Ident) -> TokenStream {
        let tangent = &self.subject.tangent;
        let pattern = self
            .variant
            .build(&quote!(#tangent), |field| component(field, index).into_token_stream());
        if self.variant.name.is_none() {
            return quote!(let #pattern = #seed;);
        }
        let fields = &self.variant.fields;
        let names: Vec<Ident> = fields.iter().map(|field| component(field, index)).collect();
        let zeros = fields.iter().map(|field| field.variable("zero"));
        quote! {
            let (#(#names,)*) = match #seed {
                #pattern => (#(#names,)*),
                _ => (#(::core::clone::Clone::clone(&#zeros),)*),
            };
        }
    }

    /// All generic parameters, which the pullback's type may name.
    fn captured(&self) -> Vec<TokenStream> {
        let generics = &self.subject.generics;
        let lifetimes = generics.lifetimes().map(|param| param.lifetime.to_token_stream());
        let types = generics.type_params().map(|param| param.ident.to_token_stream());
        let constants = generics.const_params().map(|param| param.ident.to_token_stream());
        lifetimes.chain(types).chain(constants).collect()
    }
}

fn tangent_of(field: &Field) -> TokenStream {
    field.tangent.to_token_stream()
}

/// A component of a field: its value, or one of its tangents.
fn component(field: &Field, index: usize) -> Ident {
    field.variable(&format!("part_{index}"))
}
