//! The companion: `pub enum f {}` with the derivatives as associated functions.
//!
//! In: the user's item, its head, and its derivatives as IR. Out: tokens of the enum and its `impl`.
//! Only `accumulate_gradient`, `vjp` and `jvp` have bodies of their own; all other functions are thin
//! wrappers around them. A rule that gives derivatives gives those bodies (`primitive.rs`). Without derivatives
//! (an error was reported) the functions keep their signatures and have no bodies.

mod accumulate;
mod all;
mod batch;
mod cells;
mod check;
mod checked;
mod columns;
mod component;
mod constants;
pub mod doubtful;
mod formula;
mod functions;
mod glue;
mod head;
mod hessian;
mod jacobian;
mod levels;
mod nested;
pub mod object;
pub mod presence;
mod primitive;
mod second;
mod uniform;
mod wrappers;

use super::{Context, Returns};
use crate::ir::Function;
use crate::lower::Field;
use crate::pipeline::{Derived, Kind};
use crate::primitive::Rule;
use crate::syntax::attr::Arguments;
use crate::syntax::signature::{OwnerKind, Parameter, Signature};
use crate::transform::levels::Entry;
use component::raised;
pub use head::fresh;
use head::{Head, Named, Param, mentions_self};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// The companion of a function with an error: a type that rustc knows to be wrong, of which it says no more than the
/// error. Every use of the companion is silent then, and so is what depends on it.
pub fn erroneous(item: &syn::ItemFn, name: &Ident, error: &TokenStream) -> TokenStream {
    let (cfg, vis) = (conditions(item), &item.vis);
    quote! {
        #cfg
        #[allow(non_camel_case_types, dead_code, missing_docs)]
        #vis type #name = [(); #error];
    }
}

/// The whole companion.
pub fn companion(
    item: &syn::ItemFn,
    signature: &Signature,
    arguments: &Arguments,
    derived: Option<&Derived>,
) -> TokenStream {
    let make = || whole(item, signature, arguments, derived);
    crate::binding::with_own_type(own_type(signature), make)
}

/// The type that a method belongs to, if derivatives ask for its tangent type, and a constant can name it.
fn own_type(signature: &Signature) -> Option<syn::Type> {
    let owner = signature.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Type)?;
    let is_named = |param: &Parameter| mentions_self(param.ty.to_token_stream());
    let mut params = signature.params.iter().filter(|param| is_named(param));
    let is_needed = params.clone().any(|param| param.name == "self");
    let is_plain = owner.generics.params.is_empty() && owner.generics.where_clause.is_none();
    let ty = owner.ty.clone().filter(|_| is_plain && is_needed && params.all(|param| param.active));
    ty.filter(|ty| match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            path.path.segments.iter().all(|segment| segment.arguments.is_none())
        }
        _ => false,
    })
}

fn whole(
    item: &syn::ItemFn,
    signature: &Signature,
    arguments: &Arguments,
    derived: Option<&Derived>,
) -> TokenStream {
    let (cfg, vis) = (conditions(item), &item.vis);
    let mut head = Head::new(vis, signature);
    if signature.owner.is_some() {
        head.attributes = beside_attributes(&cfg);
    }
    if derived.is_some_and(|derived| head.orders(arguments).any(|order| derived.is_boxed(order))) {
        head.ask_for_static();
    }
    head.proofs = cells::proofs(&head);
    head.names = derived.and_then(|derived| names(derived, arguments));
    let source = Source { derived, rule: arguments.rule() };
    if signature.owner.is_none() {
        return beside_function(item, (&head, &cfg), arguments, source);
    }
    let bodies = derivative_functions(&head, arguments, source);
    if signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Implementation) {
        // The others are the trait's, and lead to these.
        return bodies;
    }
    let others = others(&head, arguments, source);
    let beside = primitive::beside(&head, arguments, &cfg);
    quote!(#bodies #others #beside)
}

