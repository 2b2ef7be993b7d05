//! What people read of emitted code: the errors of rustc's where a callee has no derivatives, and the code itself.
//!
//! rustc cannot be told what to say of a name that does not exist, but it says the name, and that of the macro in
//! which it stands. So calls name derivatives by way of a macro and by functions whose names tell what to do. In
//! the text of [`pretty`] they have the short ones.

use crate::syntax::walk::{NodeMut, TreeMut};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The end of the names of methods' derivatives that calls look for.
pub const NEEDS: &str = "_needs_differentiate_or_primitive_or_zero_adjoint";

/// The end of the names of derivatives of a higher order: a callee has them with one `#[differentiate]` more.
pub const NEEDS_ANOTHER: &str = "_needs_another_differentiate";

/// The end of those of a `vjp` by itself: it is differentiated together with its pullback.
pub const NEEDS_PULLBACK: &str = "_needs_its_pullback_bound_by_let_and_called";

/// The type that holds the derivatives of a function, by its path.
pub fn companion(path: &syn::ExprPath) -> TokenStream {
    let path = path.to_token_stream();
    crate::binding::companion(&path, || named(&path)).unwrap_or_else(|| {
        let companion = named(&path);
        quote!(<#companion>)
    })
}

/// Makes the alias of a companion, if it has one, lead through a constant: where that does not compile, rustc reports it,
/// and says nothing more of the function's derivatives.
pub fn check_companion(path: &syn::ExprPath, constant: &TokenStream) {
    let path = path.to_token_stream();
    crate::binding::companion(&path, || {
        let named = named(&path);
        quote! {
            <::cotangent::__private::Checked<{ #constant }>
                as ::cotangent::__private::Argument<fn(#named)>>::Type
        }
    });
}

/// The companion in a macro whose name tells what to do.
fn named(path: &TokenStream) -> TokenStream {
    let name = syn::Ident::new(NEEDS.trim_start_matches('_'), Span::call_site());
    quote!(::cotangent::__private::#name!(#path))
}

/// What the macro makes of that path: the same, at the same place, but as its own.
pub fn companion_type(path: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = path.into_iter().collect();
    if let Some(last) = tokens.last_mut() {
        last.set_span(last.span().resolved_at(Span::mixed_site()));
    }
    tokens.into_iter().collect()
}

/// Code as a person would lay it out.
pub fn pretty(functions: &TokenStream) -> String {
    match syn::parse2::<syn::File>(functions.clone()) {
        Ok(file) => pretty_file(file),
        Err(_) => functions.to_string(),
    }
}

/// Likewise.
pub fn pretty_file(mut file: syn::File) -> String {
    file.change(&mut |node| {
        shorten(node);
        true
    });
    prettyplease::unparse(&file)
}

/// Gives a derivative its short name.
fn shorten(node: NodeMut) {
    match node {
        NodeMut::ExprPath(path) => {
            if let Some(companion) = path.qself.as_ref().and_then(companion_of) {
                let rest = &path.path.segments;
                *path = syn::parse_quote!(#companion::#rest);
            }
        }
        NodeMut::Ident(ident) => {
            let name = ident.to_string();
            let mut ends = [NEEDS, NEEDS_ANOTHER, NEEDS_PULLBACK].into_iter();
            if let Some(short) = ends.find_map(|end| name.strip_suffix(end)) {
                *ident = syn::Ident::new(short, ident.span());
            }
        }
        _ => {}
    }
}

/// The path in the macro.
fn companion_of(qself: &syn::QSelf) -> Option<syn::Path> {
    let syn::Type::Macro(call) = &*qself.ty else { return None };
    let is_ours = call.mac.path.segments.last()?.ident == NEEDS.trim_start_matches('_');
    is_ours.then(|| syn::parse2(call.mac.tokens.clone()).ok()).flatten()
}
