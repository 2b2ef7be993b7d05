//! The inputs of macros that the repository has: its tests and its examples.
//!
//! In: source files, as tokens, so that what stands in rows of macros is found, too. Out: each item below an attribute of
//! ours, each function of a row, and what is in `check!`, `function!` and `dump!`.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};

use super::case::{Case, Entry};

/// The folders with inputs, next to the folder of the tests.
const FOLDERS: [&str; 4] = ["tests/tests", "examples", "ui-tests/pass", "ui-tests/fail"];

/// All inputs, in the order of paths and of lines.
///
/// # Panics
///
/// When the sources cannot be read.
#[must_use]
pub fn all() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in FOLDERS {
        files_of(&root.join(folder), &mut files);
    }
    let mut cases: Vec<Case> = files.iter().flat_map(|file| of_file(file)).collect();
    cases.dedup();
    cases
}

fn files_of(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the sources are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_of(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn of_file(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("a source file can be read");
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse::<TokenStream>() {
        search(tokens, true, &mut found);
    }
    found
}

/// The inputs in some tokens; with `bare`, functions without an attribute are some, too.
pub fn search(tokens: TokenStream, bare: bool, found: &mut Vec<Case>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((case, length)) = case_at(&tokens[at..], bare) {
            found.extend(case);
            at += length;
            continue;
        }
        if let TokenTree::Group(group) = &tokens[at] {
            search(group.stream(), bare, found);
        }
        at += 1;
    }
}

/// What begins with these tokens, and how many of them it takes.
fn case_at(tokens: &[TokenTree], bare: bool) -> Option<(Option<Case>, usize)> {
    match tokens {
        [TokenTree::Punct(hash), TokenTree::Group(_), ..] if hash.as_char() == '#' => {
            let (item, length) = item_at(tokens)?;
            let case = with_attributes(&item);
            // Functions in a block without an attribute may have one of their own.
            case.is_some().then_some((case, length))
        }
        [TokenTree::Ident(word), ..] if bare && word == "fn" => {
            let (item, length) = item_at(tokens)?;
            let text = item.to_token_stream().to_string();
            Some((Some(Case::new(Entry::Differentiate, "", &text)), length))
        }
        [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(group), ..]
            if mark.as_char() == '!' =>
        {
            let entry = Entry::named(&name.to_string()).filter(|entry| !entry.is_on_item())?;
            let case = Case::new(entry, "", &group.stream().to_string());
            Some((Some(case), 3))
        }
        _ => None,
    }
}

/// An item and what stands behind it.
struct Begun(syn::Item, TokenStream);

impl Parse for Begun {
    fn parse(input: ParseStream<'_>) -> syn::Result<Begun> {
        Ok(Begun(input.parse()?, input.parse()?))
    }
}

fn item_at(tokens: &[TokenTree]) -> Option<(syn::Item, usize)> {
    let Begun(item, rest) = syn::parse2(tokens.iter().cloned().collect()).ok()?;
    Some((item, tokens.len() - rest.into_iter().count()))
}

/// The call of the first attribute of ours, which is taken away.
fn with_attributes(item: &syn::Item) -> Option<Case> {
    let text = item.to_token_stream();
    let (attributes, rest) = Parser::parse2(
        |input: ParseStream<'_>| {
            Ok((input.call(syn::Attribute::parse_outer)?, input.parse::<TokenStream>()?))
        },
        text,
    )
    .ok()?;
    let (index, entry, arguments) =
        attributes.iter().enumerate().find_map(|(index, attribute)| {
            let (entry, arguments) = entry_of(attribute)?;
            Some((index, entry, arguments))
        })?;
    let others = attributes.iter().enumerate().filter(|(at, _)| *at != index);
    let mut input: TokenStream = others.map(|(_, attribute)| attribute.to_token_stream()).collect();
    input.extend(rest);
    Some(Case::new(entry, &arguments, &input.to_string()))
}

fn entry_of(attribute: &syn::Attribute) -> Option<(Entry, String)> {
    let name = attribute.path().segments.last()?.ident.to_string();
    let entry = Entry::named(&name).filter(|entry| entry.is_on_item())?;
    let arguments = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let is_ours = entry != Entry::Derive
        || arguments
            .clone()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Ident(name) if name == "Differentiable"));
    let arguments = if entry == Entry::Derive { String::new() } else { arguments.to_string() };
    is_ours.then_some((entry, arguments))
}
