//! A missing derive is one error: the types that a head names stand for what rustc holds for an error, if one of them has
//! no tangent type.
//!
//! In: a head, and what stands beside the function. Out: the same in a block where each type is an alias of itself that
//! leads through a constant. The constant does not compile for a type without a tangent type, which rustc reports; of
//! what depends on the alias it says no more.
//!
//! Documentation and editors show signatures as they are written: there are no aliases for them.
//!
//! Invariant: only names alone are aliases, since these alone can be hidden in a block. `fn(T)` can be written for a type
//! of which a lifetime is left out, and an alias of such a type cannot.

use super::head::{Head, unbound};
use crate::binding::local;
use crate::lower::Field;
use crate::syntax::hygiene::mentions;
use crate::syntax::signature::plain;
use crate::syntax::types::{self, is_primitive};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;

/// The items in such a block.
pub fn checked(
    item: &syn::ItemFn,
    (head, fields, cfg): (&Head, &[Field], &TokenStream),
    items: TokenStream,
) -> TokenStream {
    let mut types = named_types(head);
    // Nothing can be imported from an alias: `use Shape::*;`.
    let body = item.block.to_token_stream();
    types.retain(|name| {
        let is_plain = !is_imported_from(&body, name) && !is_declared_in(&body, name);
        is_plain && !is_in_doubt(head, name)
    });
    if types.is_empty() {
        return items;
    }
    let pointers = aliases("pointer_to", &types);
    let known = aliases("known", &types);
    let own = aliases("own", &types);
    let items = by_own_names(items, &|name| {
        let position = types.iter().position(|ty| *ty == name);
        position.map(|position| own[position].clone())
    });
    let outer = types.iter().zip(&own).zip(&pointers).zip(&known);
    let outer = outer.map(|(((ty, own), pointer), known)| {
        let checked = types::checked(pointer, &proofs_of_fields(head, fields, ty), ty.span());
        quote_spanned! {ty.span()=>
            type #own = #ty;
            type #pointer = fn(#ty);
            type #known = #checked;
        }
    });
    quote! {
        #cfg
        #[allow(dead_code, non_camel_case_types, unexpected_cfgs)]
        const _: () = {
            #(#outer)*
            const _: () = {
                #(#[cfg(not(any(doc, rust_analyzer)))] type #types = #known;)*
                #items
            };
        };
    }
}

