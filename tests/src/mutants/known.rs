//! Mutants that are known to live, with the reason.
//!
//! In: the table `known.txt`. Out: for each site that has a row there, why no test notices it. A row is a site as it is
//! printed, without its number and line, which change with the file; where a function has the same change more than
//! once, a number behind it says which it is. The indented lines below are the reason. **Invariant:** each row is of a
//! site that there is, so that no reason outlives its code.

use std::collections::BTreeMap;

use super::site::Site;

const TABLE: &str = include_str!("known.txt");

/// All rows: a site and the reason.
///
/// ```
/// let rows = cotangent_tests::mutants::known::rows();
/// assert!(rows.iter().all(|(site, reason)| site.contains(" in `") && !reason.is_empty()));
/// ```
#[must_use]
pub fn rows() -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match (line.strip_prefix("    "), rows.last_mut()) {
            (Some(part), Some((_, reason))) => {
                let gap = if reason.is_empty() { "" } else { " " };
                *reason = format!("{reason}{gap}{part}");
            }
            _ => rows.push((line.to_owned(), String::new())),
        }
    }
    rows
}

/// What stands for each site in a table's row.
///
/// ```
/// use cotangent_tests::mutants::{known, site::{Mutation, Site}};
///
/// let site = |id| Site {
///     id,
///     file: "a.rs".into(),
///     line: 7,
///     function: "f".into(),
///     mutation: Mutation::Operator("+", "-"),
/// };
/// assert_eq!(known::names(&[site(1), site(2)]), ["a.rs in `f`: `+` to `-`", "a.rs in `f`: `+` to `-` (2)"]);
/// ```
#[must_use]
pub fn names(sites: &[Site]) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let name = |site: &Site| {
        let Site { file, function, mutation, .. } = site;
        let name = format!("{file} in `{function}`: {mutation}");
        let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count == 1 { name } else { format!("{name} ({count})") }
    };
    sites.iter().map(name).collect()
}

/// The reasons, by the numbers of the sites. All sites must be given: those of one kind in a function are counted.
#[must_use]
pub fn reasons(sites: &[Site]) -> BTreeMap<usize, String> {
    let rows: BTreeMap<String, String> = rows().into_iter().collect();
    let named = sites.iter().zip(names(sites));
    named.filter_map(|(site, name)| Some((site.id, rows.get(&name)?.clone()))).collect()
}
