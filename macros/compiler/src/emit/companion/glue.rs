//! Hidden functions: the uniform shapes that calls and `check!` use.
//!
//! A caller knows how many arguments it passes and how, and not which of them are constant. Therefore
//! in `__jvp` every parameter is followed by a tangent, in `__vjp` every reference by a shadow, and the
//! pullback returns a tuple with a cotangent for every by-value parameter.

use super::head::{Head, Named, Param};
use crate::attr::Arguments;
use crate::ir::Type;
use crate::signature::{ObjectNames, OwnerKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// In which form a method's receiver and its tangent come.
#[derive(Clone, Copy)]
pub enum Receiver<'n> {
    /// As they are.
    Own,
    /// As those of a trait object, in the hidden trait.
    Object(&'n ObjectNames),
    /// Likewise, in the trait, which leads to the hidden one.
    Forward(&'n ObjectNames),
}

pub fn glue(head: &Head, arguments: &Arguments) -> TokenStream {
    let mut functions = primal(head);
    let objects: Vec<&Named> =
        head.params.iter().filter(|named| has_object(&named.param.ty)).collect();
    if objects.iter().any(|named| !named.param.active) {
        return functions;
    }
    let object = head.signature.owner.as_ref().and_then(|owner| owner.object.as_ref());
    let receiver = match object.filter(|_| super::object::has(head.signature)) {
        Some(names) => Receiver::Forward(names),
        None => Receiver::Own,
    };
    functions.extend(uniform(head, arguments, receiver));
    if objects.is_empty() {
        let check = super::check::check(head, arguments.emits_forward(), arguments.emits_reverse());
        functions.extend(check.map(|check| hidden(&check)));
    }
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    functions.extend(super::functions::with_state(head, forward, reverse).iter().map(hidden));
    functions
}

/// Mentions the user's function: to use its derivatives is to use it.
fn primal(head: &Head) -> TokenStream {
    let primal = head.primal();
    let body = match head.signature.is_inferred {
        false => quote!(let _ = #primal;),
        true => {
            let own = head.distinct_params();
            let params = own.iter().map(|(name, ty)| quote!(#name: #ty));
            let args = head
                .params
                .iter()
                .zip(&own)
                .map(|(named, (name, _))| head.plain_argument(named, &quote!(#name)));
            quote!(let _ = |#(#params),*| #primal(#(#args),*);)
        }
    };
    hidden(&head.function("__primal", "", &[], &quote!(()), &TokenStream::new(), &body))
}

/// Whether a parameter is a trait object. No copy of one can be made to test a function at.
fn has_object(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(reference) => has_object(&reference.elem),
        ty => matches!(ty, syn::Type::TraitObject(_)),
    }
}

fn hidden(function: &TokenStream) -> TokenStream {
    quote!(#[doc(hidden)] #function)
}

/// `__jvp` and `__vjp`.
pub fn uniform(head: &Head, arguments: &Arguments, receiver: Receiver) -> TokenStream {
    let mut functions = TokenStream::new();
    if arguments.emits_forward() {
        functions.extend(uniform_jvp(head, receiver));
    }
    if arguments.emits_reverse() {
        functions.extend(uniform_vjp(head, receiver));
    }
    functions
}

/// One of the two, in the form for its receiver.
fn function(
    head: &Head,
    (name, receiver): (&str, Receiver),
    params: &[Param],
    output: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    // That of a trait object is known to have a tangent.
    let clause = match receiver {
        Receiver::Own => {
            let clause = head.constant_clause(|_| true);
            let kept =
                (name == "__vjp").then(|| head.kept_clause(|named| named.is_consumed_self()));
            quote!(#clause #kept)
        }
        _ => head.constant_clause(|named| named.param.name != "self"),
    };
    let object = format!("{name}_object");
    let is_declared =
        head.signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Declaration);
    hidden(&match receiver {
        Receiver::Own => head.function(name, "", params, output, &clause, body),
        Receiver::Object(_) if is_declared => {
            head.declaration(&object, "", params, output, &clause)
        }
        Receiver::Object(_) => head.function(&object, "", params, output, &clause, body),
        Receiver::Forward(names) => {
            let (hidden, object) = (&names.hidden, head.derivative(&object));
            let args = params.iter().map(|(name, _)| name);
            let body = quote!(#hidden::#object(#(#args),*));
            head.unbounded(name, params, output, &clause, &body)
        }
    })
}

fn uniform_jvp(head: &Head, receiver: Receiver) -> TokenStream {
    let mut params = Vec::new();
    let mut args = Vec::new();
    for named in &head.params {
        let (name, dot) = (&named.param.name, &named.dot);
        params.extend(head.passed(named));
        let (ty, tangent) = match named.is_consumed_self() {
            true => {
                let tangent = named.tangent_type();
                (quote!(&#tangent), quote!(::core::clone::Clone::clone(#dot)))
            }
            false => (named.tangent_type(), quote!(#dot)),
        };
        params.push((dot.clone(), ty));
        args.push(if named.param.active { quote!(#name, #tangent) } else { quote!(#name) });
    }
    let mut prelude = TokenStream::new();
    if !matches!(receiver, Receiver::Own) {
        prelude = tangent_of_object(head, &mut params);
    }
    let (output, tangent, turbofish) = (head.output(), head.output_tangent(), head.turbofish());
    let (jvp, joined) = (head.derivative(&head.body_name("jvp")), head.joined());
    let body = quote!(#joined #prelude Self::#jvp #turbofish(#(#args),*));
    function(head, ("__jvp", receiver), &params, &quote!((#output, #tangent)), &body)
}

/// Gives the tangent of `self` the type of a trait object's; what gives it back its own.
fn tangent_of_object(head: &Head, params: &mut [Param]) -> TokenStream {
    let named = &head.params[0];
    let (name, dot, private) = (&named.param.name, &named.dot, quote!(::cotangent::__private));
    let is_mutable = named.param.is_unique();
    params[1].1 = match is_mutable {
        true => quote!(&mut dyn #private::Shadow),
        false => quote!(&dyn #private::Shadow),
    };
    match (named.param.active, is_mutable) {
        (false, _) => TokenStream::new(),
        (true, true) => quote!(let #dot = #private::shadow(&*#name, #dot);),
        (true, false) => quote!(let #dot = &*#private::tangent(#name, #dot);),
    }
}

/// The parameters of a uniform pullback.
fn pullback_params(head: &Head) -> Vec<Param> {
    let consumed = head.params.iter().find(|named| named.is_consumed_self());
    let receiver = consumed.into_iter().flat_map(|named| {
        let tangent = named.owned_tangent();
        [(named.again.clone(), quote!(&Self)), (named.bar.clone(), quote!(&mut #tangent))]
    });
    receiver.chain(head.reference_params(|_| true)).collect()
}

fn uniform_vjp(head: &Head, receiver: Receiver) -> TokenStream {
    let mut pullback = pullback_params(head);
    let is_value = |named: &&Named| named.param.reference().is_none() && !named.is_consumed_self();
    let by_value: Vec<&Named> = head.params.iter().filter(is_value).collect();
    let types = by_value.iter().map(|named| named.owned_tangent());
    let cotangents = quote!((#(#types,)*));
    let prelude = match receiver {
        Receiver::Own => TokenStream::new(),
        Receiver::Object(names) | Receiver::Forward(names) => {
            shadow_of_object(head, names, &mut pullback)
        }
    };
    let zeros = constants(&by_value).map(|named| {
        let (bar, name) = (&named.bar, &named.param.name);
        quote!(let #bar = ::cotangent::Differentiable::zero_tangent(&#name);)
    });
    let (names, turbofish) = (head.plain_names(), head.turbofish());
    let params = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let own = format_ident!("own_bar", span = proc_macro2::Span::mixed_site());
    let inner = format_ident!("pullback", span = proc_macro2::Span::mixed_site());
    let pulled = pulled(head, &inner, &own);
    let all = by_value.iter().map(|named| cotangent(named));
    let (vjp, joined) = (head.derivative(&head.body_name("vjp")), head.joined());
    let is_consumed = head.params.iter().any(Named::is_consumed_self);
    let names = names.iter().map(|name| match is_consumed && **name == "self" {
        true => quote!(::cotangent::__private::Kept::kept(#name)),
        false => quote!(#name),
    });
    let closure = quote!(move |#(#params),*| { #prelude #pulled (#(#all,)*) });
    let (ty, closure) = match receiver {
        Receiver::Own => (head.pullback_type(&pullback, &cotangents), closure),
        _ => {
            let ty = head.object_pullback(&pullback, &cotangents);
            (ty, quote!(::cotangent::__private::Box::new(#closure)))
        }
    };
    let body = quote! {
        #joined
        #(#zeros)*
        let (value, #inner) = Self::#vjp #turbofish(#(#names),*);
        (value, #closure)
    };
    let output = head.output();
    // The caller keeps what it calls a method on, for the pullback.
    let passed = head.params.iter().flat_map(|named| match named.is_consumed_self() {
        true => vec![(named.param.name.clone(), quote!(&Self))],
        false => head.passed(named),
    });
    let passed: Vec<Param> = passed.collect();
    function(head, ("__vjp", receiver), &passed, &quote!((#output, #ty)), &body)
}

/// The call of the contract's pullback, and the cotangent of a consumed `self` added to its shadow.
fn pulled(head: &Head, pullback: &Ident, own: &Ident) -> TokenStream {
    let args = head.pullback_params().into_iter().map(|(name, _)| name);
    let returned: Vec<TokenStream> = head
        .by_value()
        .map(|named| match (named.is_consumed_self(), &named.bar) {
            (true, _) => quote!(#own),
            (false, bar) => quote!(#bar),
        })
        .collect();
    let returned = crate::emit::bare_or_tuple(&returned);
    let consumed = head.params.iter().find(|named| named.is_consumed_self());
    let added = consumed.filter(|named| named.param.active).map(|named| {
        let bar = &named.bar;
        quote!(::cotangent::__private::accumulate(#bar, #own);)
    });
    quote! {
        let #returned = #pullback(#(#args),*);
        #added
    }
}

/// Gives `self` and its shadow the types of a trait object's; what gives them back their own.
fn shadow_of_object(head: &Head, names: &ObjectNames, pullback: &mut [Param]) -> TokenStream {
    let (named, of, private) = (&head.params[0], &names.of, quote!(::cotangent::__private));
    let (again, bar) = (&named.again, &named.bar);
    let is_mutable = named.param.is_unique();
    pullback[1].1 = quote!(&mut dyn #private::Shadow);
    let (ty, found) = match is_mutable {
        true => (quote!(&mut dyn #private::Object), quote!(concrete_mut)),
        false => (quote!(&dyn #private::Object), quote!(concrete)),
    };
    pullback[0].1 = ty;
    let shadow =
        named.param.active.then(|| quote!(let #bar = #private::shadow::<Self>(#again, #bar);));
    quote! {
        let #again = #private::#found::<Self, dyn #of>(#again);
        #shadow
    }
}

/// By-value parameters without cotangent that hold more than a plain constant: they have a zero.
fn constants<'a, 'p>(by_value: &'a [&'p Named<'p>]) -> impl Iterator<Item = &'a &'p Named<'p>> {
    by_value.iter().filter(|named| !named.param.active && !is_plain(named))
}

fn cotangent(named: &Named) -> TokenStream {
    let bar = &named.bar;
    if is_plain(named) { quote!(::cotangent::__private::NoTangent) } else { quote!(#bar) }
}

/// Integers and the like, whose tangent is the type without values.
pub fn is_plain(named: &Named) -> bool {
    matches!(named.param.kind, Type::Int | Type::Bool | Type::Constant)
}
