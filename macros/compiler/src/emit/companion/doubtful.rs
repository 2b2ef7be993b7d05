//! A companion that may stand in an `impl` or a trait without the attribute, where no enum can.
//!
//! In: a companion, and what stands beside it. Out: the call of a macro, whose name is in rustc's error there, and which gives
//! the companion with the other items in an attribute. Where rustc takes no enum, it reads no attribute of it, and so reports
//! no other item.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;

/// A call of the macro, if the companion is one enum.
pub fn call(companion: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = companion.into_iter().collect();
    let mut enums = tokens.iter().enumerate().filter(|(_, token)| is_enum(token));
    let (Some((keyword, _)), None) = (enums.next(), enums.next()) else {
        return tokens.into_iter().collect();
    };
    // The keyword, the name, and the braces.
    let (item, beside) = tokens.split_at(keyword + 3);
    quote!(
        ::cotangent::__private::needs_differentiate_on_the_impl_or_trait! { { #(#beside)* } #(#item)* }
    )
}

/// Returns the items that the macro stands for: rustc takes their tokens for the macro's own.
pub fn item(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let beside = tokens.next();
    let item = tokens.map(|mut token| {
        let is_braces =
            matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        if is_enum(&token) || is_braces {
            token.set_span(Span::mixed_site());
        }
        token
    });
    quote!(#[::cotangent::__private::stands_beside #beside] #(#item)*)
}

fn is_enum(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(word) if word == "enum")
}
