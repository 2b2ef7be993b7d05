//! What users see at compile time: every diagnostic, and every supported construct under
//! `deny(warnings)`.

use std::collections::BTreeSet;
use std::path::Path;

/// Cases with several mistakes, named for what they show and not after a row of the table.
const SEVERAL: &[&str] = &[
    "attribute_forms",
    "check_syntax",
    "dump_syntax",
    "expressions",
    "heads",
    "many_at_once",
    "not_an_item",
    "patterns",
];

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
    cases.compile_fail("fail/types/*.rs");
}

/// The names of the diagnostics.
fn rows() -> BTreeSet<String> {
    cotangent_compiler::diagnostics().iter().map(|row| row.name.to_owned()).collect()
}

/// The stems of the Rust files in `fail/`.
fn cases() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail");
    let entries = folder.read_dir().expect("the folder of failing cases");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    sources.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

#[test]
fn every_diagnostic_has_a_case() {
    let missing: Vec<String> = rows().difference(&cases()).cloned().collect();
    assert!(missing.is_empty(), "rows without a file in fail/: {missing:?}");
}

#[test]
fn every_case_is_a_diagnostic() {
    let rows = rows();
    let unknown: Vec<String> = cases()
        .difference(&rows)
        .filter(|name| !SEVERAL.contains(&name.as_str()))
        .cloned()
        .collect();
    assert!(unknown.is_empty(), "files in fail/ without a row: {unknown:?}");
}

#[test]
fn companions_of_another_crate() {
    use cotangent_ui_tests::{largest, running, shapes};
    assert_eq!(running::jvp(&[1.0, 2.0], &[1.0, 0.0]), (vec![1.0, 9.0], vec![2.0, 6.0]));
    assert_eq!(largest::gradient(&[1.0, -3.0]), [0.0, -1.0]);
    assert_eq!(shapes::area::gradient(2.0, 3.0), shapes::surface::gradient(2.0, 3.0));
}
