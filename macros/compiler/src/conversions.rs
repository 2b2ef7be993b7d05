//! `#[differentiate]` on a conversion between types of the user's: `impl From<A> for V`.
//!
//! In: the `impl`. Out: beside it the impl of a trait of ours (`core/src/conversions.rs`), by which derivative code of whoever
//! writes `V::from(a)` or `a.into()` finds the derivatives. They are those of a function of the conversion's body.
//!
//! Invariants: the user's `impl` stays as it is. What stands beside it proves that the trait is the standard library's,
//! and that `V::from` and `a.into()` are its functions and none of the types' own.

use crate::binding::{self, local};
use crate::diag::{self, Reports};
use crate::operators::Outside;
use crate::syntax::attr::Arguments;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, ImplItem, PathArguments, Type};

/// A conversion, and its parts.
struct Conversion<'a> {
    block: &'a syn::ItemImpl,
    path: &'a syn::Path,
    method: &'a syn::ImplItemFn,
    /// The type that is converted.
    from: &'a Type,
}

/// The `impl` with what is beside it, if it is a conversion's.
pub fn differentiate(
    block: &syn::ItemImpl,
    arguments: &Arguments,
    reports: &mut Reports,
) -> Option<TokenStream> {
    let conversion = Conversion::read(block)?;
    if arguments.orders() > 2 || !arguments.emits_forward() || !arguments.emits_reverse() {
        reports.report(conversion.method.sig.ident.span(), &diag::CONVERSION, "");
    }
    let derivatives =
        binding::surrounded(|| conversion.derivatives(arguments, reports).unwrap_or_default());
    let (block, errors) = (crate::syntax::plain(block.to_token_stream()), reports.to_tokens());
    Some(quote!(#block #errors #derivatives))
}

/// The type that an `impl` of a conversion converts.
pub fn converted(block: &syn::ItemImpl) -> Option<&Type> {
    Conversion::read(block).map(|conversion| conversion.from)
}

impl<'a> Conversion<'a> {
    fn read(block: &'a syn::ItemImpl) -> Option<Self> {
        let (path, _) = block.trait_.as_ref()?;
        let last = path.segments.last().filter(|last| last.ident == "From")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        let [GenericArgument::Type(from)] = arguments.args.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let method = block.items.iter().find_map(|item| match item {
            ImplItem::Fn(method) if method.sig.ident == "from" => Some(method),
            _ => None,
        })?;
        let is_converting = matches!(method.sig.inputs.first(), Some(FnArg::Typed(_)));
        (is_converting && method.sig.inputs.len() == 1).then_some(Conversion {
            block,
            path,
            method,
            from,
        })
    }

    /// Returns the items beside the `impl`; none where there are errors.
    fn derivatives(&self, arguments: &Arguments, reports: &mut Reports) -> Option<TokenStream> {
        let function = self.function().filter(|_| reports.is_empty())?;
        let compiled = crate::compiled(&function, arguments, None, std::mem::take(reports));
        *reports = compiled.reports;
        let (companion, proofs) = (compiled.tokens, self.proofs());
        let name = &function.sig.ident;
        let is_second = arguments.orders() == 2;
        let impls = [Some(self.first(name)), is_second.then(|| self.second(name))];
        let impls = impls.into_iter().flatten();
        let function = crate::syntax::plain(function.to_token_stream());
        Some(quote!(#[allow(dead_code, clippy::all)] #function #companion #(#impls)* #proofs))
    }

    /// The conversion as a function. Its name is none that the body may mean.
    fn function(&self) -> Option<syn::ItemFn> {
        let mut function = crate::block::of_method(self.method);
        function.sig.generics = self.block.generics.clone();
        let mut name = "from_".to_owned();
        while binding::is_spelled(&name) {
            name.push('_');
        }
        let outside = Outside { ty: &self.block.self_ty, output: None };
        let mut function: syn::ItemFn =
            syn::parse2(outside.tokens(function.to_token_stream())).ok()?;
        function.sig.ident = Ident::new(&name, self.method.sig.ident.span());
        Some(function)
    }

    /// Returns the type behind the reference, if a reference is converted.
    fn lent(&self) -> Option<&Type> {
        match self.from {
            Type::Reference(reference) => Some(&reference.elem),
            _ => None,
        }
    }

    /// Returns the type behind a reference to the tangent, if a reference is converted.
    fn shadow(&self) -> Option<TokenStream> {
        self.lent().map(|of| match of {
            Type::Slice(slice) => {
                let item = &slice.elem;
                quote!([<#item as ::cotangent::Differentiable>::Tangent])
            }
            of => quote!(<#of as ::cotangent::Differentiable>::Tangent),
        })
    }

    /// Returns the type that is converted and that of its tangent, as functions take them.
    fn operand(&self) -> [TokenStream; 2] {
        let shadow = self.shadow();
        match self.lent() {
            Some(of) => [quote!(&#of), quote!(&#shadow)],
            None => {
                let of = self.from;
                [quote!(#of), quote!(<#of as ::cotangent::Differentiable>::Tangent)]
            }
        }
    }

    /// The impl of the trait of first derivatives.
    fn first(&self, name: &Ident) -> TokenStream {
        let (value, dot) = (local("value"), local("dot"));
        let bar = quote!(<Self as ::cotangent::Differentiable>::Tangent);
        let ([ty, tangent], shadow) = (self.operand(), self.shadow());
        let pulled = match shadow {
            Some(shadow) => quote!((#ty, &mut #shadow, #bar)),
            None => quote!((#bar) -> (#tangent,)),
        };
        let captured = self.captured();
        self.implementation(
            "Conversion",
            &quote! {
                #[inline]
                fn __from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
                    #value: #ty,
                ) -> (Self, impl ::core::ops::FnOnce #pulled + use<#captured>) {
                    #name::__vjp(#value)
                }

                #[inline]
                fn __from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
                    #value: #ty,
                    #dot: #tangent,
                ) -> (Self, #bar) {
                    #name::__jvp(#value, #dot)
                }
            },
        )
    }

    /// The impl of the trait of second derivatives.
    fn second(&self, name: &Ident) -> TokenStream {
        let [value, dot, other, both] = ["value", "dot", "other", "both"].map(local);
        let bar = quote!(<Self as ::cotangent::Differentiable>::Tangent);
        let ([ty, tangent], shadow) = (self.operand(), self.shadow());
        let pulled = match shadow {
            Some(shadow) => quote!((#ty, #tangent, &mut #shadow, &mut #shadow, #bar, #bar)),
            None => quote!((#bar, #bar) -> (#tangent, #tangent)),
        };
        let captured = self.captured();
        self.implementation(
            "SecondConversion",
            &quote! {
                #[inline]
                fn __from_jvp_over_vjp_needs_another_differentiate(
                    #value: #ty,
                    #dot: #tangent,
                ) -> (Self, #bar, impl ::core::ops::FnOnce #pulled + use<#captured>) {
                    #name::__jvp_over_vjp_needs_another_differentiate(#value, #dot)
                }

                #[inline]
                fn __from_jvp_over_jvp_needs_another_differentiate(
                    #value: #ty,
                    #dot: #tangent,
                    #other: #tangent,
                    #both: #tangent,
                ) -> (Self, #bar, #bar, #bar) {
                    #name::__jvp_over_jvp_needs_another_differentiate(#value, #dot, #other, #both)
                }
            },
        )
    }

    /// An impl of a trait of ours, or of the one like it for references. References in it have lifetimes of its functions'
    /// own.
    fn implementation(&self, name: &str, functions: &TokenStream) -> TokenStream {
        let (name, of) = match self.lent() {
            Some(of) => (format_ident!("{name}OfReference"), of),
            None => (format_ident!("{name}"), self.from),
        };
        let ty = &self.block.self_ty;
        let mut generics = self.block.generics.clone();
        let params = std::mem::take(&mut generics.params).into_iter();
        let is_lifetime =
            |param: &syn::GenericParam| matches!(param, syn::GenericParam::Lifetime(_));
        generics.params = params.filter(|param| !is_lifetime(param)).collect();
        let (head, _, bounds) = generics.split_for_impl();
        let shadow = self.shadow().map(|shadow| quote!(, #shadow));
        quote! {
            #[allow(unused, clippy::all)]
            impl #head ::cotangent::__private::#name<#of #shadow> for #ty #bounds {
                #functions
            }
        }
    }

    /// Returns the generic parameters that a pullback's type may name.
    fn captured(&self) -> TokenStream {
        let params = self.block.generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Const(param) => Some(&param.ident),
            syn::GenericParam::Type(param) => Some(&param.ident),
            syn::GenericParam::Lifetime(_) => None,
        });
        quote!(#(#params),*)
    }

    /// A function that compiles only if this is the conversion that paths and methods lead to.
    fn proofs(&self) -> TokenStream {
        let span = Span::call_site().located_at(self.method.sig.ident.span());
        let (head, _, bounds) = self.block.generics.split_for_impl();
        let (ty, path, from) = (&self.block.self_ty, self.path, self.from);
        let known = quote!(<#ty as ::core::convert::From<#from>>::from);
        let into = self.may_have_own_into().then(|| {
            let span = Span::call_site().located_at(from.span());
            let value = binding::local_at("value", span);
            quote_spanned!(span=> ::cotangent::__private::is_into(|#value: #from| #value.into());)
        });
        quote_spanned! {span=>
            const _: () = {
                #[allow(unused, clippy::all)]
                fn proofs #head() #bounds {
                    ::cotangent::__private::is_from((<#ty>::from, #known));
                    ::cotangent::__private::is_from((<#ty as #path>::from, #known));
                    #into
                }
            };
        }
    }

    /// Whether what is converted may have a function `into` of its own: parameters and references have none.
    fn may_have_own_into(&self) -> bool {
        let is_param = |ty: &Type| match ty {
            Type::Path(path) => {
                self.block.generics.type_params().any(|param| path.path.is_ident(&param.ident))
            }
            _ => false,
        };
        self.lent().is_none() && !is_param(self.from)
    }
}
