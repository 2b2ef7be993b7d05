//! Derivatives by dual numbers: vector forward mode of a function that is generic over its floats.
//!
//! **In:** a head, and the path of the function. **Out:** a function beside the companion that calls it with dual numbers, of
//! so many tangents, and bodies that call this one: with the tangents of `jvp` and of `jvp_batch`, and for `vjp` with
//! as many as there are floats, or in runs of some each. **Invariant:** the path stands in emitted code once, so
//! that rustc says once what is wrong with it.

use super::pullback;
use crate::binding::local;
use crate::emit::companion::batch::Width;
use crate::emit::companion::head::{Head, Named};
use crate::emit::companion::is_active;
use crate::emit::{bare_or_tuple, sibling};
use crate::primitive::dual::{floats, infer_floats};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// The most partial derivatives that one run gives.
const MOST_LANES: usize = 16;

/// A function that is run with dual numbers.
pub struct Run<'r, 'a> {
    head: &'r Head<'a>,
    of: &'r syn::ExprPath,
}

impl<'r, 'a> Run<'r, 'a> {
    pub fn new(head: &'r Head<'a>, of: &'r syn::ExprPath) -> Self {
        Run { head, of }
    }

    /// The function with dual numbers.
    pub fn function(&self) -> TokenStream {
        let (head, of, name) = (self.head, self.of, self.name());
        let width = Width::new(head);
        let (count, wide) = (&width.count, width.head(head));
        let params = head.params.iter().map(|named| {
            let (name, ty) = (&named.param.name, type_of(named, count));
            quote!(#name: #ty)
        });
        let args = head.params.iter().map(argument);
        let (generics, clause, output) = (&wide.signature.generics, head.clause(), head.output());
        quote! {
            #[doc(hidden)]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            fn #name #generics(#(#params),*)
                -> <#output as ::cotangent::__private::dual::Lower>::Lifted<#count> #clause
            {
                #of(#(#args),*)
            }
        }
    }

    fn name(&self) -> Ident {
        sibling(&self.head.signature.name, "with_dual_numbers", false)
    }

    /// A call of it, with so many tangents.
    fn call(&self, lanes: &TokenStream, args: &[TokenStream]) -> TokenStream {
        let (name, generic) = (self.name(), self.head.generic_args());
        let owner = self.head.signature.owner.as_ref().map(|_| quote!(Self::));
        quote!(#owner #name::<#lanes, #(#generic),*>(#(#args),*))
    }

    pub fn jvp(&self) -> TokenStream {
        let args = self.lifts(|named| {
            let dot = named.place(&named.dot);
            quote!([#dot])
        });
        let (call, output) = (self.call(&quote!(1), &args), self.head.output());
        quote!(::cotangent::__private::dual::push_forward::<#output>(#call))
    }

    pub fn jvp_batch(&self, count: &Ident) -> TokenStream {
        let args = self.lifts(|named| {
            let dot = &named.dot;
            match named.param.reference() {
                Some(_) => dot.to_token_stream(),
                None => quote!(#dot.each_ref()),
            }
        });
        let (call, output) = (self.call(&quote!({ #count }), &args), self.head.output());
        quote!(::cotangent::__private::dual::push_lanes::<#output, { #count }>(#call))
    }

    /// Arguments with tangents, which come as arrays of references.
    fn lifts(&self, dots: impl Fn(&Named) -> TokenStream) -> Vec<TokenStream> {
        let each = self.head.params.iter().map(|named| {
            let name = &named.param.name;
            if !is_active(named) {
                return name.to_token_stream();
            }
            let (place, ty, dots) = (named.place(name), named.owned(), dots(named));
            let lift = quote!(<#ty as ::cotangent::__private::dual::Lift>::lift(#place, #dots));
            named.lent(&lift)
        });
        each.collect()
    }

    /// Arguments whose floats are variables. What is passed by value is copied where the function runs again.
    fn variables(&self, units: &Ident, is_one_run: bool) -> Vec<TokenStream> {
        let each = self.head.params.iter().map(|named| {
            let (name, place, ty) =
                (&named.param.name, named.place(&named.param.name), named.owned());
            match (is_active(named), named.param.reference()) {
                (true, _) => named.lent(&quote! {
                    <#ty as ::cotangent::__private::dual::Lift>::vary(#place, &mut #units)
                }),
                (false, None) if !is_one_run => quote!(::core::clone::Clone::clone(&#name)),
                (false, _) => name.to_token_stream(),
            }
        });
        each.collect()
    }

    pub fn vjp(&self) -> TokenStream {
        let head = self.head;
        let [value, dots, products] = ["value", "dots", "products"].map(local);
        let (run, pulled) = self.variation([&value, &dots]);
        let receive = head.params.iter().filter(|named| is_active(named)).map(|named| {
            let (ty, bar) = (named.owned(), &named.bar);
            let place = match named.param.reference() {
                Some(_) => quote!(&mut *#bar),
                None => quote!(&mut #bar),
            };
            quote!(<#ty as ::cotangent::__private::dual::Lift>::receive(#place, &mut #products);)
        });
        let (bars, names): (Vec<_>, Vec<_>) =
            head.by_value().map(|named| (named.bar.to_token_stream(), &named.param.name)).unzip();
        let returned = bare_or_tuple(&bars);
        let body = quote! {
            let mut #products = ::core::iter::IntoIterator::into_iter(#pulled);
            #(let mut #bars = #bars;)*
            #(#receive)*
            #returned
        };
        let pullback = pullback(&head.pullback_components(is_active), &body);
        quote! {
            #(let #bars = ::cotangent::Differentiable::zero_tangent(&#names);)*
            #run
            (#value, #pullback)
        }
    }

    /// Statements that run the function with variables, and the products of its partial derivatives with the cotangent.
    fn variation(&self, [value, dots]: [&Ident; 2]) -> (TokenStream, TokenStream) {
        let (units, seed, output) = (local("units"), &self.head.seed_name, self.head.output());
        let lanes = self.lanes();
        let args = self.variables(&units, lanes.is_some());
        let Some(lanes) = lanes else {
            let run = self.runs(&units, &args, [value, dots]);
            let pulled =
                quote!(::cotangent::__private::dual::pull_back_runs::<#output>(&#dots, &#seed));
            return (run, pulled);
        };
        let call = self.call(&quote!(#lanes), &args);
        let run = quote! {
            let mut #units = ::cotangent::__private::dual::Units::new(0);
            let (#value, #dots) =
                <#output as ::cotangent::__private::dual::Lower>::split::<#lanes>(#call);
        };
        let pulled =
            quote!(::cotangent::__private::dual::pull_back::<#output, #lanes>(&#dots, &#seed));
        (run, pulled)
    }

    /// As many runs as the arguments' floats need.
    fn runs(&self, units: &Ident, args: &[TokenStream], [value, dots]: [&Ident; 2]) -> TokenStream {
        let active = self.head.params.iter().filter(|named| is_active(named));
        let counts = active.map(|named| {
            let (ty, place) = (named.owned(), named.place(&named.param.name));
            quote!(+ <#ty as ::cotangent::__private::dual::Lift>::count(#place))
        });
        let call = self.call(&quote!({ ::cotangent::__private::dual::LANES }), args);
        let output = self.head.output();
        quote! {
            let (#value, #dots) = ::cotangent::__private::dual::runs::<#output>(
                0 #(#counts)*,
                |mut #units| #call,
            );
        }
    }

    /// How many floats the active parameters have, if that is written and one run gives the derivatives by all of them.
    fn lanes(&self) -> Option<usize> {
        let active = self.head.params.iter().filter(|named| is_active(named));
        let counts = active.map(|named| floats(&named.param.kind));
        counts.sum::<Option<usize>>().filter(|lanes| *lanes <= MOST_LANES)
    }
}

/// The type of a parameter of the function with dual numbers.
fn type_of(named: &Named, count: &Ident) -> TokenStream {
    if !is_active(named) {
        return named.param.ty.to_token_stream();
    }
    let ty = named.owned();
    let lifted = quote!(<#ty as ::cotangent::__private::dual::Lift>::Lifted<#count>);
    match named.param.reference() {
        Some(_) => quote!(&#lifted),
        None => lifted,
    }
}

/// An argument of the function of the other crate: constants made of floats are converted.
fn argument(named: &Named) -> TokenStream {
    let name = &named.param.name;
    let slice = named.is_slice().then(|| quote!([..]));
    if is_active(named) {
        return match slice {
            Some(slice) => quote!(&#name #slice),
            None => name.to_token_stream(),
        };
    }
    let Some(ty) = infer_floats(named.owned()) else { return name.to_token_stream() };
    let place = named.place(name);
    let constant = quote!(::cotangent::__private::dual::ToConstant::<#ty>::to_constant(#place));
    match named.param.reference() {
        Some(_) => quote!(&#constant #slice),
        None => constant,
    }
}
