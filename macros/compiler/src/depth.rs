//! How deeply code is nested.
//!
//! In: tokens. Out: the one at which they are nested more deeply than is supported. Syntax trees are gone through by
//! functions that call themselves, and the stack that rustc gives a macro has an end.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree, token_stream};

/// How deep code may be. A macro that is not optimised has stack for about twice that.
pub const MOST: usize = 128;

/// The tokens of one group, as far as they are not gone through.
struct Level {
    tokens: token_stream::IntoIter,
    /// How many `else` follow one another: each is in the one before it.
    chain: usize,
    is_behind_block: bool,
}

impl Level {
    fn new(tokens: TokenStream) -> Self {
        Level { tokens: tokens.into_iter(), chain: 0, is_behind_block: false }
    }

    fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.next()?;
        let is_else = matches!(&token, TokenTree::Ident(word) if word == "else");
        let ends = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';');
        if is_else {
            self.chain += 1;
        } else if ends || self.is_behind_block {
            self.chain = 0;
        }
        let is_block = |group: &Group| group.delimiter() == Delimiter::Brace;
        self.is_behind_block = matches!(&token, TokenTree::Group(group) if is_block(group));
        Some(token)
    }
}

/// Where code is nested too deeply, if it is.
pub fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut levels = vec![Level::new(tokens.clone())];
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.next() else {
            levels.pop();
            continue;
        };
        let TokenTree::Group(group) = token else { continue };
        let depth = levels.iter().map(|level| 1 + level.chain).sum::<usize>();
        if depth > MOST {
            return Some(group.span_open());
        }
        levels.push(Level::new(group.stream()));
    }
    None
}
