//! Proofs that methods are those of floats and of slices.
//!
//! In: a body. Out: an item that compiles only if no trait in scope has such a method for what the receiver is before
//! rustc comes to the float or to the slice: a reference, a vector, an array.
//!
//! rustc looks for a method of a type by value, by `&self` and by `&mut self`, and then behind the type. So a
//! method by `&mut self` of a trait of the item's is found if there is no other, and what it returns says so.

use crate::hir::references::References;
use crate::hir::{Body, ExprId, ExprKind};
use crate::lower::builtin;
use crate::syntax::signature::{Signature, plain};
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Type, parse_quote};

/// A method and how many arguments it has.
type Method = (Ident, usize);

/// The proofs of both kinds.
pub fn proofs(body: &Body, signature: &Signature) -> Vec<syn::Item> {
    let references = References::of(body);
    let of_floats = methods(body, &|receiver, name, arguments| {
        is_of_floats(name, arguments) && references.may_be_reference(receiver)
    });
    let of_slices = methods(body, &|receiver, name, _| {
        SLICES.contains(&name) && may_be_collection(body, receiver)
    });
    let mut proofs = Vec::new();
    // Methods of a type parameter are those of a trait, and ambiguous beside another one's.
    if signature.floats.0.is_empty() && !of_floats.is_empty() {
        let names = ["f64", "f32"].into_iter();
        let floats = names.filter(|float| *float == "f64" || names_f32(signature));
        proofs.extend(floats.map(|float| proof_of_floats(&of_floats, float)));
    }
    if !of_slices.is_empty() {
        proofs.push(proof_of_slices(&of_slices));
    }
    proofs
}

/// The methods of slices that lowering knows. Vectors have `len` and kin themselves.
const SLICES: [&str; 42] = [
    "chunk_by",
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "clone_from_slice",
    "concat",
    "contains",
    "copy_from_slice",
    "copy_within",
    "ends_with",
    "fill",
    "fill_with",
    "first",
    "first_mut",
    "get",
    "get_mut",
    "iter",
    "iter_mut",
    "join",
    "last",
    "last_mut",
    "rchunks",
    "reverse",
    "rotate_left",
    "rotate_right",
    "sort",
    "sort_by",
    "sort_by_cached_key",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "split_at",
    "split_at_mut",
    "split_first",
    "split_last",
    "starts_with",
    "swap",
    "swap_with_slice",
    "to_vec",
    "windows",
];

/// The methods that are called with such a receiver, name and number of arguments, each once.
fn methods(body: &Body, is_wanted: &dyn Fn(ExprId, &str, usize) -> bool) -> Vec<Method> {
    let mut methods: Vec<Method> = Vec::new();
    for expr in body.exprs() {
        if let ExprKind::Method { receiver, name, arguments, .. } = &expr.kind
            && !methods.iter().any(|(other, _)| other == name)
            && is_wanted(*receiver, &name.to_string(), arguments.len())
        {
            methods.push((name.clone(), arguments.len()));
        }
    }
    methods
}

fn is_of_floats(name: &str, arguments: usize) -> bool {
    let is_zero = cotangent_rules::is_zero(name) && !cotangent_rules::is_of_integers(name);
    // Comparisons take references, and so are found before any trait's. The others are of collections.
    let is_other = builtin::compares(name)
        || builtin::is_variant_test(name)
        || matches!(name, "len" | "is_empty" | "capacity");
    builtin::is_rule(name, 1 + arguments) || is_zero && !is_other
}

/// Whether a receiver may be a vector or an array: all but names that are declared to be slices, parts of such, and ranges.
fn may_be_collection(body: &Body, receiver: ExprId) -> bool {
    match &body.expr(receiver).kind {
        ExprKind::Local(local) => !body.local(*local).ty.as_ref().is_some_and(is_slice),
        ExprKind::Index(_, index) => !matches!(body.expr(*index).kind, ExprKind::Range { .. }),
        ExprKind::Range { .. } => false,
        _ => true,
    }
}

fn is_slice(ty: &Type) -> bool {
    match plain(ty) {
        Type::Reference(reference) => is_slice(&reference.elem),
        ty => matches!(ty, Type::Slice(_)),
    }
}

/// Whether the head says that numbers may be `f32`.
fn names_f32(signature: &Signature) -> bool {
    let types = signature.params.iter().map(|param| &param.ty).chain(&signature.output);
    let is_f32 = |node: Node<'_>| matches!(node, Node::Path(path) if path.is_ident("f32"));
    types.into_iter().any(|ty| ty.has(&is_f32))
}

fn proof_of_floats(methods: &[Method], float: &str) -> syn::Item {
    let float = Ident::new(float, Span::call_site());
    let float = quote!(::core::primitive::#float);
    let (declared, calls) = (declared(methods), methods.iter().map(calls_on_references));
    parse_quote! {
        const _: fn(&#float, &mut #float) = |mut shared, mut unique| {
            #declared
            impl Methods for &#float {}
            impl Methods for &mut #float {}
            #(#calls)*
        };
    }
}

fn calls_on_references((name, arguments): &Method) -> TokenStream {
    let (at, name) = (name.span(), located(name));
    let calls = ["shared", "unique"].map(|receiver| {
        let (receiver, arguments) = (Ident::new(receiver, name.span()), nevers(*arguments, at));
        quote_spanned!(name.span()=> Taken::is(#receiver.#name(#arguments));)
    });
    calls.into_iter().collect()
}

/// Elements are of any type, until the method is found.
fn proof_of_slices(methods: &[Method]) -> syn::Item {
    let (declared, calls) = (declared(methods), methods.iter().map(calls_on_collections));
    parse_quote! {
        const _: fn() = || {
            #declared
            impl<T> Methods for ::cotangent::__private::Vec<T> {}
            impl<T, const N: usize> Methods for [T; N] {}
            #(#calls)*
        };
    }
}

fn calls_on_collections((name, arguments): &Method) -> TokenStream {
    let (at, name) = (name.span(), located(name));
    let calls = ["vector", "array"].map(|of| {
        let (of, arguments) = (Ident::new(of, name.span()), nevers(*arguments, at));
        quote_spanned! {name.span()=>
            let mut of = ::cotangent::__private::#of();
            Taken::is((of.#name(#arguments), of));
        }
    });
    calls.into_iter().collect()
}

/// The trait whose methods rustc finds if there are no others.
fn declared(methods: &[Method]) -> TokenStream {
    let methods = methods.iter().map(|(name, count)| -> syn::TraitItem {
        let (name, arguments) = (located(name), vec![quote!(_: ()); *count]);
        parse_quote! { fn #name(&mut self, #(#arguments),*) -> Taken { Taken } }
    });
    quote! {
        use ::cotangent::__private::Taken;
        trait Methods { #(#methods)* }
    }
}

fn nevers(count: usize, at: Span) -> TokenStream {
    let never = quote_spanned!(Span::call_site().located_at(at)=> ::cotangent::__private::never());
    let nevers = vec![never; count];
    quote!(#(#nevers),*)
}

/// A method's name as one of the item's, at which rustc reports errors.
fn located(name: &Ident) -> Ident {
    Ident::new(&name.to_string(), Span::call_site().located_at(name.span()))
}
