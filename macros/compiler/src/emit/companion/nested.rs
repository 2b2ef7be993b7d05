//! Derivatives of derivatives: what stands beside `gradient`, `value_and_gradient` and `jvp`, so that these are
//! called in functions that are differentiated themselves.
//!
//! In: the head of a function of several orders. Out: for each of the three, as a function of its own with one
//! order less, `vjp` and `jvp` and all that calls use. Nothing is derived for them, since second derivatives are
//! symmetric. With T for the forward and R for the reverse transform:
//!
//! - T of `jvp` and of a gradient are derivatives that there are.
//! - R T f is T R f with tangents in the place of values: a pullback's tangent gives both cotangents of a `jvp`.
//! - The pullback of a gradient multiplies by the Hessian, and so does its `jvp`: it runs that along the cotangent
//!   that it is given.
//!
//! The components of order `k` are numbered as the forward transform makes them: its first run is the highest of
//! the `k` bits.

use super::component::{Component, params, raised};
use super::head::{Head, Named, mixed};
use super::{accumulate, glue, is_active, own};
use crate::attr::Arguments;
use crate::emit::bare_or_tuple;
use crate::ir::Type;
use crate::pipeline::Kind;
use crate::signature::{Owner, OwnerKind, Parameter, Signature};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// A derivative of the contract that has derivatives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Jvp,
    Gradient,
    ValueAndGradient,
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Of::Jvp => "jvp",
            Of::Gradient => "gradient",
            Of::ValueAndGradient => "value_and_gradient",
        }
    }
}

/// All that there is, for a function of several orders.
pub fn nested(head: &Head, arguments: &Arguments, is_accumulated: bool) -> TokenStream {
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    let lower = arguments.lower(*head.orders(arguments).end());
    let mut functions = TokenStream::new();
    if forward {
        functions.extend(derivatives(head, Of::Jvp, &lower, false));
    }
    if reverse && head.signature.may_be_float() {
        functions.extend(derivatives(head, Of::Gradient, &lower, is_accumulated));
        functions.extend(derivatives(head, Of::ValueAndGradient, &lower, is_accumulated));
    }
    functions
}

