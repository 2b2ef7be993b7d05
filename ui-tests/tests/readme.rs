//! The README, against its limits, the compiler and the book.
//!
//! In: the README and the pages that it takes figures from. Out: a failure where it is too long, where the code or the
//! picture is not what the compiler makes of the README's function, where a row of benchmarks is not in the book, or where
//! a link leads nowhere. `UPDATE_EXPECT=1` draws the picture again.

use cotangent_compiler::Stage;
use std::path::{Path, PathBuf};

/// The most that a front page may have.
const BYTES: usize = 14 * 1024;
const LINES: usize = 220;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The code blocks of the README whose fence has these words.
fn blocks(fence: &str) -> Vec<String> {
    let readme = read("README.md");
    let mut blocks = Vec::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if found == fence {
                blocks.push(block.join("\n"));
            }
        }
    }
    blocks
}

/// The function whose emitted code the README shows.
fn kernel() -> syn::ItemFn {
    let blocks = blocks("rust");
    let text = blocks.last().expect("the block with the function");
    let file: syn::File = syn::parse_str(text).expect("Rust");
    let functions = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    functions.last().expect("a function")
}

fn stage(stage: Stage) -> String {
    cotangent_compiler::text(stage, &kernel()).expect("the function compiles")
}

#[test]
fn it_is_short() {
    let readme = read("README.md");
    assert!(readme.len() <= BYTES, "{} bytes, of {BYTES}", readme.len());
    assert!(readme.lines().count() <= LINES, "{} lines, of {LINES}", readme.lines().count());
}

/// The function of the first program.
#[cotangent::differentiate]
fn energy(x: f64, stiffness: f64) -> f64 {
    0.5 * stiffness * x * x
}

#[test]
fn its_program_prints_what_it_says() {
    assert!(blocks("rust")[0].contains("    0.5 * stiffness * x * x\n"));
    assert_eq!(blocks("text")[0], format!("{:?}", energy::value_and_gradient(3.0, 2.0)));
}

#[test]
fn its_emitted_code_is_what_the_compiler_emits() {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let text = stage(Stage::Rust);
    let emitted: Vec<&str> = text.lines().filter(is_code).collect();
    for block in blocks("rust,ignore") {
        assert!(emitted.join("\n").contains(&block), "the compiler emits\n{}", emitted.join("\n"));
    }
    assert_eq!(blocks("rust,ignore").len(), 1);
}

#[test]
fn its_picture_is_what_the_compiler_draws() {
    let (path, drawn) = ("core/docs/logistic.svg", stage(Stage::Graph));
    assert!(read("README.md").contains(path));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return std::fs::write(root().join(path), drawn).expect("the picture is written");
    }
    assert!(
        read(path) == drawn,
        "run `UPDATE_EXPECT=1 cargo test -p cotangent-ui-tests --test readme`"
    );
}

#[test]
fn its_benchmarks_are_those_of_the_book() {
    let (readme, book) = (read("README.md"), read("core/docs/benchmarks.md"));
    let mut lines = readme.lines().skip_while(|line| !line.starts_with("| kernel |"));
    assert_eq!(lines.by_ref().take(2).count(), 2);
    let rows: Vec<&str> = lines.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 8);
    for row in rows {
        assert!(book.lines().any(|line| line.starts_with(row)), "not in the book: {row}");
    }
}

/// The targets of links in a text that lead to files.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| {
        !target.contains("://") && !target.contains("::") && !target.contains([' ', '{', '`', ','])
    })
}

#[test]
fn links_lead_to_files() {
    let pages = root().join("core/docs").read_dir().expect("the folder of the book");
    let paths = pages.map(|entry| entry.expect("a readable entry").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    for page in pages.chain([root().join("README.md")]) {
        let text = std::fs::read_to_string(&page).expect("a page");
        let folder = page.parent().expect("a folder");
        for link in links(&text) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(file.is_empty() || folder.join(file).exists(), "{page:?} links {link}");
        }
    }
}
