//! Derivatives that are called through `dyn`.
//!
//! In: a trait, its functions that a trait object has, and their heads. Out: a hidden trait which all its
//! implementors have, with each derivative in a form that does not name their types: the pullback is in a
//! box and takes the value and its shadow as what they are found to be. The trait's own hidden functions lead
//! there, so that a call of a method looks the same for all receivers.

use super::head::Head;
use super::uniform::{self, Receiver};
use crate::binding::local;
use crate::diag::Reports;
use crate::syntax::attr::Arguments;
use crate::syntax::signature::{self, ObjectNames, Owner, OwnerKind, Signature};
use proc_macro2::TokenStream;
use quote::quote;

/// Whether an object of its trait has a function.
pub fn has(signature: &Signature) -> bool {
    let is_open = signature.generics.type_params().next().is_some()
        || signature.generics.const_params().next().is_some();
    let clause = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let is_sized = |predicate: &syn::WherePredicate| match predicate {
        syn::WherePredicate::Type(bound) => quote!(#bound).to_string().starts_with("Self :"),
        _ => false,
    };
    let receiver = signature.params.first().filter(|param| param.name == "self");
    receiver.is_some_and(|param| param.reference().is_some())
        && !is_open
        && !clause.into_iter().any(is_sized)
}

/// The hidden trait, which becomes a supertrait, and what makes objects differentiable.
pub fn declare(
    names: &ObjectNames,
    item: &mut syn::ItemTrait,
    functions: &[(syn::ItemFn, Arguments)],
) -> TokenStream {
    let (vis, of, hidden) = (&item.vis, &names.of, &names.hidden);
    item.supertraits.push(syn::parse_quote!(#hidden));
    let conditions: Vec<_> =
        item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
    let mut declarations = TokenStream::new();
    let mut definitions = TokenStream::new();
    for (function, arguments) in functions {
        let Some((declaration, definition)) = members(names, function, arguments) else { continue };
        declarations.extend(declaration);
        definitions.extend(definition);
    }
    let differentiable = differentiable(names);
    let implementor = local("Implementor");
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #vis trait #hidden: ::cotangent::__private::Object {
            #declarations
        }

        #(#conditions)*
        #[automatically_derived]
        impl<#implementor> #hidden for #implementor
        where
            #implementor: #of + ::cotangent::Differentiable + 'static,
        {
            #definitions
        }

        #(#conditions)*
        #differentiable
    }
}

/// A function's derivatives in the hidden trait: declared, and defined for all implementors.
fn members(
    names: &ObjectNames,
    function: &syn::ItemFn,
    arguments: &Arguments,
) -> Option<(TokenStream, TokenStream)> {
    // What is wrong with the head was reported where the trait's own members were made.
    let mut reports = Reports::default();
    let mut signature = signature::read(function, None, arguments, &mut reports);
    if !reports.is_empty() || !has(&signature) {
        return None;
    }
    let (generics, object) = (syn::Generics::default(), Some(names.clone()));
    let mut made = |kind| {
        let (generics, object) = (generics.clone(), object.clone());
        signature.owner =
            Some(Owner { generics, kind, object, ty: None, short: Default::default() });
        let mut head = Head::new(&function.vis, &signature);
        head.bounds = TokenStream::new();
        head.attributes = super::beside_attributes(&super::conditions(function));
        uniform::uniform(&head, arguments, Receiver::Object(names))
    };
    Some((made(OwnerKind::Declaration), made(OwnerKind::Implementation)))
}

fn differentiable(names: &ObjectNames) -> TokenStream {
    let of = &names.of;
    let tangent = quote!(::cotangent::__private::DynTangent);
    let [given, direction, step, visitor] = ["tangent", "direction", "step", "visitor"].map(local);
    quote! {
        const _: () = {
            use ::cotangent::__private::{binding as #given, binding as #direction};
            use ::cotangent::__private::{binding as #step, binding as #visitor};

            #[automatically_derived]
            impl ::cotangent::__private::TraitObject for dyn #of {
                fn object(&self) -> &dyn ::cotangent::__private::Object {
                    self
                }

                fn object_mut(&mut self) -> &mut dyn ::cotangent::__private::Object {
                    self
                }
            }

            #[automatically_derived]
            impl ::cotangent::__private::HeldObject for dyn #of {}

            #[automatically_derived]
            impl ::cotangent::Differentiable for dyn #of {
                type Tangent = #tangent;

                fn zero_tangent(&self) -> #tangent {
                    ::cotangent::__private::Object::zero_shadow(self)
                }

                fn conform(&self, #given: &mut #tangent) {
                    ::cotangent::__private::Object::conform_shadow(self, #given);
                }

                fn perturb(&mut self, #direction: &#tangent, #step: ::core::primitive::f64) {
                    ::cotangent::__private::Object::move_along(self, #direction, #step);
                }

                fn visit(&self, #visitor: &mut dyn ::cotangent::Visitor) {
                    ::cotangent::__private::Object::show_leaves(self, #visitor);
                }

                fn visit_floats(
                    &self,
                    #visitor: &mut (impl ::cotangent::floats::FloatVisitor + ?::core::marker::Sized),
                ) {
                    ::cotangent::__private::show_floats(self, #visitor);
                }

                fn visit_floats_mut(
                    &mut self,
                    #visitor: &mut (impl ::cotangent::floats::FloatVisitorMut + ?::core::marker::Sized),
                ) {
                    ::cotangent::__private::change_floats(self, #visitor);
                }
            }
        };
    }
}
