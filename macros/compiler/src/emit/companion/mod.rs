//! The companion: `pub enum f {}` with the derivatives as associated functions.
//!
//! In: the user's item, its head, and its derivatives as IR. Out: tokens of the enum and its `impl`.
//! Only `accumulate_gradient`, `vjp` and `jvp` have bodies of their own; all other functions are thin
//! wrappers around them. A rule that gives derivatives gives those bodies (`primitive.rs`). Without derivatives
//! (an error was reported) the functions keep their signatures and have no bodies.

mod accumulate;
mod cells;
mod check;
mod functions;
mod glue;
mod head;
pub mod object;
pub mod presence;
mod primitive;
mod wrappers;

use super::{Context, Returns};
use crate::attr::Arguments;
use crate::pipeline::Derived;
use crate::primitive::Rule;
use crate::signature::{OwnerKind, Signature};
use head::Head;
use proc_macro2::TokenStream;
use quote::quote;

const ACCUMULATE: &str =
    " Value and the cotangents of by-value parameters; adds to the shadows behind references.";
const VJP: &str =
    " Value and pullback, which takes references with their shadows, then the result's cotangent.";
const JVP: &str = " Value and tangent; each active parameter is followed by its tangent.";

/// A companion without functions, for functions whose head is not supported.
pub fn empty(item: &syn::ItemFn, signature: &Signature, arguments: &Arguments) -> TokenStream {
    let (cfg, vis, name) = (conditions(item), &item.vis, arguments.companion(&signature.name));
    quote! {
        #cfg
        #[allow(non_camel_case_types, dead_code, missing_docs)]
        #vis enum #name {}
    }
}

/// The whole companion.
pub fn companion(
    item: &syn::ItemFn,
    signature: &Signature,
    arguments: &Arguments,
    derived: Option<&Derived>,
) -> TokenStream {
    let (cfg, vis, name) = (conditions(item), &item.vis, arguments.companion(&signature.name));
    let mut head = Head::new(vis, signature);
    if signature.owner.is_some() {
        head.attributes = beside(&cfg);
    }
    if derived.is_some_and(|derived| derived.is_recursive) {
        head.ask_for_static();
    }
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    head.proofs = cells::proofs(&head);
    let source = Source { derived, rule: arguments.rule() };
    let bodies = derivative_functions(&head, forward, reverse, source);
    if signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Implementation) {
        // The others are the trait's, and lead to these.
        return bodies;
    }
    let wrappers = match head.has_functions() {
        false => wrappers::wrappers(&head, forward, reverse),
        true => {
            let signature = constant_functions(signature);
            let mut outer = Head::new(vis, &signature);
            outer.attributes = head.attributes.clone();
            let wrappers = wrappers::wrappers(&outer, forward, reverse);
            let functions = functions::functions(&outer, forward, reverse);
            quote!(#functions #wrappers)
        }
    };
    let glue = glue::glue(&head, arguments);
    if signature.owner.is_some() {
        return quote!(#bodies #wrappers #glue);
    }
    let items = cells::items(&head, &cfg);
    let doc = format!(" Derivatives of [`{0}`](fn@{0}).", signature.name);
    quote! {
        #cfg
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
        #vis enum #name {}

        #cfg
        #[automatically_derived]
        #[allow(
            unused, non_snake_case, impl_trait_redundant_captures, rustdoc::all,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
        impl #name {
            #bodies
            #wrappers
            #glue
        }

        #items
    }
}

/// What holds for a whole companion, for one function beside a method.
fn beside(cfg: &TokenStream) -> TokenStream {
    quote! {
        #cfg
        #[allow(
            unused, non_snake_case, impl_trait_redundant_captures, missing_docs, rustdoc::all,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// A head in which functions are constant, as they are for who calls a derivative of the contract.
fn constant_functions(signature: &Signature) -> Signature {
    let mut signature = signature.clone();
    let functions = signature.params.iter_mut().filter(|param| param.callable.is_some());
    functions.for_each(|param| param.active = false);
    signature
}

/// The functions that hold derivative code, alone: what `dump!(rust, ..)` shows.
pub fn derivatives(
    item: &syn::ItemFn,
    signature: &Signature,
    arguments: &Arguments,
    derived: Option<&Derived>,
) -> TokenStream {
    let head = Head::new(&item.vis, signature);
    let source = Source { derived, rule: arguments.rule() };
    derivative_functions(&head, arguments.emits_forward(), arguments.emits_reverse(), source)
}

/// Where the bodies of derivatives come from: what a rule gives is preferred to what is derived. Neither is there
/// after an error.
#[derive(Clone, Copy)]
struct Source<'s> {
    derived: Option<&'s Derived>,
    rule: Option<&'s Rule>,
}

fn derivative_functions(head: &Head, forward: bool, reverse: bool, source: Source) -> TokenStream {
    let mut functions = TokenStream::new();
    if reverse {
        functions.extend(accumulate::accumulate(head, source));
    }
    if reverse {
        functions.extend(vjp(head, source));
    }
    if forward {
        functions.extend(jvp(head, source));
    }
    functions
}

fn is_declaration(head: &Head) -> bool {
    head.signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Declaration)
}

