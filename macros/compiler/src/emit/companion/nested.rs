//! Derivatives of derivatives: what stands beside those of the contract, so that they are called in functions that
//! are differentiated themselves.
//!
//! In: the head of a function of several orders. Out: for each of them, as a function of its own with one order
//! less, or two for `hvp`, `vjp` and `jvp` and all that calls use. Nothing is derived for them, since second
//! derivatives are symmetric. With T for the forward and R for the reverse transform:
//!
//! - T of `jvp` and of a gradient are derivatives that there are.
//! - R T f is T R f with tangents in the place of values: a pullback's tangent gives both cotangents of a `jvp`.
//! - The pullback of a gradient multiplies by the Hessian, and so does its `jvp`: it runs that along the cotangent
//!   that it is given. A pullback and `accumulate_gradient` are gradients with another seed, whose cotangent is the
//!   tangent of the value, and with shadows that they add to, whose own shadows are the cotangent.
//! - `hvp` is the `jvp` of a gradient: one direction more.
//!
//! The components of order `k` are numbered as the forward transform makes them: its first run is the highest of
//! the `k` bits.

use super::component::{Component, bare, params, raised};
use super::head::{Head, Named, numbered};
use super::{accumulate, cells, glue, is_active, own};
use crate::binding::local;
use crate::emit::bare_or_tuple;
use crate::ir::{PULLED, Type};
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use crate::syntax::signature::{Owner, OwnerKind, Parameter, Signature};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// A derivative of the contract that has derivatives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Jvp,
    Gradient,
    ValueAndGradient,
    Accumulate,
    /// `vjp` and its pullback at once.
    Pulled,
    Hvp,
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Of::Jvp => "jvp",
            Of::Gradient => "gradient",
            Of::ValueAndGradient => "value_and_gradient",
            Of::Accumulate => "accumulate_gradient",
            Of::Pulled => PULLED,
            Of::Hvp => "hvp",
        }
    }

    /// How many directions the gradient is differentiated along already.
    fn directions(self) -> usize {
        usize::from(self == Of::Hvp)
    }

    /// Whether `check!` tests it by itself.
    fn is_tested(self) -> bool {
        matches!(self, Of::Jvp | Of::Gradient)
    }

    /// Whether the value is returned beside cotangents.
    fn has_value(self) -> bool {
        matches!(self, Of::ValueAndGradient | Of::Accumulate)
    }

    /// Whether what it returns holds cotangents of references, too; else it adds to shadows.
    fn returns_all(self) -> bool {
        matches!(self, Of::Gradient | Of::ValueAndGradient | Of::Hvp)
    }
}

/// What a derivative takes, of one of the function's own parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Place,
    Direction,
    /// The place once more, as a pullback takes it.
    Again,
    Shadow,
    /// The result's cotangent.
    Seed,
}

/// A parameter of a derivative: what it is, and the position of the function's parameter.
pub type Part = (Role, usize);

/// All that there is, for a function of several orders.
pub fn nested(head: &Head, arguments: &Arguments, is_accumulated: bool) -> TokenStream {
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    let orders = *head.orders(arguments).end();
    let lower = arguments.lower(orders);
    let mut functions = TokenStream::new();
    if forward {
        functions.extend(derivatives(head, Of::Jvp, &lower, false));
    }
    if reverse && head.signature.may_be_float() {
        for of in [Of::Gradient, Of::ValueAndGradient, Of::Accumulate] {
            if !is_there(head, of) {
                continue;
            }
            functions.extend(derivatives(head, of, &lower, is_accumulated));
        }
        if orders > 2 {
            functions.extend(derivatives(head, Of::Hvp, &lower.lower(orders - 1), is_accumulated));
        }
    }
    if reverse && is_there(head, Of::Pulled) {
        functions.extend(derivatives(head, Of::Pulled, &lower, false));
    }
    functions
}