/// Statements that compile only if parameters of a type have the fields that the body reads.
fn proofs_of_fields(head: &Head, fields: &[Field], ty: &Ident) -> TokenStream {
    let proofs = head.params.iter().enumerate().filter_map(|(index, named)| {
        let is_of_type = matches!(plain(named.owned()), Type::Path(path) if path.path.is_ident(ty));
        let own = fields.iter().filter(|(param, _)| *param == index).map(|(_, path)| path);
        let mut own = own.filter(|_| is_of_type).peekable();
        own.peek()?;
        let (place, ty) = (local("place"), unbound(&named.param.ty));
        Some(quote!(let _ = |#place: #ty| { #(let _ = #place #(.#own)*;)* };))
    });
    proofs.collect()
}

/// Tokens in which what stands in front of `::` is the type itself: nothing is found in what stands for an error.
fn by_own_names(tokens: TokenStream, own: &dyn Fn(&Ident) -> Option<Ident>) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    for index in 0..tokens.len() {
        let is_first =
            index < 2 || !(is_colon(tokens.get(index - 1)) && is_colon(tokens.get(index - 2)));
        let is_head =
            is_first && is_colon(tokens.get(index + 1)) && is_colon(tokens.get(index + 2));
        match &mut tokens[index] {
            TokenTree::Ident(ident) if is_head => {
                if let Some(own) = own(ident) {
                    *ident = Ident::new(&own.to_string(), ident.span());
                }
            }
            TokenTree::Group(group) => {
                let inner = by_own_names(group.stream(), own);
                let mut renamed = Group::new(group.delimiter(), inner);
                renamed.set_span(group.span());
                *group = renamed;
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    tokens.into_iter().collect()
}

/// Whether a name is in the type of a parameter by value beside one of another type: rustc would find two bounds for one
/// type, if both names are for the same.
fn is_in_doubt(head: &Head, name: &Ident) -> bool {
    let params = head.params.iter().map(|named| named.param);
    let values = params.filter(|param| param.reference().is_none() && !is_number(&param.ty));
    let texts: Vec<String> = values.map(|param| param.ty.to_token_stream().to_string()).collect();
    let mut is_by_value = false;
    for named in head.params.iter().filter(|named| named.param.reference().is_none()) {
        collect(&named.param.ty, &mut |other| is_by_value |= other == name);
    }
    is_by_value && texts.iter().any(|text| *text != texts[0])
}

fn is_number(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if path.path.get_ident().is_some_and(is_primitive))
}

/// Whether an import in a body begins with a name.
fn is_imported_from(body: &TokenStream, name: &Ident) -> bool {
    let mut is_import = false;
    body.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            let is_found = is_import && ident == *name;
            is_import = ident == "use";
            is_found
        }
        TokenTree::Group(group) => {
            let is_list = std::mem::take(&mut is_import);
            is_list && mentions(group.stream(), &|ident| ident == name)
                || is_imported_from(&group.stream(), name)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => {
            is_import = false;
            false
        }
    })
}

/// Whether a body has an item of a name.
fn is_declared_in(body: &TokenStream, name: &Ident) -> bool {
    const WORDS: [&str; 6] = ["enum", "mod", "struct", "trait", "type", "union"];
    let mut is_item = false;
    body.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            let is_found = is_item && ident == *name;
            is_item = WORDS.iter().any(|word| ident == word);
            is_found
        }
        TokenTree::Group(group) => is_declared_in(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn aliases(what: &str, types: &[&Ident]) -> Vec<Ident> {
    (0..types.len()).map(|index| format_ident!("__{what}_{index}")).collect()
}

/// The names of the types of active parameters and results, each once.
fn named_types<'h>(head: &'h Head) -> Vec<&'h Ident> {
    let mut names: Vec<&Ident> = Vec::new();
    let active = head.params.iter().filter(|named| named.param.active);
    // A function with `aux` returns a value beside the float that has no tangent.
    let output = head.signature.output.iter().filter(|_| !head.signature.is_aux);
    for ty in active.map(|named| &named.param.ty).chain(output) {
        collect(ty, &mut |name| {
            if !is_parameter(head, name) && !names.contains(&name) {
                names.push(name);
            }
        });
    }
    names
}

/// The type of the result, if it holds such a name. What calls the function as it is annotates the result with it.
pub fn result<'h>(head: &'h Head) -> Option<&'h Type> {
    let (output, names) = (head.signature.output.as_ref()?, named_types(head));
    let mut is_named = false;
    collect(output, &mut |name| is_named |= names.contains(&name));
    (is_named && head.signature.owner.is_none()).then_some(output)
}

/// Words of the language that are paths, and can be no alias.
const WORDS: [&str; 4] = ["Self", "self", "super", "crate"];

fn collect<'t>(ty: &'t Type, found: &mut dyn FnMut(&'t Ident)) {
    match plain(ty) {
        Type::Reference(reference) => collect(&reference.elem, found),
        Type::Slice(slice) => collect(&slice.elem, found),
        Type::Array(array) => collect(&array.elem, found),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| collect(ty, found)),
        Type::Path(path) if path.qself.is_none() => match path.path.get_ident() {
            Some(name) if is_primitive(name) || WORDS.iter().any(|word| name == word) => {}
            Some(name) => found(name),
            None => contents(&path.path).into_iter().for_each(|ty| collect(ty, found)),
        },
        _ => {}
    }
}

fn is_parameter(head: &Head, name: &Ident) -> bool {
    let generics = head.signature.all_generics();
    generics.iter().flat_map(|generics| generics.type_params()).any(|param| param.ident == *name)
}

/// The type of what a container holds. Keys and errors have no tangents.
fn contents(path: &syn::Path) -> Option<&Type> {
    const CONTAINERS: [&str; 8] =
        ["Box", "Cell", "Option", "Rc", "RefCell", "Result", "Vec", "VecDeque"];
    let last = path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) if CONTAINERS.iter().any(|name| last.ident == name) => {
            Some(ty)
        }
        _ => None,
    }
}
