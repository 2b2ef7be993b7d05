//! Calls of derivatives of what may be a conversion: `V::from(a)`.
//!
//! In: the path, and the call. Out: the call with the traits in scope that have the derivatives of impls of `From`
//! (`core/src/conversions.rs`), and a proof.
//!
//! Invariant: rustc finds a function `from` of the type's own before that of the trait, and derivatives likewise. The proof is
//! that both are the type's or both are the trait's.

use crate::binding::local;
use crate::ir::Passing;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// Whether a path may lead to a conversion.
pub fn may_be(function: &syn::ExprPath) -> bool {
    let last = function.path.segments.last();
    crate::ir::is_associated(function) && last.is_some_and(|last| last.ident == "from")
}

/// A derivative with the traits in scope, to be called for its type.
pub fn callee(passing: &Passing, derivative: &TokenStream) -> TokenStream {
    let traits = traits(passing);
    quote!(({ use ::cotangent::__private::{#traits}; #derivative }))
}

/// The call of a derivative.
pub fn call(
    function: &syn::ExprPath,
    passing: &Passing,
    derivative: &TokenStream,
    args: &[TokenStream],
) -> TokenStream {
    let [argument, of, called, mut converted] =
        ["argument", "of", "called", "converted"].map(local);
    let at = function.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    converted.set_span(converted.span().located_at(at));
    let (traits, is) = (traits(passing), super::companion_path(function, "is", false));
    let Some((first, rest)) = args.split_first() else { return quote!(#derivative()) };
    let proof = quote_spanned! {Span::mixed_site().located_at(at)=>
        if false {
            #is(|#converted| #function(#converted), #of, &#called.0);
        }
    };
    quote!({
        use ::cotangent::__private::{#traits};
        let #argument = #first;
        let #of = ::cotangent::__private::type_of(&#argument);
        let #called = #derivative(#argument #(, #rest)*);
        #proof
        #called
    })
}

fn traits(passing: &Passing) -> TokenStream {
    match passing {
        Passing::Value => quote!(Conversion as _, SecondConversion as _),
        _ => quote!(ConversionOfReference as _, SecondConversionOfReference as _),
    }
}
