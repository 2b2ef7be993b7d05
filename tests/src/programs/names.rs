//! Names that collide: every word of the compiler's own source is the name of something of the user's.
//!
//! The words are read from the source at run time, so that none is missing. A program takes the next few
//! of them, and so neighbouring seeds use them all. Which names a word can replace depends on what Rust
//! looks up by that name: a variable hides functions that the program calls, an item also types and macros.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use super::random::Random;
use super::syntax::{Names, Program};
use super::{harness, print};

/// The kind of thing that a name of the generator's stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A variable, a parameter or a label.
    Variable,
    /// A field.
    Field,
    /// A function, a type, a constant, a module or a macro.
    Item,
}

/// How many words a program uses at most.
pub const SHARE: usize = 24;

/// Words that cannot be names.
const KEYWORDS: &[&str] = &[
    "Self",
    "_",
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "macro_rules",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Constructors that a pattern of one word would be.
const CONSTRUCTORS: &[&str] = &["Err", "None", "Ok", "Some"];

/// Functions of the library's that calls are taken for: others of these names do not compile.
const LIBRARY: &[&str] = &["stop_gradient"];

/// The method of floats with two results, which no trait stands for. Nor does one for those that integers alone have.
const PAIRS: &[&str] = &["sin_cos"];

/// Methods that floats have by traits of the library's and of the tests', which another trait's are ambiguous with, and
/// the trait that the derive defines beside a type.
const AMBIGUOUS: &[&str] = &[
    "DifferentiableMustNotImplDrop",
    "conform",
    "conforms",
    "dim",
    "perturb",
    "put",
    "read_from",
    "share",
    "tangent",
    "visit",
    "write_to",
    "zero_tangent",
];

/// Types that heads are read by: another type of this name is an error.
const TEXTS: &[&str] = &["String"];

/// The functions and types that every program imports by `*`: a variant that is imported likewise cannot have their names.
const PRELUDE: &str = include_str!("prelude.rs");

/// Ends of names that emitted code might give.
const ENDS: &[&str] = &["_bar", "_dot", "_tangent", "_gradient", "_old", "_len", "_0", "0", "_"];

/// All words of the compiler's source that can be names.
///
/// # Panics
///
/// When the source cannot be read.
#[must_use]
pub fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut found = BTreeSet::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../macros/compiler/src"), &mut found);
        assert!(found.len() > 1000, "the compiler's source is not where it was");
        let mut words: Vec<String> = found.into_iter().collect();
        // Words that stand together mean similar things.
        words.sort_by_key(|word| word.bytes().fold(7, mixed));
        words
    })
}

fn mixed(seed: u64, byte: u8) -> u64 {
    Random::new(seed ^ u64::from(byte)).seed()
}

fn collect(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the compiler's source can be read") {
        let path = entry.expect("the compiler's source can be read").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("the compiler's source can be read");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            code.for_each(|line| found.extend(split(line).filter(can_name).map(String::from)));
        }
    }
}

/// The words of a text.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

fn can_name(word: &&str) -> bool {
    let begins = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && !KEYWORDS.contains(word) && word.bytes().any(|byte| byte != b'_')
}

/// How likely a program spells items as it likes.
const FREE_SPELLING: f64 = 0.1;

/// New names for those that the generator made, and whether an item may be spelled unlike what it is.
pub(super) fn choose(program: &Program, made: &[(String, Role)], capitals: bool) -> (Names, bool) {
    let mut random = Random::new(program.seed ^ 0x6e61_6d65);
    let is_free = random.chance(FREE_SPELLING);
    let text = format!("{}{}", print::program(program), harness::subject(program));
    let mut taken = Taken::of(&text, capitals);
    let mut open = made.to_vec();
    let mut names = Names::new();
    let words = words();
    let first = usize::try_from(program.seed % words.len() as u64).expect("it is below a usize");
    for at in 0..SHARE {
        let word = &words[(first * SHARE + at) % words.len()];
        // A name that is not changed is another one's still.
        if made.iter().any(|(name, _)| name == word) {
            continue;
        }
        let is_fit = |(name, role): &(String, Role)| {
            !taken.is(word, *role) && (*role != Role::Item || is_free || spells_like(name, word))
        };
        let fits: Vec<usize> = (0..open.len()).filter(|one| is_fit(&open[*one])).collect();
        if fits.is_empty() || !taken.add(word) {
            continue;
        }
        let (name, _) = open.swap_remove(random.pick(&fits));
        names.insert(name, word.clone());
    }
    for (name, role) in open {
        let others: Vec<&String> = names.values().collect();
        if role == Role::Item || others.is_empty() || !random.chance(0.2) {
            continue;
        }
        let word = format!("{}{}", random.pick(&others), random.pick(ENDS));
        if !taken.is(&word, role) && taken.add(&word) {
            names.insert(name, word);
        }
    }
    (names, is_free)
}

/// Whether an item can have another name without being taken for something else: a type begins with a capital letter,
/// a function is not spelled as a type or as one of the library's, and a module begins with a small letter.
fn spells_like(name: &str, word: &str) -> bool {
    let is_capital = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    let has_small = |text: &str| text.contains(|c: char| c.is_ascii_lowercase());
    let capitals = name.chars().filter(char::is_ascii_uppercase).count();
    match (is_capital(name), is_capital(word)) {
        (false, is_capital) => !is_capital && !LIBRARY.contains(&word),
        (true, false) => is_function(name, capitals),
        (true, true) => !is_function(name, capitals) || word.contains('_') || !has_small(word),
    }
}

/// Whether the generator names a function or a static by this: by two capital letters or more and no small one.
fn is_function(name: &str, capitals: usize) -> bool {
    capitals > 1 && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// Names that mean something in a program already.
struct Taken {
    /// All words of the text.
    words: BTreeSet<String>,
    /// The functions that are called without a path.
    called: BTreeSet<String>,
    /// The words that were given to names already.
    given: BTreeSet<String>,
    /// Whether variables may begin with a capital letter.
    capitals: bool,
}

impl Taken {
    fn of(text: &str, capitals: bool) -> Taken {
        let declared = PRELUDE.lines().filter(|line| line.starts_with("pub "));
        let declared = declared.filter_map(|line| split(line).nth(2));
        let words = split(text).chain(declared).map(String::from).collect();
        let called = text.match_indices('(').filter_map(|(at, _)| {
            let name =
                text[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
            let before = text[..at - name.len()].chars().next_back();
            (!matches!(before, Some('.' | ':'))).then(|| name.into())
        });
        Taken { words, called: called.collect(), given: BTreeSet::new(), capitals }
    }

    fn is(&self, word: &str, role: Role) -> bool {
        match role {
            Role::Field => false,
            Role::Variable => {
                let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
                is_capital && !self.capitals
                    || self.called.contains(word)
                    || CONSTRUCTORS.contains(&word)
            }
            Role::Item => {
                self.words.contains(word)
                    || CONSTRUCTORS.contains(&word)
                    || AMBIGUOUS.contains(&word)
                    || PAIRS.contains(&word)
                    || cotangent_rules::is_of_integers(word)
                    || TEXTS.contains(&word)
            }
        }
    }

    fn add(&mut self, word: &str) -> bool {
        self.given.insert(word.into())
    }
}
