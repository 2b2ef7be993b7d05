//! Tokens as a tree that can be changed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// How a group without delimiters, which a user's macro makes of a fragment, is written as text.
const INVISIBLE: &str = "__invisible";

/// A token, or a group of them.
#[derive(Clone, Debug)]
pub enum Node {
    /// A token that is no group.
    Leaf(TokenTree),
    /// A group.
    Group(Delimiter, Vec<Node>),
}

/// The tree of a text, or nothing where it is not made of Rust's tokens.
#[must_use]
pub fn parse(text: &str) -> Option<Vec<Node>> {
    text.parse().ok().map(nodes)
}

/// The tree of some tokens.
#[must_use]
pub fn nodes(tokens: TokenStream) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            nodes.push(Node::Leaf(token));
            continue;
        };
        let inner = self::nodes(group.stream());
        let is_marked =
            matches!(nodes.last(), Some(Node::Leaf(TokenTree::Ident(name))) if name == INVISIBLE);
        let delimiter = if is_marked { Delimiter::None } else { group.delimiter() };
        if is_marked {
            nodes.pop();
        }
        nodes.push(Node::Group(delimiter, inner));
    }
    nodes
}

/// The tokens of a tree, as macros get them.
#[must_use]
pub fn tokens(nodes: &[Node]) -> TokenStream {
    let token = |node: &Node| match node {
        Node::Leaf(token) => token.clone(),
        Node::Group(delimiter, inner) => Group::new(*delimiter, tokens(inner)).into(),
    };
    nodes.iter().map(token).collect()
}

/// The text of a tree, of which [`parse`] makes it again.
#[must_use]
pub fn text(nodes: &[Node]) -> String {
    marked(nodes).to_string()
}

/// The tokens of a tree as they are printed.
fn marked(nodes: &[Node]) -> TokenStream {
    let mut all: Vec<TokenTree> = Vec::new();
    for node in nodes {
        match node {
            Node::Leaf(token) => all.push(token.clone()),
            Node::Group(Delimiter::None, inner) => {
                all.push(Ident::new(INVISIBLE, Span::call_site()).into());
                all.push(Group::new(Delimiter::Parenthesis, marked(inner)).into());
            }
            Node::Group(delimiter, inner) => {
                all.push(Group::new(*delimiter, marked(inner)).into());
            }
        }
    }
    all.into_iter().collect()
}

/// How many tokens there are, groups included.
#[must_use]
pub fn size(nodes: &[Node]) -> usize {
    let of = |node: &Node| match node {
        Node::Leaf(_) => 1,
        Node::Group(_, inner) => 1 + size(inner),
    };
    nodes.iter().map(of).sum()
}

/// Goes to the token of a number, counted from the first, and does something with the list that it stands in.
pub fn at<T>(
    nodes: &mut Vec<Node>,
    number: usize,
    action: impl FnOnce(&mut Vec<Node>, usize) -> T,
) -> Option<T> {
    let (mut list, mut left) = (nodes, number);
    loop {
        let mut found = None;
        for (index, node) in list.iter().enumerate() {
            let size = size(std::slice::from_ref(node));
            if left < size {
                found = Some(index);
                break;
            }
            left -= size;
        }
        let index = found?;
        if left == 0 {
            return Some(action(list, index));
        }
        left -= 1;
        let Node::Group(_, inner) = &mut list[index] else { return None };
        list = inner;
    }
}
