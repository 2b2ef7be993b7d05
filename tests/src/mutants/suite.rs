//! The tests as what can be taken apart: which of them can notice a fault, and the least code that a test needs.
//!
//! In: the files of the test binaries. Out: nodes, which are items and rows of macros; the inputs that macros get in
//! each; and the text of a crate with nothing but some tests and what they mention, in the modules that they are in.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::pieces::{beside, described, function, split, uncommented, words, written};
use super::workspace::{repository, sources};
use crate::inputs::case::{Case, Entry};
use crate::inputs::collect;

/// The roots of test binaries, with the modules that are taken of them; all where none is named.
const ROOTS: [(&str, &[&str]); 6] = [
    ("corpus/language/main.rs", &[]),
    ("corpus/data/main.rs", &[]),
    ("corpus/composition/main.rs", &[]),
    ("corpus/applications/main.rs", &[]),
    ("meaning.rs", &["costs", "semantics", "snapshots"]),
    ("interface.rs", &["contract", "derive", "panics", "tester"]),
];

/// The macros whose rows are tests of a function, and how often each differentiates it.
const ROWS: [(&str, usize); 3] = [("first_order", 1), ("corpus", 2), ("third_order", 3)];

/// What a node is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An item, which is there if it is mentioned.
    Item,
    /// What is there if its file is.
    Always,
    /// An `impl`, which is there if these items of its file are.
    Impl(BTreeSet<String>),
    /// A module in a file of its own.
    Module(usize),
    /// A row of a macro: a test.
    Row(&'static str),
    /// A row of `checks!`: likewise.
    Check,
    /// A function with `#[test]`.
    Test,
}

/// A part of a file.
struct Node {
    file: usize,
    kind: Kind,
    /// The line on which it begins. It stays on its line, as far as there is room: tests look at lines.
    line: usize,
    text: String,
    names: BTreeSet<String>,
    mentions: BTreeSet<String>,
}

struct File {
    path: PathBuf,
    module: String,
    parent: Option<usize>,
    nodes: Vec<usize>,
}

/// Where an input stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a node, by its number.
    Node(usize),
    /// In a file that says which errors a mistake has.
    Mistake(PathBuf),
}

/// A test with all that it needs.
pub struct Unit {
    /// Its number as a node.
    pub node: usize,
    /// All nodes that are there when it is compiled alone.
    pub needs: BTreeSet<usize>,
    /// The length of their text.
    pub size: usize,
}

/// All tests, and the inputs in them.
pub struct Suite {
    files: Vec<File>,
    nodes: Vec<Node>,
    named: HashMap<String, Vec<usize>>,
    /// The macros of the corpus.
    rows: String,
    /// The inputs.
    pub cases: Vec<(Case, Place)>,
    /// The tests, the shortest first.
    pub units: Vec<Unit>,
}

impl Suite {
    /// Reads the tests of the repository.
    ///
    /// # Panics
    ///
    /// When they cannot be read.
    #[must_use]
    pub fn read() -> Suite {
        let mut suite = Suite {
            files: Vec::new(),
            nodes: Vec::new(),
            named: HashMap::new(),
            rows: String::new(),
            cases: Vec::new(),
            units: Vec::new(),
        };
        let tests = repository().join("tests/tests");
        for (root, modules) in ROOTS {
            suite.file(&tests.join(root), "crate", None, modules);
        }
        for (index, node) in suite.nodes.iter().enumerate() {
            for name in &node.names {
                suite.named.entry(name.clone()).or_default().push(index);
            }
        }
        suite.cases = (0..suite.nodes.len()).flat_map(|node| suite.cases_of(node)).collect();
        suite.cases.extend(mistakes());
        suite.units = (0..suite.nodes.len()).filter_map(|node| suite.unit(node)).collect();
        suite.units.sort_by_key(|unit| unit.size);
        suite
    }

    /// Reads a file and those of its modules.
    fn file(
        &mut self,
        path: &Path,
        module: &str,
        parent: Option<usize>,
        modules: &[&str],
    ) -> usize {
        let file = self.files.len();
        self.files.push(File {
            path: path.into(),
            module: module.into(),
            parent,
            nodes: Vec::new(),
        });
        let text =
            fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let syntax = syn::parse_file(&text).expect("a test is Rust");
        for item in syntax.items {
            match item {
                syn::Item::Mod(item) if item.content.is_none() => {
                    let name = item.ident.to_string();
                    if modules.is_empty() || modules.contains(&&*name) {
                        self.module(file, item);
                    }
                }
                item => self.item(file, &text, &item),
            }
        }
        file
    }

