//! `__check`: the function with its derivatives as a case for the rule tester.
//!
//! The point is a tuple with one holder for each parameter; closures call the primal, and the derivatives that know
//! which parameters are active, on fresh copies of it.
//!
//! **Invariant:** it compiles for every type that the function takes: a holder of a type that the macro does not know is
//! chosen by rustc. An argument of which there are no copies is refused when it runs.

use super::checked;
use super::head::{Head, Named, Param};
use crate::binding::{lifetime, local};
use crate::emit::MOST_ENTRIES;
use crate::ir::Type;
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use crate::syntax::hygiene::mentions;
use crate::syntax::signature::{Owner, OwnerKind};
use crate::syntax::types::Floats;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// How many parameters a point has at most.
const MOST: usize = 16;

/// Of a function of more parameters than a point has, it says so when it runs. Of a derivative with as many there is
/// none, nor of a function with a tuple as result that has no traits.
pub fn check(head: &Head, arguments: &Arguments, is_batched: bool) -> Option<TokenStream> {
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    let has_too_many = head.params.len() > MOST;
    let is_large = matches!(&head.signature.output, Some(syn::Type::Tuple(tuple)) if tuple.elems.len() > MOST_ENTRIES);
    if has_too_many && head.is_nested || is_large {
        return None;
    }
    let params = head.params.iter().enumerate();
    let params =
        params.map(|(index, named)| (argument(index, named), named.param.ty.to_token_stream()));
    let mut params: Vec<Param> = params.collect();
    let settings = local("settings");
    let is_first = *head.orders(arguments).end() == 1;
    let body = match (has_too_many, is_first || head.has_functions()) {
        (true, _) => too_many(head, &params),
        // What it is tested with has derivatives of the first order.
        (false, true) => case(head, (forward, reverse), &params, &settings, is_batched),
        (false, false) => {
            let case = case(head, (forward, reverse), &params, &settings, is_batched);
            of_all_orders(head, &case, (forward, reverse), &settings)
        }
    };
    params.push((settings, quote!(&::cotangent::check::Settings)));
    let output =
        quote!(::core::result::Result<::cotangent::check::Report, ::cotangent::check::Mismatch>);
    let copied = copied(head, is_first);
    Some(head.function("__check", "", &params, &output, &copied, &body))
}

