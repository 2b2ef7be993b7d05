//! The derivatives of a function that calls itself, whose levels share a tape.
//!
//! In: a head, and its `vjp` with what each level leaves. Out: `vjp`, which makes the tapes, and the two functions that
//! call themselves: beside it, or, where the types of the tapes have no names, as pointers to closures in its body.

use super::component::{Component, params, raised};
use super::head::{Head, Param, numbered};
use super::{component, is_active, own};
use crate::binding::local;
use crate::emit::Context;
use crate::ir::{Function, Half, Op};
use crate::pipeline::Kind;
use crate::syntax::hygiene;
use crate::transform::levels::Entry;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// How these functions are called.
pub fn halves(head: &Head, order: usize) -> crate::emit::Halves {
    let path = |half: Half| {
        let (name, turbofish) = (head.derivative(&half.name(order)), head.turbofish());
        quote!(Self::#name #turbofish)
    };
    crate::emit::Halves { sweep: path(Half::Sweep), unwind: path(Half::Unwind) }
}

/// All that such a `vjp` consists of.
struct Parts<'p> {
    head: &'p Head<'p>,
    order: usize,
    plain: Vec<Param>,
    pullback: Vec<Param>,
    outputs: Vec<TokenStream>,
    cotangents: TokenStream,
}

