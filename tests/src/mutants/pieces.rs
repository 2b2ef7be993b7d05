//! What stands in the files of tests, piece by piece.
//!
//! In: syntax and tokens. Out: the text of a piece and its line, the names that it gives and mentions, and the rows of macros.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::suite::Kind;

/// The line on which tokens begin, and what is written in the file from there to their end.
pub(super) fn written(source: &str, tokens: &TokenStream) -> (usize, String) {
    let mut all = tokens.clone().into_iter();
    let Some(first) = all.next() else { return (0, String::new()) };
    let (start, end) = (first.span().start(), all.last().unwrap_or(first).span().end());
    let lines = source.lines().enumerate().skip(start.line - 1).take(end.line + 1 - start.line);
    let lines: Vec<String> = lines
        .map(|(index, line)| {
            let from = if index + 1 == start.line { start.column } else { 0 };
            let to = if index + 1 == end.line { end.column } else { usize::MAX };
            line.chars().take(to).skip(from).collect()
        })
        .collect();
    (start.line, lines.join("\n"))
}

/// A file without what its head says.
pub(super) fn uncommented(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a test can be read");
    text.lines().filter(|line| !line.starts_with("//!")).collect::<Vec<_>>().join("\n")
}

/// The file of a module.
pub(super) fn beside(file: &Path, module: &str) -> PathBuf {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = file.parent().expect("a file is in a folder");
    let is_head = ["main", "mod", "meaning", "interface"].contains(&stem);
    let folder = if is_head { folder.to_owned() } else { folder.join(stem) };
    let file = folder.join(format!("{module}.rs"));
    if file.exists() { file } else { folder.join(module).join("mod.rs") }
}

/// The rows of a macro.
pub(super) fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_end =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
    let rows = tokens.split(is_end).filter(|row| !row.is_empty());
    rows.map(|row| row.iter().cloned().collect()).collect()
}

/// The function of a row, without the points behind it.
pub(super) fn function(row: TokenStream) -> String {
    let mut tokens: Vec<TokenTree> = row.into_iter().collect();
    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace);
    let body = tokens.windows(2).position(|pair| is_body(&pair[0]) && pair[1].to_string() == "at");
    tokens.truncate(body.map_or(tokens.len(), |body| body + 1));
    tokens.into_iter().collect::<TokenStream>().to_string()
}

/// The names in some tokens.
pub(super) fn words(tokens: TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => drop(found.insert(name.to_string())),
            TokenTree::Group(group) => found.extend(words(group.stream())),
            _ => {}
        }
    }
    found
}

/// What an item is, and which names it gives.
pub(super) fn described(item: &syn::Item) -> (Kind, BTreeSet<String>) {
    let is_test =
        |attributes: &[syn::Attribute]| attributes.iter().any(|one| one.path().is_ident("test"));
    let name = match item {
        syn::Item::Fn(function) if is_test(&function.attrs) => {
            return (Kind::Test, BTreeSet::new());
        }
        syn::Item::Impl(block) => return (Kind::Impl(header(block)), BTreeSet::new()),
        syn::Item::Use(used) => return imported(used),
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Struct(syn::ItemStruct { ident, .. })
        | syn::Item::Enum(syn::ItemEnum { ident, .. }) => {
            // A derive gives the second.
            return (Kind::Item, BTreeSet::from([ident.to_string(), format!("{ident}Tangent")]));
        }
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Const(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Mod(item) => &item.ident,
        syn::Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => name,
        syn::Item::Macro(call) if call.mac.path.is_ident("thread_local") => {
            return (Kind::Item, words(call.mac.tokens.clone()));
        }
        _ => return (Kind::Item, BTreeSet::new()),
    };
    (Kind::Item, BTreeSet::from([name.to_string()]))
}

/// The names in the head of an `impl`.
pub(super) fn header(block: &syn::ItemImpl) -> BTreeSet<String> {
    let of = block.trait_.as_ref().map(|implemented| implemented.1.to_token_stream());
    words(of.into_iter().chain([block.self_ty.to_token_stream()]).collect())
}

/// An import of what stands in the same file is there if it is mentioned. Others are always there.
pub(super) fn imported(used: &syn::ItemUse) -> (Kind, BTreeSet<String>) {
    let text = used.tree.to_token_stream().to_string();
    let mut path = text.split(" :: ").map(str::trim).skip_while(|first| *first == "self");
    let elsewhere =
        ["crate", "super", "std", "core", "alloc", "cotangent", "num_traits", "expect_test"];
    let first = path.next().unwrap_or_default();
    if elsewhere.contains(&first) || text.contains('*') {
        return (Kind::Always, BTreeSet::new());
    }
    let mut names = BTreeSet::new();
    leaves(&used.tree, &mut names);
    (Kind::Item, names)
}

pub(super) fn leaves(tree: &syn::UseTree, names: &mut BTreeSet<String>) {
    match tree {
        syn::UseTree::Path(path) => leaves(&path.tree, names),
        syn::UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        syn::UseTree::Rename(renamed) => drop(names.insert(renamed.rename.to_string())),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        syn::UseTree::Glob(_) => {}
    }
}
