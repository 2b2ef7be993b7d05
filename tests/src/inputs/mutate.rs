//! Steps that change an input. A step is a seed: with the input before it determines the input after it.

use proc_macro2::{Delimiter, Ident, Literal, Punct, Spacing, Span, TokenTree};

use super::case::{Case, Entry};
use super::tree::{self, Node};
use super::{collect, splice};
use crate::programs::random::Random;

/// How long an input may become, in tokens.
const LONGEST: usize = 6000;

/// How often `#[differentiate]` may stand on an input: each order takes several times as long as the one before it.
const ORDERS: usize = 3;

/// The inputs that others are made of.
pub struct Corpus {
    cases: Vec<Case>,
}

/// An input that is made of one of the corpus by some steps.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The number of the input in the corpus.
    pub base: usize,
    /// The seeds of the steps.
    pub steps: Vec<u64>,
}

impl Default for Corpus {
    fn default() -> Self {
        Corpus::new()
    }
}

impl Corpus {
    /// The inputs of the repository.
    ///
    /// # Panics
    ///
    /// When the sources cannot be read.
    #[must_use]
    pub fn new() -> Corpus {
        Corpus { cases: collect::all() }
    }

    /// How many inputs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// The inputs.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// How an input is made.
    #[must_use]
    pub fn recipe(&self, seed: u64) -> Recipe {
        let mut random = Random::new(seed);
        let base = random.below(self.cases.len());
        let count = random.weighted(&[(6, 1), (4, 2), (3, 3), (2, 5), (1, 9), (1, 16)]);
        let steps = (0..count).map(|_| random.seed()).collect();
        Recipe { base, steps }
    }

    /// The input of a recipe.
    #[must_use]
    pub fn case(&self, recipe: &Recipe) -> Case {
        let mut case = self.cases[recipe.base].clone();
        for seed in &recipe.steps {
            if let Some(next) = self.step(&case, &mut Random::new(*seed)) {
                case = next;
            }
        }
        case
    }

    /// One of the inputs for the same kind of macro.
    fn donor(&self, entry: Entry, random: &mut Random) -> &Case {
        let tries = (0..20).map(|_| &self.cases[random.below(self.cases.len())]);
        let tries: Vec<&Case> = tries.collect();
        let same = tries.iter().find(|case| case.entry.is_on_item() == entry.is_on_item());
        same.copied().unwrap_or(tries[0])
    }

    /// An input after one more step. Nothing where it cannot be taken.
    fn step(&self, case: &Case, random: &mut Random) -> Option<Case> {
        let donor = self.donor(case.entry, random);
        let next = match random.weighted(&[(10, 0), (8, 1), (1, 2)]) {
            0 => with_input(case, &changed(&case.input, &donor.input, random)?),
            1 => with_input(case, &splice::spliced(&case.input, &donor.input, random)?),
            _ => with_attributes(case, donor, random)?,
        };
        let is_small = tree::size(&tree::parse(&next.input)?) <= LONGEST;
        (is_small && next.input.matches("differentiate").count() < ORDERS).then_some(next)
    }
}

fn with_input(case: &Case, input: &str) -> Case {
    Case::new(case.entry, &case.arguments, input)
}

/// Attributes and arguments that the corpus may not have in all combinations.
const ARGUMENTS: &[&str] = &[
    "forward",
    "reverse",
    "shared",
    "recursive",
    "debug",
    "skip",
    "dyn",
    "constant(x)",
    "wrt(x)",
    "wrt(self)",
    "constant(self)",
    "companion = other",
    "overlay(f = g)",
    "overlay(f64::sin = f64::cos)",
    "partials(x)",
    "partials(value, x)",
    "vjp = other",
    "jvp = other",
    "of = other",
    "constant()",
    "wrt(x::y)",
    "order = 2",
    "_",
    "forward, forward",
    "companion = 1",
    "overlay(f)",
    "vjp",
    "partials",
];

const ATTRIBUTES: &[&str] = &[
    "#[differentiate]",
    "#[inline]",
    "#[cfg(test)]",
    "#[primitive(partials(x))]",
    "#[zero_adjoint]",
    "#[primitive(vjp = other, jvp = other)]",
    "#[differentiate(forward)]",
    "#[checkpoint]",
    "#[derive(Clone)]",
    "#[differentiate(skip)]",
    "#[allow(unused)]",
    "#[must_use]",
    "#[doc = \"\"]",
    "pub",
    "pub(crate)",
    "const",
    "unsafe",
    "async",
    "extern \"C\"",
    "default",
];

/// Other arguments of the attribute, another macro, or one more attribute.
fn with_attributes(case: &Case, donor: &Case, random: &mut Random) -> Option<Case> {
    let mut next = case.clone();
    match random.below(6) {
        0 => next.arguments.clone_from(&donor.arguments),
        1 => next.arguments = random.pick(ARGUMENTS).into(),
        2 => next.arguments = format!("{}, {}", case.arguments, random.pick(ARGUMENTS)),
        3 => next.arguments = changed(&case.arguments, &donor.input, random)?,
        4 => next.entry = random.pick(&Entry::ALL),
        _ => next.input = format!("{} {}", random.pick(ATTRIBUTES), case.input),
    }
    Some(next)
}

