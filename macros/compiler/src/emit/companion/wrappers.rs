//! The functions of the contract that only arrange arguments: `gradient` and `value_and_gradient`. Where there are none,
//! functions of these names say why. Where the float may be missing, so may the gradient.

use super::formula;
use super::head::{Head, Named, Param, seed_of};
use crate::binding::local;
use crate::ir::Type;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

pub fn wrappers(head: &Head, reverse: bool) -> TokenStream {
    let mut functions = TokenStream::new();
    if reverse && head.signature.may_be_float() {
        functions.extend(gradient(head));
        functions.extend(value_and_gradient(head));
    } else if let Some(float) = head.signature.auxiliary().filter(|_| reverse && !head.is_nested) {
        functions.extend(gradient_of(head, &TokenStream::new()));
        functions.extend(auxiliary_value_and_gradient(head, float));
    } else if let Some(float) = head.signature.fallible().filter(|_| reverse && !head.is_nested) {
        functions.extend(fallible_gradient(head));
        functions.extend(fallible_value_and_gradient(head, float));
    } else if reverse {
        let (needs, params) = (head.output_clause("FloatOutput"), head.plain_params());
        for name in ["gradient", "value_and_gradient"] {
            functions.extend(absent(head, name, &params, &head.gradient(), &needs));
        }
    }
    functions
}

/// The bound of a function that no companion has, in the words of a trait of `core/src/absent.rs`.
pub fn needs(name: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(for<'absent> Self: ::cotangent::__private::#name<'absent>,)
}