/// That of a function by itself: a type, and what stands beside it.
fn beside_function(
    item: &syn::ItemFn,
    (head, cfg): (&Head, &TokenStream),
    arguments: &Arguments,
    source: Source,
) -> TokenStream {
    let (signature, vis) = (head.signature, head.vis);
    let name = arguments.companion(&signature.name);
    let functions = crate::binding::surrounded(|| {
        let bodies = derivative_functions(head, arguments, source);
        let others = others(head, arguments, source);
        quote! {
            #[automatically_derived]
            #[allow(
                unused, deprecated, non_snake_case, impl_trait_redundant_captures, rustdoc::all,
                clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
            )]
            impl #name {
                #bodies
                #others
            }
        }
    });
    let items = cells::items(head, cfg);
    let checked =
        checked::checked(item, (head, source.fields(), cfg), quote!(#cfg #functions #items));
    let beside = primitive::beside(head, arguments, cfg);
    let beside_head = Head { attributes: beside_attributes(cfg), ..head.with(signature) };
    let siblings = uniform::beside(&beside_head, arguments);
    let doc = format!(" Derivatives of [`{0}`](fn@{0}).", signature.name);
    quote! {
        #cfg
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
        #vis enum #name {}

        #checked

        #beside

        #siblings
    }
}

/// The functions that lead to these.
fn others(head: &Head, arguments: &Arguments, source: Source) -> TokenStream {
    if head.signature.params.iter().any(|param| param.advances) {
        // A function that runs the primal several times would find another state each time.
        let wrappers = wrappers::wrappers(head, arguments.emits_reverse());
        let glue = glue::glue(head, arguments, false);
        return quote!(#wrappers #glue);
    }
    let native = batch::native(head, arguments, source);
    let is_batched = native.is_some();
    let wrappers = wrappers_of(head, arguments, is_batched);
    let second = second(head, arguments, source);
    let batch = batch::batch(head, arguments, native);
    let glue = glue::glue(head, arguments, is_batched && head.signature.owner.is_none());
    quote!(#wrappers #second #batch #glue)
}

/// The functions that only arrange arguments; where parameters are functions, for a head in which these are constant.
fn wrappers_of(head: &Head, arguments: &Arguments, is_batched: bool) -> TokenStream {
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    let ways = jacobian::Ways { forward, reverse, is_batched };
    if !head.has_functions() {
        let (wrappers, jacobian) =
            (wrappers::wrappers(head, reverse), jacobian::jacobian(head, ways));
        return quote!(#wrappers #jacobian);
    }
    let signature = constant_functions(head.signature);
    let mut outer = Head::new(head.vis, &signature);
    outer.attributes = head.attributes.clone();
    let wrappers = wrappers::wrappers(&outer, reverse);
    let jacobian = jacobian::jacobian(&outer, ways);
    let functions = functions::functions(&outer, forward, reverse);
    quote!(#functions #wrappers #jacobian)
}

/// Second derivatives and those of derivatives, where there are two orders.
fn second(head: &Head, arguments: &Arguments, source: Source) -> TokenStream {
    if *head.orders(arguments).end() < 2 {
        return wrappers::first_order_only(head);
    }
    let is_accumulated = source.accumulated(head, 2).is_some();
    if head.has_functions() {
        return if is_accumulated { second_of_functions(head) } else { TokenStream::new() };
    }
    let mut functions = nested::nested(head, arguments, is_accumulated);
    functions.extend(columns::columns(head, arguments));
    if arguments.emits_reverse() && head.signature.may_be_float() {
        let native = source.accumulated(head, 2).and_then(|function| {
            batch::carried(head, source, function, head.accumulate_components())
        });
        functions.extend(second::second(head, is_accumulated, native));
    }
    functions
}

/// The second derivatives of what takes functions, which are constant there, and have derivatives of the second order.
fn second_of_functions(head: &Head) -> TokenStream {
    let signature = head.signature.of_order(2);
    let raised = head.with(&signature);
    let signature = constant_functions(&signature);
    let outer = head.with(&signature);
    let mut functions = glue::hidden(&functions::second(&raised, &outer));
    functions.extend(second::second(&outer, true, None));
    functions
}

/// What holds for a whole companion, for one function beside a method.
fn beside_attributes(cfg: &TokenStream) -> TokenStream {
    quote! {
        #cfg
        #[allow(
            unused, deprecated, non_snake_case, impl_trait_redundant_captures, missing_docs, rustdoc::all,
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
    derivative_functions(&head, arguments, source)
}

/// Where the bodies of derivatives come from: what a rule gives is preferred to what is derived. Neither is there
/// after an error.
#[derive(Clone, Copy)]
struct Source<'s> {
    derived: Option<&'s Derived>,
    rule: Option<&'s Rule>,
}

impl<'s> Source<'s> {
    /// What was derived, of an order.
    fn derived(self, kind: Kind, order: usize) -> Option<&'s Function> {
        let derived = self.derived?;
        let functions = match kind {
            Kind::Jvp => &derived.jvp,
            Kind::Accumulate => &derived.accumulate,
            Kind::Vjp => &derived.vjp,
        };
        functions.get(order - 1)
    }

    /// The fields that the body reads of parameters.
    fn fields(self) -> &'s [Field] {
        self.derived.map_or(&[], |derived| &derived.proofs.fields)
    }

    /// What a level of the recursion leaves on the tape that all share, in derivatives of an order.
    fn entry(self, order: usize) -> Option<&'s Entry> {
        self.derived?.levels.get(order - 1)?.as_ref()
    }

    /// The gradient with a body of its own, of an order. In traits it comes from the pullback.
    fn accumulated(self, head: &Head, order: usize) -> Option<&'s Function> {
        let owner = head.signature.owner.as_ref();
        let is_own = owner.is_none_or(|owner| owner.kind == OwnerKind::Type);
        self.derived(Kind::Accumulate, order).filter(|_| is_own)
    }
}

fn derivative_functions(head: &Head, arguments: &Arguments, source: Source) -> TokenStream {
    let mut functions = TokenStream::new();
    for order in head.orders(arguments) {
        let signature = head.signature.of_order(order);
        let head = &head.with(&signature);
        if arguments.emits_reverse() {
            functions.extend(match order {
                1 => accumulate::accumulate(head, source),
                _ => accumulate::raised(head, source, order),
            });
            functions.extend(vjp(head, source, order));
        }
        if arguments.emits_forward() {
            functions.extend(jvp(head, source, order));
        }
    }
    functions
}

fn is_declaration(head: &Head) -> bool {
    head.signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Declaration)
}

