//! Derivatives of an equation's solution, of any order: implicit differentiation.
//!
//! In: a head, and the path of the function that the equation is about. Out: bodies that hand closures of that function's
//! derivatives to `core/src/implicit.rs`, where everything is computed. **Invariants:** components are numbered as
//! `component.rs` raises them, so that each bit of an index is one direction. A gradient by the unknown, of which an
//! objective's equation is, is the first half of the cotangents of the objective along one direction more, and what its
//! pullback makes of a cotangent is their other half, with the cotangent as that direction.

use super::pullback;
use crate::binding::local;
use crate::emit::companion::component::{Component, raised};
use crate::emit::companion::head::{Head, Named, numbered};
use crate::emit::companion::is_active;
use crate::emit::companion::uniform::is_plain;
use crate::emit::{bare_or_tuple, check_companion, companion_path, hidden_name};
use crate::ir::Type;
use crate::pipeline::Kind;
use crate::primitive::{Equation, EquationKind};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// `jvp`: the value, and what the equation makes of the tangents of the parameters.
pub fn jvp(head: &Head, equation: &Equation, order: usize) -> TokenStream {
    let times = 1 << order;
    let solver = Solver::new(head, equation, parameters(head, order));
    let (value, solution) = (value(head), solver.ty());
    let (zeros, described, product) = (solver.zeros(), solver.described(), solver.product());
    let unknown = numbered("unknown", times);
    let components = solver.equation(&unknown, order);
    let outputs = numbered("output", times);
    equation.located(quote! {
        #zeros
        let [#(#outputs),*] = ::cotangent::__private::implicit::tangents(
            &#described,
            #value,
            #product,
            |[#(#unknown),*]: &[#solution; #times]| #components,
        );
        (#(#outputs),*)
    })
}

/// `vjp`: the value, and a pullback that solves for the cotangents of the equation, and pulls these back to the
/// parameters.
pub fn vjp(head: &Head, equation: &Equation, order: usize) -> TokenStream {
    let times = 1 << (order - 1);
    let components = raised(head.pullback_components(is_active), order - 1);
    let solver = Solver::new(head, equation, parameters_again(head, order - 1));
    let (solution, described, zeros) = (solver.ty(), solver.described(), solver.zeros());
    let (product, pull, own) = (solver.product(), solver.pull(order), solver.own_shadows());
    let [unknown, pulled, cotangents, pulled_back] =
        ["unknown", "pull", "cotangents", "parameters_bar"].map(local);
    let (values, outputs) = (numbered("unknown", times), numbered("output", times));
    let seeds = components[components.len() - times..].iter().map(|component| &component.name);
    let lent = solver.own_shadow_names().into_iter().map(|shadow| quote!(&mut #shadow));
    let shadows = solver.parameters.iter().flat_map(|parameter| &parameter.shadows);
    let returned = solver.returned(&pulled_back);
    let body = quote! {
        let [#(#values),*] = &#unknown;
        #zeros
        let #pulled = #pull;
        let #cotangents = ::cotangent::__private::implicit::cotangents(
            &#described,
            &#unknown,
            [#(#seeds),*],
            #product,
            |#cotangents: &[#solution; #times]| {
                #own
                #pulled(#cotangents, #(#lent),*).0
            },
        );
        let (_, #pulled_back) = #pulled(&#cotangents, #(#shadows),*);
        #returned
    };
    let (solved, pullback) = (solved(head, order), pullback(&components, &body));
    equation.located(quote! {
        let #unknown: [#solution; #times] = #solved;
        let [#(#outputs),*] = ::core::clone::Clone::clone(&#unknown);
        (#(#outputs,)* #pullback)
    })
}

impl Equation {
    /// Asks rustc once whether the equation is about the function's result and parameters. A constant knows no `Self` and no type
    /// parameters.
    fn check(&self, head: &Head) {
        if head.signature.owner.is_some()
            || !head.signature.generics.params.is_empty()
            || head.has_functions()
        {
            return;
        }
        let (path, unknown, output) = (&self.path, local("unknown_0"), head.output());
        let is_lent = matches!(head.signature.output_kind, Type::Vec(_));
        let lent = is_lent.then(|| quote!(&));
        let params = head.distinct_params();
        let (names, types) = (params.iter().map(|(name, _)| name), params.iter().map(|(_, ty)| ty));
        let args = names.clone();
        let constant = quote! {{
            let _ = |#unknown: #output, #(#names: #types),*| { #path(#lent #unknown, #(#args),*); };
            true
        }};
        check_companion(&self.path, &self.located(constant));
    }

    /// Tokens at the place of the equation's path, where rustc says what does not fit it, and panics say where they are.
    fn located(&self, tokens: TokenStream) -> TokenStream {
        let span =
            self.path.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        relocated(tokens, span)
    }
}

fn relocated(tokens: TokenStream, place: Span) -> TokenStream {
    let each = tokens.into_iter().map(|mut token| {
        let span = token.span().located_at(place);
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), relocated(group.stream(), place)).into();
        }
        token.set_span(span);
        token
    });
    each.collect()
}

/// The function's value. Its arguments are read again behind it.
fn value(head: &Head) -> TokenStream {
    let (primal, parameters) = (head.primal(), parameters(head, 0));
    let args = parameters.iter().map(|parameter| parameter.argument(0, Tangents::Given));
    quote!(#primal(#(#args),*))
}

/// The value with its tangents, which the function's own `jvp` of one order less makes.
fn solved(head: &Head, order: usize) -> TokenStream {
    if order == 1 {
        let value = value(head);
        return quote!([#value]);
    }
    let (jvp, turbofish) = (head.own_derivative(Kind::Jvp, order - 1), head.turbofish());
    let parameters = parameters(head, order - 1);
    let args = parameters.iter().flat_map(|parameter| {
        let each = parameter.components.iter().enumerate();
        each.map(|(index, _)| parameter.argument(index, Tangents::Given))
    });
    let outputs = numbered("output", 1 << (order - 1));
    quote! {{
        let (#(#outputs),*) = Self::#jvp #turbofish(#(#args),*);
        [#(#outputs),*]
    }}
}

/// A parameter, with the names of its value and of its tangents, and in a pullback those of its shadows.
struct Parameter<'h, 'a> {
    named: &'h Named<'a>,
    components: Vec<Ident>,
    shadows: Vec<Ident>,
}

/// The parameters of a derivative that follows each active one by its tangents.
fn parameters<'h, 'a>(head: &'h Head<'a>, order: usize) -> Vec<Parameter<'h, 'a>> {
    let mut names = names(raised(head.plain_components(is_active), order));
    let each = head.params.iter().map(|named| {
        let count = if is_active(named) { 1 << order } else { 1 };
        let components = names.by_ref().take(count).collect();
        Parameter { named, components, shadows: Vec::new() }
    });
    each.collect()
}

/// The parameters of its pullback: references are passed again, each active one with its shadows.
fn parameters_again<'h, 'a>(head: &'h Head<'a>, order: usize) -> Vec<Parameter<'h, 'a>> {
    let mut names = names(raised(head.pullback_components(is_active), order));
    let mut parameters = parameters(head, order);
    for parameter in &mut parameters {
        if parameter.named.param.reference().is_none() {
            continue;
        }
        let count = parameter.components.len();
        parameter.components = names.by_ref().take(count).collect();
        let shadows = if is_active(parameter.named) { count } else { 0 };
        parameter.shadows = names.by_ref().take(shadows).collect();
    }
    parameters
}

fn names(components: Vec<Component>) -> impl Iterator<Item = Ident> {
    components.into_iter().map(|component| component.name)
}

impl Parameter<'_, '_> {
    fn is_reference(&self) -> bool {
        self.named.param.reference().is_some()
    }

    /// The name of the parameter's zero.
    fn zero(&self) -> Ident {
        local(&format!("{}_zero", self.named.bar))
    }

    /// A component as it is passed on: where there is none, a zero.
    fn argument(&self, index: usize, tangents: Tangents) -> TokenStream {
        let is_zero = index > 0 && tangents == Tangents::Zero;
        match self.components.get(index).filter(|_| !is_zero) {
            Some(name) if self.is_reference() => quote!(#name),
            Some(name) if index == 0 => quote!(::cotangent::__private::Kept::kept(&#name)),
            Some(name) => quote!(::core::clone::Clone::clone(&#name)),
            None if is_plain(self.named) => quote!(::cotangent::__private::NoTangent),
            None => self.zero_argument(),
        }
    }

    fn zero_argument(&self) -> TokenStream {
        let zero = self.zero();
        match self.is_reference() {
            true => quote!(&#zero),
            false => quote!(::core::clone::Clone::clone(&#zero)),
        }
    }

    /// A shadow of its own.
    fn own_shadow(&self, index: usize) -> Ident {
        local(&format!("{}_own_{index}", self.named.bar))
    }
}

/// Which tangents of parameters the equation is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tangents {
    /// Their own.
    Given,
    /// None: the parameters are held.
    Zero,
}

/// How many components of a shadow or of a cotangent are for nobody, in front of the others.
#[derive(Clone, Copy)]
struct Unused(usize);

/// Emits calls of the equation's derivatives.
struct Solver<'h, 'a> {
    head: &'h Head<'a>,
    equation: &'h Equation,
    parameters: Vec<Parameter<'h, 'a>>,
}

impl<'h, 'a> Solver<'h, 'a> {
    fn new(head: &'h Head<'a>, equation: &'h Equation, parameters: Vec<Parameter<'h, 'a>>) -> Self {
        equation.check(head);
        Solver { head, equation, parameters }
    }

    /// The type of the unknown.
    fn ty(&self) -> TokenStream {
        self.head.output()
    }

    /// Describes the function and its equation for messages.
    fn described(&self) -> TokenStream {
        let (function, path) = (&self.head.title, self.equation.path.to_token_stream());
        let equation = path.to_string().replace(' ', "");
        let kind = match self.equation.kind {
            EquationKind::Root => quote!(Root),
            EquationKind::FixedPoint => quote!(FixedPoint),
            EquationKind::Argmin => quote!(Argmin),
        };
        let is_watched = self.equation.is_watched || self.head.signature.is_watched;
        quote! {
            ::cotangent::__private::implicit::Implicit {
                function: #function,
                equation: #equation,
                kind: ::cotangent::__private::implicit::Kind::#kind,
                is_watched: #is_watched,
            }
        }
    }

    /// Zeros of the parameters.
    fn zeros(&self) -> TokenStream {
        let with_zeros = self.parameters.iter().filter(|parameter| !is_plain(parameter.named));
        let zeros = with_zeros.map(|parameter| {
            let (name, zero) = (parameter.zero(), parameter.named.zero(&parameter.components[0]));
            quote!(let #name = #zero;)
        });
        zeros.collect()
    }

    /// The unknown as it is passed on, of a name that is bound to a reference.
    fn passed(&self, name: &Ident) -> TokenStream {
        match self.is_by_reference() {
            true => quote!(#name),
            false => quote!(*#name),
        }
    }

    /// Whether the unknown is passed by reference.
    fn is_by_reference(&self) -> bool {
        matches!(self.head.signature.output_kind, Type::Vec(_))
    }

    /// The closure that multiplies the derivative by the unknown with a direction.
    fn product(&self) -> TokenStream {
        let ([value, along], solution) = (["unknown_0", "along"].map(local), self.ty());
        let given = [value.clone(), along.clone()];
        let body = match self.equation.kind {
            EquationKind::Root | EquationKind::FixedPoint => {
                let call = self.forward(&given, 1, Tangents::Zero);
                quote!(#call)
            }
            EquationKind::Argmin => {
                let bars = numbered("unknown_bar", 2);
                let run = self.backward(&given, 2, Tangents::Zero, Unused(2), &Seeds::Objective);
                quote!({ #run (#(#bars),*) })
            }
        };
        quote!(|#value: &#solution, #along: &#solution| #body)
    }

    /// The components of the equation, in brackets.
    fn equation(&self, unknown: &[Ident], order: usize) -> TokenStream {
        let times = unknown.len();
        match self.equation.kind {
            EquationKind::Root | EquationKind::FixedPoint => {
                let (call, values) =
                    (self.forward(unknown, order, Tangents::Given), numbered("value", times));
                quote!({ let (#(#values),*) = #call; [#(#values),*] })
            }
            EquationKind::Argmin => {
                let bars = numbered("unknown_bar", times);
                let run = self.backward(
                    unknown,
                    order + 1,
                    Tangents::Given,
                    Unused(times),
                    &Seeds::Objective,
                );
                quote!({ #run [#(#bars),*] })
            }
        }
    }

    /// The closure that pulls components of the equation's cotangent back: those of the unknown's, and those of the
    /// by-value parameters.
    fn pull(&self, order: usize) -> TokenStream {
        let (times, solution) = (1 << (order - 1), self.ty());
        let (unknown, along) = (numbered("unknown", times), numbered("cotangent", times));
        let (run, unused) = match self.equation.kind {
            EquationKind::Root | EquationKind::FixedPoint => {
                let seeds = Seeds::Given(&along);
                (self.backward(&unknown, order, Tangents::Given, Unused(0), &seeds), 0)
            }
            EquationKind::Argmin => {
                let both: Vec<Ident> = unknown.iter().chain(&along).cloned().collect();
                let seeds = Seeds::Objective;
                (self.backward(&both, order + 1, Tangents::Given, Unused(times), &seeds), times)
            }
        };
        let bars = numbered("unknown_bar", unused + times).split_off(unused);
        let returned = self.active_values().flat_map(|parameter| {
            numbered(&parameter.named.bar.to_string(), unused + times).split_off(unused)
        });
        let shadows = self.parameters.iter().flat_map(|parameter| {
            let ty = parameter.named.shadow_type();
            parameter.shadows.iter().map(move |shadow| quote!(#shadow: #ty))
        });
        quote! {
            |[#(#along),*]: &[#solution; #times], #(#shadows),*| {
                #run
                ([#(#bars),*], (#(#returned,)*))
            }
        }
    }

    fn active_values(&self) -> impl Iterator<Item = &Parameter<'h, 'a>> {
        self.parameters
            .iter()
            .filter(|parameter| is_active(parameter.named) && !parameter.is_reference())
    }

    /// The call of the equation's `jvp`.
    fn forward(&self, unknown: &[Ident], order: usize, tangents: Tangents) -> TokenStream {
        let function = companion_path(&self.equation.path, &hidden_name(Kind::Jvp, order), false);
        let args = self.arguments(unknown, tangents);
        quote!(#function(#(#args),*))
    }

    /// The unknown's components and those of the parameters.
    fn arguments(&self, unknown: &[Ident], tangents: Tangents) -> Vec<TokenStream> {
        let mut args: Vec<TokenStream> = unknown.iter().map(|name| self.passed(name)).collect();
        for parameter in &self.parameters {
            args.extend((0..unknown.len()).map(|index| parameter.argument(index, tangents)));
        }
        args
    }

    /// Statements that run the equation's `vjp`, bind the components of the unknown's cotangent and of those of by-value
    /// parameters, and add to the shadows of the others behind those that are for nobody.
    fn backward(
        &self,
        unknown: &[Ident],
        order: usize,
        tangents: Tangents,
        Unused(unused): Unused,
        seeds: &Seeds,
    ) -> TokenStream {
        let times = unknown.len();
        let function = companion_path(&self.equation.path, &hidden_name(Kind::Vjp, order), false);
        let args = self.arguments(unknown, tangents);
        let (values, pullback) = (numbered("value", times), local("pullback"));
        let (seeding, seeds) = seeds.bound(&values);
        let bars = numbered("unknown_bar", times);
        let (mut opened, mut passed, mut bound) = (TokenStream::new(), Vec::new(), Vec::new());
        match self.is_by_reference() {
            true => {
                opened.extend(quote! {
                    #(let mut #bars = ::cotangent::__private::implicit::Unknown::zero(#unknown);)*
                });
                passed.extend(unknown.iter().map(ToTokens::to_token_stream));
                passed.extend(bars.iter().map(|bar| quote!(&mut #bar)));
            }
            false => bound.extend(bars.iter().map(ToTokens::to_token_stream)),
        }
        for parameter in &self.parameters {
            if !parameter.is_reference() {
                bound.extend(bound_bars(parameter, times));
                continue;
            }
            passed.extend((0..times).map(|index| parameter.argument(index, tangents)));
            for index in 0..times {
                let shadow =
                    index.checked_sub(unused).and_then(|index| parameter.shadows.get(index));
                passed.push(match shadow {
                    Some(shadow) => quote!(&mut *#shadow),
                    None => {
                        let (own, zero) = (parameter.own_shadow(index), parameter.zero());
                        opened.extend(quote!(let mut #own = ::core::clone::Clone::clone(&#zero);));
                        quote!(&mut #own)
                    }
                });
            }
        }
        quote! {
            let (#(#values,)* #pullback) = #function(#(#args),*);
            #seeding
            #opened
            let (#(#bound,)*) = #pullback(#(#passed,)* #(#seeds),*);
        }
    }

    /// Shadows for a run of which only the unknown's cotangent is wanted.
    fn own_shadows(&self) -> TokenStream {
        let shadowed = self.parameters.iter().filter(|parameter| !parameter.shadows.is_empty());
        let made = shadowed.map(|parameter| {
            let zero = parameter.zero();
            let own = (0..parameter.shadows.len()).map(|index| parameter.own_shadow(index));
            quote!(#(let mut #own = ::core::clone::Clone::clone(&#zero);)*)
        });
        made.collect()
    }

    fn own_shadow_names(&self) -> Vec<Ident> {
        let each = self.parameters.iter().flat_map(|parameter| {
            (0..parameter.shadows.len()).map(|index| parameter.own_shadow(index))
        });
        each.collect()
    }

    /// Takes the returned cotangents out of a tuple.
    fn returned(&self, tuple: &Ident) -> TokenStream {
        let count: usize = self.active_values().map(|parameter| parameter.components.len()).sum();
        let fields = (0..count).map(syn::Index::from);
        bare_or_tuple(&fields.map(|field| quote!(#tuple.#field)).collect::<Vec<_>>())
    }
}

/// The cotangents of a by-value parameter, as they are bound.
fn bound_bars(parameter: &Parameter, times: usize) -> Vec<TokenStream> {
    match is_active(parameter.named) {
        true => {
            let bars = numbered(&parameter.named.bar.to_string(), times);
            bars.iter().map(ToTokens::to_token_stream).collect()
        }
        false => vec![quote!(_); times],
    }
}

/// The cotangents that a pullback is given.
enum Seeds<'s> {
    /// The components of the equation's cotangent.
    Given(&'s [Ident]),
    /// The seed of a gradient.
    Objective,
}

impl Seeds<'_> {
    /// Statements, and the seeds of these values.
    fn bound(&self, values: &[Ident]) -> (TokenStream, Vec<TokenStream>) {
        match self {
            Seeds::Given(given) => {
                let shaped = given.iter().zip(values);
                let shaped = shaped.map(|(given, value)| {
                    quote!(::cotangent::__private::implicit::shaped(&#value, #given))
                });
                (TokenStream::new(), shaped.collect())
            }
            Seeds::Objective => {
                let (seeds, value) = (numbered("seed", values.len()), &values[0]);
                let seeding = quote! {
                    let [#(#seeds),*] = ::cotangent::__private::implicit::first(&#value);
                };
                (seeding, seeds.iter().map(ToTokens::to_token_stream).collect())
            }
        }
    }
}
