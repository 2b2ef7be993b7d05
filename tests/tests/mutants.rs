//! The switches that the binary `mutants` writes into the compiler.

use std::collections::BTreeSet;
use std::path::Path;

use cotangent_tests::mutants::schemata::schemata;
use cotangent_tests::mutants::site::{Mutation, Site};
use cotangent_tests::mutants::{known, table, workspace};

fn switched(text: &str, left_out: &BTreeSet<usize>) -> (String, Vec<Site>) {
    schemata("simplify/file.rs", text, 1, left_out).expect("the text is Rust")
}

fn mutations(text: &str) -> Vec<String> {
    let (_, sites) = switched(text, &BTreeSet::new());
    sites.iter().map(|site| site.mutation.to_string()).collect()
}

#[test]
fn each_kind_of_change() {
    let of = |body: &str| mutations(&format!("fn f(a: usize, b: usize) -> usize {{ {body} }}"));
    assert_eq!(of("g(a == b)"), ["negate `a == b`"]);
    assert_eq!(of("g(a < b)"), ["negate `a < b`", "`<` to `<=`"]);
    assert_eq!(of("a + b"), ["`+` to `-`"]);
    assert_eq!(of("if g { a } else { b }"), ["negate `g`"]);
    assert_eq!(of("if g && h { a } else { b }"), ["negate `g`", "negate `h`", "`&&` to `||`"]);
    assert_eq!(of("if !g { a } else { b }"), ["negate `g`"]);
    assert_eq!(of("a.push(b); a"), ["no `a.push(b)`"]);
    assert_eq!(of("match a { 1 => b, _ => a }"), ["no arm `1`"]);
    assert_eq!(of("match a { 1 if g() => b, _ => a }"), ["guard to true", "guard to false"]);
    assert_eq!(of("x.iter().any(|x| x.is_empty())").len(), 2);
    let function = |result: &str| mutations(&format!("fn f() {result} {{ g() }}"));
    assert_eq!(function("-> bool"), ["return true at once", "return false at once"]);
    assert_eq!(function("-> Option<f64>"), ["return None at once"]);
    assert_eq!(function("-> Vec<f64>"), ["return Vec::new() at once"]);
    assert_eq!(function(""), ["return () at once"]);
}

#[test]
fn what_has_no_switch() {
    // Constants are there before any switch is read, a binding is no condition, and what is left out has nothing.
    assert!(mutations("const A: usize = 1 + 2; const fn f() -> bool { 1 < 2 }").is_empty());
    assert!(mutations("fn f() -> f64 { if let Some(a) = g() { a } else { 1.0 } }").is_empty());
    let text = "fn f(a: usize) -> bool { a + 1 == 2 }";
    let (all, sites) = switched(text, &BTreeSet::new());
    let (without, same) = switched(text, &sites.iter().map(|site| site.id).collect());
    assert_eq!(sites, same);
    assert!(all.contains("::mutation::") && !without.contains("::mutation::"));
}

#[test]
fn numbers_are_stable() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../macros/compiler/src/simplify/cse.rs");
    let text = std::fs::read_to_string(path).expect("the compiler is there");
    let (copy, sites) = switched(&text, &BTreeSet::new());
    assert!(syn::parse_file(&copy).is_ok());
    assert!(sites.len() > 20, "only {} sites", sites.len());
    assert_eq!((copy.clone(), sites.clone()), switched(&text, &BTreeSet::new()));
    // One that is left out does not move the others.
    let (_, others) = switched(&text, &BTreeSet::from([sites[3].id]));
    assert_eq!(sites, others);
    for site in &sites {
        assert!(copy.contains(&format!("{}usize", site.id)), "{site} has no switch");
    }
}

#[test]
fn rows_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(table::FILE);
    let text = std::fs::read_to_string(path).expect("the table is there");
    let sites = table::sites(&text, 7);
    assert_eq!(sites[0].id, 7);
    let of = |wanted: &str, place: usize| -> Vec<&str> {
        let texts = sites.iter().filter_map(|site| match &site.mutation {
            Mutation::Partial { row, index, to, .. } if row == wanted && *index == place => {
                Some(&**to)
            }
            _ => None,
        });
        texts.collect()
    };
    assert_eq!(of("sin", 0), ["- (x . cos ())", "x"]);
    assert_eq!(of("div", 0), ["- (1.0 / b)", "1.0 * b", "b / 1.0", "1.0", "b"]);
    for rule in cotangent_rules::RULES {
        let changes = of(rule.name, 0);
        assert!(!changes.is_empty() && !changes.contains(&rule.partials[0]), "{}", rule.name);
    }
    let switched = table::switched(&text, &sites);
    assert!(
        switched.contains("partials: Partials,") && switched.contains("Partials(stringify!($name)")
    );
}

#[test]
fn known_ones_are_there() {
    let names: BTreeSet<String> = known::names(&workspace::sites()).into_iter().collect();
    for (site, reason) in known::rows() {
        assert!(names.contains(&site), "no such mutant: {site}");
        assert!(!reason.is_empty(), "no reason: {site}");
    }
}
