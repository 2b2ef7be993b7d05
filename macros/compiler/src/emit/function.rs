//! Functions that a call is given: closures with their derivatives, written where they are passed.
//!
//! In: what a function captures as an expression, and its code. Out: for a call of the user's function, one
//! closure; for a call of a derivative, four arguments: what is captured, and three closures that are given
//! it by reference. There rustc finds the types of their parameters, which the user need not write.

use super::{Context, Emit, Expression, Frame, Returns};
use crate::binding::{local, local_at};
use crate::ir::free::Free;
use crate::ir::{Block, Capture, Closure, ClosureParam, Code, Slot, Value};
use crate::pipeline::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// As the user's function takes it; the state is a variable, so that the closure is `Copy`.
pub fn called(code: &Code, state: &TokenStream) -> TokenStream {
    match code {
        Code::Item(path) => path.to_token_stream(),
        Code::Variable(arity) => {
            let args: Vec<Ident> =
                (0..*arity).map(|index| local(&format!("argument_{index}"))).collect();
            let function = local("function");
            quote!({
                let #function = &#state;
                move |#(#args),*| (#function.primal)(#function, #(#args),*)
            })
        }
        Code::Closure(closure) => {
            let Names { captures, .. } = Names::of(closure, 1);
            let (params, kept) = (heads(&closure.params), local("captured"));
            let body = primal(closure);
            if captures.is_empty() {
                return quote!(move |#(#params),*| { #body });
            }
            quote!({
                let #kept = &#state;
                move |#(#params),*| { let (#(#captures,)*) = #kept; #body }
            })
        }
    }
}

/// As derivatives of an order take it: state, primal, and `vjp` and `jvp` of that order.
pub fn parts(code: &Code, state: &TokenStream, order: usize) -> [TokenStream; 4] {
    match code {
        Code::Item(path) => {
            let [vjp, jvp] = [Kind::Vjp, Kind::Jvp].map(|kind| {
                let name = format!("with_{}", super::hidden_name(kind, order));
                super::companion_path(path, &name, false)
            });
            [state.clone(), super::companion_path(path, "with_primal", false), vjp, jvp]
        }
        Code::Variable(_) => crate::syntax::callable::PARTS.map(|part| {
            let part = Ident::new(part, Span::call_site());
            quote!(#state.#part)
        }),
        Code::Closure(closure) => [
            state.clone(),
            with_primal(closure),
            with_vjp(closure, order),
            with_jvp(closure, order),
        ],
    }
}

/// A function that captures nothing, as a value.
pub fn value(code: &Code, order: usize) -> TokenStream {
    let [state, primal, vjp, jvp] = parts(code, &quote!(()), order);
    if let Code::Closure(closure) = code {
        let inputs = closure.params.iter().filter_map(|param| param.ty.clone()).collect();
        let constructor =
            crate::syntax::callable::constructor(inputs, closure.output.clone(), order);
        let function = &constructor.sig.ident;
        return quote!({ #constructor #function(#state, #primal, #vjp, #jvp) });
    }
    quote!(::cotangent::Function { state: #state, primal: #primal, vjp: #vjp, jvp: #jvp })
}

impl Emit<'_> {
    /// Places and the pullback of a closure, whose parameters' types its callee alone knows: rustc finds them where the
    /// pullback is made in what is returned. There the places are handed out before, so that it must not read them.
    pub(super) fn returned_by_frame(
        &mut self,
        block: &Block,
        values: &[Value],
    ) -> Option<TokenStream> {
        let (pullback, outputs) = values.split_last()?;
        self.context.frame.as_ref()?;
        let slots: Vec<Slot> =
            outputs.iter().filter_map(|value| self.function.slot_of(*value)).collect();
        let made = block.insts.last().filter(|inst| inst.results == [*pullback])?;
        let free = Free::of(std::slice::from_ref(made), &[]);
        let mut read = free.values.iter().filter_map(|value| self.function.slot_of(*value));
        if slots.is_empty() || read.any(|slot| slots.contains(&slot)) {
            return None;
        }
        let position = self.pending.iter().position(|(waiting, _)| waiting == pullback)?;
        let (_, Expression { tokens: pullback, .. }) = self.pending.remove(position);
        self.settle(false);
        let outputs: Vec<TokenStream> = outputs.iter().map(|value| self.moved(*value)).collect();
        Some(quote!((#(#outputs,)* #pullback)))
    }
}

/// The names in a closure's derivatives of an order.
struct Names<'c> {
    captures: Vec<&'c Ident>,
    /// The components of what is captured, then of the parameters: the name, and those of tangents.
    all: Vec<Vec<Ident>>,
    /// Cotangents and shadows with their tangents, likewise.
    bars: Vec<Vec<Ident>>,
}

impl<'c> Names<'c> {
    /// With so many components.
    fn of(closure: &'c Closure, times: usize) -> Self {
        let captures: Vec<&Ident> = closure.captures.iter().map(|capture| &capture.name).collect();
        let own: Vec<Ident> = all_params(closure);
        let mut taken: Vec<String> = own.iter().map(Ident::to_string).collect();
        let mut fresh = |name: &Ident, suffix: &str| {
            let mut made = format!("{}_{suffix}", name.to_string().trim_start_matches("r#"));
            while taken.contains(&made) {
                made.push('_');
            }
            taken.push(made.clone());
            local_at(&made, name.span())
        };
        let bars: Vec<Ident> = own.iter().map(|name| fresh(name, "bar")).collect();
        let mut followed = |first: &Ident| {
            let dots: Vec<Ident> = (1..times).map(|_| fresh(first, "dot")).collect();
            std::iter::once(first.clone()).chain(dots).collect()
        };
        let all = own.iter().map(&mut followed).collect();
        let bars = bars.iter().map(&mut followed).collect();
        Names { captures, all, bars }
    }

    /// The components of all that is active, and the names of the rest.
    fn active(&self, closure: &Closure) -> Vec<Ident> {
        let each = self.all.iter().zip(active(closure));
        let each = each.flat_map(|(names, is_active)| {
            let count = if is_active { names.len() } else { 1 };
            names[..count].to_vec()
        });
        each.collect()
    }

    /// Statements that take apart the components of what is captured, under these names.
    fn opened(&self, components: &[Vec<Ident>], states: &[Ident]) -> TokenStream {
        let captured = &components[..self.captures.len()];
        let opened = states.iter().enumerate().map(|(index, state)| {
            let names = captured.iter().map(|names| &names[index]);
            quote!(let (#(#names,)*) = #state;)
        });
        opened.collect()
    }
}

/// Statements that take what is held out of what holds it.
fn unwrapped(closure: &Closure) -> TokenStream {
    let held = closure.captures.iter().filter(|capture| capture.is_held);
    held.map(|Capture { name, .. }| quote!(let #name = &**#name;)).collect()
}

/// The names of the components of what is captured, or of its shadow.
fn states(name: &str, times: usize) -> Vec<Ident> {
    let dots = (1..times).map(|index| match index {
        1 => local(&format!("{name}_dot")),
        _ => local(&format!("{name}_dot_{index}")),
    });
    std::iter::once(local(name)).chain(dots).collect()
}

fn head(param: &ClosureParam) -> TokenStream {
    let name = &param.name;
    param.ty.as_ref().map_or_else(|| quote!(#name), |ty| quote!(#name: #ty))
}

fn heads(params: &[ClosureParam]) -> Vec<TokenStream> {
    params.iter().map(head).collect()
}

fn is_reference(param: &ClosureParam) -> bool {
    param
        .ty
        .as_ref()
        .is_some_and(|ty| matches!(crate::syntax::signature::plain(ty), syn::Type::Reference(_)))
}

fn context(params: Vec<Ident>) -> Context {
    Context {
        params,
        pullback: Vec::new(),
        types: Vec::new(),
        boxed: None,
        halves: None,
        active: Vec::new(),
        own: None,
        open: None,
        again: None,
        alignment: TokenStream::new(),
        seed: TokenStream::new(),
        frame: None,
        lanes: None,
        returns: Returns::Tuple,
    }
}

/// The names of what a closure captures and takes.
fn all_params(closure: &Closure) -> Vec<Ident> {
    let captures = closure.captures.iter().map(|capture| capture.name.clone());
    captures.chain(closure.params.iter().map(|param| param.name.clone())).collect()
}

/// Whether each of these has a tangent.
fn active(closure: &Closure) -> Vec<bool> {
    let captures = closure.captures.iter().map(|capture| capture.is_active);
    captures.chain(closure.params.iter().map(|param| param.is_active)).collect()
}

fn primal(closure: &Closure) -> TokenStream {
    let (body, unwrapped) =
        (super::body(&closure.primal, &context(all_params(closure))), unwrapped(closure));
    quote!(#unwrapped #body)
}

fn with_primal(closure: &Closure) -> TokenStream {
    let Names { captures, .. } = Names::of(closure, 1);
    let (params, body, state) = (heads(&closure.params), primal(closure), local("captured"));
    quote!(|#state, #(#params),*| { let (#(#captures,)*) = #state; #body })
}

/// The parameters, each with its tangents.
fn dotted(closure: &Closure, names: &Names) -> Vec<TokenStream> {
    let own = closure.params.iter().zip(&names.all[names.captures.len()..]);
    let each = own.map(|(param, names)| {
        let (head, dots) = (head(param), &names[1..]);
        quote!(#head #(, #dots)*)
    });
    each.collect()
}

fn with_jvp(closure: &Closure, order: usize) -> TokenStream {
    let names = Names::of(closure, 1 << order);
    let states = states("captured", 1 << order);
    let body = super::body(&closure.jvp[order - 1], &context(names.active(closure)));
    let (params, opened) = (dotted(closure, &names), names.opened(&names.all, &states));
    let unwrapped = unwrapped(closure);
    quote!(|#(#states,)* #(#params),*| { #opened #unwrapped #body })
}

fn with_vjp(closure: &Closure, order: usize) -> TokenStream {
    let times = 1 << (order - 1);
    let names = Names::of(closure, times);
    let [given, shadows, seeds] =
        ["captured", "captured_bar", "seed"].map(|name| states(name, times));
    let mut pullback = Vec::new();
    let mut reference = |names: &[Ident], bars: &[Ident], is_active: bool| {
        let count = if is_active { times } else { 1 };
        pullback.extend(names[..count].iter().map(|name| (name.clone(), quote!(_))));
        pullback.extend(bars.iter().filter(|_| is_active).map(|bar| (bar.clone(), quote!(_))));
    };
    let count = names.captures.len();
    for (index, capture) in closure.captures.iter().enumerate() {
        reference(&names.all[index], &names.bars[index], capture.is_active);
    }
    let (mut again, mut made, mut returned) = (Vec::new(), Vec::new(), Vec::new());
    let own = names.all[count..].iter().zip(&names.bars[count..]);
    for (param, (components, bars)) in closure.params.iter().zip(own) {
        match (is_reference(param), param.is_active) {
            (true, is_active) => {
                let (head, dots) = (head(param), &components[1..]);
                again.push(quote!(#head #(, #dots)* #(, #bars)*));
                reference(components, bars, is_active);
            }
            (false, true) => {
                made.extend(bars.iter().map(|bar| quote!(#bar)));
                returned.extend(bars.iter().map(|bar| quote!(#bar)));
            }
            (false, false) => {
                returned.extend(vec![quote!(::cotangent::__private::NoTangent); times]);
            }
        }
    }
    pullback.extend(seeds.iter().map(|seed| (seed.clone(), quote!(_))));
    let frame = Frame {
        params: quote!(#(#given,)* #(#shadows,)* #(#again,)* #(#seeds),*),
        made: super::bare_or_tuple(&made),
        returned: if returned.is_empty() { quote!() } else { quote!((#(#returned,)*)) },
    };
    let (opened, unwrapped) = (names.opened(&names.all, &given), unwrapped(closure));
    let opened = quote!(#opened #unwrapped);
    let shadowed = names.opened(&names.bars, &shadows);
    let alignment = quote!(#opened #shadowed);
    let params = names.active(closure);
    let context = Context { pullback, alignment, frame: Some(frame), ..context(params) };
    let (params, body) = (dotted(closure, &names), super::body(&closure.vjp[order - 1], &context));
    quote!(|#(#given,)* #(#params),*| { #opened #body })
}