    fn module(&mut self, file: usize, mut item: syn::ItemMod) {
        let path = self.files[file].path.clone();
        let name = item.ident.to_string();
        if name == "rows" {
            // It is the same in all binaries of the corpus, and there is one of it.
            self.rows = uncommented(&path.with_file_name("../rows.rs"));
            return;
        }
        let inner = self.file(&beside(&path, &name), &name, Some(file), &[]);
        item.attrs.retain(|attribute| {
            matches!(attribute.style, syn::AttrStyle::Outer) && !attribute.path().is_ident("doc")
        });
        let (names, mentions) = (BTreeSet::new(), BTreeSet::new());
        self.push(Node {
            file,
            kind: Kind::Module(inner),
            line: 0,
            text: item.to_token_stream().to_string().trim_end_matches(';').to_owned(),
            names,
            mentions,
        });
    }

    fn push(&mut self, node: Node) {
        self.files[node.file].nodes.push(self.nodes.len());
        self.nodes.push(node);
    }

    fn item(&mut self, file: usize, source: &str, item: &syn::Item) {
        let tokens = item.to_token_stream();
        if let syn::Item::Macro(call) = item
            && let Some(name) = call.mac.path.get_ident()
        {
            let known = ROWS.iter().find(|(row, _)| name == row);
            if let Some(kind) =
                known.map(|(row, _)| Kind::Row(row)).or((name == "checks").then_some(Kind::Check))
            {
                split(call.mac.tokens.clone())
                    .into_iter()
                    .for_each(|row| self.row(file, source, &kind, row));
                return;
            }
        }
        let (kind, names) = described(item);
        let mentions = words(tokens.clone());
        let (line, text) = written(source, &tokens);
        self.push(Node { file, kind, line, text, names, mentions });
    }

    fn row(&mut self, file: usize, source: &str, kind: &Kind, row: TokenStream) {
        let name = match kind {
            Kind::Row(_) => {
                row.clone().into_iter().skip_while(|token| token.to_string() != "fn").nth(1)
            }
            _ => None,
        };
        let names = name.iter().map(ToString::to_string).collect();
        let mentions = words(row.clone());
        let (line, text) = written(source, &row);
        self.push(Node { file, kind: kind.clone(), line, text, names, mentions });
    }

    /// The inputs in a node.
    fn cases_of(&self, index: usize) -> Vec<(Case, Place)> {
        let node = &self.nodes[index];
        let tokens = || node.text.parse::<TokenStream>().expect("tokens are printed as tokens");
        let cases = match &node.kind {
            Kind::Row(row) => {
                let orders =
                    ROWS.iter().find(|(name, _)| name == row).map_or(1, |(_, orders)| *orders);
                let before = "#[cotangent::differentiate] ".repeat(orders - 1);
                vec![Case::new(
                    Entry::Differentiate,
                    "",
                    &format!("{before}{}", function(tokens())),
                )]
            }
            Kind::Item | Kind::Impl(_) | Kind::Test => {
                let mut found = Vec::new();
                collect::search(tokens(), false, &mut found);
                found
            }
            _ => Vec::new(),
        };
        cases.into_iter().map(|case| (case, Place::Node(index))).collect()
    }

    fn unit(&self, node: usize) -> Option<Unit> {
        let is_test = matches!(self.nodes[node].kind, Kind::Row(_) | Kind::Check | Kind::Test);
        is_test.then(|| {
            let needs = self.needs(node);
            let size = needs.iter().map(|node| self.nodes[*node].text.len()).sum();
            Unit { node, needs, size }
        })
    }

