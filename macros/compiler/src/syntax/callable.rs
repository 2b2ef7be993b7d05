//! Functions as parameters: `f: F` with `F: Fn(f64) -> f64`, `f: &F`, `f: impl Fn(..)`, `f: &dyn Fn(..)`.
//!
//! In: the type of a parameter and the generics that say what it is. Out: what it is called with, and the
//! type that stands for it in derivatives, a `cotangent::Function`, with bounds that spell its derivatives.

use crate::binding::local;
use crate::ir::Type;
use crate::syntax::generics::{bounds, is_name};
use crate::syntax::types::Floats;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, TypeParamBound, WherePredicate, parse_quote};

/// What a parameter is called with, as far as its bound says.
#[derive(Clone)]
pub struct Callable {
    pub inputs: Vec<syn::Type>,
    output: syn::Type,
    /// The type parameter that it is of, if it has one.
    name: Option<Ident>,
    /// The first part of the names of the parameters that stand for it.
    stem: String,
    /// Whether the user's function takes a reference to it.
    pub is_reference: bool,
    is_copy: bool,
    /// Its other bounds, such as `'static` and `Send`.
    others: Vec<TypeParamBound>,
}

/// Which bounds a function may have. What it is given only reads what it captures, so that it has all three.
const TRAITS: [&str; 3] = ["Fn", "FnMut", "FnOnce"];

/// Reads a parameter's type.
pub fn read(name: &Ident, ty: &syn::Type, generics: &[&Generics]) -> Option<Callable> {
    let plain = crate::syntax::signature::plain(ty);
    let (inner, is_reference) = match plain {
        syn::Type::Reference(reference) if reference.mutability.is_none() => {
            (crate::syntax::signature::plain(&reference.elem), true)
        }
        inner => (inner, false),
    };
    let (owner, all) = match inner {
        syn::Type::Path(path) if path.qself.is_none() => {
            let owner = path.path.get_ident()?;
            (Some(owner.clone()), generics.iter().flat_map(|all| bounds(all, owner)).collect())
        }
        syn::Type::TraitObject(object) if is_reference => {
            (None, object.bounds.iter().cloned().collect::<Vec<_>>())
        }
        _ => return None,
    };
    let signature = all.iter().find_map(signature)?;
    let output = match &signature.output {
        syn::ReturnType::Default => parse_quote!(()),
        syn::ReturnType::Type(_, ty) => (**ty).clone(),
    };
    let is_other = |bound: &&TypeParamBound| match bound {
        TypeParamBound::Trait(inner) => {
            inner.maybe.is_none()
                && !["Clone", "Copy"].iter().chain(&TRAITS).any(|name| is_named(bound, name))
        }
        _ => true,
    };
    let others = all.iter().filter(is_other).cloned().collect();
    let bare = name.to_string();
    let stem =
        owner.as_ref().map_or_else(|| camel(bare.trim_start_matches("r#")), Ident::to_string);
    Some(Callable {
        inputs: signature.inputs.iter().map(|input| input.ty.clone()).collect(),
        output,
        name: owner,
        stem,
        is_reference,
        is_copy: all.iter().any(|bound| is_named(bound, "Copy")),
        others,
    })
}

/// Of a closure whose parameters have types: what makes a value of it, as a generic function of its parts.
pub fn constructor(inputs: Vec<syn::Type>, output: Option<syn::Type>, order: usize) -> syn::ItemFn {
    let (stem, is_open) = ("Closure".to_owned(), output.is_none());
    let output = output.unwrap_or_else(|| parse_quote!(Output));
    let callable = Callable {
        inputs,
        output,
        name: None,
        stem,
        is_reference: false,
        is_copy: false,
        others: Vec::new(),
    };
    let mut generics = Generics::default();
    if is_open {
        generics.params.push(parse_quote!(Output: ::cotangent::Differentiable));
    }
    callable.replace(&mut generics, &Floats::default());
    callable.raise(&mut generics, &Floats::default(), order);
    let ([state, primal, vjp, _, jvp], ty) = (callable.parts(), callable.ty());
    let (clause, name, names) = (&generics.where_clause, local("function"), PARTS.map(local));
    let (types, fields) =
        ([state, primal, vjp, jvp], PARTS.map(|part| Ident::new(part, Span::call_site())));
    parse_quote! {
        fn #name #generics(#(#names: #types),*) -> #ty #clause {
            ::cotangent::Function { #(#fields: #names),* }
        }
    }
}

/// The parentheses of a bound such as `Fn(..) -> ..`.
fn signature(bound: &TypeParamBound) -> Option<&syn::ParenthesizedGenericArguments> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let is_callable = |name: &Ident| TRAITS.iter().any(|own| name == own);
    let last = bound.path.segments.last().filter(|last| is_callable(&last.ident))?;
    match &last.arguments {
        syn::PathArguments::Parenthesized(arguments) => Some(arguments),
        _ => None,
    }
}

fn is_named(bound: &TypeParamBound, name: &str) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| last.ident == name)
}

fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    });
    words.flatten().collect()
}

impl Callable {
    /// Whether the closure that the user's function is given borrows its function: so it is `Copy`. Other
    /// bounds ask that it owns it.
    pub fn is_borrowed(&self) -> bool {
        self.others.is_empty()
    }

    /// The type of the parameter's values in the compiler.
    pub fn kind(&self, floats: &Floats) -> Type {
        let output = Box::new(floats.read(&self.output));
        Type::Function(output, self.inputs.len(), self.is_reference)
    }

