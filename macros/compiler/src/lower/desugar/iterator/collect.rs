//! Chains whose elements are kept: `collect`, `unzip`, `extend`, `std::array::from_fn`.
//!
//! In: a chain. Out: a block that pushes the elements in order, or stores them in an array.

use super::item::Item;
use super::position::Length;
use super::{Chain, block};
use crate::lower::desugar::{Desugar, end};
use crate::lower::hoist::is_place;
use syn::{Expr, parse_quote};

impl Desugar<'_> {
    /// `collect` into a vector, which is what a collection is taken for where nothing around says more.
    pub(super) fn collect(&mut self, chain: Chain, ty: Option<&syn::Type>) -> Option<Expr> {
        let vector: syn::Type = parse_quote!(::cotangent::__private::Vec<_>);
        let ty = ty.unwrap_or(&vector);
        let (collection, push) = collection(ty)?;
        let (name, len) = (self.fresh("collected"), room(&chain));
        let looped = self.drive(&chain, None, &mut |_, item| {
            let value = kept(&item)?;
            Some(vec![parse_quote!(#name.#push(#value);)])
        })?;
        let element = element_type(ty);
        let annotation = element.iter();
        let made: Expr = match len {
            Some(len) if push == "push" => parse_quote!(#collection::with_capacity(#len)),
            _ => parse_quote!(#collection::new()),
        };
        Some(parse_quote!({
            let mut #name #(: #collection<#annotation>)* = #made;
            #(#looped)*
            #name
        }))
    }

    /// Two vectors.
    pub(super) fn unzip(&mut self, chain: Chain) -> Option<Expr> {
        let (first, second) = (self.fresh("collected"), self.fresh("collected"));
        let looped = self.drive(&chain, None, &mut |this, item| match item {
            Item::Tuple(items) => {
                let [a, b] = &items[..] else { return None };
                let (a, b) = (kept(a)?, kept(b)?);
                Some(vec![parse_quote!(#first.push(#a);), parse_quote!(#second.push(#b);)])
            }
            Item::Value(pair) => {
                let (a, b) = (this.fresh("item"), this.fresh("item"));
                Some(vec![
                    parse_quote!(let (#a, #b) = #pair;),
                    parse_quote!(#first.push(#a);),
                    parse_quote!(#second.push(#b);),
                ])
            }
            _ => None,
        })?;
        Some(parse_quote!({
            let mut #first = ::cotangent::__private::Vec::new();
            let mut #second = ::cotangent::__private::Vec::new();
            #(#looped)*
            (#first, #second)
        }))
    }

    /// `v.extend(chain)`.
    pub(super) fn extended(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        if call.method != "extend" || call.args.len() != 1 || !is_place(&call.receiver) {
            return None;
        }
        let mut before = Vec::new();
        let place = crate::lower::desugar::subject::view(
            &call.receiver,
            true,
            &mut self.count,
            &mut before,
        );
        let chain = self.read_iterable(&call.args[0], &mut before)?;
        let looped = self.drive(&chain, None, &mut |_, item| {
            let value = kept(&item.copied())?;
            Some(vec![parse_quote!(#place.push(#value);)])
        })?;
        Some(parse_quote!({ #(#before)* #(#looped)* }))
    }

    /// `std::array::from_fn(|i| ..)`.
    pub(super) fn array_from_function(
        &mut self,
        call: &syn::ExprCall,
        expected: Option<&syn::Type>,
    ) -> Option<Expr> {
        let Expr::Path(path) = &*call.func else { return None };
        let mut segments = path.path.segments.iter().rev();
        let (function, module) = (segments.next()?, segments.next()?);
        if function.ident != "from_fn" || module.ident != "array" || call.args.len() != 1 {
            return None;
        }
        let closure = self.function(&call.args[0], 1)?;
        let len = array_length(&function.arguments, expected)?;
        let (array, index) = (self.fresh("array"), self.fresh("index"));
        let (mut first, mut next) = (Vec::new(), Vec::new());
        let zeroth = Item::Value(parse_quote!(0));
        let initial = self.apply(&closure, &[zeroth], &mut first)?.value();
        let first = block(first, &initial);
        let at = Item::Value(parse_quote!(#index));
        let value = self.apply(&closure, &[at], &mut next)?.value();
        next.push(parse_quote!(#array[#index] = #value;));
        Some(parse_quote!({
            let mut #array = [#first; #len];
            for #index in 1..#len { #(#next)* }
            #array
        }))
    }
}

/// The length in `from_fn::<T, N, _>`, or in the type `[T; N]`.
fn array_length(arguments: &syn::PathArguments, expected: Option<&syn::Type>) -> Option<Expr> {
    if let syn::PathArguments::AngleBracketed(arguments) = arguments {
        return match arguments.args.iter().nth(1)? {
            syn::GenericArgument::Const(len) => Some(end(len)),
            syn::GenericArgument::Type(syn::Type::Path(path)) => Some(parse_quote!(#path)),
            _ => None,
        };
    }
    match crate::signature::plain(expected?) {
        syn::Type::Array(array) => Some(end(&array.len)),
        _ => None,
    }
}

/// How many elements there will be, where that is known.
fn room(chain: &Chain) -> Option<Expr> {
    match chain.is_indexed().then(|| chain.length())?? {
        Length::Known(len) => Some(len),
        Length::Endless => None,
    }
}

/// An element that may be kept.
fn kept(item: &Item) -> Option<Expr> {
    item.is_value().then(|| item.value())
}

/// The path of the collection that a type is, and its method for one more element.
fn collection(ty: &syn::Type) -> Option<(syn::Path, syn::Ident)> {
    let syn::Type::Path(path) = crate::signature::plain(ty) else { return None };
    let mut path = path.path.clone();
    let last = path.segments.last_mut()?;
    last.arguments = syn::PathArguments::None;
    let push = match last.ident.to_string().as_str() {
        "Vec" => "push",
        "VecDeque" => "push_back",
        _ => return None,
    };
    let push = syn::Ident::new(push, last.ident.span());
    Some((path, push))
}

/// The type of the elements, where it is written.
fn element_type(ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(path) = crate::signature::plain(ty) else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
    else {
        return None;
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(syn::Type::Infer(_)) => None,
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}