/// What is done to tokens.
#[derive(Clone, Copy)]
enum Change {
    Delete,
    Duplicate,
    Swap,
    Exchange,
    Insert,
    Unwrap,
    Wrap,
    Literal,
    Operator,
    Name,
    Repeat,
    Nest,
}

const CHANGES: &[(usize, Change)] = &[
    (6, Change::Delete),
    (3, Change::Duplicate),
    (4, Change::Swap),
    (6, Change::Exchange),
    (4, Change::Insert),
    (3, Change::Unwrap),
    (3, Change::Wrap),
    (3, Change::Literal),
    (4, Change::Operator),
    (6, Change::Name),
    (1, Change::Repeat),
    (1, Change::Nest),
];

/// A text after one change of its tokens.
fn changed(text: &str, donor: &str, random: &mut Random) -> Option<String> {
    let mut nodes = tree::parse(text)?;
    let donor = tree::parse(donor)?;
    let change = random.weighted(CHANGES);
    let names = names(&nodes);
    let mut fit = random.below(tree::size(&nodes).max(1));
    // A change that is about tokens of a kind is done to one of that kind.
    for _ in 0..30 {
        let fits = tree::at(&mut nodes, fit, |list, index| change.fits(&list[index]))?;
        if fits {
            break;
        }
        fit = random.below(tree::size(&nodes));
    }
    tree::at(&mut nodes, fit, |list, index| change.apply(list, index, (&donor, &names), random))?;
    Some(tree::text(&nodes))
}

/// The names in some tokens.
fn names(nodes: &[Node]) -> Vec<Ident> {
    let of = |node: &Node| match node {
        Node::Leaf(TokenTree::Ident(name)) => vec![name.clone()],
        Node::Leaf(_) => Vec::new(),
        Node::Group(_, inner) => names(inner),
    };
    nodes.iter().flat_map(of).collect()
}

impl Change {
    /// Whether it is about such a token.
    fn fits(self, node: &Node) -> bool {
        match self {
            Change::Unwrap => matches!(node, Node::Group(..)),
            Change::Literal => matches!(node, Node::Leaf(TokenTree::Literal(_))),
            Change::Operator => matches!(node, Node::Leaf(TokenTree::Punct(_))),
            Change::Name => matches!(node, Node::Leaf(TokenTree::Ident(_))),
            _ => true,
        }
    }

    /// Changes a list of tokens at an index.
    fn apply(
        self,
        list: &mut Vec<Node>,
        index: usize,
        (donor, names): (&[Node], &[Ident]),
        random: &mut Random,
    ) {
        match self {
            Change::Delete => drop(list.remove(index)),
            Change::Duplicate => list.insert(index, list[index].clone()),
            Change::Swap => {
                let other = random.below(list.len());
                list.swap(index, other);
            }
            Change::Exchange => list[index] = taken(donor, &list[index], random),
            Change::Insert => {
                let node = taken(donor, &list[index], random);
                list.insert(index, node);
            }
            Change::Unwrap => {
                if let Node::Group(_, inner) = list.remove(index) {
                    list.splice(index..index, inner);
                }
            }
            Change::Wrap => wrap(list, index, random),
            Change::Literal => list[index] = literal(random),
            Change::Operator => {
                list.splice(index..=index, operator(random));
            }
            Change::Name => list[index] = name(names, random),
            Change::Repeat => repeat(list, index, random),
            Change::Nest => nest(list, index, random),
        }
    }
}

/// A token of a donor: of the same kind as another, if there is one soon.
fn taken(donor: &[Node], like: &Node, random: &mut Random) -> Node {
    let kind = |node: &Node| match node {
        Node::Leaf(TokenTree::Ident(_)) => 0,
        Node::Leaf(TokenTree::Punct(_)) => 1,
        Node::Leaf(_) => 2,
        Node::Group(Delimiter::Brace, _) => 3,
        Node::Group(Delimiter::Bracket, _) => 4,
        Node::Group(..) => 5,
    };
    let mut donor = donor.to_vec();
    let size = tree::size(&donor);
    let mut node = like.clone();
    for _ in 0..20 {
        let number = random.below(size.max(1));
        let Some(next) = tree::at(&mut donor, number, |list, index| list[index].clone()) else {
            break;
        };
        node = next;
        if kind(&node) == kind(like) {
            break;
        }
    }
    node
}

const DELIMITERS: [Delimiter; 4] =
    [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];

fn wrap(list: &mut Vec<Node>, index: usize, random: &mut Random) {
    let end = index + 1 + random.below((list.len() - index).min(8));
    let inner: Vec<Node> = list.drain(index..end).collect();
    list.insert(index, Node::Group(random.pick(&DELIMITERS), inner));
}

