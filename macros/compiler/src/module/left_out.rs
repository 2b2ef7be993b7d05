//! Companions of functions that a module leaves out.
//!
//! In: the function, and why it has none. Out: a companion of which every call is one error with the reason. Without it,
//! rustc says only that there is no companion.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The functions of a companion, and how many arguments they have beside those of the function.
const FUNCTIONS: [(&str, usize); 6] = [
    ("gradient", 0),
    ("value_and_gradient", 0),
    ("jacobian", 0),
    ("hessian", 0),
    ("vjp", 0),
    ("__check", 1),
];

/// The companion.
pub fn companion(function: &syn::ItemFn, name: &Ident, reason: &str) -> TokenStream {
    let visibility = &function.vis;
    let conditions = function.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let conditions: Vec<&syn::Attribute> = conditions.collect();
    let message = format!("`{}` has no derivatives: {reason}", function.sig.ident);
    let message = message.replace('{', "{{").replace('}', "}}");
    let count = function.sig.inputs.len();
    let functions = FUNCTIONS.iter().map(|(function, others)| {
        let function = format_ident!("{function}");
        let types: Vec<Ident> = (0..count + others).map(|n| format_ident!("A{n}")).collect();
        quote! {
            #visibility fn #function<#(#types),*>(#(_: #types),*) -> !
            where
                (#(#types,)*): HasDerivatives,
            {
                ::core::unreachable!()
            }
        }
    });
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #visibility enum #name {}
        #(#conditions)*
        const _: () = {
            #[diagnostic::on_unimplemented(
                message = #message,
                label = "this has no derivatives",
                note = "put `#[differentiate]` on the function too, and the error stands at the place"
            )]
            pub trait HasDerivatives {}
            #[allow(dead_code, missing_docs, clippy::all)]
            impl #name {
                #(#functions)*
            }
        };
    }
}