/// The `vjp`, and what stands beside it.
pub fn levels(
    head: &Head,
    (function, entry): (&Function, &Entry),
    context: &Context,
    order: usize,
) -> TokenStream {
    let times = 1 << (order - 1);
    let plain = params(&raised(head.plain_components(is_active), order - 1));
    let components = raised(head.pullback_components(is_active), order - 1);
    let (pullback, cotangents) = (params(&components), head.cotangents(times));
    let parts = Parts { head, order, plain, pullback, outputs: head.outputs(times), cotangents };
    let inner = Context {
        alignment: aligned(function, &components),
        pullback: parts.pullback.clone(),
        ..super::context(head, &parts.plain, order)
    };
    match &entry.types {
        Some(types) => {
            let (tape, halves) = (crate::emit::tape(), halves(head, order));
            let made = quote!(let mut #tape = ::core::default::Default::default(););
            let vjp = parts.vjp(&made, &halves, context);
            let siblings = parts.siblings(types, crate::emit::halves(function, &inner, entry));
            quote!(#vjp #siblings)
        }
        None => {
            let (names, bodies) = parts.pointed(function, entry, inner);
            let made = parts.pointers(entry, &names, bodies);
            parts.vjp(&made, &pointers(entry), context)
        }
    }
}

/// Bounds are worth the place that they take in a frame where there is a loop. The `vjp` itself looks at them, too.
fn aligned(function: &Function, components: &[Component]) -> TokenStream {
    let mut has_loops = false;
    crate::transform::levels::closure(function)
        .walk(&mut |inst, _| has_loops |= matches!(inst.op, Op::Loop(_)));
    if has_loops { component::alignment(components) } else { TokenStream::new() }
}

/// How the halves are called that the tapes are together with.
fn pointers(entry: &Entry) -> crate::emit::Halves {
    let tape = crate::emit::tape();
    let path = |offset: usize| {
        let index = syn::Index::from(entry.count() + offset);
        quote!((#tape.#index))
    };
    crate::emit::Halves { sweep: path(0), unwind: path(1) }
}

impl Parts<'_> {
    /// The levels go down, and the pullback goes up again.
    fn vjp(
        &self,
        made: &TokenStream,
        halves: &crate::emit::Halves,
        context: &Context,
    ) -> TokenStream {
        let crate::emit::Halves { sweep, unwind } = halves;
        let names = self.plain.iter().map(|(name, _)| name);
        let again = self.pullback.iter().map(|(name, _)| name);
        let params = self.pullback.iter().map(|(name, ty)| quote!(#name: #ty));
        let values = numbered("value", self.outputs.len());
        let bound: Vec<TokenStream> = values.iter().map(|value| quote!(#value)).collect();
        let (bound, alignment) = (crate::emit::bare_or_tuple(&bound), &context.alignment);
        let tape = crate::emit::tape();
        let pullback = quote!(move |#(#params),*| {
            #alignment
            #unwind(#(#again,)* &mut #tape)
        });
        let pullback = match &context.boxed {
            Some(ty) => quote!(::cotangent::__private::Box::new(#pullback) as #ty),
            None => pullback,
        };
        let body = quote! {
            #made
            let #bound = #sweep(#(#names,)* &mut #tape);
            (#(#values,)* #pullback)
        };
        let returned = self.head.pullback_type(&self.pullback, &self.cotangents);
        let outputs = &self.outputs;
        let output = quote!((#(#outputs,)* #returned));
        own(self.head, (Kind::Vjp, self.order), &self.plain, &output, &body)
    }

    /// Functions beside it, which name the types of the tapes, and so perhaps some that are private.
    fn siblings(&self, types: &[TokenStream], [sweep, unwind]: [TokenStream; 2]) -> TokenStream {
        let param = (crate::emit::tape(), quote!(&mut (#(#types,)*)));
        let head = Head { vis: &syn::Visibility::Inherited, ..self.head.with(self.head.signature) };
        let half = |half: Half, params: &[Param], output: &TokenStream, body: &TokenStream| {
            let (name, none) = (half.name(self.order), TokenStream::new());
            let params: Vec<Param> = params.iter().chain([&param]).cloned().collect();
            head.function(&name, "", &params, output, &none, body)
        };
        let swept = crate::emit::bare_or_tuple(&self.outputs);
        let sweep = half(Half::Sweep, &self.plain, &swept, &sweep);
        let unwind = half(Half::Unwind, &self.pullback, &self.cotangents, &unwind);
        quote!(#sweep #unwind)
    }

    /// The names of the parameters of `sweep` as a closure has them, and both bodies.
    fn pointed(
        &self,
        function: &Function,
        entry: &Entry,
        context: Context,
    ) -> (Vec<Ident>, [TokenStream; 2]) {
        let name = |name: &Ident| {
            let own = self.head.params.iter().find(|named| named.param.name == *name);
            own.map_or_else(|| name.clone(), |named| named.again.clone())
        };
        let names: Vec<Ident> = self.plain.iter().map(|(own, _)| name(own)).collect();
        let context = Context { params: names.clone(), halves: Some(pointers(entry)), ..context };
        (names, crate::emit::halves(function, &context, entry))
    }

    /// Both as pointers to functions that capture nothing, in one structure with the tapes, whose types rustc finds.
    /// What names a parameter of the function's, which no structure in its body can, is a parameter of this one.
    fn pointers(
        &self,
        entry: &Entry,
        names: &[Ident],
        [sweep, unwind]: [TokenStream; 2],
    ) -> TokenStream {
        let mut structure = Structure { own: self.head.generic_idents(), opened: Vec::new() };
        let mut types = |params: &[Param]| -> Vec<TokenStream> {
            params.iter().map(|(_, ty)| structure.opened(ty)).collect()
        };
        let (plain, pullback) = (types(&self.plain), types(&self.pullback));
        let swept = structure.opened(&crate::emit::bare_or_tuple(&self.outputs));
        let unwound = structure.opened(&self.cotangents);
        let (tape, tapes) = (crate::emit::tape(), parameters("Tape", entry.count()));
        let opened = parameters("Type", structure.opened.len());
        let all = quote!(Levels<#(#tapes,)* #(#opened,)*>);
        let inferred = vec![quote!(_); tapes.len() + opened.len()];
        let last = quote!(#tape: &mut Levels<#(#inferred),*>);
        let swept_params = names.iter().zip(&self.plain).map(|(name, (_, ty))| {
            let ty = free_of_names(ty);
            quote!(#name: #ty)
        });
        let unwound_params = self.pullback.iter().map(|(name, ty)| quote!(#name: #ty));
        let empty = tapes.iter().map(|_| quote!(::core::default::Default::default(),));
        quote! {
            struct Levels<#(#tapes,)* #(#opened: ?::core::marker::Sized,)*>(
                #(::cotangent::__private::Tape<#tapes>,)*
                fn(#(#plain,)* &mut #all) -> #swept,
                fn(#(#pullback,)* &mut #all) -> #unwound,
            );
            let mut #tape = Levels(
                #(#empty)*
                |#(#swept_params,)* #last| { #sweep },
                |#(#unwound_params,)* #last| { #unwind },
            );
        }
    }
}

/// The parameters of a structure under construction.
struct Structure {
    /// Names that it cannot mention.
    own: Vec<String>,
    opened: Vec<String>,
}

impl Structure {
    /// A type as it stands in the structure.
    fn opened(&mut self, ty: &TokenStream) -> TokenStream {
        let reference = syn::parse2::<syn::TypeReference>(ty.clone());
        if let Ok(syn::TypeReference { mutability, elem, .. }) = reference {
            let inner = self.opened(&elem.to_token_stream());
            return quote!(&#mutability #inner);
        }
        if !mentions(ty, &self.own) {
            return free_of_names(ty);
        }
        let text = ty.to_string();
        let known = self.opened.iter().position(|opened| *opened == text);
        let index = known.unwrap_or_else(|| {
            self.opened.push(text);
            self.opened.len() - 1
        });
        parameters("Type", index + 1).pop().expect("a name").to_token_stream()
    }
}

/// Names of a structure's parameters.
fn parameters(name: &str, count: usize) -> Vec<Ident> {
    (0..count).map(|index| local(&format!("{name}{index}"))).collect()
}

/// A type without the names of lifetimes.
pub(super) fn free_of_names(ty: &TokenStream) -> TokenStream {
    syn::parse2(ty.clone()).map_or_else(|_| ty.clone(), |ty| super::head::unbound(&ty))
}

/// Whether one of these names is in a type.
fn mentions(ty: &TokenStream, names: &[String]) -> bool {
    hygiene::mentions(ty.clone(), &|ident| names.contains(&ident.to_string()))
}
