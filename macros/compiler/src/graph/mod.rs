//! `dump!(graph, ..)`: a function's SSA as a picture.
//!
//! In: the primal, and the derivative whose tapes are marked. Out: the text of an SVG, which needs no other file.
//!
//! `model.rs` says what is shown: nodes, boxes in boxes, and edges. `spelling.rs` writes operations as Rust. `rows.rs`
//! puts nodes into rows, `layout.rs` gives rows coordinates, and `svg.rs` writes them down. **Invariant:** no two nodes
//! overlap, and no edge runs through a node: edges go down between the nodes of a row, and turn between rows.

mod layout;
mod model;
mod order;
mod rows;
mod spelling;
mod svg;

use crate::analysis::activity;
use crate::ir::Function;
use crate::source::Source;
use crate::syntax::walk::{Node, Tree};
use quote::ToTokens;
use rustc_hash::FxHashSet as HashSet;

/// What is drawn of a function.
pub struct Subject<'s> {
    /// As it is written.
    pub item: &'s syn::ItemFn,
    /// Its SSA.
    pub primal: &'s Function,
    /// The reverse derivative, where there is one.
    pub derivative: Option<&'s Function>,
}

/// The picture, as the text of an SVG.
pub fn draw(subject: &Subject) -> String {
    let source = Source::of(subject.item);
    let activity = activity::analyse(subject.primal);
    let area = model::Model {
        function: subject.primal,
        activity: &activity,
        source: source.as_ref(),
        users: user_names(subject.item),
        derivative: subject.derivative,
    }
    .area();
    let sheet = svg::Sheet {
        title: head(subject.item),
        source: source.as_ref(),
        derivative: subject.derivative.map(|derivative| derivative.name.as_str()),
    };
    svg::write(&sheet, &layout::lay_out(area))
}

/// The function's head on one line.
fn head(item: &syn::ItemFn) -> String {
    let bare = syn::ItemFn { attrs: Vec::new(), block: syn::parse_quote!({}), ..item.clone() };
    let text = crate::emit::pretty(&bare.to_token_stream());
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ").replace("( ", "(").replace(", )", ")");
    line.trim_end_matches(" {}").trim_end_matches("{}").to_owned()
}

/// The names that the user gave to something.
fn user_names(item: &syn::ItemFn) -> HashSet<String> {
    let mut names = HashSet::default();
    item.walk(&mut |node| {
        if let Node::Pat(pattern) = node {
            names.insert(pattern.ident.to_string());
        }
        true
    });
    names
}
