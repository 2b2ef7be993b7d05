//! Items without attributes that only the macro knows.
//!
//! In: an item's tokens. Out: the same without `#[checkpoint]` of loops, which rustc would not know.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::ParseStream;

/// The attribute's name.
const NAME: &str = "checkpoint";

/// An item without the attribute, which only the derivatives know.
pub fn plain(item: TokenStream) -> TokenStream {
    let mut found = false;
    let plain = without(item.clone(), &mut found);
    if found { plain } else { item }
}

fn without(tokens: TokenStream, found: &mut bool) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = &token else {
            kept.push(token);
            continue;
        };
        let is_behind_hash =
            matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
        if is_behind_hash && group.delimiter() == Delimiter::Bracket && names_it(group) {
            kept.pop();
            *found = true;
            continue;
        }
        let inner = without(group.stream(), found);
        let is_left = !inner.is_empty() || group.stream().is_empty();
        if group.delimiter() == Delimiter::None && !is_left {
            // Around nothing, an invisible group would be read as an expression that is missing.
            continue;
        }
        let mut again = Group::new(group.delimiter(), inner);
        again.set_span(group.span());
        kept.push(TokenTree::Group(again));
    }
    kept.into_iter().collect()
}

fn names_it(group: &Group) -> bool {
    let path = syn::parse::Parser::parse2(
        |input: ParseStream| {
            let meta: syn::Path = input.call(syn::Path::parse_mod_style)?;
            input.parse::<TokenStream>()?;
            Ok(meta)
        },
        group.stream(),
    );
    path.is_ok_and(|path| path.segments.last().is_some_and(|last| last.ident == NAME))
}