const LITERALS: &[&str] = &[
    "0",
    "1",
    "2",
    "0.0",
    "1.0",
    "1e308",
    "1e-320",
    "0x7fff_ffff_ffff_ffff",
    "999999999999999999999999999999999999999999",
    "1u8",
    "1.5f32",
    "2i32",
    "3usize",
    "\"text\"",
    "'c'",
    "b\"bytes\"",
    "b'x'",
    "c\"c\"",
    "1f64",
    "1e400",
    "0b1",
    "1_0.0_1",
    "100000",
    "340282366920938463463374607431768211455",
];

fn literal(random: &mut Random) -> Node {
    let text = random.pick(LITERALS);
    let literal: Literal = text.parse().expect("a literal");
    Node::Leaf(literal.into())
}

const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "=", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "!", "&", "|", "^",
    "<<", ">>", "+=", "-=", "*=", "/=", "..", "..=", ".", ",", ";", ":", "::", "?", "@", "->",
    "=>", "#", "$", "'",
];

fn operator(random: &mut Random) -> Vec<Node> {
    let text = random.pick(OPERATORS);
    let count = text.chars().count();
    let puncts = text.chars().enumerate().map(|(at, character)| {
        let spacing = if at + 1 < count { Spacing::Joint } else { Spacing::Alone };
        Node::Leaf(Punct::new(character, spacing).into())
    });
    // A quote alone is no token.
    if text == "'" {
        vec![Node::Leaf(Punct::new('?', Spacing::Alone).into())]
    } else {
        puncts.collect()
    }
}

const NAMES: &[&str] = &[
    "x",
    "self",
    "Self",
    "f64",
    "f32",
    "usize",
    "i32",
    "bool",
    "_",
    "mut",
    "ref",
    "return",
    "break",
    "continue",
    "loop",
    "while",
    "for",
    "if",
    "else",
    "match",
    "let",
    "move",
    "unsafe",
    "async",
    "await",
    "const",
    "static",
    "fn",
    "struct",
    "impl",
    "dyn",
    "where",
    "as",
    "in",
    "crate",
    "super",
    "r#loop",
    "vec",
    "Vec",
    "Some",
    "None",
    "Option",
    "iter",
    "iter_mut",
    "into_iter",
    "map",
    "zip",
    "enumerate",
    "rev",
    "sum",
    "fold",
    "filter",
    "take",
    "skip",
    "chunks",
    "windows",
    "len",
    "push",
    "pop",
    "swap",
    "clone",
    "borrow",
    "borrow_mut",
    "sin",
    "exp",
    "powi",
    "sqrt",
    "max",
    "abs",
    "Box",
    "Rc",
    "RefCell",
    "String",
    "str",
    "char",
    "true",
    "false",
    "jvp",
    "vjp",
    "gradient",
    "cotangent",
    "std",
    "checkpoint",
    "differentiate",
    "yield",
    "try",
    "macro_rules",
    "union",
    "pullback",
    "seed",
    "tape",
];

fn name(names: &[Ident], random: &mut Random) -> Node {
    let own = !names.is_empty() && random.chance(0.6);
    let name = match own {
        true => names[random.below(names.len())].clone(),
        false => match random.pick(NAMES) {
            "r#loop" => Ident::new_raw("loop", Span::call_site()),
            text => Ident::new(text, Span::call_site()),
        },
    };
    Node::Leaf(name.into())
}

/// Where the statement or the argument of an index begins and ends.
fn part(list: &[Node], index: usize) -> std::ops::Range<usize> {
    let ends = |node: &Node| {
        matches!(node, Node::Leaf(TokenTree::Punct(punct)) if ";,".contains(punct.as_char()))
            || matches!(node, Node::Group(Delimiter::Brace, _))
    };
    let start = list[..index].iter().rposition(ends).map_or(0, |before| before + 1);
    let end = list[index..].iter().position(ends).map_or(list.len(), |after| index + after + 1);
    start..end
}

fn repeat(list: &mut Vec<Node>, index: usize, random: &mut Random) {
    let range = part(list, index);
    let again: Vec<Node> = list[range.clone()].to_vec();
    let count = random.pick(&[2, 3, 5, 10, 20, 40]);
    let again = std::iter::repeat_n(again, count).flatten();
    list.splice(range.end..range.end, again);
}

/// Puts a part in itself, or in many groups.
fn nest(list: &mut Vec<Node>, index: usize, random: &mut Random) {
    let depth = random.pick(&[2, 3, 5, 10, 30, 60]);
    let delimiter = random.pick(&DELIMITERS);
    let range = part(list, index);
    let outer: Vec<Node> = list[range.clone()].to_vec();
    let into =
        outer.iter().rposition(|node| matches!(node, Node::Group(_, inner) if !inner.is_empty()));
    let mut inner = outer.clone();
    for _ in 0..depth {
        inner = match into {
            Some(into) => within(&outer, into, inner),
            None => vec![Node::Group(delimiter, inner)],
        };
        if tree::size(&inner) > LONGEST {
            return;
        }
    }
    list.splice(range, inner);
}

/// Some tokens, in whose group others follow what stands there.
fn within(outer: &[Node], into: usize, added: Vec<Node>) -> Vec<Node> {
    let mut all = outer.to_vec();
    if let Node::Group(_, inner) = &mut all[into] {
        inner.extend(added);
    }
    all
}
