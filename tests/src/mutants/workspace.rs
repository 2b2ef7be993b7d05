//! The mutated copy of the workspace, and what is built of it.
//!
//! In: the sources of the compiler, of the table, of the macros and of `cotangent`. Out: a folder with the same, in which
//! the compiler has all of its mutants, the package `expand`, and the package `trial`, for which all that tests need is
//! built. Sites that rustc does not take are left out, and noted in the folder for the next time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::site::Site;
use super::{known, schemata, table};
use crate::target;

/// The compiler's sources, from the root of the repository.
const COMPILER: &str = "macros/compiler/src";

/// A mutated copy that is built.
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
    /// All mutants that can be switched on.
    pub sites: Vec<Site>,
    /// Why some of them are known to live, by their numbers.
    pub known: BTreeMap<usize, String>,
    /// The program that runs the compiler.
    pub expand: PathBuf,
    /// What rustc is given so that it finds the libraries that tests need.
    pub externs: Vec<String>,
}

/// The root of the repository.
pub(super) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the repository is there")
}

impl Workspace {
    /// Writes the copy and builds it.
    ///
    /// # Panics
    ///
    /// When the copy cannot be written, or does not compile for another reason than a mutant.
    #[must_use]
    pub fn build() -> Workspace {
        let root = target::folder().join("mutants");
        copy(&root);
        let rejected = root.join("rejected.txt");
        let mut left_out = noted(&rejected, &mutated(&BTreeSet::new()).0);
        let sites = loop {
            let (sites, files) = mutated(&left_out);
            // A file that changes is compiled anew, so none is written but as it is to be.
            files.iter().for_each(|(file, text)| save(&root.join(file), text));
            let checked = cargo(&root, &["check", "-p", "cotangent-compiler"]);
            let Err(messages) = checked else { break sites };
            let found = blamed(&root, &messages);
            assert!(
                !found.is_empty(),
                "the copy does not compile, but not because of a mutant:\n{messages}"
            );
            left_out.extend(found);
            note(&rejected, &sites, &left_out);
        };
        cargo(&root, &["build", "-p", "expand"]).expect("what runs the compiler compiles");
        let externs = externs(&root);
        let expand = root.join("target/debug/expand");
        let known = known::reasons(&sites);
        let sites = sites.into_iter().filter(|site| !left_out.contains(&site.id)).collect();
        Workspace { root, sites, known, expand, externs }
    }
}

/// All mutants of the repository, those included that rustc does not take.
///
/// # Panics
///
/// When a source file cannot be read.
#[must_use]
pub fn sites() -> Vec<Site> {
    mutated(&BTreeSet::new()).0
}

/// All sites, and the files with switches: their names from the root, and their texts.
fn mutated(left_out: &BTreeSet<usize>) -> (Vec<Site>, Vec<(String, String)>) {
    let root = repository();
    let (mut sites, mut files, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    sources(&root.join(COMPILER), &mut paths);
    for path in paths {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let file = path.strip_prefix(&root).expect("it is in the repository").display().to_string();
        let first = sites.len() + 1;
        let (text, found) =
            schemata::schemata(&file, &text, first, left_out).expect("a source file is Rust");
        sites.extend(found);
        files.push((file, text));
    }
    let text = fs::read_to_string(root.join(table::FILE)).expect("the table can be read");
    sites.extend(table::sites(&text, sites.len() + 1));
    files.push((table::FILE.into(), table::switched(&text, &sites)));
    (sites, files)
}

/// The sites that were rejected before, as far as they are what they were.
fn noted(path: &Path, sites: &[Site]) -> BTreeSet<usize> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: BTreeSet<&str> = text.lines().collect();
    let known = sites.iter().filter(|site| lines.contains(&*site.to_string()));
    known.map(|site| site.id).collect()
}

fn note(path: &Path, sites: &[Site], left_out: &BTreeSet<usize>) {
    let rejected = sites.iter().filter(|site| left_out.contains(&site.id));
    save(path, &rejected.map(|site| format!("{site}\n")).collect::<String>());
}

/// Runs cargo in the copy, and returns what it says where it fails.
fn cargo(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(arguments).args(["--offline", "--color=never", "--target-dir"]);
    command.arg(root.join("target")).env("CARGO_INCREMENTAL", "0").env("RUSTFLAGS", "-Awarnings");
    command.env_remove("COTANGENT_MUTANT");
    let output = command.output().expect("cargo can be run");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(messages) } else { Err(messages) }
}

/// The sites that rustc's errors show, or the last ones before such an error.
fn blamed(root: &Path, messages: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for message in messages.split("\nerror").filter(|message| message.contains("--> ")) {
        let shown: Vec<usize> = message.lines().flat_map(numbers).collect();
        let shown =
            if shown.is_empty() { before(root, message).unwrap_or_default() } else { shown };
        found.extend(shown);
    }
    found
}