    /// The type that stands for it.
    pub fn ty(&self) -> syn::Type {
        let [state, primal, vjp, _, jvp] = self.parts();
        parse_quote!(::cotangent::Function<#state, #primal, #vjp, #jvp>)
    }

    /// State, function, its pullback-maker, that pullback, tangent function.
    fn parts(&self) -> [Ident; 5] {
        ["State", "Primal", "Vjp", "Pullback", "Jvp"]
            .map(|part| local(&format!("{}{part}", self.stem)))
    }

    /// Puts the parameters that stand for it in place of its own.
    pub fn replace(&self, generics: &mut Generics, floats: &Floats) {
        if let Some(name) = &self.name {
            let is_own = |param: &GenericParam| matches!(param, GenericParam::Type(param) if param.ident == *name);
            generics.params =
                generics.params.iter().filter(|param| !is_own(param)).cloned().collect();
            if let Some(clause) = &mut generics.where_clause {
                let is_other = |predicate: &&WherePredicate| !matches!(predicate, WherePredicate::Type(own) if is_name(&own.bounded_ty, name));
                clause.predicates = clause.predicates.iter().filter(is_other).cloned().collect();
            }
        }
        let parts = self.parts();
        let is_there = generics.type_params().any(|param| param.ident == parts[0]);
        if !is_there {
            generics.params.extend(parts.map(|part| GenericParam::Type(part.into())));
            generics.make_where_clause().predicates.extend(self.bounds(floats, 1));
        }
    }

    /// Asks for derivatives of another order in place of those of the first.
    pub fn raise(&self, generics: &mut Generics, floats: &Floats, order: usize) {
        let parts = self.parts();
        let clause = generics.make_where_clause();
        let is_other = |predicate: &&WherePredicate| !matches!(predicate, WherePredicate::Type(own) if parts.iter().any(|part| is_name(&own.bounded_ty, part)));
        clause.predicates = clause.predicates.iter().filter(is_other).cloned().collect();
        clause.predicates.extend(self.bounds(floats, order));
    }

    /// What derivatives of an order ask: in those of a higher order everything is followed by its tangents.
    fn bounds(&self, floats: &Floats, order: usize) -> Vec<WherePredicate> {
        let [state, primal, vjp, pullback, jvp] = self.parts();
        let tangent = quote!(<#state as ::cotangent::Differentiable>::Tangent);
        let (inputs, output) = (&self.inputs, &self.output);
        let output_tangent = floats.tangent(output);
        let times = 1 << (order - 1);
        let (mut again, mut cotangents) = (Vec::new(), Vec::new());
        let (mut given, mut dotted) = (Vec::new(), Vec::new());
        for input in inputs {
            let dot = match crate::syntax::signature::plain(input) {
                syn::Type::Reference(reference) => {
                    let (inner, mutable) = (floats.tangent(&reference.elem), &reference.mutability);
                    let dot = quote!(& #mutable #inner);
                    again.extend(followed(input, &dot, times));
                    again.extend(vec![quote!(&mut #inner); times]);
                    dot
                }
                _ => {
                    let tangent = floats.tangent(input);
                    cotangents.extend(vec![tangent.clone(); times]);
                    tangent
                }
            };
            given.extend(followed(input, &dot, times));
            dotted.extend(followed(input, &dot, 2 * times));
        }
        let [states, dotted_states] =
            [times, 2 * times].map(|times| followed(&quote!(&#state), &quote!(&#tangent), times));
        let shadows = vec![quote!(&mut #tangent); times];
        let [outputs, dotted_outputs] =
            [times, 2 * times].map(|times| followed(output, &output_tangent, times));
        let seeds = vec![&output_tangent; times];
        let arrow = (!cotangents.is_empty()).then(|| quote!(-> (#(#cotangents,)*)));
        let others = &self.others;
        let copied = match self.is_copy && !self.is_borrowed() {
            true => quote!(::core::marker::Copy #(+ #others)*),
            false => quote!(::core::clone::Clone #(+ #others)*),
        };
        vec![
            parse_quote!(#state: ::cotangent::Differentiable + #copied),
            parse_quote!(#primal: ::core::ops::Fn(&#state, #(#inputs),*) -> #output + #copied),
            parse_quote!(#vjp: ::core::ops::Fn(#(#states,)* #(#given),*) -> (#(#outputs,)* #pullback) + #copied),
            parse_quote!(#pullback: ::core::ops::FnOnce(#(#states,)* #(#shadows,)* #(#again,)* #(#seeds),*) #arrow),
            parse_quote!(#jvp: ::core::ops::Fn(#(#dotted_states,)* #(#dotted),*) -> (#(#dotted_outputs),*) + #copied),
        ]
    }
}

/// A type and those of its tangents, so many in all.
fn followed(ty: &impl ToTokens, dot: &TokenStream, times: usize) -> Vec<TokenStream> {
    let dots = (1..times).map(|_| dot.clone());
    std::iter::once(ty.to_token_stream()).chain(dots).collect()
}

/// The parts of a function's value in the order in which calls hand them over.
pub const PARTS: [&str; 4] = ["state", "primal", "vjp", "jvp"];

/// Whether a generic parameter's name is that of one of these.
pub fn is_replaced(callables: &[Callable], name: &impl ToTokens) -> bool {
    let name = name.to_token_stream().to_string();
    callables.iter().any(|callable| callable.name.as_ref().is_some_and(|own| *own == name))
}