fn missing() -> TokenStream {
    quote!(::core::unreachable!("the function did not compile"))
}

fn vjp(head: &Head, source: Source, order: usize) -> TokenStream {
    let times = 1 << (order - 1);
    let params = component::params(&raised(head.plain_components(is_active), order - 1));
    let components = raised(head.pullback_components(is_active), order - 1);
    let pullback = component::params(&components);
    let cotangents = head.cotangents(times);
    let fitting = (order == 1).then(|| {
        head.fitting(|named| {
            named.param.reference().map(|_| [named.again.clone(), named.bar.clone()])
        })
    });
    let joined = cells::opened(head, &components, times);
    let aligned = component::alignment(&components);
    let is_boxed = source.derived.is_some_and(|derived| derived.is_boxed(order));
    let context = Context {
        boxed: is_boxed.then(|| head.boxed_pullback(&pullback, &cotangents)),
        alignment: quote!(#fitting #joined #aligned),
        pullback: pullback.clone(),
        ..context(head, &params, order)
    };
    let (outputs, ty) = (head.outputs(times), head.pullback_type(&pullback, &cotangents));
    let given = source.rule.and_then(|rule| primitive::vjp(head, rule, order));
    if let (None, Some(entry)) = (&given, source.entry(order)) {
        let function = source.derived(Kind::Vjp, order).expect("a derivative with levels");
        return levels::levels(head, (function, entry), &context, order);
    }
    let derive = || Some(super::body(source.derived(Kind::Vjp, order)?, &context));
    let body = given.or_else(derive);
    let body = body.unwrap_or_else(|| head.missing_pullback(times, &pullback, &cotangents));
    own(head, (Kind::Vjp, order), &params, &quote!((#(#outputs,)* #ty)), &body)
}

fn jvp(head: &Head, source: Source, order: usize) -> TokenStream {
    let components = raised(head.plain_components(is_active), order);
    let params = component::params(&components);
    let expected = cells::expected(head, &components, 1 << order);
    let derived = source.derived(Kind::Jvp, order);
    let aligned = component::alignment(&components);
    let alignment = quote!(#expected #aligned);
    let (name, turbofish) = (head.own_derivative(Kind::Jvp, order), head.turbofish());
    let again = Some(quote!(Self::#name #turbofish));
    let context = Context { alignment, again, ..context(head, &params, order) };
    let given = source.rule.and_then(|rule| primitive::jvp(head, rule, order));
    let derive = || Some(super::body(derived?, &context));
    let body = given.or_else(derive).unwrap_or_else(missing);
    let fitting = (order == 1)
        .then(|| head.fitting(|named| Some([named.param.name.clone(), named.dot.clone()])));
    let outputs = head.outputs(1 << order);
    let body = quote!(#fitting #body);
    own(head, (Kind::Jvp, order), &params, &quote!((#(#outputs),*)), &body)
}

/// What all bodies are told.
fn context(head: &Head, params: &[Param], order: usize) -> Context {
    Context {
        params: params.iter().map(|(name, _)| name.clone()).collect(),
        types: params.iter().map(|(_, ty)| levels::free_of_names(ty)).collect(),
        pullback: Vec::new(),
        boxed: None,
        halves: Some(levels::halves(head, order)),
        active: head.params.iter().map(is_active).collect(),
        own: head.own(),
        open: head.own().filter(|_| head.signature.is_one()),
        again: None,
        alignment: TokenStream::new(),
        seed: head.seed(),
        frame: None,
        lanes: None,
        returns: Returns::Tuple,
    }
}

fn is_active(named: &Named) -> bool {
    named.param.active
}

/// A derivative with a body of its own, behind what rustc is asked to prove; those of a higher order are hidden.
fn own(
    head: &Head,
    (kind, order): (Kind, usize),
    params: &[Param],
    output: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let name = head.own_name(kind, order);
    let doc = match (kind, order) {
        (Kind::Vjp, 1) => formula::vjp(head),
        (Kind::Jvp, 1) => formula::jvp(head),
        (Kind::Accumulate, 1) => formula::accumulate_gradient(head),
        _ => String::new(),
    };
    let none = TokenStream::new();
    let clause = if kind == Kind::Accumulate { head.float_clause() } else { none };
    // What leads to the pullback does so in every implementation.
    let function = match is_declaration(head) && kind != Kind::Accumulate {
        true => head.declaration(&name, &doc, params, output, &clause),
        false => {
            let proofs = &head.proofs;
            let is_first = |(first, _): &&(Kind, TokenStream)| (*first, 1) == (kind, order);
            let names = head.names.as_ref().filter(is_first).map(|(_, names)| names);
            head.function(&name, &doc, params, output, &clause, &quote!(#proofs #names #body))
        }
    };
    if order == 1 { function } else { glue::hidden(&function) }
}

/// Proofs of names, and in which derivative of the first order they stand. They have the items of the body in scope, which
/// a `vjp` whose levels share a tape has not.
fn names(derived: &Derived, arguments: &Arguments) -> Option<(Kind, TokenStream)> {
    let first = if arguments.emits_forward() { Kind::Jvp } else { Kind::Vjp };
    let proofs = &derived.proofs.items;
    let names = match derived.levels.first().and_then(Option::as_ref) {
        Some(_) if first == Kind::Vjp => {
            let items = &derived.vjp[0].items;
            quote!(const _: fn() = || { #(#items)* #(#proofs)* };)
        }
        _ => quote!(#(#proofs)*),
    };
    (!proofs.is_empty()).then_some((first, names))
}

/// `#[cfg(..)]` and `#[allow(..)]` of the user's item hold for its companion.
fn conditions(item: &syn::ItemFn) -> TokenStream {
    let is_kept = |path: &syn::Path| path.is_ident("cfg") || path.is_ident("allow");
    let attributes = item.attrs.iter().map(|attribute| &attribute.meta);
    let kept = attributes.filter(|meta| is_kept(meta.path()));
    quote!(#(#[#kept])*)
}
