//! Which names are the same. A local variable that a `macro_rules!` macro makes is not the one of its
//! caller's, however they are spelled.
//!
//! In: identifiers. Out: keys that are equal where rustc holds the identifiers for one variable. Spans
//! cannot be compared on stable Rust, but their `Debug` form begins with the syntax context. And whether tokens name
//! something.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// Stands between a name and its context; no identifier contains it.
const SEPARATOR: char = '@';

/// A name with its context, where it has one.
pub fn key(ident: &Ident) -> String {
    key_at(&ident.to_string(), ident.span())
}

/// Likewise for a name inside of a string literal.
pub fn key_at(name: &str, span: Span) -> String {
    match context(span) {
        Some(context) => format!("{name}{SEPARATOR}{context}"),
        None => name.to_owned(),
    }
}

/// The name in a key.
pub fn name(key: &str) -> &str {
    key.split(SEPARATOR).next().unwrap_or(key)
}

/// The number in `#7 bytes(1..2)`; tokens of no macro have the number zero.
fn context(span: Span) -> Option<u32> {
    let text = format!("{span:?}");
    let number = text.strip_prefix('#')?.split(' ').next()?;
    number.parse().ok().filter(|number| *number != 0)
}

/// An identifier of a name as it is written, which may be a raw one.
pub fn identifier(name: &str, span: Span) -> Ident {
    match name.strip_prefix("r#") {
        Some(bare) => Ident::new_raw(bare, span),
        None => Ident::new(name, span),
    }
}

/// Lists the words that cannot be identifiers, sorted. See "Keywords" in the Rust reference.
const KEYWORDS: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether a text is an identifier that is no keyword. A parser would say the same, but slowly: macros run without
/// optimisation.
pub fn is_identifier(text: &str) -> bool {
    if !text.is_ascii() {
        return syn::parse_str::<Ident>(text).is_ok();
    }
    let starts = text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let is_part = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_';
    starts && text.bytes().all(is_part) && KEYWORDS.binary_search(&text).is_err()
}

/// Whether one of the identifiers in these tokens is wanted.
pub fn mentions(tokens: TokenStream, is_wanted: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is_wanted),
        _ => false,
    })
}

/// Whether a lifetime is among these tokens.
pub fn mentions_lifetime(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '\'',
        TokenTree::Group(group) => mentions_lifetime(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Ident, KEYWORDS, is_identifier};

    #[test]
    fn identifiers_are_those_of_the_parser() {
        assert!(KEYWORDS.is_sorted());
        let others = [
            "", "x", "_x", "__", "x1", "1x", "x-y", "größe", "r#type", "x y", "union", "auto",
            "raw", "Selfish",
        ];
        for text in KEYWORDS.iter().filter(|keyword| **keyword != "gen").chain(&others) {
            let is_parsed = syn::parse_str::<Ident>(text).is_ok() && !text.starts_with("r#");
            assert_eq!(is_identifier(text), is_parsed, "{text}");
        }
    }
}