fn missing() -> TokenStream {
    quote!(::core::unreachable!("the function did not compile"))
}

fn vjp(head: &Head, source: Source) -> TokenStream {
    let params = head.plain_params();
    let pullback = head.pullback_params();
    let cotangents = head.by_value_cotangents();
    let is_recursive = source.derived.is_some_and(|derived| derived.is_recursive);
    let context = Context {
        params: params.iter().map(|(name, _)| name.clone()).collect(),
        pullback: pullback.clone(),
        boxed: is_recursive.then(|| head.boxed_pullback(&pullback, &cotangents)),
        own: head.own(),
        alignment: {
            let fitting = head.fitting(|named| {
                named.param.reference().map(|_| [named.again.clone(), named.bar.clone()])
            });
            let alignment = head.shadow_alignment();
            quote!(#fitting #alignment)
        },
        seed: head.seed(),
        frame: None,
        returns: Returns::Tuple,
    };
    let (output, ty) = (head.output(), head.pullback_type(&pullback, &cotangents));
    if is_declaration(head) {
        return head.declaration(
            &head.body_name("vjp"),
            VJP,
            &params,
            &quote!((#output, #ty)),
            &TokenStream::new(),
        );
    }
    let given = source.rule.and_then(|rule| primitive::vjp(head, rule));
    let derive = || Some(super::body(source.derived?.vjp.as_ref()?, &context));
    let body = given.or_else(derive);
    let body = body.unwrap_or_else(|| head.missing_pullback(&pullback, &cotangents));
    let body = proved(head, &body);
    head.function(
        &head.body_name("vjp"),
        VJP,
        &params,
        &quote!((#output, #ty)),
        &TokenStream::new(),
        &body,
    )
}

/// A body behind what rustc is asked to prove.
fn proved(head: &Head, body: &TokenStream) -> TokenStream {
    let proofs = &head.proofs;
    quote!(#proofs #body)
}

fn jvp(head: &Head, source: Source) -> TokenStream {
    let params = head.jvp_params();
    let (output, tangent) = (head.output(), head.output_tangent());
    if is_declaration(head) {
        let output = quote!((#output, #tangent));
        return head.declaration(
            &head.body_name("jvp"),
            JVP,
            &params,
            &output,
            &TokenStream::new(),
        );
    }
    let context = Context {
        params: params.iter().map(|(name, _)| name.clone()).collect(),
        pullback: Vec::new(),
        boxed: None,
        own: head.own(),
        alignment: head.tangent_alignment(),
        seed: TokenStream::new(),
        frame: None,
        returns: Returns::Tuple,
    };
    let given = source.rule.and_then(|rule| primitive::jvp(head, rule));
    let derive = || Some(super::body(source.derived?.jvp.as_ref()?, &context));
    let body = given.or_else(derive).unwrap_or_else(missing);
    let fitting = head.fitting(|named| Some([named.param.name.clone(), named.dot.clone()]));
    let body = proved(head, &quote!(#fitting #body));
    head.function(
        &head.body_name("jvp"),
        JVP,
        &params,
        &quote!((#output, #tangent)),
        &TokenStream::new(),
        &body,
    )
}

/// `#[cfg(..)]` and `#[allow(..)]` of the user's item hold for its companion.
fn conditions(item: &syn::ItemFn) -> TokenStream {
    let is_kept = |path: &syn::Path| path.is_ident("cfg") || path.is_ident("allow");
    let attributes = item.attrs.iter().map(|attribute| &attribute.meta);
    let kept = attributes.filter(|meta| is_kept(meta.path()));
    quote!(#(#[#kept])*)
}
