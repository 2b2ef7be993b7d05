//! Rows of the rule table for types of the user's: `impl rules::sqrt for Lanes`.
//!
//! In: an operator, or a method that is named like a row's. Out: the impl of the row's trait (`core/src/rules.rs`), by which
//! derivative code of whoever writes `a + b` or `a.sqrt()` finds what goes back to each operand. It calls the derivatives of a
//! function, in the uniform shape.
//!
//! Invariant: an impl reads no output, since derivative code may have a witness of its type only.

use crate::binding::local;
use crate::emit::sibling;
use crate::lower::builtin::is_rule;
use crate::syntax::attr::Arguments;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, ReceiverKind, ReturnType, Type, parse_quote};

/// An impl of a row's trait.
pub struct Row<'a> {
    pub name: &'a Ident,
    /// Parameters of the impl, with the bounds that copies of operands ask for.
    pub generics: syn::Generics,
    pub operands: Vec<Operand>,
    pub output: TokenStream,
    /// The function's derivatives in the uniform shape: `vjp`, then `jvp`.
    pub derivatives: [TokenStream; 2],
}

/// An operand of a row.
pub struct Operand {
    /// Behind the reference, where there is one.
    pub ty: Type,
    pub passing: Passing,
}

/// How the function takes an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    Value,
    /// `self`, whose cotangent goes to a shadow.
    Receiver,
    Reference,
}