/// A function of the contract that is not there, with a bound that says what it needs: a call of it is rustc's error in
/// the words of that bound. Beside a method it could be a name of the user's.
pub fn absent(
    head: &Head,
    name: &str,
    params: &[Param],
    output: &TokenStream,
    needs: &TokenStream,
) -> Option<TokenStream> {
    if head.signature.owner.is_some() || head.is_nested {
        return None;
    }
    let never = quote!(::cotangent::__private::never());
    let function = head.function(name, "", params, output, needs, &never);
    Some(quote!(#[doc(hidden)] #function))
}

/// The derivatives of second order, of a function that has those of first order.
pub fn first_order_only(head: &Head) -> TokenStream {
    let (needs, plain) = (needs("SecondOrder"), head.plain_params());
    let matrix = match &head.params[..] {
        [only] if only.param.kind.is_float() => head.output(),
        _ => quote!(::cotangent::Matrix<::core::primitive::f64>),
    };
    let (output, gradient) = (head.output(), head.gradient());
    let all = quote!((#output, #gradient, #matrix));
    let functions = [
        absent(head, "hessian", &plain, &matrix, &needs),
        absent(head, "value_gradient_and_hessian", &plain, &all, &needs),
        absent(head, "hvp", &head.jvp_params(), &gradient, &needs),
    ];
    functions.into_iter().flatten().collect()
}

fn gradient(head: &Head) -> TokenStream {
    gradient_of(head, &head.float_clause())
}

/// The gradient without the value.
fn gradient_of(head: &Head, clause: &TokenStream) -> TokenStream {
    let (names, turbofish) = (head.plain_names(), head.turbofish());
    let value_and_gradient = head.derivative("value_and_gradient");
    let body = quote!(Self::#value_and_gradient #turbofish(#(#names),*).1);
    let function = head.function(
        "gradient",
        &formula::gradient(head),
        &head.plain_params(),
        &head.gradient(),
        clause,
        &body,
    );
    // rustc suggests the name to who writes the other. The documentation stays the first of its kind.
    let is_doc = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.stream().to_string().starts_with("doc"));
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let behind = tokens.iter().position(is_doc).map_or(0, |doc| doc + 1);
    let others = tokens.split_off(behind);
    quote!(#(#tokens)* #[doc(alias = "grad")] #(#others)*)
}

fn value_and_gradient(head: &Head) -> TokenStream {
    let (output, gradient, turbofish) = (head.output(), head.gradient(), head.turbofish());
    let args = head.params.iter().map(with_shadow);
    let (shadows, cotangents, all) = (shadows(head), cotangents(head), all(head));
    let (accumulate, value) = (head.derivative("accumulate_gradient"), local("value"));
    let body = quote! {
        #shadows
        let (#value, #cotangents) = Self::#accumulate #turbofish(#(#args),*);
        (#value, #all)
    };
    head.function(
        "value_and_gradient",
        &formula::value_and_gradient(head),
        &head.plain_params(),
        &quote!((#output, #gradient)),
        &head.float_clause(),
        &body,
    )
}

/// By the pullback. The seed is one for the float, and zero for what is constant.
fn auxiliary_value_and_gradient(head: &Head, float: &syn::Type) -> TokenStream {
    let (value, all, one) = (local("value"), all(head), seed_of(float));
    let (output, gradient) = (head.output(), head.gradient());
    by_pullback(
        head,
        &formula::value_and_gradient(head),
        &quote!((#output, #gradient)),
        &quote!((#one, ::cotangent::Differentiable::zero_tangent(&#value.1))),
        &quote!((#value, #all)),
    )
}

fn fallible_gradient(head: &Head) -> TokenStream {
    let (names, turbofish) = (head.plain_names(), head.turbofish());
    let (both, gradient) = (head.derivative("value_and_gradient"), local("gradient"));
    head.function(
        "gradient",
        &formula::fallible_gradient(head),
        &head.plain_params(),
        &held(head, &head.gradient()),
        &TokenStream::new(),
        &quote!(Self::#both #turbofish(#(#names),*).map(|(_, #gradient)| #gradient)),
    )
}

/// By the pullback, which undoes what was written, whether there is a value or not. The seed is the tangent of a value
/// that is there.
fn fallible_value_and_gradient(head: &Head, float: &syn::Type) -> TokenStream {
    let (value, all, one) = (local("value"), all(head), seed_of(float));
    let gradient = head.gradient();
    by_pullback(
        head,
        &formula::fallible_value_and_gradient(head),
        &held(head, &quote!((#float, #gradient))),
        &quote!(::cotangent::Differentiable::zero_tangent(&#value).map(|_| #one)),
        &quote!(#value.map(|#value| (#value, #all))),
    )
}

/// The value and the gradient from `vjp`, by a seed that is made of the value, and what is returned of both.
fn by_pullback(
    head: &Head,
    doc: &str,
    output: &TokenStream,
    seed: &TokenStream,
    returned: &TokenStream,
) -> TokenStream {
    let (turbofish, vjp, names) = (head.turbofish(), head.derivative("vjp"), head.plain_names());
    let (shadows, cotangents) = (shadows(head), cotangents(head));
    let [value, pullback, named_seed] = ["value", "pullback", "seed"].map(local);
    let references = head.params.iter().filter(|named| named.param.reference().is_some());
    let passed = references.map(with_shadow);
    let body = quote! {
        #shadows
        let (#value, #pullback) = Self::#vjp #turbofish(#(#names),*);
        let #named_seed = #seed;
        let #cotangents = #pullback(#(#passed,)* #named_seed);
        #returned
    };
    let params = head.plain_params();
    head.function("value_and_gradient", doc, &params, output, &TokenStream::new(), &body)
}

/// The output's type with another type in the place of its float, which is the first argument.
fn held(head: &Head, ty: &TokenStream) -> TokenStream {
    let Some(syn::Type::Path(mut path)) = head.signature.output.clone() else {
        return TokenStream::new();
    };
    if let Some(last) = path.path.segments.last_mut()
        && let syn::PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        arguments.args[0] = syn::parse_quote!(#ty);
    }
    path.to_token_stream()
}

/// Whether a shadow follows a parameter.
fn is_shadowed(named: &Named) -> bool {
    named.param.active && named.param.reference().is_some()
}

/// A parameter as an argument, followed by its shadow.
fn with_shadow(named: &Named) -> TokenStream {
    let (name, bar) = (&named.param.name, &named.bar);
    if is_shadowed(named) { quote!(#name, &mut #bar) } else { quote!(#name) }
}

/// Statements that make a shadow for each active reference.
fn shadows(head: &Head) -> TokenStream {
    let shadows = head.params.iter().filter(|named| is_shadowed(named)).map(|named| {
        let (bar, zero) = (&named.bar, named.zero(&named.param.name));
        quote!(let mut #bar = #zero;)
    });
    shadows.collect()
}

/// The names of the cotangents that are returned: bare, or a tuple.
fn cotangents(head: &Head) -> TokenStream {
    let bars: Vec<TokenStream> = head.by_value().map(|named| named.bar.to_token_stream()).collect();
    crate::emit::bare_or_tuple(&bars)
}

/// Those of all active parameters, in order.
fn all(head: &Head) -> TokenStream {
    let active = head.params.iter().filter(|named| named.param.active);
    let bars: Vec<TokenStream> = active.map(|named| named.bar.to_token_stream()).collect();
    crate::emit::bare_or_tuple(&bars)
}

/// An argument for one of several calls.
pub fn again(named: &Named) -> TokenStream {
    let name = &named.param.name;
    match (named.param.reference(), &named.param.kind) {
        (Some(_), _) => quote!(#name),
        (None, Type::Unknown) => quote!(::cotangent::__private::Kept::kept(&#name)),
        (None, _) => quote!(::core::clone::Clone::clone(&#name)),
    }
}
