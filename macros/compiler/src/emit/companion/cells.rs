//! Parameters that may hold cells: what derivatives do about them before they begin, and proofs that others
//! hold none.
//!
//! A function that shows cells (`Signature::shares`) makes the shadows of its parameters share where these do. The
//! parameters of other functions must not hold any, and rustc is asked to prove that: beside the companion where
//! their types can be named there, else in the functions.

use super::component::Component;
use super::head::{Head, Named};
use crate::binding::local;
use crate::ir::Type;
use crate::syntax::types::{is_own, object_of};
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The active parameters behind references by which cells may be reached.
fn sharing<'h, 'a>(head: &'h Head<'a>) -> impl Iterator<Item = &'h Named<'a>> {
    let is_shared = |named: &&Named| {
        let kind = &named.param.kind;
        named.param.active && matches!(kind, Type::Reference(inner, _) if inner.may_hold_cells())
    };
    head.params.iter().filter(move |named| head.signature.shares && is_shared(named))
}

/// Shadows of one cell become one, before the pullback is given shadows of its own.
pub fn joined(head: &Head) -> TokenStream {
    shared(head, "join", |named| (named.param.name.clone(), named.bar.clone()))
}

/// Tangents that are made here become one as shadows do.
pub fn made_one(head: &Head, made: impl Fn(&Named) -> TokenStream) -> TokenStream {
    shared(head, "join", |named| {
        let made = made(named);
        let whole = named.is_slice().then(|| quote!([..]));
        (named.param.name.clone(), quote!(&mut #made #whole))
    })
}

/// What `jvp` and its tangents expect of tangents, which are only read: they must be one already. Each active
/// parameter is `times` components.
pub fn expected(head: &Head, components: &[Component], times: usize) -> TokenStream {
    let groups = grouped(head.params.iter(), components, times);
    (1..times).map(|level| at(head, "expect", &groups, level)).collect()
}

/// What pullbacks begin with: shadows of one cell become one. Each active reference is `times` places, and as many shadows.
pub fn opened(head: &Head, components: &[Component], times: usize) -> TokenStream {
    let references = head.params.iter().filter(|named| named.param.reference().is_some());
    let groups = grouped(references, components, 2 * times);
    let expected = (1..times).map(|level| at(head, "expect", &groups, level));
    expected.chain((times..2 * times).map(|level| at(head, "join", &groups, level))).collect()
}

/// Adds owned shadows to others. Those of cells are met as often as there are handles, and are added once.
pub fn transferred(owned: &[TokenStream], shadows: &[TokenStream]) -> TokenStream {
    let transfer = local("transfer");
    quote! {
        let mut #transfer = ::cotangent::__private::Transfer::new();
        #(#transfer.take(#owned);)*
        #(#transfer.give(#shadows);)*
    }
}

/// The names of each parameter's components.
type Group = (Ident, Vec<Ident>);

fn grouped<'n, 'a: 'n>(
    params: impl Iterator<Item = &'n Named<'a>>,
    components: &[Component],
    times: usize,
) -> Vec<Group> {
    let mut names = components.iter().map(|component| component.name.clone());
    let each = params.map(|named| {
        let count = if named.param.active { times } else { 1 };
        (named.param.name.clone(), names.by_ref().take(count).collect())
    });
    each.collect()
}

/// The components that the transforms made of each parameter in the same way.
fn at(head: &Head, method: &str, groups: &[Group], level: usize) -> TokenStream {
    shared(head, method, |named| {
        let group = groups.iter().find(|(name, _)| *name == named.param.name);
        let (_, names) = group.expect("a parameter of both");
        (names[0].clone(), names[level].clone())
    })
}

/// Shows each place with its shadow or tangent by a method of `Sharing`, which has a form for slices.
fn shared<T: ToTokens>(
    head: &Head,
    method: &str,
    pair: impl Fn(&Named) -> (Ident, T),
) -> TokenStream {
    let shown: Vec<TokenStream> = sharing(head)
        .map(|named| {
            let (place, tangent) = pair(named);
            let form = if named.is_slice() { "_each" } else { "" };
            let method = format_ident!("{method}{form}");
            quote!(.#method(#place, #tangent))
        })
        .collect();
    match shown.is_empty() {
        true => TokenStream::new(),
        false => quote!(let _ = ::cotangent::Sharing::new() #(#shown)*;),
    }
}

/// The parameters that must not hold cells.
fn separate<'h, 'a>(head: &'h Head<'a>) -> impl Iterator<Item = &'h Named<'a>> {
    let may_hold = |named: &&Named| {
        let is_shown = head.signature.shares && named.param.reference().is_some();
        named.param.active && named.param.kind.may_hold_cells() && !is_shown
    };
    head.params.iter().filter(may_hold)
}

/// Whether a parameter's type means the same beside the function.
fn is_nameable(head: &Head, named: &Named) -> bool {
    head.signature.owner.is_none()
        && head.signature.generics.params.is_empty()
        && !has_lifetime(named)
}

fn has_lifetime(named: &Named) -> bool {
    named.param.ty.has(&|node| matches!(node, Node::Lifetime(_)))
}

/// Proofs beside the companion. Objects of traits never hold cells.
pub fn items(head: &Head, conditions: &TokenStream) -> TokenStream {
    let nameable = separate(head).filter(|named| is_nameable(head, named));
    let types = nameable
        .map(|named| named.param.reference().map_or(&named.param.ty, |(inner, _)| inner))
        .filter(|ty| object_of(ty).is_none())
        .map(|ty| quote_spanned!(ty.span()=> ::cotangent::__private::separate_type::<#ty>()));
    quote!(#(#conditions const _: () = #types;)*)
}

/// Proofs at the start of a function.
pub fn proofs(head: &Head) -> TokenStream {
    let unnamed = separate(head).filter(|named| !is_nameable(head, named));
    let proofs = unnamed.map(|named| {
        let place = named.place(&named.param.name);
        let own = is_own(named.owned()).then(crate::binding::own_type).flatten();
        let argument = own.map(|own| quote!(::<#own>));
        quote!(::cotangent::__private::separate #argument (#place);)
    });
    proofs.collect()
}