/// The sites nearest before the place of an error.
fn before(root: &Path, message: &str) -> Option<Vec<usize>> {
    let (_, place) = message.split_once("--> ")?;
    let mut parts = place.lines().next()?.split(':');
    let text = fs::read_to_string(root.join(parts.next()?)).ok()?;
    let line = parts.next()?.parse().ok()?;
    let lines: Vec<&str> = text.lines().take(line).collect();
    lines.iter().rev().map(|line| numbers(line)).find(|numbers| !numbers.is_empty())
}

/// The numbers of switches on a line, as they are written in the copy.
fn numbers(line: &str) -> Vec<usize> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.strip_suffix("usize")?.parse().ok()).collect()
}

/// What rustc is given when it compiles what depends on all that tests need.
fn externs(root: &Path) -> Vec<String> {
    // Cargo shows the call of rustc only when it makes it.
    fs::write(root.join("trial/src/lib.rs"), "").expect("the copy can be written");
    let messages = cargo(root, &["build", "-v", "-p", "trial"]).expect("what tests need compiles");
    let call = messages.lines().rev().find(|line| line.contains("--crate-name trial"));
    let words: Vec<&str> = call.expect("trial is compiled").split(' ').collect();
    let pairs = words.windows(2).filter(|pair| matches!(pair[0], "--extern" | "-L"));
    // To be linked, a library has to be there in full.
    pairs.flatten().map(|word| word.trim_end_matches('`').replace(".rmeta", ".rlib")).collect()
}

/// The source files below a folder, in the order of their paths.
pub(super) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the sources are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Copies what has no mutants.
fn copy(root: &Path) {
    let from = repository();
    for folder in ["core", "rules", "macros"] {
        let mut paths = Vec::new();
        sources(&from.join(folder).join("src"), &mut paths);
        paths.push(from.join(folder).join("Cargo.toml"));
        for path in paths {
            let file = path.strip_prefix(&from).expect("it is in the repository");
            if file != Path::new(table::FILE) {
                save(&root.join(file), &fs::read_to_string(&path).expect("a file can be read"));
            }
        }
    }
    let manifest = fs::read_to_string(from.join("Cargo.toml")).expect("the manifest can be read");
    save(&root.join("Cargo.toml"), &workspace_manifest(&manifest));
    if let Ok(lock) = fs::read_to_string(from.join("Cargo.lock")) {
        save(&root.join("Cargo.lock"), &lock);
    }
    for (package, mutations) in [("rules", "../mutation"), ("macros/compiler", "../../mutation")] {
        let path = from.join(package).join("Cargo.toml");
        let manifest = fs::read_to_string(path).expect("a manifest can be read");
        save(&root.join(package).join("Cargo.toml"), &with_mutation(&manifest, mutations));
    }
    packages(root);
}

/// The workspace's manifest with the members of the copy, built so that the compiler is fast and the rest is soon there.
fn workspace_manifest(manifest: &str) -> String {
    let members = "members = [\"core\", \"rules\", \"macros\", \"macros/compiler\", \"mutation\", \"expand\", \"trial\"]";
    let kept = manifest.split("[profile").next().unwrap_or_default();
    let lines =
        kept.lines().map(|line| if line.starts_with("members = ") { members } else { line });
    let kept: String = lines.map(|line| format!("{line}\n")).collect();
    format!(
        "{kept}[profile.dev]\nopt-level = 1\ndebug = false\nincremental = false\n\n\
         [profile.dev.build-override]\nopt-level = 1\n"
    )
}

fn with_mutation(manifest: &str, path: &str) -> String {
    let line = format!("[dependencies]\nmutation = {{ path = \"{path}\" }}\n");
    match manifest.split_once("[dependencies]\n") {
        Some((head, rest)) => format!("{head}{line}{rest}"),
        None => format!("{manifest}\n{line}"),
    }
}

/// The packages that only the copy has.
fn packages(root: &Path) {
    let manifest = |name: &str, rest: &str| {
        let head = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n"
        );
        save(&root.join(name).join("Cargo.toml"), &format!("{head}\n{rest}"));
    };
    manifest("mutation", "");
    save(&root.join("mutation/src/lib.rs"), include_str!("switch.rs"));
    manifest(
        "expand",
        "[dependencies]\ncotangent-compiler.workspace = true\nmutation = { path = \"../mutation\" }\nproc-macro2.workspace = true\n",
    );
    save(&root.join("expand/src/main.rs"), include_str!("expand.rs"));
    save(&root.join("expand/src/case.rs"), include_str!("../inputs/case.rs"));
    manifest(
        "trial",
        "[dependencies]\ncotangent = { workspace = true, features = [\"linalg\", \"sparse\", \"special\"] }\nexpect-test.workspace = true\nnum-traits.workspace = true\n",
    );
    save(&root.join("trial/src/lib.rs"), "");
}

/// Writes a file unless it is the same already, since cargo goes by its time.
pub(super) fn save(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a file is in a folder"))
        .expect("a folder can be made");
    fs::write(path, text).expect("the copy can be written");
}