fn derivatives(head: &Head, of: Of, arguments: &Arguments, is_accumulated: bool) -> TokenStream {
    let Some(signature) = signature(head, of) else { return TokenStream::new() };
    let mut inner = Head::new(head.vis, &signature);
    inner.attributes = head.attributes.clone();
    inner.title = format!("{}::{}", head.title, of.name());
    inner.is_nested = true;
    inner.bounds = head.bounds.clone();
    inner.asked = head.asked.clone();
    if of != Of::Jvp {
        let (kept, float) = (head.kept_clause(|_| true), head.float_clause());
        inner.bounds.extend(quote!(#kept #float));
    }
    let nested = Nested { outer: head, inner: &inner, of, is_accumulated };
    let mut functions = TokenStream::new();
    for order in inner.orders(arguments) {
        if arguments.emits_forward() || of != Of::Jvp {
            functions.extend(nested.jvp(order));
        }
        if arguments.emits_reverse() {
            functions.extend(nested.vjp(order));
        }
    }
    if arguments.emits_reverse() {
        functions.extend(accumulate::pulled(&inner));
    }
    let orders = *inner.orders(arguments).end();
    if orders > 1 && arguments.emits_forward() && of != Of::ValueAndGradient {
        functions.extend(derivatives(&inner, Of::Jvp, &arguments.lower(orders), false));
    }
    functions.extend(glue::of_derivative(&inner, arguments, of != Of::ValueAndGradient));
    functions
}

/// A derivative as a function of its own.
fn signature(head: &Head, of: Of) -> Option<Signature> {
    let outer = head.signature;
    let mut signature = outer.clone();
    signature.name = head.derivative(of.name());
    signature.spelled = head.generic_names().iter().map(ToTokens::to_token_stream).collect();
    let kind = match &outer.owner {
        Some(owner) if owner.is_trait() => OwnerKind::Trait,
        _ => OwnerKind::Type,
    };
    let generics =
        outer.owner.as_ref().map_or_else(syn::Generics::default, |owner| owner.generics.clone());
    signature.owner = Some(Owner { generics, kind, object: None });
    let (gradient, output) = (head.gradient(), head.output());
    let ty = match of {
        Of::Jvp => {
            signature.params = head.params.iter().flat_map(followed).collect();
            let tangent = head.output_tangent();
            quote!((#output, #tangent))
        }
        Of::Gradient => gradient,
        Of::ValueAndGradient => quote!((#output, #gradient)),
    };
    let ty: syn::Type = syn::parse2(ty).ok()?;
    signature.output_kind = signature.floats.read(&ty);
    signature.output = Some(ty);
    Some(signature)
}

/// A parameter, and its tangent as one.
fn followed(named: &Named) -> Vec<Parameter> {
    let own = named.param.clone();
    let ty = is_active(named).then(|| syn::parse2::<syn::Type>(named.tangent_type()).ok());
    let tangent = ty.flatten().map(|ty| Parameter {
        name: named.dot.clone(),
        kind: match &own.kind {
            Type::Reference(inner, is_mut) => Type::Reference(Box::new(inner.tangent()), *is_mut),
            kind => kind.tangent(),
        },
        ty,
        pattern: None,
        is_mut: false,
        is_tangent: true,
        ..own.clone()
    });
    std::iter::once(own).chain(tangent).collect()
}

/// The derivatives of one derivative.
struct Nested<'n, 'a> {
    /// The function.
    outer: &'n Head<'a>,
    /// Its derivative.
    inner: &'n Head<'n>,
    of: Of,
    /// Whether the gradient has a body of its own, beside that of the pullback.
    is_accumulated: bool,
}

/// A parameter with its components, as places and as shadows.
struct Group {
    places: Vec<Component>,
    shadows: Vec<Component>,
}

impl Nested<'_, '_> {
    fn jvp(&self, order: usize) -> TokenStream {
        let components = raised(self.inner.plain_components(is_active), order);
        let outputs = self.inner.outputs(1 << order);
        let body = match self.of {
            Of::Jvp => self.jvp_of_jvp(order),
            _ => self.jvp_of_gradient(order),
        };
        let (kind, params) = ((Kind::Jvp, order), params(&components));
        own(self.inner, kind, &params, &quote!((#(#outputs),*)), &body)
    }

    fn vjp(&self, order: usize) -> TokenStream {
        let times = 1 << (order - 1);
        let components = raised(self.inner.plain_components(is_active), order - 1);
        let pullback = params(&raised(self.inner.pullback_components(is_active), order - 1));
        let cotangents = self.inner.cotangents(times);
        let ty = self.inner.pullback_type(&pullback, &cotangents);
        let closed = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
        let closed: TokenStream = quote!(move |#(#closed),*|);
        let body = match self.of {
            Of::Jvp => self.vjp_of_jvp(order, &closed),
            _ => self.vjp_of_gradient(order, &closed),
        };
        let (outputs, params) = (self.inner.outputs(times), params(&components));
        own(self.inner, (Kind::Vjp, order), &params, &quote!((#(#outputs,)* #ty)), &body)
    }

    /// The derivative that there is: only what it returns is arranged.
    fn jvp_of_jvp(&self, order: usize) -> TokenStream {
        let (times, turbofish) = (1 << order, self.outer.turbofish());
        let names = raised(self.inner.plain_components(is_active), order);
        let names = names.iter().map(|component| &component.name);
        let own = self.outer.own_derivative(Kind::Jvp, order + 1);
        let outputs = numbered("output", 2 * times);
        let (values, tangents) = outputs.split_at(times);
        quote! {
            let (#(#outputs),*) = Self::#own #turbofish(#(#names),*);
            (#((#values, #tangents)),*)
        }
    }

    /// The tangent of the pullback: values change places with tangents.
    fn vjp_of_jvp(&self, order: usize, closed: &TokenStream) -> TokenStream {
        let (times, turbofish) = (1 << (order - 1), self.outer.turbofish());
        let names = raised(self.inner.plain_components(is_active), order - 1);
        let names = names.iter().map(|component| &component.name);
        let own = self.outer.own_derivative(Kind::Vjp, order + 1);
        let (outputs, pullback) = (numbered("output", 2 * times), mixed("pullback"));
        let (values, tangents) = outputs.split_at(times);
        let (groups, seeds) = self.groups(order);
        let seeds = seeds.iter().map(|seed| &seed.name);
        let [value_bars, tangent_bars] =
            ["value_bar", "tangent_bar"].map(|name| numbered(name, times));
        let args = self.swapped(&groups);
        let (bound, returned) = self.halves(times);
        quote! {
            let (#(#outputs,)* #pullback) = Self::#own #turbofish(#(#names),*);
            (#((#values, #tangents),)* #closed {
                #(let (#value_bars, #tangent_bars) = #seeds;)*
                let #bound = #pullback(#(#args,)* #(#tangent_bars,)* #(#value_bars),*);
                #returned
            })
        }
    }

    /// The parameters of a pullback, by the references that they belong to; and the result's cotangents.
    fn groups(&self, order: usize) -> (Vec<Group>, Vec<Component>) {
        let mut rest = raised(self.inner.pullback_components(is_active), order - 1);
        let times = 1 << (order - 1);
        let references = self.inner.params.iter().filter(|named| named.param.reference().is_some());
        let groups = references.map(|named| {
            let count = if is_active(named) { times } else { 1 };
            let places = rest.drain(..count).collect();
            let shadows = if is_active(named) { rest.drain(..times).collect() } else { Vec::new() };
            Group { places, shadows }
        });
        let groups = groups.collect();
        (groups, rest)
    }

    /// The references that the pullback of `f` takes: places are in order, the shadow of a tangent is what adds to
    /// that of its value, and the other way round.
    fn swapped(&self, groups: &[Group]) -> Vec<Ident> {
        let mut groups = groups.iter();
        let mut args = Vec::new();
        let references = self.outer.params.iter().filter(|named| named.param.reference().is_some());
        for named in references {
            let value = groups.next().expect("a reference");
            let tangent = is_active(named).then(|| groups.next().expect("its tangent"));
            let places = value.places.iter().chain(tangent.iter().flat_map(|one| &one.places));
            let shadows = tangent.iter().flat_map(|one| &one.shadows).chain(&value.shadows);
            args.extend(places.chain(shadows).map(|component| component.name.clone()));
        }
        args
    }

    /// A pattern for the by-value cotangents of `f`, and what `jvp` returns of them: values before tangents.
    fn halves(&self, times: usize) -> (TokenStream, TokenStream) {
        let (mut bound, mut returned) = (Vec::new(), Vec::new());
        for named in self.outer.by_value() {
            let bars = numbered(&named.bar.to_string(), 2 * times);
            bound.extend(bars.iter().map(|bar| quote!(#bar)));
            let (first, second) = bars.split_at(times);
            returned.extend(second.iter().chain(first).map(|bar| quote!(#bar)));
        }
        (bare_or_tuple(&bound), bare_or_tuple(&returned))
    }

    /// Along given tangents.
    fn jvp_of_gradient(&self, order: usize) -> TokenStream {
        let times = 1 << order;
        let components = raised(self.outer.plain_components(is_active), order);
        let mut rest = components.iter().map(|component| &component.name);
        let args: Vec<Vec<TokenStream>> = self
            .outer
            .params
            .iter()
            .map(|named| {
                let count = if is_active(named) { times } else { 1 };
                rest.by_ref().take(count).map(|name| quote!(#name)).collect()
            })
            .collect();
        let run = match self.is_accumulated {
            true => self.accumulated(order, &args),
            false => self.run(order, &args, (0, &[])),
        };
        let values = numbered("value", times);
        let results = (0..times).map(|index| self.result(index, &values[index]));
        quote!(#run (#(#results),*))
    }

    /// What the derivative returns of a component.
    fn result(&self, index: usize, value: &Ident) -> TokenStream {
        let gradient = self.cotangents(index);
        match self.of {
            Of::ValueAndGradient => quote!((#value, #gradient)),
            _ => gradient,
        }
    }

    /// The gradient of a component: bare, or a tuple.
    fn cotangents(&self, index: usize) -> TokenStream {
        let active = self.outer.params.iter().filter(|named| is_active(named));
        let bars = active.map(|named| {
            let bar = mixed(&format!("{}_{index}", named.bar));
            quote!(#bar)
        });
        bare_or_tuple(&bars.collect::<Vec<_>>())
    }

    /// Statements that run `f` with its pullback. `args` has for each parameter its components; the seeds given are
    /// those from a position on, all others are zero.
    fn run(
        &self,
        order: usize,
        args: &[Vec<TokenStream>],
        (first, given): (usize, &[TokenStream]),
    ) -> TokenStream {
        let (times, turbofish) = (1 << order, self.outer.turbofish());
        let own = self.outer.own_derivative(Kind::Vjp, order + 1);
        let (values, pullback, seed) =
            (numbered("value", times), mixed("pullback"), self.outer.seed());
        let seeds = (0..times).map(|index| match given.get(index.wrapping_sub(first)) {
            Some(given) if index >= first => given.clone(),
            _ if index == 0 => seed.clone(),
            _ => quote!(::cotangent::Differentiable::zero_tangent(&#seed)),
        });
        let (mut zeros, mut passed, mut bound) = (TokenStream::new(), Vec::new(), Vec::new());
        for (named, args) in self.outer.params.iter().zip(args) {
            let bars = numbered(&named.bar.to_string(), times);
            if named.param.reference().is_none() {
                if is_active(named) {
                    bound.extend(bars.iter().map(|bar| quote!(#bar)));
                }
                continue;
            }
            let place = &args[0];
            passed.extend(args.iter().cloned());
            if is_active(named) {
                zeros.extend(zero_shadows(place, &bars));
                passed.extend(bars.iter().map(|bar| quote!(&mut #bar)));
            }
        }
        let (args, bound) = (args.iter().flatten(), bare_or_tuple(&bound));
        quote! {
            let (#(#values,)* #pullback) = Self::#own #turbofish(#(#args),*);
            #zeros
            let #bound = #pullback(#(#passed,)* #(#seeds),*);
        }
    }

    /// Statements that run the gradient of `f`, whose seed is one.
    fn accumulated(&self, order: usize, args: &[Vec<TokenStream>]) -> TokenStream {
        let (times, turbofish) = (1 << order, self.outer.turbofish());
        let own = self.outer.own_derivative(Kind::Accumulate, order + 1);
        let mut returned: Vec<TokenStream> =
            numbered("value", times).iter().map(|value| quote!(#value)).collect();
        let (mut zeros, mut passed) = (TokenStream::new(), Vec::new());
        for (named, args) in self.outer.params.iter().zip(args) {
            let bars = numbered(&named.bar.to_string(), times);
            passed.extend(args.iter().cloned());
            match (is_active(named), named.param.reference()) {
                (false, _) => {}
                (true, None) => returned.extend(bars.iter().map(|bar| quote!(#bar))),
                (true, Some(_)) => {
                    zeros.extend(zero_shadows(&args[0], &bars));
                    passed.extend(bars.iter().map(|bar| quote!(&mut #bar)));
                }
            }
        }
        quote! {
            #zeros
            let (#(#returned),*) = Self::#own #turbofish(#(#passed),*);
        }
    }

    /// Along the cotangents that the pullback is given.
    fn vjp_of_gradient(&self, order: usize, closed: &TokenStream) -> TokenStream {
        let times = 1 << (order - 1);
        let components = raised(self.inner.plain_components(is_active), order - 1);
        let (groups, seeds) = self.groups(order);
        let (saved, args) = self.along(&components, &groups, times);
        let values = numbered("value_bar", times);
        let given: Vec<TokenStream> = match self.of {
            Of::ValueAndGradient => values.iter().map(|value| quote!(#value)).collect(),
            _ => Vec::new(),
        };
        let opened = seeds.iter().enumerate().map(|(index, seed)| {
            let (seed, value, directions) = (&seed.name, &values[index], self.directions(index));
            match self.of {
                Of::ValueAndGradient => quote!(let (#value, #directions) = #seed;),
                _ => quote!(let #directions = #seed;),
            }
        });
        let run = self.run(order, &args, (times, &given));
        let (added, returned) = self.products(&groups, times);
        let (outputs, forward) = (numbered("output", times), self.again(order, &components));
        quote! {
            #saved
            let (#(#outputs),*) = #forward;
            (#(#outputs,)* #closed {
                #(#opened)*
                #run
                #added
                #returned
            })
        }
    }

    /// The derivative itself, or its tangent.
    fn again(&self, order: usize, components: &[Component]) -> TokenStream {
        let (primal, turbofish) = (self.inner.primal(), self.inner.turbofish());
        let names = components.iter().map(|component| &component.name);
        match order {
            1 => quote!(#primal(#(#names),*)),
            _ => {
                let own = self.inner.own_derivative(Kind::Jvp, order - 1);
                quote!(Self::#own #turbofish(#(#names),*))
            }
        }
    }

    /// Copies of what was passed by value, and the components of each parameter with directions behind them.
    fn along(
        &self,
        components: &[Component],
        groups: &[Group],
        times: usize,
    ) -> (TokenStream, Vec<Vec<TokenStream>>) {
        let (mut rest, mut groups) = (components.iter(), groups.iter());
        let (mut saved, mut args) = (TokenStream::new(), Vec::new());
        for named in &self.outer.params {
            let count = if is_active(named) { times } else { 1 };
            let given: Vec<&Component> = rest.by_ref().take(count).collect();
            let mut all: Vec<Ident> = match named.param.reference() {
                Some(_) => {
                    let places = &groups.next().expect("a reference").places;
                    places.iter().map(|component| component.name.clone()).collect()
                }
                None => {
                    let kept = numbered(&format!("kept_{}", named.bar), count);
                    let names = given.iter().map(|component| &component.name);
                    saved.extend(
                        quote!(#(let #kept = ::cotangent::__private::Kept::kept(&#names);)*),
                    );
                    kept
                }
            };
            let mut all: Vec<TokenStream> = all.drain(..).map(|name| quote!(#name)).collect();
            if is_active(named) {
                all.extend(directions(named, times).iter().map(
                    |along| match named.param.reference() {
                        Some((_, true)) => quote!(&mut #along),
                        Some((_, false)) => quote!(&#along),
                        None => quote!(#along),
                    },
                ));
            }
            args.push(all);
        }
        (saved, args)
    }

    /// A pattern for the cotangent of a gradient's component.
    fn directions(&self, index: usize) -> TokenStream {
        let active = self.outer.params.iter().filter(|named| is_active(named));
        let each = active.map(|named| {
            let along = &directions(named, index + 1)[index];
            quote!(mut #along)
        });
        bare_or_tuple(&each.collect::<Vec<_>>())
    }

    /// What the Hessian makes of them: added to shadows, and returned.
    fn products(&self, groups: &[Group], times: usize) -> (TokenStream, TokenStream) {
        let (mut groups, mut added, mut returned) = (groups.iter(), TokenStream::new(), Vec::new());
        for named in &self.outer.params {
            let bars = numbered(&named.bar.to_string(), 2 * times).split_off(times);
            match named.param.reference() {
                Some(_) => {
                    let shadows = groups.next().into_iter().flat_map(|group| &group.shadows);
                    let shadows = shadows.map(|component| &component.name);
                    added.extend(shadows.zip(&bars).map(
                        |(shadow, bar)| quote!(::cotangent::__private::accumulate(#shadow, #bar);),
                    ));
                }
                None if is_active(named) => returned.extend(bars.iter().map(|bar| quote!(#bar))),
                None => {}
            }
        }
        (added, bare_or_tuple(&returned))
    }
}

/// Shadows of a place, of a run's own.
fn zero_shadows(place: &TokenStream, bars: &[Ident]) -> TokenStream {
    quote!(#(let mut #bars = ::cotangent::Differentiable::zero_tangent(&*#place);)*)
}

/// The names of a parameter's directions.
fn directions(named: &Named, times: usize) -> Vec<Ident> {
    numbered(&format!("{}_along", named.bar), times)
}

fn numbered(name: &str, times: usize) -> Vec<Ident> {
    (0..times).map(|index| mixed(&format!("{name}_{index}"))).collect()
}
