//! The functions of the corpus, as syntax.

use cotangent_tests::validate::corpus::Rows;
use std::path::{Path, PathBuf};

/// All rows of a folder of the corpus.
pub fn of_corpus(folder: &str) -> Vec<syn::ItemFn> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    files(&folder).iter().flat_map(|file| of_file(file)).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the corpus");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    files
}

fn of_file(file: &Path) -> Vec<syn::ItemFn> {
    let text = std::fs::read_to_string(file).expect("a file of the corpus");
    let file = syn::parse_file(&text).expect("Rust");
    let rows = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Macro(rows) => Some(rows.mac),
        _ => None,
    });
    let rows =
        rows.filter(|rows| rows.path.is_ident("corpus") || rows.path.is_ident("first_order"));
    rows.flat_map(|rows| syn::parse2::<Rows>(rows.tokens).expect("rows").0).collect()
}