/// The rows of the methods of an `impl` that are named like those of floats. One that writes its receiver has none.
pub fn of_method(
    block: &syn::ItemImpl,
    method: &syn::ItemFn,
    arguments: &Arguments,
) -> Option<TokenStream> {
    let (name, inputs) = (&method.sig.ident, &method.sig.inputs);
    let rule = cotangent_rules::find(&name.to_string())
        .filter(|rule| is_rule(rule.name, inputs.len()) && rule.params.len() == inputs.len())?;
    let is_plain = method.sig.generics.params.is_empty();
    // What has no receiver is called by its path, and is found there.
    let is_method = matches!(inputs.first(), Some(FnArg::Receiver(_)));
    if !is_plain || !is_method || !arguments.emits_forward() || !arguments.emits_reverse() {
        return None;
    }
    let operands: Option<Vec<Operand>> =
        inputs.iter().map(|input| Operand::read(input, &block.self_ty)).collect();
    let operands = operands?;
    let ReturnType::Type(_, output) = &method.sig.output else { return None };
    if matches!(**output, Type::Reference(_)) {
        return None;
    }
    let integer = rule.params.iter().position(|param| param.integer);
    let is_integer = |index: usize| operands[index].ty == parse_quote!(i32);
    if integer.is_some_and(|index| !is_integer(index)) {
        return None;
    }
    // What is not read again has a stand-in, which there is of what is copied.
    let taken = operands.iter().filter(|operand| operand.passing != Passing::Reference);
    let mut generics = block.generics.clone();
    for ty in taken.map(|operand| &operand.ty).chain([&**output]) {
        let bound = parse_quote!(for<'copied> #ty: ::cotangent::__private::CopiedOperand<'copied>);
        generics.make_where_clause().predicates.push(bound);
    }
    let derivatives = ["vjp", "jvp"].map(|derivative| {
        let derivative = sibling(name, derivative, false);
        quote!(Self::#derivative)
    });
    let output = output.to_token_stream();
    Some(Row { name, generics, operands, output, derivatives }.to_tokens(integer))
}

impl Operand {
    /// A parameter, unless it is behind `&mut` or of a type that only `impl` can name.
    fn read(input: &FnArg, owner: &Type) -> Option<Self> {
        match input {
            FnArg::Receiver(receiver) => {
                let passing = match receiver.kind {
                    ReceiverKind::Value => Passing::Receiver,
                    ReceiverKind::Reference(_, _, None) => Passing::Reference,
                    _ => return None,
                };
                Some(Operand { ty: owner.clone(), passing })
            }
            FnArg::Typed(param) => match &*param.ty {
                Type::ImplTrait(_) => None,
                Type::Reference(reference) => (reference.mutability.is_none()).then(|| Operand {
                    ty: (*reference.elem).clone(),
                    passing: Passing::Reference,
                }),
                ty => Some(Operand { ty: ty.clone(), passing: Passing::Value }),
            },
        }
    }
}

impl Row<'_> {
    /// The impl. An integer of the row has no partial.
    pub fn to_tokens(&self, integer: Option<usize>) -> TokenStream {
        let (generics, _, bounds) = self.generics.split_for_impl();
        let (row, a, output) = (self.name, &self.operands[0].ty, &self.output);
        let is_open = |index: &usize| Some(*index) != integer;
        let others: Vec<&Type> =
            (1..self.operands.len()).filter(is_open).map(|at| &self.operands[at].ty).collect();
        let partials = (0..self.operands.len()).filter(is_open).enumerate();
        let functions = partials.map(|(partial, index)| self.partial(partial, index));
        quote! {
            #[allow(unused, clippy::all)]
            impl #generics ::cotangent::__private::rules::#row <#(#others),*> for #a #bounds {
                type Output = #output;

                #(#functions)*
            }
        }
    }

    /// The two functions of a partial.
    fn partial(&self, partial: usize, index: usize) -> TokenStream {
        let (vjp, jvp) = (format_ident!("vjp_{partial}"), format_ident!("jvp_{partial}"));
        let (back, on) = (self.back(index), self.on(index));
        let [output, bar, dot] = ["output", "bar", "dot"].map(local);
        let (of, whole) = (&self.operands[index].ty, &self.output);
        let params: Vec<TokenStream> = (1..self.operands.len())
            .map(|at| {
                let (name, ty) = (value(at), &self.operands[at].ty);
                quote!(#name: &#ty)
            })
            .collect();
        quote! {
            #[inline]
            fn #vjp(&self, #(#params,)* #output: &#whole, #bar: &<#whole as ::cotangent::Differentiable>::Tangent) -> <#of as ::cotangent::Differentiable>::Tangent {
                #back
            }

            #[inline]
            fn #jvp(&self, #(#params,)* #output: &#whole, #dot: &<#of as ::cotangent::Differentiable>::Tangent) -> <#whole as ::cotangent::Differentiable>::Tangent {
                #on
            }
        }
    }

    /// What goes back to an operand.
    fn back(&self, wanted: usize) -> TokenStream {
        let (mut shadows, mut given, mut returned) = (Vec::new(), Vec::new(), Vec::new());
        for (index, operand) in self.operands.iter().enumerate() {
            let (value, bar) = (value(index), bar(index));
            match operand.passing {
                Passing::Value => returned.push(quote!(#bar)),
                Passing::Receiver | Passing::Reference => {
                    let zero = quote!(::cotangent::Differentiable::zero_tangent(#value));
                    shadows.push(quote!(let mut #bar = #zero;));
                    given.push(quote!(#value, &mut #bar));
                }
            }
        }
        let [vjp, _] = &self.derivatives;
        let [pullback, seed] = ["pullback", "bar"].map(local);
        let (args, wanted) =
            ((0..self.operands.len()).map(|at| self.given(at, false)), bar(wanted));
        quote! {
            let (_, #pullback) = #vjp(#(#args),*);
            #(#shadows)*
            let (#(#returned,)*) = #pullback(#(#given,)* ::core::clone::Clone::clone(#seed));
            #wanted
        }
    }

    /// What of the result's tangent comes from an operand.
    fn on(&self, wanted: usize) -> TokenStream {
        let [_, jvp] = &self.derivatives;
        let args = (0..self.operands.len()).map(|index| {
            let (value, dot, given) = (value(index), local("dot"), self.given(index, true));
            let zero = quote!(::cotangent::Differentiable::zero_tangent(#value));
            let tangent = match (self.operands[index].passing, index == wanted) {
                (Passing::Value, true) => quote!(::core::clone::Clone::clone(#dot)),
                (Passing::Value, false) => zero,
                (Passing::Receiver | Passing::Reference, true) => quote!(#dot),
                (Passing::Receiver | Passing::Reference, false) => quote!(&#zero),
            };
            quote!(#given, #tangent)
        });
        quote!(#jvp(#(#args),*).1)
    }

    /// An operand as the function's derivative takes it: `vjp` takes a receiver by reference.
    fn given(&self, index: usize, is_forward: bool) -> TokenStream {
        let value = value(index);
        match self.operands[index].passing {
            Passing::Receiver if !is_forward => quote!(#value),
            Passing::Reference => quote!(#value),
            Passing::Value | Passing::Receiver => {
                quote!(::cotangent::__private::CopiedOperand::copied(#value))
            }
        }
    }
}

/// What an operand is called in a row's functions.
fn value(index: usize) -> Ident {
    match index {
        0 => Ident::new("self", Span::call_site()),
        _ => local(&format!("operand_{index}")),
    }
}

fn bar(index: usize) -> Ident {
    local(&format!("bar_{index}"))
}