/// Whether there can be derivatives of that one. What is in the shadows that it takes is kept and put back, which
/// is not done to those of cells.
fn is_there(head: &Head, of: Of) -> bool {
    let is_unique = head.params.iter().any(|named| named.param.is_unique());
    match of {
        Of::Accumulate => !head.signature.reaches_cells(),
        Of::Pulled => !is_unique && !head.signature.reaches_cells(),
        _ => true,
    }
}

fn derivatives(head: &Head, of: Of, arguments: &Arguments, is_accumulated: bool) -> TokenStream {
    let Some((signature, parts)) = signature(head, of) else { return TokenStream::new() };
    let mut inner = inner(head, &signature, of.name());
    if of != Of::Jvp {
        let kept = head.kept_clause(|_| true);
        let float = (of != Of::Pulled).then(|| head.float_clause());
        inner.bounds.extend(quote!(#kept #float));
    }
    let nested = Nested { outer: head, inner: &inner, of, parts, is_accumulated };
    let mut functions = TokenStream::new();
    if of == Of::Pulled {
        functions.extend(glue::hidden(&nested.primal()));
    }
    for order in inner.orders(arguments) {
        if arguments.emits_forward() || of != Of::Jvp {
            functions.extend(nested.jvp(order));
        }
        if arguments.emits_reverse() {
            functions.extend(nested.vjp(order));
        }
    }
    if arguments.emits_reverse() && of.is_tested() {
        functions.extend(accumulate::pulled(&inner));
    }
    let orders = *inner.orders(arguments).end();
    if orders > 1 && arguments.emits_forward() && of.is_tested() {
        functions.extend(derivatives(&inner, Of::Jvp, &arguments.lower(orders), false));
    }
    functions.extend(glue::of_derivative(&inner, arguments, of.is_tested()));
    functions
}

/// The head of a derivative as a function of its own.
pub fn inner<'a>(head: &Head<'a>, signature: &'a Signature, name: &str) -> Head<'a> {
    let title = format!("{}::{name}", head.title);
    Head { proofs: TokenStream::new(), names: None, title, is_nested: true, ..head.with(signature) }
}

/// A derivative as a function of its own, of the same parameters.
pub fn derivative(head: &Head, name: &str, output: TokenStream) -> Option<Signature> {
    let outer = head.signature;
    let mut signature = outer.clone();
    signature.name = head.derivative(name);
    signature.siblings = signature.name.clone();
    signature.spelled = head.generic_args();
    let kind = match &outer.owner {
        Some(owner) if owner.is_trait() => OwnerKind::Trait,
        _ => OwnerKind::Type,
    };
    let generics =
        outer.owner.as_ref().map_or_else(syn::Generics::default, |owner| owner.generics.clone());
    let ty = outer.owner.as_ref().and_then(|owner| owner.ty.clone());
    signature.owner = Some(Owner { generics, kind, object: None, ty, short: Default::default() });
    let ty: syn::Type = syn::parse2(output).ok()?;
    signature.output_kind = signature.floats.read(&ty);
    signature.output = Some(ty);
    Some(signature)
}

/// Likewise, and what its parameters are.
pub fn signature(head: &Head, of: Of) -> Option<(Signature, Vec<Part>)> {
    let (gradient, output, by_value) = (head.gradient(), head.output(), head.by_value_cotangents());
    let output = match of {
        Of::Jvp => {
            let tangent = head.output_tangent();
            quote!((#output, #tangent))
        }
        Of::Gradient | Of::Hvp => gradient,
        Of::ValueAndGradient => quote!((#output, #gradient)),
        Of::Accumulate => quote!((#output, #by_value)),
        Of::Pulled => by_value,
    };
    let mut signature = derivative(head, of.name(), output)?;
    let (params, parts) = taken(head, of)?.into_iter().unzip();
    signature.params = params;
    Some((signature, parts))
}

/// The parameters of a derivative.
fn taken(head: &Head, of: Of) -> Option<Vec<(Parameter, Part)>> {
    let mut params = Vec::new();
    for (position, named) in head.params.iter().enumerate() {
        params.push((named.param.clone(), (Role::Place, position)));
        match of {
            Of::Jvp | Of::Hvp if is_active(named) => {
                let ty = named.tangent_type();
                let dot = tangent_parameter(named, named.dot.clone(), ty)?;
                params.push((dot, (Role::Direction, position)));
            }
            Of::Accumulate => params.extend(shadow_parameter(named, position)),
            _ => {}
        }
    }
    if of != Of::Pulled {
        return Some(params);
    }
    for (position, named) in head.params.iter().enumerate() {
        if named.param.reference().is_none() {
            continue;
        }
        let name = local(&format!("{}_again", bare(&named.again)));
        let again = Parameter { name, active: false, pattern: None, ..named.param.clone() };
        params.push((again, (Role::Again, position)));
        params.extend(shadow_parameter(named, position));
    }
    let ty: syn::Type = syn::parse2(head.output_tangent()).ok()?;
    let kind = head.signature.output_kind.tangent();
    let seed = Parameter {
        name: head.seed_name.clone(),
        active: !kind.is_constant(),
        kind,
        ty,
        pattern: None,
        is_mut: false,
        is_tangent: true,
        callable: None,
        advances: false,
        sequence: None,
    };
    params.push((seed, (Role::Seed, 0)));
    Some(params)
}

fn shadow_parameter(named: &Named, position: usize) -> Option<(Parameter, Part)> {
    let ty = named.shadow_type().filter(|_| is_active(named))?;
    let shadow = tangent_parameter(named, named.bar.clone(), ty)?;
    Some((shadow, (Role::Shadow, position)))
}

/// A tangent or a shadow as a parameter.
fn tangent_parameter(named: &Named, name: Ident, ty: TokenStream) -> Option<Parameter> {
    let (own, ty) = (named.param.clone(), syn::parse2::<syn::Type>(ty).ok()?);
    let is_unique =
        matches!(&ty, syn::Type::Reference(reference) if reference.mutability.is_some());
    let kind = match &own.kind {
        Type::Reference(inner, _) => Type::Reference(Box::new(inner.tangent()), is_unique),
        kind => kind.tangent(),
    };
    Some(Parameter { name, kind, ty, pattern: None, is_mut: false, is_tangent: true, ..own })
}

/// The derivatives of one derivative.
struct Nested<'n, 'a> {
    /// The function.
    outer: &'n Head<'a>,
    /// Its derivative.
    inner: &'n Head<'n>,
    of: Of,
    /// What the derivative's parameters are.
    parts: Vec<Part>,
    /// Whether the gradient has a body of its own, beside that of the pullback.
    is_accumulated: bool,
}

/// A reference with its components, as places and as shadows; of what is passed by value there are none.
#[derive(Default)]
struct Group {
    places: Vec<Component>,
    shadows: Vec<Component>,
}

/// A pullback under construction.
struct Pulling {
    /// Statements before it.
    saved: TokenStream,
    /// Statements at its start.
    opened: TokenStream,
    /// For each parameter of the function, its components.
    args: Vec<Vec<TokenStream>>,
    seeds: Vec<TokenStream>,
}

impl Nested<'_, '_> {
    /// The pullback of the function, called at once.
    fn primal(&self) -> TokenStream {
        let (vjp, turbofish) =
            (self.outer.derivative(&self.outer.body_name("vjp")), self.outer.turbofish());
        let is_own = |part: &Part| part.0 == Role::Place;
        let names = |wanted: bool| {
            let parts = self.parts.iter().zip(&self.inner.params);
            let wanted = parts.filter(move |(part, _)| is_own(part) == wanted);
            wanted.map(|(_, named)| &named.param.name)
        };
        let (own, again, pullback) = (names(true), names(false), local("pullback"));
        let body = quote! {
            let (_, #pullback) = Self::#vjp #turbofish(#(#own),*);
            #pullback(#(#again),*)
        };
        let (params, output) = (self.inner.plain_params(), self.inner.output());
        self.outer.function(PULLED, "", &params, &output, &TokenStream::new(), &body)
    }

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
        let (outputs, pullback) = (numbered("output", 2 * times), local("pullback"));
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

    /// The components of each parameter.
    fn given(&self, order: usize) -> Vec<Vec<Component>> {
        let mut all = raised(self.inner.plain_components(is_active), order).into_iter();
        let counts =
            self.inner.params.iter().map(|named| if is_active(named) { 1 << order } else { 1 });
        counts.map(|count| all.by_ref().take(count).collect()).collect()
    }

    /// The parameters of a pullback, by those of the derivative; and the result's cotangents.
    fn groups(&self, order: usize) -> (Vec<Group>, Vec<Component>) {
        let mut rest = raised(self.inner.pullback_components(is_active), order - 1);
        let times = 1 << (order - 1);
        let groups = self.inner.params.iter().map(|named| {
            if named.param.reference().is_none() {
                return Group::default();
            }
            let count = if is_active(named) { times } else { 1 };
            let places = rest.drain(..count).collect();
            let shadows = if is_active(named) { rest.drain(..times).collect() } else { Vec::new() };
            Group { places, shadows }
        });
        let groups = groups.collect();
        (groups, rest)
    }

    /// Where the derivative takes something of one of the function's parameters.
    fn position(&self, role: Role, of: usize) -> Option<usize> {
        self.parts.iter().position(|part| *part == (role, of))
    }

    /// The references that the pullback of `f` takes: places are in order, the shadow of a tangent is what adds to
    /// that of its value, and the other way round.
    fn swapped(&self, groups: &[Group]) -> Vec<Ident> {
        let mut args = Vec::new();
        for position in 0..self.outer.params.len() {
            let group = |role| Some(&groups[self.position(role, position)?]);
            let value = group(Role::Place).expect("a parameter of both");
            let tangent = group(Role::Direction);
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
        let (times, given) = (1 << order, self.given(order));
        let names = |role, of| {
            let components = self.position(role, of).map(|position| &given[position]);
            components.into_iter().flatten().map(|component| component.name.to_token_stream())
        };
        let args: Vec<Vec<TokenStream>> = (0..self.outer.params.len())
            .map(|of| names(Role::Place, of).chain(names(Role::Direction, of)).collect())
            .collect();
        let shadows: Vec<Vec<TokenStream>> =
            (0..self.outer.params.len()).map(|of| names(Role::Shadow, of).collect()).collect();
        let (order, first) = (order + self.of.directions(), self.of.directions() * times);
        let run = match (self.of, self.is_accumulated) {
            (Of::Pulled, _) => {
                let seeds: Vec<TokenStream> = names(Role::Seed, 0).collect();
                self.run(order, &args, &seeds, &shadows)
            }
            (_, true) => self.accumulated(order, &args, &shadows),
            (_, false) => self.run(order, &args, &self.seeds(1 << order), &shadows),
        };
        let values = numbered("value", first + times);
        let results = (first..first + times).map(|index| self.result(index, &values[index]));
        quote!(#run (#(#results),*))
    }

    /// The seeds of a gradient and of its tangents.
    fn seeds(&self, times: usize) -> Vec<TokenStream> {
        let seed = self.outer.seed();
        let zeros = (1..times).map(|_| quote!(::cotangent::Differentiable::zero_tangent(&#seed)));
        std::iter::once(seed.clone()).chain(zeros).collect()
    }

    /// What the derivative returns of a component.
    fn result(&self, index: usize, value: &Ident) -> TokenStream {
        let gradient = self.cotangents(|named| {
            let bar = local(&format!("{}_{index}", named.bar));
            quote!(#bar)
        });
        match self.of.has_value() {
            true => quote!((#value, #gradient)),
            false => gradient,
        }
    }

    /// The cotangents that the derivative returns: bare, or a tuple.
    fn cotangents(&self, bar: impl Fn(&Named) -> TokenStream) -> TokenStream {
        let is_returned = |named: &&Named| {
            is_active(named) && (self.of.returns_all() || named.param.reference().is_none())
        };
        bare_or_tuple(&self.outer.params.iter().filter(is_returned).map(bar).collect::<Vec<_>>())
    }

    /// Statements that run `f` with its pullback. `args` has for each parameter its components, and `shadows` those
    /// that it adds to, if they are not of its own.
    fn run(
        &self,
        order: usize,
        args: &[Vec<TokenStream>],
        seeds: &[TokenStream],
        shadows: &[Vec<TokenStream>],
    ) -> TokenStream {
        let (times, turbofish) = (1 << order, self.outer.turbofish());
        let own = self.outer.own_derivative(Kind::Vjp, order + 1);
        let (values, pullback) = (numbered("value", times), local("pullback"));
        let (mut zeros, mut added) = (TokenStream::new(), TokenStream::new());
        let (mut passed, mut bound) = (Vec::new(), Vec::new());
        for ((named, args), shadows) in self.outer.params.iter().zip(args).zip(shadows) {
            let bars = numbered(&named.bar.to_string(), times);
            if named.param.reference().is_none() {
                if is_active(named) {
                    bound.extend(bars.iter().map(|bar| quote!(#bar)));
                }
                continue;
            }
            let place = &args[0];
            passed.extend(args.iter().cloned());
            match (is_active(named), shadows.is_empty() || self.is_apart()) {
                (false, _) => {}
                (true, false) => passed.extend(shadows.iter().cloned()),
                (true, true) => {
                    zeros.extend(zero_shadows(place, &bars));
                    passed.extend(bars.iter().map(|bar| quote!(&mut #bar)));
                    added.extend(quote!(#(::cotangent::__private::accumulate(#shadows, #bars);)*));
                }
            }
        }
        let (args, bound) = (args.iter().flatten(), bare_or_tuple(&bound));
        quote! {
            let (#(#values,)* #pullback) = Self::#own #turbofish(#(#args),*);
            #zeros
            let #bound = #pullback(#(#passed,)* #(#seeds),*);
            #added
        }
    }

    /// Whether a pullback cannot add to the shadows that are given: it would take what one of a place that the
    /// function writes holds for a cotangent.
    fn is_apart(&self) -> bool {
        self.outer.params.iter().any(|named| named.param.is_unique())
    }

    /// Statements that run the gradient of `f`, whose seed is one.
    fn accumulated(
        &self,
        order: usize,
        args: &[Vec<TokenStream>],
        shadows: &[Vec<TokenStream>],
    ) -> TokenStream {
        let (times, turbofish) = (1 << order, self.outer.turbofish());
        let own = self.outer.own_derivative(Kind::Accumulate, order + 1);
        let mut returned: Vec<TokenStream> =
            numbered("value", times).iter().map(|value| quote!(#value)).collect();
        let (mut zeros, mut passed) = (TokenStream::new(), Vec::new());
        for ((named, args), shadows) in self.outer.params.iter().zip(args).zip(shadows) {
            let bars = numbered(&named.bar.to_string(), times);
            passed.extend(args.iter().cloned());
            match (is_active(named), named.param.reference()) {
                (false, _) => {}
                (true, None) => returned.extend(bars.iter().map(|bar| quote!(#bar))),
                (true, Some(_)) if !shadows.is_empty() => passed.extend(shadows.iter().cloned()),
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
        let (given, (groups, cotangents)) = (self.given(order - 1), self.groups(order));
        let Pulling { saved, mut opened, args, seeds } = self.pulling(&given, &groups, times);
        opened.extend(cotangents.iter().enumerate().map(|(index, cotangent)| {
            let directions = self.cotangents(|named| {
                let along = &directions(named, times)[index];
                quote!(mut #along)
            });
            let (name, value) = (&cotangent.name, &numbered("value_bar", times)[index]);
            match self.of.has_value() {
                true => quote!(let (#value, #directions) = #name;),
                false => quote!(let #directions = #name;),
            }
        }));
        let none = vec![Vec::new(); self.outer.params.len()];
        let run = self.run(order + self.of.directions(), &args, &seeds, &none);
        let (added, returned) = self.products(&groups, times);
        let outputs = numbered("output", times);
        let components: Vec<Component> = given.into_iter().flatten().collect();
        let forward = again(self.inner, order, &components);
        quote! {
            #saved
            let (#(#outputs),*) = #forward;
            (#(#outputs,)* #closed {
                #opened
                #run
                #added
                #returned
            })
        }
    }

    /// What is kept for a pullback, and how it runs the function: each parameter with its components, and the
    /// cotangents as directions behind them.
    fn pulling(&self, given: &[Vec<Component>], groups: &[Group], times: usize) -> Pulling {
        let (mut saved, mut opened) = (TokenStream::new(), TokenStream::new());
        let mut taken = Vec::new();
        for (position, named) in self.inner.params.iter().enumerate() {
            let names: Vec<&Ident> = given[position].iter().map(|one| &one.name).collect();
            let kept = numbered(&format!("kept_{}", named.bar), names.len());
            let places = groups[position].places.iter().map(|one| one.name.clone());
            taken.push(match (named.param.reference(), self.parts[position].0) {
                (None, _) => {
                    saved.extend(
                        quote!(#(let #kept = ::cotangent::__private::Kept::kept(&#names);)*),
                    );
                    kept
                }
                (Some(_), Role::Shadow) => {
                    saved.extend(
                        quote!(#(let #kept = ::cotangent::__private::ToOwned::to_owned(&*#names);)*),
                    );
                    opened.extend(restored(named, places, &kept));
                    Vec::new()
                }
                (Some(_), _) => places.collect(),
            });
        }
        let mut args = Vec::new();
        for of in 0..self.outer.params.len() {
            opened.extend(self.opened(of, (groups, &taken), times));
            args.push(self.argument(of, &taken, times));
        }
        let seeds = match self.position(Role::Seed, 0) {
            Some(position) => {
                opened.extend(self.zero_seed(&taken[position]));
                let (kept, zero) = (taken[position].iter(), local("zero_seed"));
                let zero = quote!(::core::clone::Clone::clone(&#zero));
                kept.map(ToTokens::to_token_stream).chain(vec![zero; times]).collect()
            }
            None => {
                let mut seeds = self.seeds((2 * times) << self.of.directions());
                if self.of.has_value() {
                    let values = numbered("value_bar", times);
                    seeds.splice(times.., values.iter().map(ToTokens::to_token_stream));
                }
                seeds
            }
        };
        Pulling { saved, opened, args, seeds }
    }

    /// A seed that is zero, of the shape of those kept.
    fn zero_seed(&self, kept: &[Ident]) -> TokenStream {
        let (zero, first) = (local("zero_seed"), &kept[0]);
        quote!(let #zero = ::cotangent::Differentiable::zero_tangent(&#first);)
    }

    /// Directions that a pullback is not given with the result's cotangents: what the shadows of shadows hold, and
    /// zeros.
    fn opened(
        &self,
        of: usize,
        (groups, taken): (&[Group], &[Vec<Ident>]),
        times: usize,
    ) -> TokenStream {
        let named = &self.outer.params[of];
        if !is_active(named) {
            return TokenStream::new();
        }
        if let Some(position) = self.position(Role::Shadow, of) {
            let shadows = groups[position].shadows.iter().map(|component| &component.name);
            let along = directions(named, times);
            return quote!(#(let mut #along = ::cotangent::__private::ToOwned::to_owned(&*#shadows);)*);
        }
        if self.position(Role::Direction, of).is_none() {
            return TokenStream::new();
        }
        let position = self.position(Role::Place, of).expect("a place");
        let (zeros, zero) = (zeros(named, times), named.zero(&taken[position][0]));
        quote!(#(let mut #zeros = #zero;)*)
    }

    /// The components of one of the function's parameters.
    fn argument(&self, of: usize, taken: &[Vec<Ident>], times: usize) -> Vec<TokenStream> {
        let named = &self.outer.params[of];
        let names = |role| self.position(role, of).map(|position| &taken[position]);
        let places = names(Role::Place).expect("a parameter of both");
        let mut all: Vec<TokenStream> = places.iter().map(ToTokens::to_token_stream).collect();
        if !is_active(named) {
            return all;
        }
        let lent = |owned: &Ident| named.lent(owned);
        all.extend(directions(named, times).iter().map(lent));
        if let Some(dots) = names(Role::Direction) {
            all.extend(dots.iter().map(ToTokens::to_token_stream));
            all.extend(zeros(named, times).iter().map(lent));
        }
        all
    }

    /// What the Hessian makes of them: added to shadows, and returned.
    fn products(&self, groups: &[Group], times: usize) -> (TokenStream, TokenStream) {
        let (mut pairs, mut returned) = (Vec::new(), Vec::new());
        let values = numbered("value", 2 * times);
        for (position, (role, of)) in self.parts.iter().enumerate() {
            let inner = &self.inner.params[position];
            let first = match role {
                _ if !is_active(inner) => continue,
                Role::Place => ((2 << self.of.directions()) - 1) * times,
                Role::Direction => times,
                Role::Seed => {
                    returned.extend(values[times..].iter().map(|bar| quote!(#bar)));
                    continue;
                }
                Role::Again | Role::Shadow => continue,
            };
            let name = self.outer.params[*of].bar.to_string();
            let bars = numbered(&name, first + times).split_off(first);
            match inner.param.reference() {
                Some(_) => {
                    let shadows = groups[position].shadows.iter().map(|one| one.name.clone());
                    pairs.push(shadows.zip(bars).collect());
                }
                None => returned.extend(bars.iter().map(|bar| quote!(#bar))),
            }
        }
        (self.added(&pairs), bare_or_tuple(&returned))
    }

    /// Adds cotangents to shadows, for each parameter a pair for each component.
    fn added(&self, pairs: &[Vec<(Ident, Ident)>]) -> TokenStream {
        if !self.outer.signature.reaches_cells() {
            let (shadows, bars): (Vec<_>, Vec<_>) =
                pairs.iter().flatten().map(|(shadow, bar)| (shadow, bar)).unzip();
            return quote!(#(::cotangent::__private::accumulate(#shadows, #bars);)*);
        }
        let levels = (0..pairs.first().map_or(0, Vec::len)).map(|level| {
            let (bars, shadows): (Vec<_>, Vec<_>) = pairs
                .iter()
                .map(|pair| &pair[level])
                .map(|(shadow, bar)| (quote!(&mut #bar), quote!(#shadow)))
                .unzip();
            cells::transferred(&bars, &shadows)
        });
        levels.collect()
    }
}

/// A derivative itself, or its tangent.
pub fn again(inner: &Head, order: usize, components: &[Component]) -> TokenStream {
    let (primal, turbofish) = (inner.primal(), inner.turbofish());
    let names = components.iter().map(|component| &component.name);
    match order {
        1 => quote!(#primal(#(#names),*)),
        _ => {
            let own = inner.own_derivative(Kind::Jvp, order - 1);
            quote!(Self::#own #turbofish(#(#names),*))
        }
    }
}

/// Statements that put back what was added to a shadow.
fn restored(named: &Named, places: impl Iterator<Item = Ident>, kept: &[Ident]) -> TokenStream {
    match named.is_slice() {
        true => quote!(#(#places.clone_from_slice(&#kept);)*),
        false => quote!(#(*#places = #kept;)*),
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

/// The names of zeros of a parameter.
fn zeros(named: &Named, times: usize) -> Vec<Ident> {
    numbered(&format!("{}_zero", named.bar), times)
}
