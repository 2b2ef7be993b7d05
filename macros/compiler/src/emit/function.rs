//! Functions that a call is given: closures with their derivatives, written where they are passed.
//!
//! In: what a function captures as an expression, and its code. Out: for a call of the user's function, one
//! closure; for a call of a derivative, four arguments: what is captured, and three closures that are given
//! it by reference. There rustc finds the types of their parameters, which the user need not write.

use super::{Context, Frame, Returns};
use crate::ir::{Closure, ClosureParam, Code};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// As the user's function takes it; the state is a variable, so that the closure is `Copy`.
pub fn called(code: &Code, state: &TokenStream) -> TokenStream {
    match code {
        Code::Item(path) => path.to_token_stream(),
        Code::Variable(arity) => {
            let args: Vec<Ident> =
                (0..*arity).map(|index| own(&format!("argument_{index}"))).collect();
            let function = own("function");
            quote!({
                let #function = &#state;
                move |#(#args),*| (#function.primal)(#function, #(#args),*)
            })
        }
        Code::Closure(closure) => {
            let Names { captures, .. } = Names::of(closure);
            let (params, kept) = (heads(&closure.params), own("captured"));
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

/// As derivatives take it: state, primal, `vjp`, `jvp`.
pub fn parts(code: &Code, state: &TokenStream) -> [TokenStream; 4] {
    match code {
        Code::Item(path) => {
            let [primal, vjp, jvp] = ["with_primal", "with_vjp", "with_jvp"]
                .map(|derivative| super::companion_path(path, derivative, false));
            [state.clone(), primal, vjp, jvp]
        }
        Code::Variable(_) => crate::callable::PARTS.map(|part| {
            let part = Ident::new(part, Span::call_site());
            quote!(#state.#part)
        }),
        Code::Closure(closure) => {
            [state.clone(), with_primal(closure), with_vjp(closure), with_jvp(closure)]
        }
    }
}

/// A function that captures nothing, as a value.
pub fn value(code: &Code) -> TokenStream {
    let [state, primal, vjp, jvp] = parts(code, &quote!(()));
    if let Code::Closure(closure) = code {
        let inputs = closure.params.iter().filter_map(|param| param.ty.clone()).collect();
        let constructor = crate::callable::constructor(inputs, closure.output.clone());
        return quote!({ #constructor function(#state, #primal, #vjp, #jvp) });
    }
    quote!(::cotangent::Function { state: #state, primal: #primal, vjp: #vjp, jvp: #jvp })
}

/// A name that no variable of the user's has.
fn own(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The names in a closure's derivatives.
struct Names<'c> {
    captures: Vec<&'c Ident>,
    /// Tangents of what is captured, then of the parameters.
    dots: Vec<Ident>,
    /// Cotangents and shadows, likewise.
    bars: Vec<Ident>,
}

impl<'c> Names<'c> {
    fn of(closure: &'c Closure) -> Self {
        let captures: Vec<&Ident> = closure.captures.iter().map(|(name, _)| name).collect();
        let all: Vec<&Ident> = captures
            .iter()
            .copied()
            .chain(closure.params.iter().map(|param| &param.name))
            .collect();
        let derived = |suffix: &str| {
            let fresh = |name: &&Ident| {
                let mut made = format!("{}_{suffix}", name.to_string().trim_start_matches("r#"));
                while all.iter().any(|taken| **taken == made) {
                    made.push('_');
                }
                Ident::new(&made, name.span())
            };
            all.iter().map(fresh).collect()
        };
        Names { dots: derived("dot"), bars: derived("bar"), captures }
    }
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
        .is_some_and(|ty| matches!(crate::signature::plain(ty), syn::Type::Reference(_)))
}

fn context(params: Vec<Ident>) -> Context {
    Context {
        params,
        pullback: Vec::new(),
        boxed: None,
        own: None,
        alignment: TokenStream::new(),
        seed: TokenStream::new(),
        frame: None,
        lanes: None,
        returns: Returns::Tuple,
    }
}

/// The names of what a closure captures and takes.
fn all_params(closure: &Closure) -> Vec<Ident> {
    let captures = closure.captures.iter().map(|(name, _)| name.clone());
    captures.chain(closure.params.iter().map(|param| param.name.clone())).collect()
}

/// Whether each of these has a tangent.
fn active(closure: &Closure) -> Vec<bool> {
    let captures = closure.captures.iter().map(|(_, is_active)| *is_active);
    captures.chain(closure.params.iter().map(|param| param.is_active)).collect()
}

fn primal(closure: &Closure) -> TokenStream {
    super::body(&closure.primal, &context(all_params(closure)))
}

fn with_primal(closure: &Closure) -> TokenStream {
    let Names { captures, .. } = Names::of(closure);
    let (params, body, state) = (heads(&closure.params), primal(closure), own("captured"));
    quote!(|#state, #(#params),*| { let (#(#captures,)*) = #state; #body })
}

fn with_jvp(closure: &Closure) -> TokenStream {
    let Names { captures, dots, .. } = Names::of(closure);
    let (state, state_dot) = (own("captured"), own("captured_dot"));
    let (all, active) = (all_params(closure), active(closure));
    let each = all.into_iter().zip(&dots).zip(active);
    let names = each.flat_map(|((name, dot), is_active)| {
        std::iter::once(name).chain(is_active.then(|| dot.clone()))
    });
    let body = super::body(&closure.jvp, &context(names.collect()));
    let (captured_dots, own_dots) = dots.split_at(captures.len());
    let params = closure.params.iter().zip(own_dots).map(|(param, dot)| {
        let head = head(param);
        quote!(#head, #dot)
    });
    quote!(|#state, #state_dot, #(#params),*| {
        let (#(#captures,)*) = #state;
        let (#(#captured_dots,)*) = #state_dot;
        #body
    })
}

fn with_vjp(closure: &Closure) -> TokenStream {
    let Names { captures, bars, .. } = Names::of(closure);
    let (state, state_bar, seed) = (own("captured"), own("captured_bar"), own("seed"));
    let (captured_bars, own_bars) = bars.split_at(captures.len());
    let mut pullback = Vec::new();
    for ((name, is_active), bar) in closure.captures.iter().zip(captured_bars) {
        pullback.push((name.clone(), quote!(_)));
        pullback.extend(is_active.then(|| (bar.clone(), quote!(_))));
    }
    let (mut again, mut made, mut returned) = (Vec::new(), Vec::new(), Vec::new());
    for (param, bar) in closure.params.iter().zip(own_bars) {
        let name = &param.name;
        match (is_reference(param), param.is_active) {
            (true, is_active) => {
                let head = head(param);
                again.push(quote!(#head, #bar));
                pullback.push((name.clone(), quote!(_)));
                pullback.extend(is_active.then(|| (bar.clone(), quote!(_))));
            }
            (false, true) => {
                made.push(quote!(#bar));
                returned.push(quote!(#bar));
            }
            (false, false) => returned.push(quote!(::cotangent::__private::NoTangent)),
        }
    }
    pullback.push((seed.clone(), quote!(_)));
    let frame = Frame {
        params: quote!(#state, #state_bar, #(#again,)* #seed),
        made: super::bare_or_tuple(&made),
        returned: if returned.is_empty() { quote!() } else { quote!((#(#returned,)*)) },
    };
    let alignment = quote! {
        let (#(#captures,)*) = #state;
        let (#(#captured_bars,)*) = #state_bar;
    };
    let context =
        Context { pullback, alignment, frame: Some(frame), ..context(all_params(closure)) };
    let (params, body) = (heads(&closure.params), super::body(&closure.vjp, &context));
    quote!(|#state, #(#params),*| { let (#(#captures,)*) = #state; #body })
}
