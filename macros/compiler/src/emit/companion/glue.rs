//! Hidden functions beside the derivatives: those that calls use, those that functions are handed over with, and
//! those for `check!`.

use super::head::{Head, Named};
use super::uniform::{self, Receiver};
use crate::syntax::attr::Arguments;
use crate::syntax::signature::OwnerKind;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub fn glue(head: &Head, arguments: &Arguments, is_batched: bool) -> TokenStream {
    let mut functions = primal(head);
    functions.extend(owner(head));
    functions.extend(from(head));
    let check = super::check::check(head, arguments, is_batched);
    functions.extend(check.map(|check| hidden(&check)));
    let is_constant_object = |named: &Named| !named.param.active && has_object(&named.param.ty);
    if head.params.iter().any(is_constant_object) {
        return functions;
    }
    let object = head.signature.owner.as_ref().and_then(|owner| owner.object.as_ref());
    let receiver = match object.filter(|_| super::object::has(head.signature)) {
        Some(names) => Receiver::Forward(names),
        None => Receiver::Own,
    };
    functions.extend(uniform::uniform(head, arguments, receiver));
    functions.extend(super::functions::with_state(head, arguments).iter().map(hidden));
    functions
}

/// Those beside a derivative that is a function of its own.
pub fn of_derivative(head: &Head, arguments: &Arguments, is_tested: bool) -> TokenStream {
    let mut functions = uniform::uniform(head, arguments, Receiver::Own);
    if is_tested {
        functions.extend(super::check::check(head, arguments, false).map(|check| hidden(&check)));
    }
    functions
}

/// Mentions the user's function: to use its derivatives is to use it.
fn primal(head: &Head) -> TokenStream {
    let primal = head.primal();
    let body = match head.signature.is_inferred {
        false => quote!(let _ = #primal;),
        true => {
            let own = head.distinct_params();
            let params = own.iter().map(|(name, ty)| quote!(#name: #ty));
            let args = head
                .params
                .iter()
                .zip(&own)
                .map(|(named, (name, _))| head.plain_argument(named, &quote!(#name)));
            quote!(let _ = |#(#params),*| #primal(#(#args),*);)
        }
    };
    hidden(&head.function("__primal", "", &[], &quote!(()), &TokenStream::new(), &body))
}

/// What tells callers of a method whose it is: the type's, or some trait's.
fn owner(head: &Head) -> Option<TokenStream> {
    let signature = head.signature;
    let (owner, receiver) = (signature.owner.as_ref()?, signature.params.first()?);
    if receiver.name != "self" {
        return None;
    }
    let reference = if receiver.is_unique() { quote!(&mut self) } else { quote!(&self) };
    let of = if owner.kind == OwnerKind::Type { quote!(Self) } else { quote!(()) };
    let (name, vis, attributes) =
        (crate::emit::sibling(&signature.siblings, "owner", false), head.vis, &head.attributes);
    let ty = quote!(::cotangent::__private::Owner<#of>);
    Some(quote! {
        #attributes
        #[doc(hidden)]
        #[inline]
        #vis fn #name(#reference) -> #ty {
            ::cotangent::__private::Owner::new()
        }
    })
}

/// Returns the proof for callers of a function `from` that is no conversion: the derivatives are those of the function that
/// they call. It takes `from` as this one is declared, where that of the standard library converts values of all types.
fn from(head: &Head) -> Option<TokenStream> {
    let signature = head.signature;
    let (owner, [param]) = (signature.owner.as_ref()?, &signature.params[..]) else { return None };
    let is_declared = owner.kind != OwnerKind::Implementation;
    if signature.siblings != "from" || param.name == "self" || !is_declared {
        return None;
    }
    let (generics, _, _) = signature.generics.split_for_impl();
    let bound = owner.is_trait().then(|| quote!(Self: ::core::marker::Sized,));
    let clause = head.clause();
    let (vis, attributes, ty) = (head.vis, &head.attributes, &param.ty);
    let output = match &signature.output {
        Some(output) => output.to_token_stream(),
        None => quote!(()),
    };
    let name = crate::emit::sibling(&signature.siblings, "is", false);
    Some(quote! {
        #attributes
        #[doc(hidden)]
        #[inline(always)]
        #vis fn #name #generics(
            _: impl ::core::ops::FnOnce(#ty) -> #output,
            _: ::core::marker::PhantomData<#ty>,
            _: &#output,
        ) #clause #bound {}
    })
}

/// Whether a parameter is a trait object, of which no copy can be made.
pub fn has_object(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(reference) => has_object(&reference.elem),
        ty => matches!(ty, syn::Type::TraitObject(_)),
    }
}

pub fn hidden(function: &TokenStream) -> TokenStream {
    quote!(#[doc(hidden)] #function)
}
