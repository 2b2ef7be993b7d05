//! `__check`: the function with its derivatives as a case for the rule tester.
//!
//! The point is a tuple with one holder for each parameter; closures call the primal and the uniform
//! derivatives on fresh copies of it.

use super::head::{Head, Named, Param};
use crate::attr::Arguments;
use crate::binding::{lifetime, local};
use crate::emit::MOST_ENTRIES;
use crate::ir::Type;
use crate::lower::types::Floats;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// How many parameters a point has at most.
const MOST: usize = 16;

/// Nothing for functions with a tuple as result that has no traits, nor with an active parameter that must live forever: no copy of one does. Nor for functions of
/// more parameters than a point has, as derivatives of a high order are.
pub fn check(head: &Head, arguments: &Arguments, is_batched: bool) -> Option<TokenStream> {
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    let is_large = matches!(&head.signature.output, Some(syn::Type::Tuple(tuple)) if tuple.elems.len() > MOST_ENTRIES);
    if head.params.len() > MOST || is_large {
        return None;
    }
    if head.params.iter().any(|named| is_static(named) && !named.param.kind.is_constant()) {
        return None;
    }
    let params = head.params.iter().enumerate();
    let params =
        params.map(|(index, named)| (argument(index, named), named.param.ty.to_token_stream()));
    let mut params: Vec<Param> = params.collect();
    let settings = local("settings");
    let case = case(head, (forward, reverse), &params, &settings, is_batched);
    params.push((settings.clone(), quote!(&::cotangent::check::Settings)));
    let body = match *head.orders(arguments).end() {
        // What it is tested with has derivatives of the first order.
        orders if orders == 1 || head.has_functions() => case,
        _ => of_all_orders(head, &case, (forward, reverse), &settings),
    };
    let output =
        quote!(::core::result::Result<::cotangent::check::Report, ::cotangent::check::Mismatch>);
    let (copied, tangible) = (copied(head, arguments), head.constant_clause(|_| true));
    Some(head.function("__check", "", &params, &output, &quote!(#copied #tangible), &body))
}

/// The function with its derivatives at the point, tested.
fn case(
    head: &Head,
    (forward, reverse): (bool, bool),
    params: &[Param],
    settings: &Ident,
    is_batched: bool,
) -> TokenStream {
    let names = head.params.iter().map(|named| named.param.name.to_string());
    let point =
        head.params.iter().zip(params).map(|(named, (argument, _))| held(head, named, argument));
    let functions = functions(head);
    let plain = head.params.iter().enumerate().map(|(index, named)| match named.param.callable {
        Some(_) => {
            let name = argument(index, named);
            head.plain_argument(named, &quote!(#name))
        }
        None => get("p", index),
    });
    let mut derivatives = TokenStream::new();
    if forward {
        derivatives.extend(jvp(head));
    }
    if reverse {
        derivatives.extend(vjp(head));
        if head.signature.output_kind.is_float() {
            derivatives.extend(accumulate(head));
        }
    }
    let (text, primal) = (&head.title, head.primal());
    let batch = is_batched.then(|| batch(head));
    let [case, p] = ["case", "p"].map(local);
    quote! {
        {
            let #case = ::cotangent::check::Case::new(#text, &[#(#names),*], (#(#point,)*), |#p| { #functions #primal(#(#plain),*) })
                #derivatives
                .with(#settings);
            #batch
            #case.verify()
        }
    }
}

/// The test of a function, and those of its derivatives as functions: `jvp` along tangents that are drawn, and the
/// gradient.
fn of_all_orders(
    head: &Head,
    case: &TokenStream,
    (forward, reverse): (bool, bool),
    settings: &Ident,
) -> TokenStream {
    let params = || head.params.iter().enumerate();
    let by_value = params().filter(|(_, named)| named.param.reference().is_none());
    let copies = by_value.map(|(index, named)| {
        let (kept, argument) = (numbered("kept", index), argument(index, named));
        quote!(let #kept = ::cotangent::check::Copied::copied(&#argument);)
    });
    let plain: Vec<TokenStream> = params().map(|(index, named)| again(index, named).0).collect();
    let has_traits = head.params.iter().filter(|named| named.param.active).count() <= MOST_ENTRIES;
    let is_float = head.signature.output_kind.is_float();
    let has_gradient = reverse && !head.is_nested && is_float && has_traits;
    let gradient = has_gradient.then(|| report_of(head, "gradient", &plain, settings));
    let count = head.params.len() + head.params.iter().filter(|named| named.param.active).count();
    let jvp = (forward && count <= MOST).then(|| {
        let (draws, args): (Vec<_>, Vec<_>) =
            params().map(|(index, named)| drawn(index, named)).unzip();
        let report = report_of(head, "jvp", &args, settings);
        quote!(#(#draws)* #report)
    });
    let report = local("report");
    quote! {
        #(#copies)*
        let #report = #case?;
        let #settings = &#settings.of_derivative(&#report);
        #jvp
        #gradient
        ::core::result::Result::Ok(#report)
    }
}

/// The report, with that of a derivative.
fn report_of(head: &Head, derivative: &str, args: &[TokenStream], settings: &Ident) -> TokenStream {
    let tester = crate::emit::sibling(&head.derivative(derivative), "check", false);
    let (turbofish, report) = (head.turbofish(), local("report"));
    quote!(let #report = #report.and(&Self::#tester #turbofish(#(#args,)* #settings)?);)
}

/// An argument for another test, and the place that it is.
fn again(index: usize, named: &Named) -> (TokenStream, TokenStream) {
    let argument = argument(index, named);
    match named.param.reference() {
        Some((_, true)) => (quote!(&mut *#argument), quote!(*#argument)),
        Some((_, false)) => (quote!(#argument), quote!(*#argument)),
        None => {
            let kept = numbered("kept", index);
            (quote!(::cotangent::check::Copied::copied(&#kept)), quote!(#kept))
        }
    }
}

/// A statement that draws a tangent, and the argument followed by it.
fn drawn(index: usize, named: &Named) -> (TokenStream, TokenStream) {
    let ((argument, place), drawn) = (again(index, named), numbered("drawn", index));
    if !named.param.active {
        return (TokenStream::new(), argument);
    }
    let passed = named.lent(&drawn);
    (quote!(let mut #drawn = ::cotangent::check::drawn(&#place);), quote!(#argument, #passed))
}

fn numbered(name: &str, index: usize) -> Ident {
    local(&format!("{name}_{index}"))
}

/// A parameter's name, out of the way of the function's own.
fn argument(index: usize, named: &Named) -> Ident {
    match named.param.name == "self" {
        true => named.param.name.clone(),
        false => local(&format!("argument_{index}")),
    }
}

fn get(tuple: &str, index: usize) -> TokenStream {
    let (tuple, index) = (local(tuple), syn::Index::from(index));
    quote!(#tuple.#index.get())
}

/// Copies of functions, which are passed in parts.
fn functions(head: &Head) -> TokenStream {
    let params = head.params.iter().enumerate();
    let functions = params.filter(|(_, named)| named.param.callable.is_some());
    let copies = functions.map(|(index, named)| {
        let (name, get) = (argument(index, named), get("p", index));
        quote!(let #name = #get;)
    });
    copies.collect()
}

/// An argument as calls pass it.
fn passed(index: usize, named: &Named) -> Vec<TokenStream> {
    if named.param.callable.is_none() {
        return vec![get("p", index)];
    }
    let name = argument(index, named);
    let parts = crate::callable::PARTS.map(|part| Ident::new(part, Span::call_site()));
    parts.map(|part| quote!(#name.#part)).into()
}

/// Whether a parameter is a reference that lives forever.
fn is_static(named: &Named) -> bool {
    let syn::Type::Reference(reference) = &named.param.ty else { return false };
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

/// The holder of an argument.
fn held(head: &Head, named: &Named, argument: &Ident) -> TokenStream {
    let reference = named.param.reference();
    let referent = reference.map_or(&named.param.ty, |(inner, _)| inner);
    if matches!(referent, syn::Type::FnPtr(_)) || is_static(named) {
        return match reference {
            Some((_, true)) => quote!(::cotangent::check::opaque_unique(#argument)),
            Some((_, false)) => quote!(::cotangent::check::opaque_shared(#argument)),
            None => quote!(::cotangent::check::opaque(#argument)),
        };
    }
    let has_cells = named.param.is_tangent && head.signature.reaches_cells();
    let holder = match reference {
        Some(_) if has_cells => quote!(::cotangent::check::celled(&*#argument)),
        Some((_, true)) => quote!(::cotangent::check::unique(#argument)),
        Some((_, false)) => quote!(::cotangent::check::shared(#argument)),
        None => quote!(::cotangent::check::value(#argument)),
    };
    if named.param.active { holder } else { quote!(#holder.constant()) }
}

fn jvp(head: &Head) -> TokenStream {
    let turbofish = head.turbofish();
    let args = head.params.iter().enumerate().flat_map(|(index, named)| {
        let tangent = get("d", index);
        let tangent = if named.is_consumed_self() { quote!(&#tangent) } else { tangent };
        let mut args = passed(index, named);
        args.push(tangent);
        args
    });
    let (jvp, functions) = (head.derivative("__jvp"), functions(head));
    let [p, d] = ["p", "d"].map(local);
    quote!(.jvp(|#p, #d| { #functions Self::#jvp #turbofish(#(#args),*) }))
}

/// Where it does more than to run `jvp`.
fn batch(head: &Head) -> TokenStream {
    let args = head.params.iter().enumerate().flat_map(|(index, named)| {
        let tangents = [get("d_0", index), get("d_1", index)];
        let mut args = passed(index, named);
        args.push(quote!([#(#tangents),*]));
        args
    });
    let (batch, names) = (head.derivative("__jvp_batch"), head.generic_args());
    let is_batched = super::batch::is_batched(head);
    let [case, p, d, d_0, d_1] = ["case", "p", "d", "d_0", "d_1"].map(local);
    quote! {
        let #case = match Self::#is_batched {
            true => #case.jvp_batch(|#p, #d| {
                let [#d_0, #d_1] = #d;
                Self::#batch::<2, #(#names),*>(#(#args),*)
            }),
            false => #case,
        };
    }
}

fn vjp(head: &Head) -> TokenStream {
    let turbofish = head.turbofish();
    let [p, d, seed, value, pullback] = ["p", "d", "seed", "value", "pullback"].map(local);
    let [value_bar, self_bar, cotangents] = ["value_bar", "self_bar", "cotangents"].map(local);
    let references =
        head.params.iter().enumerate().filter(|(_, named)| named.param.reference().is_some());
    let passed = references.flat_map(|(index, _)| [get("p", index), get("d", index)]);
    let is_consumed = head.params.iter().any(Named::is_consumed_self);
    let receiver = is_consumed.then(|| {
        let point = get("p", 0);
        quote!(&#point, &mut #self_bar,)
    });
    let zero = is_consumed.then(|| {
        let point = get("p", 0);
        quote!(let mut #self_bar = ::cotangent::Differentiable::zero_tangent(&#point);)
    });
    let put = is_consumed.then(|| quote!(#d.0.put(#self_bar);));
    let by_value = head
        .params
        .iter()
        .enumerate()
        .filter(|(_, named)| named.param.reference().is_none() && !named.is_consumed_self());
    let puts = by_value.enumerate().map(|(position, (index, _))| {
        let (position, index) = (syn::Index::from(position), syn::Index::from(index));
        quote!(#d.#index.put(#cotangents.#position);)
    });
    let (vjp, functions) = (head.derivative("__vjp"), functions(head));
    let params = head.params.iter().enumerate();
    let all = params.flat_map(|(index, named)| match (named.is_consumed_self(), get("p", index)) {
        (true, point) => vec![quote!(&#point)],
        (false, _) => self::passed(index, named),
    });
    quote! {
        .vjp(|#p, #d, #seed| {
            #functions
            let (#value, #pullback) = Self::#vjp #turbofish(#(#all),*);
            let #value_bar = #seed(&#value, #p, #d);
            #zero
            let #cotangents = #pullback(#receiver #(#passed,)* #value_bar);
            #put
            #(#puts)*
        })
    }
}

fn accumulate(head: &Head) -> TokenStream {
    let turbofish = head.turbofish();
    let [p, d, value] = ["p", "d", "value"].map(local);
    let args = head.params.iter().enumerate().flat_map(|(index, named)| {
        let shadow =
            (named.param.active && named.param.reference().is_some()).then(|| get("d", index));
        std::iter::once(get("p", index)).chain(shadow)
    });
    let by_value: Vec<TokenStream> = head
        .by_value()
        .map(|named| {
            let bar = &named.bar;
            quote!(#bar)
        })
        .collect();
    let cotangents = crate::emit::bare_or_tuple(&by_value);
    let active = head
        .params
        .iter()
        .enumerate()
        .filter(|(_, named)| named.param.active && named.param.reference().is_none());
    let puts = active.map(|(index, named)| {
        let (index, bar) = (syn::Index::from(index), &named.bar);
        quote!(#d.#index.put(#bar);)
    });
    let accumulate = head.derivative(&head.body_name("accumulate_gradient"));
    quote! {
        .accumulate(|#p, #d| {
            let (#value, #cotangents) = Self::#accumulate #turbofish(#(#args),*);
            #(#puts)*
            #value
        })
    }
}

/// Testing copies the arguments; of types that the macro does not know this is asked where it is used.
fn copied(head: &Head, arguments: &Arguments) -> TokenStream {
    let mut types = Vec::new();
    let floats = &head.signature.floats;
    let values = head.params.iter().filter(|named| !named.param.is_tangent);
    values.for_each(|named| unknown(&named.param.ty, floats, &mut types));
    let kept = match *head.orders(arguments).end() {
        1 => head.kept_clause(|named| named.is_consumed_self()),
        _ => head.kept_clause(|_| true),
    };
    let copy = lifetime("copy");
    quote!(#(for<#copy> #types: ::cotangent::check::Copied<#copy>,)* #kept)
}

/// The types inside of a type that the macro does not know.
fn unknown<'t>(ty: &'t syn::Type, floats: &Floats, found: &mut Vec<&'t syn::Type>) {
    match ty {
        syn::Type::Paren(inner) => unknown(&inner.elem, floats, found),
        syn::Type::Group(inner) => unknown(&inner.elem, floats, found),
        syn::Type::Reference(inner) => unknown(&inner.elem, floats, found),
        syn::Type::Slice(inner) => unknown(&inner.elem, floats, found),
        syn::Type::Array(inner) => unknown(&inner.elem, floats, found),
        syn::Type::Tuple(tuple) => tuple.elems.iter().for_each(|item| unknown(item, floats, found)),
        ty if floats.read(ty) == Type::Unknown => found.push(ty),
        _ => {}
    }
}