/// What `check!` says of a function of more parameters than a point has.
fn too_many(head: &Head, params: &[Param]) -> TokenStream {
    let (title, names) = (&head.title, params.iter().map(|(name, _)| name));
    let why =
        format!("a test takes up to {MOST} parameters, and this function has {}", params.len());
    quote! {
        let _ = (#(#names),*);
        ::core::result::Result::Err(::cotangent::check::Mismatch::untested(#title, #why))
    }
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
    let plain = head.params.iter().enumerate().map(|(index, named)| match named.param.callable {
        Some(_) => {
            let name = argument(index, named);
            head.plain_argument(named, &quote!(#name))
        }
        None => get("p", index),
    });
    let functions = functions(head);
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
    let batch = (is_batched && has_all_tangents(head)).then(|| batch(head));
    let [case, p] = ["case", "p"].map(local);
    let output = checked::result(head).map(|ty| quote!(-> #ty));
    quote! {
        {
            let #case = ::cotangent::check::Case::new(#text, &[#(#names),*], (#(#point,)*), |#p| #output { #functions #primal(#(#plain),*) })
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
    let parts = crate::syntax::callable::PARTS.map(|part| Ident::new(part, Span::call_site()));
    parts.map(|part| quote!(#name.#part)).into()
}

/// Whether a parameter is a reference that lives forever.
fn is_static(named: &Named) -> bool {
    let syn::Type::Reference(reference) = &named.param.ty else { return false };
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

/// The holder of an argument.
fn held(head: &Head, named: &Named, argument: &Ident) -> TokenStream {
    let (reference, is_static) = (named.param.reference(), is_static(named));
    let referent = reference.map_or(&named.param.ty, |(inner, _)| inner);
    if is_static && named.param.active {
        return quote!(::cotangent::check::refused(#argument, "it is borrowed for `'static`"));
    }
    if matches!(referent, syn::Type::FnPtr(_)) || is_static {
        return match reference {
            Some((_, true)) => quote!(::cotangent::check::opaque_unique(#argument)),
            Some((_, false)) => quote!(::cotangent::check::opaque_shared(#argument)),
            None => quote!(::cotangent::check::opaque(#argument)),
        };
    }
    if is_chosen_by_rustc(head, named) {
        return chosen(named, argument);
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

/// Whether only rustc knows what the type of an argument can do.
fn is_chosen_by_rustc(head: &Head, named: &Named) -> bool {
    let mut types = Vec::new();
    unknown(&named.param.ty, &head.signature.floats, &mut types);
    let is_asked = named.param.active && is_generic(head, named);
    !types.is_empty() && !named.param.is_tangent && !is_asked
}

/// The holder that rustc chooses.
fn chosen(named: &Named, argument: &Ident) -> TokenStream {
    let form = match named.param.reference() {
        Some((_, true)) => quote!(ArgumentMut),
        Some((_, false)) => quote!(ArgumentRef),
        None => quote!(Argument),
    };
    let (of, hold) = match named.param.active {
        true => (quote!(Hold), quote!(hold)),
        false => (quote!(HoldConstant), quote!(hold_constant)),
    };
    quote!({
        use ::cotangent::check::#of as _;
        (&&&::cotangent::check::#form::new(#argument)).#hold()
    })
}

/// The arguments of the derivative that knows which parameters are active: each with its tangent or its shadow.
fn with_slots(head: &Head, is_wanted: fn(&Named) -> bool) -> Vec<TokenStream> {
    let params = head.params.iter().enumerate().filter(|(_, named)| is_wanted(named));
    let args = params.flat_map(|(index, named)| {
        let slot = named.param.active.then(|| get("d", index));
        std::iter::once(get("p", index)).chain(slot)
    });
    args.collect()
}

fn jvp(head: &Head) -> TokenStream {
    let (args, turbofish) = (with_slots(head, |_| true), head.turbofish());
    let jvp = head.own_derivative(Kind::Jvp, 1);
    let [p, d] = ["p", "d"].map(local);
    quote!(.jvp(|#p, #d| Self::#jvp #turbofish(#(#args),*)))
}

/// Whether each parameter is held with a tangent of its type, constant or not. Several tangents at once are tested as
/// calls use them, which is with all of these.
fn has_all_tangents(head: &Head) -> bool {
    head.constant_clause(|_| true).is_empty() && !head.params.iter().any(is_static)
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
    let again = with_slots(head, |named| named.param.reference().is_some());
    let all = (0..head.params.len()).map(|index| get("p", index));
    let (cotangents, puts) = cotangents(head);
    let vjp = head.own_derivative(Kind::Vjp, 1);
    let [p, d, seed] = ["p", "d", "seed"].map(local);
    let [value, pullback, value_bar] = ["value", "pullback", "value_bar"].map(local);
    quote! {
        .vjp(|#p, #d, #seed| {
            let (#value, #pullback) = Self::#vjp #turbofish(#(#all),*);
            let #value_bar = #seed(&#value, #p, #d);
            let #cotangents = #pullback(#(#again,)* #value_bar);
            #puts
        })
    }
}

/// A pattern for the cotangents of by-value parameters, and what puts them into their slots.
fn cotangents(head: &Head) -> (TokenStream, TokenStream) {
    let by_value = head.params.iter().enumerate();
    let by_value =
        by_value.filter(|(_, named)| named.param.active && named.param.reference().is_none());
    let (bars, puts): (Vec<_>, Vec<_>) = by_value
        .map(|(index, named)| {
            let (index, bar) = (syn::Index::from(index), &named.bar);
            let d = local("d");
            (quote!(#bar), quote!(#d.#index.put(#bar);))
        })
        .unzip();
    (crate::emit::bare_or_tuple(&bars), quote!(#(#puts)*))
}

fn accumulate(head: &Head) -> TokenStream {
    let turbofish = head.turbofish();
    let [p, d, value] = ["p", "d", "value"].map(local);
    let args = head.params.iter().enumerate().flat_map(|(index, named)| {
        let shadow =
            (named.param.active && named.param.reference().is_some()).then(|| get("d", index));
        std::iter::once(get("p", index)).chain(shadow)
    });
    let (cotangents, puts) = cotangents(head);
    let accumulate = head.derivative(&head.body_name("accumulate_gradient"));
    quote! {
        .accumulate(|#p, #d| {
            let (#value, #cotangents) = Self::#accumulate #turbofish(#(#args),*);
            #puts
            #value
        })
    }
}

/// Testing copies the arguments. Of types that rustc knows here, copies are made where it finds that they can be
/// (`core/src/check/argument.rs`); of type parameters this is asked where `check!` is used, as it is where a derivative
/// of a higher order copies them, too.
fn copied(head: &Head, is_first: bool) -> TokenStream {
    let floats = &head.signature.floats;
    let asked = head.params.iter().filter(|named| match named.param.reference() {
        None => !is_first || is_generic(head, named),
        Some((_, is_mutable)) => (is_mutable || named.param.active) && is_generic(head, named),
    });
    let mut types = Vec::new();
    let asked = asked.filter(|named| !named.param.is_tangent);
    asked.for_each(|named| unknown(&named.param.ty, floats, &mut types));
    let kept = match is_first {
        true => head.kept_clause(|named| named.is_consumed_self()),
        false => head.kept_clause(|_| true),
    };
    let copy = lifetime("copy");
    quote!(#(for<#copy> #types: ::cotangent::check::Copied<#copy>,)* #kept)
}

/// Whether the type of a parameter depends on type parameters.
fn is_generic(head: &Head, named: &Named) -> bool {
    let signature = head.signature;
    let generics = signature.all_generics();
    let names: Vec<&Ident> = generics
        .iter()
        .flat_map(|generics| generics.type_params().map(|param| &param.ident))
        .collect();
    let is_open = |owner: &Owner| {
        matches!(owner.kind, OwnerKind::Trait | OwnerKind::Declaration)
            || owner.generics.type_params().next().is_some()
    };
    let is_self_open = signature.owner.as_ref().is_some_and(is_open);
    mentions(named.param.ty.to_token_stream(), &|ident| {
        names.contains(&ident) || is_self_open && ident == "Self"
    })
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