    /// All that a node mentions, and all that that mentions.
    fn needs(&self, node: usize) -> BTreeSet<usize> {
        let mut needs = BTreeSet::from([node]);
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            let found = self.nodes[node].mentions.iter().flat_map(|name| self.meant(node, name));
            let found: Vec<usize> = found.chain(self.always(self.nodes[node].file)).collect();
            todo.extend(found.into_iter().filter(|other| needs.insert(*other)));
            if todo.is_empty() {
                todo.extend(self.impls(&needs).into_iter().filter(|block| needs.insert(*block)));
            }
        }
        needs
    }

    /// What is there where anything of a file is: the same of the files around it, too.
    fn always(&self, file: usize) -> Vec<usize> {
        let around = self.around(file);
        let nodes = around.iter().flat_map(|file| &self.files[*file].nodes);
        nodes.copied().filter(|node| self.nodes[*node].kind == Kind::Always).collect()
    }

    /// A file and those around it.
    fn around(&self, file: usize) -> Vec<usize> {
        std::iter::successors(Some(file), |file| self.files[*file].parent).collect()
    }

    /// The nodes that a name may mean in a node.
    fn meant(&self, node: usize, name: &str) -> Vec<usize> {
        let Node { file, mentions, .. } = &self.nodes[node];
        let around = self.around(*file);
        let is_elsewhere = mentions.contains("crate") || mentions.contains("super");
        let is_meant = |other: &&usize| {
            let there = self.nodes[**other].file;
            around.contains(&there)
                || mentions.contains(&self.files[there].module)
                    && (is_elsewhere || self.around(there).contains(file))
        };
        self.named.get(name).into_iter().flatten().filter(is_meant).copied().collect()
    }

    /// The `impl` blocks whose types and traits are there.
    fn impls(&self, needs: &BTreeSet<usize>) -> Vec<usize> {
        let files: BTreeSet<usize> = needs.iter().map(|node| self.nodes[*node].file).collect();
        let is_there = |file: usize, name: &String| {
            needs.iter().any(|node| {
                self.nodes[*node].file == file && self.nodes[*node].names.contains(name)
            })
        };
        let blocks = files.iter().flat_map(|file| &self.files[*file].nodes).filter(|node| {
            match &self.nodes[**node].kind {
                Kind::Impl(of) => {
                    let file = self.nodes[**node].file;
                    of.iter().filter(|name| self.is_of(file, name)).all(|name| is_there(file, name))
                }
                _ => false,
            }
        });
        blocks.copied().collect()
    }

    /// Whether a file has something of a name.
    fn is_of(&self, file: usize, name: &str) -> bool {
        self.named.get(name).into_iter().flatten().any(|node| self.nodes[*node].file == file)
    }

    /// A crate with some tests and what they need.
    #[must_use]
    pub fn text(&self, units: &[&Unit]) -> String {
        let needs: BTreeSet<usize> =
            units.iter().flat_map(|unit| unit.needs.iter().copied()).collect();
        let roots = self.files.iter().enumerate().filter(|(_, file)| file.parent.is_none());
        let text: String = roots.map(|(root, _)| self.text_of(root, &needs)).collect();
        format!("#![allow(warnings)]\n#[macro_use]\nmod rows {{\n{}\n}}\n{text}", self.rows)
    }

    /// The same for the tests of a name.
    #[must_use]
    pub fn text_named(&self, name: &str) -> String {
        let units =
            self.units.iter().filter(|unit| self.name(unit).ends_with(&format!(": {name}")));
        self.text(&units.collect::<Vec<_>>())
    }

    fn text_of(&self, file: usize, needs: &BTreeSet<usize>) -> String {
        let (mut text, mut checks) = (String::new(), String::new());
        for index in &self.files[file].nodes {
            let node = &self.nodes[*index];
            match &node.kind {
                Kind::Module(inner) => {
                    let inside = self.text_of(*inner, needs);
                    if !inside.is_empty() {
                        text.push_str(&format!("{} {{\n{inside}}}\n", node.text));
                    }
                }
                _ if !needs.contains(index) => {}
                Kind::Check => checks.push_str(&format!("{} ;\n", node.text)),
                kind => {
                    let line = text.lines().count() + 1;
                    text.push_str(&"\n".repeat(node.line.saturating_sub(line)));
                    match kind {
                        Kind::Row(row) => text.push_str(&format!("{row}! {{ {} ; }}\n", node.text)),
                        _ => text.push_str(&format!("{}\n", node.text)),
                    }
                }
            }
        }
        if !checks.is_empty() {
            text.push_str(&format!("checks! {{ {checks} }}\n"));
        }
        text
    }

    /// The file and the first words of a test.
    #[must_use]
    pub fn name(&self, unit: &Unit) -> String {
        let node = &self.nodes[unit.node];
        let is_mark = |c: char| !(c.is_alphanumeric() || c == '_');
        let words: Vec<&str> = node.text.split(is_mark).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| *word == "fn").map_or(0, |at| at + 1);
        let file = self.files[node.file].path.strip_prefix(repository().join("tests/tests"));
        let path = file.map_or(String::new(), |path| path.display().to_string());
        format!("{path}: {}", words.get(at).copied().unwrap_or_default())
    }

    /// Whether a test compares the text of a stage.
    #[must_use]
    pub fn looks_at_stages(&self, unit: &Unit) -> bool {
        self.nodes[unit.node].mentions.contains("dump")
    }

    /// The file that a test is in.
    #[must_use]
    pub fn file_of(&self, unit: &Unit) -> usize {
        self.nodes[unit.node].file
    }

    /// The tests in which a place is compiled, the shortest first.
    #[must_use]
    pub fn units_by_node(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut units: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, unit) in self.units.iter().enumerate() {
            unit.needs.iter().for_each(|node| units.entry(*node).or_default().push(index));
        }
        units
    }
}

/// The inputs of tests that say what the errors of a mistake are.
fn mistakes() -> Vec<(Case, Place)> {
    let mut paths = Vec::new();
    sources(&repository().join("ui-tests/fail"), &mut paths);
    let cases = paths.into_iter().flat_map(|path| {
        let text = fs::read_to_string(&path).expect("a test can be read");
        let mut found = Vec::new();
        if let Ok(tokens) = text.parse() {
            collect::search(tokens, false, &mut found);
        }
        found.into_iter().map(move |case| (case, Place::Mistake(path.clone()))).collect::<Vec<_>>()
    });
    cases.collect()
}
