//! `#[differentiate]` on an `impl` block: each of its functions in turn.
//!
//! In: the block. Out: the same block, in which the derivatives of each function stand beside it. A function
//! with an attribute of its own is differentiated as that says, the others as the block's says.

use crate::attr::{self, Arguments};
use crate::diag::{self, Reports};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The block with derivatives, and what is wrong in it.
pub fn differentiate(
    mut block: syn::ItemImpl,
    arguments: &Arguments,
    reports: &mut Reports,
) -> TokenStream {
    if let Some((path, _)) = &block.trait_ {
        reports.report(diag::Extent::of(path), &diag::TRAIT_ITEM, "");
        let errors = reports.to_tokens();
        return quote!(#block #errors);
    }
    let is_sound = reports.is_empty();
    let mut derivatives = TokenStream::new();
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        let function = as_function(method);
        let own = attr::of_item(&function, reports);
        attr::check_single(&function, reports);
        method.attrs.retain(|attribute| !attr::is_differentiate(attribute));
        let arguments = if attr::is_stacked(&function) { &own } else { arguments };
        let function = attr::without_stack(function);
        if is_sound {
            derivatives.extend(crate::guarded(
                &function,
                arguments,
                Some(&block.generics),
                reports,
            ));
        }
    }
    let errors = reports.to_tokens();
    block.items.push(syn::ImplItem::Verbatim(quote!(#derivatives #errors)));
    block.into_token_stream()
}

/// A method as the item that it would be outside.
fn as_function(method: &syn::ImplItemFn) -> syn::ItemFn {
    syn::ItemFn {
        attrs: method.attrs.clone(),
        vis: method.vis.clone(),
        modifiers: method.modifiers.clone(),
        sig: method.sig.clone(),
        block: Box::new(method.block.clone()),
    }
}
