//! Derivatives in the uniform shape in which calls use them.
//!
//! A caller knows how many arguments it passes and how, and not which of them are constant. Therefore
//! in `__jvp` every parameter is followed by a tangent, in `__vjp` every reference by a shadow, and the
//! pullback returns a tuple with a cotangent for every by-value parameter. Those of a higher order are what the
//! forward transform makes of these: each time, everything is followed by its tangent.

use super::component::{Component, params, raised};
use super::head::{Head, Named, Param};
use crate::binding::local;
use crate::emit::{bare_or_tuple, hidden_name};
use crate::ir::{DERIVATIVES, Type};
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use crate::syntax::signature::{ObjectNames, OwnerKind};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// In which form a method's receiver and its tangent come.
#[derive(Clone, Copy)]
pub enum Receiver<'n> {
    /// As they are.
    Own,
    /// As those of a trait object, in the hidden trait.
    Object(&'n ObjectNames),
    /// Likewise, in the trait, which leads to the hidden one.
    Forward(&'n ObjectNames),
    /// In a function beside the companion of this name.
    Beside(&'n Ident),
}

/// A function that is named like a derivative: calls cannot see whether it is that of a module or of a companion,
/// and look for its derivatives beside it.
pub fn beside(head: &Head, arguments: &Arguments) -> TokenStream {
    let companion = arguments.companion(&head.signature.name);
    match head.signature.owner.is_none() && DERIVATIVES.contains(&&*head.title) {
        true => uniform(head, arguments, Receiver::Beside(&companion)),
        false => TokenStream::new(),
    }
}

/// `__jvp` and `__vjp`, and those of higher orders.
pub fn uniform(head: &Head, arguments: &Arguments, receiver: Receiver) -> TokenStream {
    let mut functions = TokenStream::new();
    for order in head.orders(arguments) {
        let signature = head.signature.of_order(order);
        let head = &head.with(&signature);
        if arguments.emits_forward() {
            functions.extend(jvp(head, receiver, order));
        }
        if arguments.emits_reverse() {
            functions.extend(vjp(head, receiver, order));
        }
    }
    functions
}

/// A parameter and its tangents.
struct Passed<'h, 'a> {
    named: &'h Named<'a>,
    primal: Vec<Param>,
    tangents: Vec<Param>,
}

impl Passed<'_, '_> {
    fn params(&self) -> impl Iterator<Item = Param> {
        self.primal.iter().chain(&self.tangents).cloned()
    }

    /// The arguments of the derivative that knows which parameters are active.
    fn arguments(&self, primal: &TokenStream) -> Vec<TokenStream> {
        let tangents = self.tangents.iter().filter(|_| self.named.param.active);
        let tangents = tangents.map(|(dot, _)| match self.named.is_consumed_self() {
            true => quote!(::core::clone::Clone::clone(#dot)),
            false => quote!(#dot),
        });
        std::iter::once(primal.clone()).chain(tangents).collect()
    }
}

/// The parameters, each followed by the tangents that so many forward transforms give it.
fn passed<'h, 'a>(head: &'h Head<'a>, times: usize) -> Vec<Passed<'h, 'a>> {
    let components = raised(head.plain_components(|_| true), times);
    let groups = components.chunks(1 << times);
    let each = head.params.iter().zip(groups).map(|(named, group)| {
        let tangents = group[1..].iter().map(|dot| match named.is_consumed_self() {
            true => (dot.name.clone(), by_reference(&dot.ty)),
            false => dot.param(),
        });
        Passed { named, primal: head.passed(named), tangents: tangents.collect() }
    });
    each.collect()
}

fn by_reference(ty: &TokenStream) -> TokenStream {
    quote!(&#ty)
}

/// One of them, in the form for its receiver.
fn function(
    head: &Head,
    (kind, order, receiver): (Kind, usize, Receiver),
    params: &[Param],
    output: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    // That of a trait object is known to have a tangent.
    let clause = match receiver {
        Receiver::Own | Receiver::Beside(_) => {
            let clause = head.constant_clause(|_| true);
            let kept =
                (kind == Kind::Vjp).then(|| head.kept_clause(|named| named.is_consumed_self()));
            quote!(#clause #kept)
        }
        _ => head.constant_clause(|named| named.param.name != "self"),
    };
    let name = format!("__{}", hidden_name(kind, order));
    let object = format!("{name}_object");
    let is_declared =
        head.signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Declaration);
    super::glue::hidden(&match receiver {
        Receiver::Own => head.function(&name, "", params, output, &clause, body),
        Receiver::Beside(companion) => {
            let inner = head.derivative(&name);
            let (args, turbofish) = (params.iter().map(|(name, _)| name), head.turbofish());
            let body = quote!(#companion::#inner #turbofish(#(#args),*));
            let name = crate::emit::sibling(&head.signature.name, &hidden_name(kind, order), false);
            head.beside(&name, params, output, &clause, &body)
        }
        Receiver::Object(_) if is_declared => {
            head.declaration(&object, "", params, output, &clause)
        }
        Receiver::Object(_) => head.function(&object, "", params, output, &clause, body),
        Receiver::Forward(names) => {
            let (hidden, object) = (&names.hidden, head.derivative(&object));
            let args = params.iter().map(|(name, _)| name);
            let body = quote!(#hidden::#object(#(#args),*));
            head.unbounded(&name, params, output, &clause, &body)
        }
    })
}

fn jvp(head: &Head, receiver: Receiver, order: usize) -> TokenStream {
    let mut passed = passed(head, order);
    let prelude = match receiver {
        Receiver::Own | Receiver::Beside(_) => TokenStream::new(),
        _ => tangents_of_object(&mut passed[0]),
    };
    let args = passed.iter().flat_map(|passed| {
        let name = &passed.named.param.name;
        passed.arguments(&quote!(#name))
    });
    let (own, joined, turbofish) =
        (head.own_derivative(Kind::Jvp, order), head.joined(), head.turbofish());
    let body = quote!(#joined #prelude Self::#own #turbofish(#(#args),*));
    let params: Vec<Param> = passed.iter().flat_map(Passed::params).collect();
    let outputs = head.outputs(1 << order);
    function(head, (Kind::Jvp, order, receiver), &params, &quote!((#(#outputs),*)), &body)
}

/// Gives the tangents of `self` the type of a trait object's; what gives them back their own.
fn tangents_of_object(passed: &mut Passed) -> TokenStream {
    let (named, private) = (passed.named, quote!(::cotangent::__private));
    let (name, is_mutable) = (&named.param.name, named.param.is_unique());
    let each = passed.tangents.iter_mut().map(|(dot, ty)| {
        *ty = match is_mutable {
            true => quote!(&mut dyn #private::Shadow),
            false => quote!(&dyn #private::Shadow),
        };
        match (named.param.active, is_mutable) {
            (false, _) => TokenStream::new(),
            (true, true) => quote!(let #dot = #private::shadow(&*#name, #dot);),
            (true, false) => quote!(let #dot = &*#private::tangent(#name, #dot);),
        }
    });
    each.collect()
}

/// The parameters of a uniform pullback.
fn pullback_components(head: &Head, times: usize) -> Vec<Component> {
    let consumed = head.params.iter().find(|named| named.is_consumed_self());
    let receiver = consumed.into_iter().flat_map(|named| head.consumed_components(named));
    raised(receiver.chain(head.pullback_components(|_| true)).collect(), times)
}

fn vjp(head: &Head, receiver: Receiver, order: usize) -> TokenStream {
    let times = 1 << (order - 1);
    let mut pullback = params(&pullback_components(head, order - 1));
    let mut passed = passed(head, order - 1);
    let (mut tangents, mut shadows) = (TokenStream::new(), TokenStream::new());
    if let Receiver::Object(names) | Receiver::Forward(names) = receiver {
        tangents = tangents_of_object(&mut passed[0]);
        shadows = shadows_of_object(head, names, &mut pullback, times);
    }
    let is_value = |named: &&Named| named.param.reference().is_none() && !named.is_consumed_self();
    let by_value: Vec<&Named> = head.params.iter().filter(is_value).collect();
    let types = by_value.iter().flat_map(|named| vec![named.owned_tangent(); times]);
    let cotangents = quote!((#(#types,)*));
    let zeros = constants(&by_value).map(|named| {
        let (bar, name) = (&named.bar, &named.param.name);
        quote!(let #bar = ::cotangent::Differentiable::zero_tangent(&#name);)
    });
    let inner = local("pullback");
    let pulled = pulled(head, &inner, order);
    let returned = by_value.iter().flat_map(|named| cotangents_of(named, times));
    let params = pullback.iter().map(|(name, ty)| quote!(#name: #ty));
    let closure = quote!(move |#(#params),*| { #shadows #pulled (#(#returned,)*) });
    let (ty, closure) = match receiver {
        Receiver::Own | Receiver::Beside(_) => {
            (head.pullback_type(&pullback, &cotangents), closure)
        }
        _ => {
            let ty = head.object_pullback(&pullback, &cotangents);
            (ty, quote!(::cotangent::__private::Box::new(#closure)))
        }
    };
    let args = passed.iter().flat_map(|passed| {
        let name = &passed.named.param.name;
        passed.arguments(&match passed.named.is_consumed_self() {
            true => quote!(::cotangent::__private::Kept::kept(#name)),
            false => quote!(#name),
        })
    });
    let (own, joined, turbofish) =
        (head.own_derivative(Kind::Vjp, order), head.joined(), head.turbofish());
    let values: Vec<Ident> = (0..times).map(|index| local(&format!("value_{index}"))).collect();
    let body = quote! {
        #joined
        #tangents
        #(#zeros)*
        let (#(#values,)* #inner) = Self::#own #turbofish(#(#args),*);
        (#(#values,)* #closure)
    };
    // The caller keeps what it calls a method on, for the pullback.
    let params = passed.iter().flat_map(|passed| match passed.named.is_consumed_self() {
        true => {
            let own = (passed.named.param.name.clone(), quote!(&Self));
            std::iter::once(own).chain(passed.tangents.clone()).collect()
        }
        false => passed.params().collect::<Vec<_>>(),
    });
    let outputs = head.outputs(times);
    let output = quote!((#(#outputs,)* #ty));
    function(head, (Kind::Vjp, order, receiver), &params.collect::<Vec<_>>(), &output, &body)
}

/// The call of the pullback that knows which parameters are active, and the cotangents of a consumed `self` added
/// to its shadows.
fn pulled(head: &Head, pullback: &Ident, order: usize) -> TokenStream {
    let times = 1 << (order - 1);
    let args = raised(head.pullback_components(|named| named.param.active), order - 1);
    let args = args.iter().map(|component| &component.name);
    let returned = head.by_value().flat_map(|named| bars(named, times));
    let returned = bare_or_tuple(&returned.map(|bar| quote!(#bar)).collect::<Vec<_>>());
    let consumed = head.by_value().find(|named| named.is_consumed_self());
    let added = consumed.into_iter().flat_map(|named| {
        let shadows = raised(head.consumed_components(named).split_off(1), order - 1);
        let pairs = shadows.into_iter().zip(bars(named, times));
        pairs.map(|(shadow, own)| {
            let bar = shadow.name;
            quote!(::cotangent::__private::accumulate(#bar, #own);)
        })
    });
    quote! {
        let #returned = #pullback(#(#args),*);
        #(#added)*
    }
}

/// The cotangent of a by-value parameter and its tangents, as the inner pullback returns them.
fn bars(named: &Named, times: usize) -> Vec<Ident> {
    let name = |index| match (index, named.is_consumed_self()) {
        (0, true) => local("own_bar"),
        (0, false) => named.bar.clone(),
        _ => local(&format!("{}_{index}", named.bar)),
    };
    (0..times).map(name).collect()
}

/// Gives `self`, its shadow and the tangents of both the types of a trait object's; what gives them back their own.
fn shadows_of_object(
    head: &Head,
    names: &ObjectNames,
    pullback: &mut [Param],
    times: usize,
) -> TokenStream {
    let (named, of, private) = (&head.params[0], &names.of, quote!(::cotangent::__private));
    let is_mutable = named.param.is_unique();
    let again = pullback[0].0.clone();
    let (ty, found) = match is_mutable {
        true => (quote!(&mut dyn #private::Object), quote!(concrete_mut)),
        false => (quote!(&dyn #private::Object), quote!(concrete)),
    };
    pullback[0].1 = ty;
    let mut opened = quote!(let #again = #private::#found::<Self, dyn #of>(#again););
    for (index, (name, ty)) in pullback[..2 * times].iter_mut().enumerate().skip(1) {
        let is_shared = index < times && !is_mutable;
        *ty = match is_shared {
            true => quote!(&dyn #private::Shadow),
            false => quote!(&mut dyn #private::Shadow),
        };
        if !named.param.active {
            continue;
        }
        opened.extend(match is_shared {
            true => quote!(let #name = &*#private::tangent::<Self>(#again, #name);),
            false => quote!(let #name = #private::shadow::<Self>(#again, #name);),
        });
    }
    opened
}

/// By-value parameters without cotangent that hold more than a plain constant: they have a zero.
fn constants<'a, 'p>(by_value: &'a [&'p Named<'p>]) -> impl Iterator<Item = &'a &'p Named<'p>> {
    by_value.iter().filter(|named| !named.param.active && !is_plain(named))
}

/// What a uniform pullback returns for a parameter.
fn cotangents_of(named: &Named, times: usize) -> Vec<TokenStream> {
    let bar = &named.bar;
    match (named.param.active, is_plain(named)) {
        (_, true) => vec![quote!(::cotangent::__private::NoTangent); times],
        (true, false) => bars(named, times).iter().map(|bar| quote!(#bar)).collect(),
        (false, false) => {
            let mut copies = vec![quote!(::core::clone::Clone::clone(&#bar)); times - 1];
            copies.push(quote!(#bar));
            copies
        }
    }
}

/// Integers and the like, whose tangent is the type without values.
pub fn is_plain(named: &Named) -> bool {
    matches!(named.param.kind, Type::Int | Type::Bool | Type::Constant)
}
