//! The book's tables of what is supported and what is not, against the compiler and the tests.
//!
//! In: the pages of the book, the table of diagnostics, and the files of the corpus and of the ui tests. Out: a failure where they
//! say different things. The table of what is refused is written from the diagnostics: `UPDATE_EXPECT=1` rewrites it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What stands around the table that is written from the diagnostics.
const MARKS: (&str, &str) = ("<!-- refused -->\n", "<!-- /refused -->\n");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The page with the table that is written from the diagnostics.
fn supported() -> PathBuf {
    root().join("core/docs/supported.md")
}

/// All pages of the book, with links as they are from the root of the repository.
fn book() -> String {
    let entries = root().join("core/docs").read_dir().expect("the folder of the book");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let texts = pages.map(|path| std::fs::read_to_string(path).expect("a page"));
    texts.collect::<Vec<_>>().join("\n").replace("](../../", "](")
}

/// The table of all diagnostics, by topic.
fn refused() -> String {
    let mut table = String::from("| not supported | write instead | its error |\n|---|---|---|\n");
    let mut topic = "";
    for row in cotangent_compiler::diagnostics() {
        if topic != row.topic {
            topic = row.topic;
            writeln!(table, "| **{topic}** | | |").expect("a string grows");
        }
        let (name, advice) = (row.name, row.advice.replace('|', "\\|"));
        writeln!(table, "| {} | {advice} | [{name}](../../ui-tests/fail/{name}.rs) |", row.refused)
            .expect("a string grows");
    }
    table
}

#[test]
fn what_is_refused_is_what_diagnostics_say() {
    let page = std::fs::read_to_string(supported()).expect("the page");
    let table = refused();
    let (head, rest) = page.split_once(MARKS.0).expect("the table's beginning");
    let (before, tail) = rest.split_once(MARKS.1).expect("the table's end");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = format!("{head}{}{table}{}{tail}", MARKS.0, MARKS.1);
        return std::fs::write(supported(), text).expect("the page is written");
    }
    assert!(
        before == table,
        "run `UPDATE_EXPECT=1 cargo test -p cotangent-ui-tests --test supported`"
    );
}

/// A row of one of the tables: what its first cells say, and the files that its last one names.
struct Row {
    claim: String,
    files: Vec<String>,
}

/// The rows below a head that ends in a name.
fn rows(book: &str, last: &str) -> Vec<Row> {
    let head = format!(" | {last} |");
    let mut lines = book.lines();
    let mut rows = Vec::new();
    while lines.by_ref().any(|line| line.ends_with(&head)) {
        lines.next();
        rows.extend(lines.by_ref().take_while(|line| line.starts_with('|')).filter_map(row));
    }
    assert!(rows.len() > 10, "the scan found only {} rows", rows.len());
    rows
}

/// A line of a table, unless it is the heading of a topic.
fn row(line: &str) -> Option<Row> {
    let (claim, files) = line.trim_end_matches(" |").rsplit_once(" | ")?;
    let links = files.split("](").skip(1).filter_map(|link| Some(link.split_once(')')?.0));
    let files: Vec<String> = links.map(str::to_owned).collect();
    (!files.is_empty()).then(|| Row { claim: claim.to_owned(), files })
}

/// The words of a token stream, groups opened.
fn words(tokens: TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for tree in tokens {
        let TokenTree::Group(group) = tree else {
            words.push(tree.to_string());
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        words.push(open.to_owned());
        words.extend(self::words(group.stream()));
        words.push(close.to_owned());
    }
    words
}

fn words_of(path: &str) -> Vec<String> {
    let path = root().join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    words(text.parse().unwrap_or_else(|error| panic!("{path:?}: {error}")))
}

/// The code in a cell, as words. In prose, `if` and `?` are code, too; what no token begins is not.
fn code(claim: &str) -> Vec<(String, Vec<String>)> {
    let spans = claim.split('`').skip(1).step_by(2);
    let parsed = spans.map(|span| {
        let tokens = span.parse().unwrap_or_else(|error| panic!("`{span}`: {error}"));
        (span.to_owned(), words(tokens))
    });
    parsed.collect()
}

/// Whether code is in a file. A name of one letter stands for any single word, and `(..)` for what is in parentheses.
fn is_in(code: &[String], file: &[String]) -> bool {
    let is_any = |word: &str| word.len() == 1 && word.starts_with(char::is_alphabetic);
    let end = code.windows(4).position(|four| four == ["(", ".", ".", ")"]);
    let code = end.map_or(code, |end| &code[..=end]);
    let is_one = |(wanted, word): (&String, &String)| wanted == word || is_any(wanted);
    file.windows(code.len()).any(|window| code.iter().zip(window).all(is_one))
}

/// The code in rows that none of the row's files has.
fn absent(rows: &[Row], claims: impl Fn(&str) -> &str) -> Vec<String> {
    let mut absent = Vec::new();
    for row in rows {
        let files: Vec<Vec<String>> = row.files.iter().map(|file| words_of(file)).collect();
        for (span, code) in code(claims(&row.claim)) {
            if !files.iter().any(|file| is_in(&code, file)) {
                absent.push(format!("`{span}` in {:?}", row.files));
            }
        }
    }
    absent
}

#[test]
fn what_is_supported_is_compiled() {
    let absent = absent(&rows(&book(), "compiled in"), |claim| claim);
    assert!(absent.is_empty(), "not in the files that the book names: {absent:#?}");
}

#[test]
fn what_is_refused_is_tested() {
    let first = |claim: &str| claim.split(" | ").next().unwrap_or_default().len();
    let absent = absent(&rows(&book(), "its error"), |claim| &claim[..first(claim)]);
    assert!(absent.is_empty(), "not in the files that the book names: {absent:#?}");
}

/// The Rust files of a folder, by their paths in the repository.
fn files(folder: &str) -> BTreeSet<String> {
    let entries = root().join(folder).read_dir().expect("a folder of cases");
    let names = entries.map(|entry| entry.expect("a readable entry").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    names.filter(|name| name.ends_with(".rs")).map(|name| format!("{folder}/{name}")).collect()
}

/// Every file of a folder is named in the rows of a table.
fn all_named(folder: &str, last: &str) {
    let named: BTreeSet<String> =
        rows(&book(), last).into_iter().flat_map(|row| row.files).collect();
    let missing: Vec<String> = files(folder).difference(&named).cloned().collect();
    assert!(missing.is_empty(), "the book does not name {missing:?}");
}

#[test]
fn every_construct_is_listed() {
    all_named("ui-tests/pass", "compiled in");
}

#[test]
fn every_error_of_rustc_is_listed() {
    all_named("ui-tests/fail/types", "its error");
}
