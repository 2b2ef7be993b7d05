//! Functions as parameters, and as what is handed to one.
//!
//! For who calls a derivative of the contract, a parameter that is a function is constant: these derivatives
//! are wrappers around the ones that give the cotangent of what the function captures. And for a function that
//! is handed to another, its derivatives stand once more in the form in which closures are passed: with what
//! is captured, which is nothing, in front.

use super::component::{params, raised};
use super::formula;
use super::head::{Head, Named, Param, numbered};
use crate::binding::local;
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `accumulate_gradient`, `vjp` and `jvp`, where functions are constant.
pub fn functions(head: &Head, forward: bool, reverse: bool) -> TokenStream {
    let mut functions = TokenStream::new();
    if reverse && head.signature.may_be_float() {
        functions.extend(accumulate(head));
    }
    if reverse {
        functions.extend(vjp(head));
    }
    if forward {
        functions.extend(jvp(head));
    }
    functions
}

fn is_function(named: &Named) -> bool {
    named.param.callable.is_some()
}

/// A pattern for the cotangents that the inner derivative returns, and those that the outer one does.
fn cotangents(head: &Head) -> (TokenStream, TokenStream) {
    let by_value = |named: &&Named| named.param.reference().is_none();
    let all = head
        .params
        .iter()
        .filter(by_value)
        .filter(|named| named.param.active || is_function(named));
    let inner: Vec<TokenStream> = all
        .map(|named| match (is_function(named), &named.bar) {
            (true, _) => quote!(_),
            (false, bar) => quote!(#bar),
        })
        .collect();
    let outer: Vec<TokenStream> = head
        .by_value()
        .map(|named| {
            let bar = &named.bar;
            quote!(#bar)
        })
        .collect();
    (crate::emit::bare_or_tuple(&inner), crate::emit::bare_or_tuple(&outer))
}

fn accumulate(head: &Head) -> TokenStream {
    let params = head.accumulate_params();
    let (inner, outer) = cotangents(head);
    let names = params.iter().map(|(name, _)| name);
    let (own, turbofish) = (head.derivative("__active_accumulate_gradient"), head.turbofish());
    let value = local("value");
    let body = quote! {
        let (#value, #inner) = Self::#own #turbofish(#(#names),*);
        (#value, #outer)
    };
    let (output, types) = (head.output(), head.by_value_cotangents());
    head.function(
        "accumulate_gradient",
        &formula::accumulate_gradient(head),
        &params,
        &quote!((#output, #types)),
        &head.float_clause(),
        &body,
    )
}

fn vjp(head: &Head) -> TokenStream {
    let pullback = head.pullback_params();
    let (inner, outer) = cotangents(head);
    let (names, own, turbofish) =
        (head.plain_names(), head.derivative("__active_vjp"), head.turbofish());
    let params = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let again = pullback.iter().map(|(name, _)| name);
    let [value, inner_pullback] = ["value", "pullback"].map(local);
    let body = quote! {
        let (#value, #inner_pullback) = Self::#own #turbofish(#(#names),*);
        (#value, move |#(#params),*| {
            let #inner = #inner_pullback(#(#again),*);
            #outer
        })
    };
    let (output, ty) = (head.output(), head.pullback_type(&pullback, &head.by_value_cotangents()));
    head.function(
        "vjp",
        &formula::vjp(head),
        &head.plain_params(),
        &quote!((#output, #ty)),
        &TokenStream::new(),
        &body,
    )
}

fn jvp(head: &Head) -> TokenStream {
    let functions = head.params.iter().filter(|named| is_function(named));
    let zeros = functions.map(|named| {
        let (name, dot) = (&named.param.name, &named.dot);
        quote!(let #dot = ::cotangent::Differentiable::zero_tangent(&#name);)
    });
    let args = head.params.iter().map(|named| {
        let (name, dot) = (&named.param.name, &named.dot);
        let has_tangent = named.param.active || is_function(named);
        if has_tangent { quote!(#name, #dot) } else { quote!(#name) }
    });
    let (own, turbofish) = (head.derivative("__active_jvp"), head.turbofish());
    let body = quote!(#(#zeros)* Self::#own #turbofish(#(#args),*));
    let (output, tangent) = (head.output(), head.output_tangent());
    head.function(
        "jvp",
        &formula::jvp(head),
        &head.jvp_params(),
        &quote!((#output, #tangent)),
        &TokenStream::new(),
        &body,
    )
}

/// The tangent of the gradient, where functions are constant: for a head in which they are not, and one in which they
/// are.
pub fn second(active: &Head, constant: &Head) -> TokenStream {
    let functions = active.params.iter().filter(|named| is_function(named));
    let zeros = functions.map(|named| {
        let (name, dot) = (&named.param.name, &named.dot);
        quote!(let #dot = ::cotangent::Differentiable::zero_tangent(&#name);)
    });
    let given = params(&raised(constant.accumulate_components(), 1));
    let args = params(&raised(active.accumulate_components(), 1));
    let args = args.iter().map(|(name, _)| name);
    let bound = active.by_value().flat_map(|named| {
        let bars = numbered(&named.bar.to_string(), 2);
        bars.into_iter().map(|bar| if is_function(named) { quote!(_) } else { quote!(#bar) })
    });
    let bound: Vec<TokenStream> = bound.collect();
    let returned: Vec<_> =
        constant.by_value().flat_map(|named| numbered(&named.bar.to_string(), 2)).collect();
    let types = constant.by_value().flat_map(|named| vec![named.owned_tangent(); 2]);
    let (own, turbofish) = (active.own_derivative(Kind::Accumulate, 2), active.turbofish());
    let [value, value_dot] = ["value", "value_dot"].map(local);
    let body = quote! {
        #(#zeros)*
        let (#value, #value_dot, #(#bound),*) = Self::#own #turbofish(#(#args),*);
        (#value, #value_dot, #(#returned),*)
    };
    let (name, outputs) = (constant.own_name(Kind::Accumulate, 2), constant.outputs(2));
    let output = quote!((#(#outputs,)* #(#types),*));
    constant.function(&name, "", &given, &output, &constant.float_clause(), &body)
}

/// The function and its derivatives with the state of a function that captures nothing.
pub fn with_state(head: &Head, arguments: &Arguments) -> Vec<TokenStream> {
    let is_method = head.params.iter().any(|named| named.param.name == "self");
    if is_method || head.has_functions() {
        return Vec::new();
    }
    let mut functions = vec![with_primal(head)];
    for order in head.orders(arguments) {
        if arguments.emits_reverse() {
            functions.push(with_vjp(head, order));
        }
        if arguments.emits_forward() {
            functions.push(with_jvp(head, order));
        }
    }
    functions
}

/// The state and its tangents.
fn states(times: usize) -> Vec<Param> {
    vec![(format_ident!("_"), quote!(&())); times]
}

fn with_primal(head: &Head) -> TokenStream {
    let (primal, own) = (head.primal(), head.distinct_params());
    let names = own.iter().map(|(name, _)| name);
    let body = quote!(#primal(#(#names),*));
    let params: Vec<Param> = states(1).into_iter().chain(own.clone()).collect();
    head.function("__with_primal", "", &params, &head.output(), &TokenStream::new(), &body)
}

/// The names of such a function and of the one that it leads to.
fn names(kind: Kind, order: usize) -> [String; 2] {
    let name = crate::emit::hidden_name(kind, order);
    [format!("__with_{name}"), format!("__{name}")]
}

fn with_vjp(head: &Head, order: usize) -> TokenStream {
    let times = 1 << (order - 1);
    let again = params(&raised(head.pullback_components(|_| true), order - 1));
    let all = head.params.iter().filter(|named| named.param.reference().is_none());
    let types = all.flat_map(|named| vec![named.owned_tangent(); times]);
    let shadows = vec![(format_ident!("_"), quote!(&mut ())); times];
    let pullback: Vec<Param> =
        states(times).into_iter().chain(shadows).chain(again.clone()).collect();
    let ty = head.pullback_type(&pullback, &quote!((#(#types,)*)));
    let [name, vjp] = names(Kind::Vjp, order);
    let (vjp, turbofish) = (head.derivative(&vjp), head.turbofish());
    let given = params(&raised(head.plain_components(|_| true), order - 1));
    let (args, inner) = (given.iter().map(|(name, _)| name), local("pullback"));
    let closed = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let (again, values) = (again.iter().map(|(name, _)| name), numbered("value", times));
    let body = quote! {
        let (#(#values,)* #inner) = Self::#vjp #turbofish(#(#args),*);
        (#(#values,)* move |#(#closed),*| #inner(#(#again),*))
    };
    let (outputs, given) = (head.outputs(times), states(times).into_iter().chain(given.clone()));
    let (given, output): (Vec<Param>, _) = (given.collect(), quote!((#(#outputs,)* #ty)));
    head.function(&name, "", &given, &output, &head.constant_clause(|_| true), &body)
}

fn with_jvp(head: &Head, order: usize) -> TokenStream {
    let [name, jvp] = names(Kind::Jvp, order);
    let (jvp, turbofish) = (head.derivative(&jvp), head.turbofish());
    let given = params(&raised(head.plain_components(|_| true), order));
    let args = given.iter().map(|(name, _)| name);
    let body = quote!(Self::#jvp #turbofish(#(#args),*));
    let params: Vec<Param> = states(1 << order).into_iter().chain(given.clone()).collect();
    let outputs = head.outputs(1 << order);
    let result = quote!((#(#outputs),*));
    head.function(&name, "", &params, &result, &head.constant_clause(|_| true), &body)
}
