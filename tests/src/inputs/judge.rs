//! Runs the compiler on one input, and says what is wrong with what it did.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Once, mpsc};
use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, TokenStream};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;

use super::case::{Case, Entry};
use super::tree::{self, Node};

/// The stack that rustc runs macros on, in bytes.
pub const STACK: usize = 8 << 20;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// Something panicked, whether or not the compiler made an error of it.
    Panic,
    /// It did not end in time.
    Hang,
    /// The process ended: the stack was too small.
    Overflow,
    /// What was emitted is not Rust.
    NoSyntax,
    /// What the user wrote is not in what was emitted.
    Lost,
    /// It takes much longer than others of its size.
    Slow,
}

/// A fault, where it is, and what is said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub fault: Fault,
    /// The line of a panic, or what the parser says: the same for findings with the same cause.
    pub place: String,
    /// What is said.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}: {}", self.fault, self.place, self.message.replace('\n', " "))
    }
}

/// What a run was like.
#[derive(Clone, Debug)]
pub struct Run {
    /// How many tokens were given.
    pub tokens: usize,
    /// How many came out.
    pub emitted: usize,
    /// Whether errors were reported.
    pub failed: bool,
    /// How long it took.
    pub time: Duration,
}

thread_local! {
    /// Where the thread has panicked, and what was said.
    static PANICS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Notes panics of threads that judge, and lets others be printed as always.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() != Some(THREAD) {
                return before(info);
            }
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let message = text_of(info.payload()).to_owned();
            PANICS.with_borrow_mut(|panics| panics.push((place, message)));
        }));
    });
}

/// The message of a panic, where it has one.
fn text_of(payload: &dyn Any) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// The name of threads that judge.
const THREAD: &str = "judge";

/// What the compiler did with a case, and where it panicked.
type Judged = (std::thread::Result<Result<Run, Finding>>, Vec<(String, String)>);

/// A thread with the stack of a macro, which judges one case after the other: to start one for each takes a fifth of the
/// time.
struct Judge {
    cases: mpsc::Sender<Case>,
    judged: mpsc::Receiver<Judged>,
}

impl Judge {
    fn new() -> Self {
        install();
        let (cases, given) = mpsc::channel::<Case>();
        let (told, judged) = mpsc::channel();
        let thread = std::thread::Builder::new().name(THREAD.into()).stack_size(STACK);
        let spawned = thread.spawn(move || {
            for case in given {
                let outcome = catch_unwind(AssertUnwindSafe(|| run(&case)));
                let panicked = PANICS.with_borrow_mut(std::mem::take);
                if told.send((outcome, panicked)).is_err() {
                    // Nobody listens any more to a run that took too long.
                    return;
                }
            }
        });
        spawned.expect("a thread");
        Self { cases, judged }
    }

    fn judge(&self, case: &Case, limit: Duration) -> Option<Judged> {
        self.cases.send(case.clone()).expect("it waits for cases until it is dropped");
        self.judged.recv_timeout(limit).ok()
    }
}

thread_local! {
    /// The judge of those who call from this thread, where there is one.
    static JUDGE: RefCell<Option<Judge>> = const { RefCell::new(None) };
}

/// Runs an input.
///
/// # Errors
///
/// What is wrong with the run.
///
/// # Panics
///
/// When there is no thread to be had.
pub fn judge(case: &Case, limit: Duration) -> Result<Run, Finding> {
    let judged = JUDGE.with_borrow_mut(|judge| {
        let judged = judge.get_or_insert_with(Judge::new).judge(case, limit);
        if judged.is_none() {
            *judge = None;
        }
        judged
    });
    let finding = |fault, place: &str, message: &str| Finding {
        fault,
        place: place.into(),
        message: message.into(),
    };
    let Some((outcome, panicked)) = judged else {
        return Err(finding(Fault::Hang, "", &format!("no end within {limit:?}")));
    };
    match (panicked.first(), outcome) {
        (Some((place, message)), _) => {
            let place = format!("{place}: {}", sentence(message));
            Err(finding(Fault::Panic, &place, message))
        }
        (None, Ok(outcome)) => outcome,
        (None, Err(_)) => Err(finding(Fault::Panic, "", "a panic without a message")),
    }
}

/// The first line of a message without what it names, so that it is the same for the same cause.
fn sentence(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let words = line.split('`').step_by(2).collect::<Vec<_>>().concat();
    words.chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// An input that is not made of tokens is an empty one.
fn run(case: &Case) -> Result<Run, Finding> {
    let given = tree::parse(&case.arguments).zip(tree::parse(&case.input));
    let (arguments, input) = given.unwrap_or_default();
    let (arguments, tokens) = (tree::tokens(&arguments), tree::tokens(&input));
    let start = Instant::now();
    let emitted = case.entry.expand(arguments, tokens.clone());
    let time = start.elapsed();
    let nodes = tree::nodes(emitted.clone());
    let failed = mentions(&emitted, "compile_error");
    let run = Run { tokens: tree::size(&input), emitted: tree::size(&nodes), failed, time };
    match case.entry {
        Entry::Derive => added(emitted, "derive").map(|_| run),
        entry if entry.is_on_item() => on_item(tokens, emitted, failed).map(|()| run),
        _ => expression(emitted).map(|()| run),
    }
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == name,
        proc_macro2::TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

fn no_syntax(of: &str, error: &syn::Error, emitted: &TokenStream) -> Finding {
    let place = format!("{of}: {error}");
    Finding { fault: Fault::NoSyntax, place, message: emitted.to_string() }
}

/// Items that are emitted.
fn added(emitted: TokenStream, of: &str) -> Result<syn::File, Finding> {
    syn::parse2(emitted.clone()).map_err(|error| no_syntax(of, &error, &emitted))
}

fn expression(emitted: TokenStream) -> Result<(), Finding> {
    let parsed = syn::parse2::<syn::Expr>(emitted.clone());
    parsed.map(drop).map_err(|error| no_syntax("expression", &error, &emitted))
}

/// What an attribute emits: the item, and what stands beside it.
fn on_item(input: TokenStream, emitted: TokenStream, failed: bool) -> Result<(), Finding> {
    let Ok(item) = syn::parse2::<syn::Item>(input.clone()) else {
        return kept(&input, &emitted, failed);
    };
    if matches!(item, syn::Item::Verbatim(_)) || !is_item_unmarked(&input) {
        return Ok(());
    }
    let file = added(emitted, "items")?;
    let first = file.items.into_iter().next().unwrap_or(syn::Item::Verbatim(TokenStream::new()));
    let (own, mut left) = (functions(item), functions(first).into_iter());
    match own.iter().find(|function| !left.any(|other| other == **function)) {
        None => Ok(()),
        Some(function) => {
            Err(Finding { fault: Fault::Lost, place: String::new(), message: function.clone() })
        }
    }
}

/// Whether it is an item without what is ours, too. It is none where an invisible group has one of our attributes in it
/// and ends within an expression, as no macro's does: syn reads that behind attributes only.
fn is_item_unmarked(input: &TokenStream) -> bool {
    syn::parse2::<syn::Item>(unmarked(input.clone())).is_ok()
}

/// What is no item is emitted as it was, with an error.
fn kept(input: &TokenStream, emitted: &TokenStream, failed: bool) -> Result<(), Finding> {
    let mut left = emitted.clone().into_iter();
    let is_kept = input
        .clone()
        .into_iter()
        .all(|token| left.next().is_some_and(|other| other.to_string() == token.to_string()));
    let message = match (is_kept, failed) {
        (true, true) => return Ok(()),
        (false, _) => "what is no item is not there",
        (true, false) => "what is no item has no error",
    };
    Err(Finding { fault: Fault::Lost, place: message.into(), message: emitted.to_string() })
}

/// Tokens without `#[checkpoint]`, which is ours wherever it stands.
fn unmarked(tokens: TokenStream) -> TokenStream {
    let mut nodes = tree::nodes(tokens);
    unmark(&mut nodes);
    tree::tokens(&nodes)
}

fn unmark(nodes: &mut Vec<Node>) {
    let is_hash = |node: &Node| matches!(node, Node::Leaf(token) if token.to_string() == "#");
    let is_ours = |node: &Node| matches!(node, Node::Group(Delimiter::Bracket, inner) if tree::text(inner).contains("checkpoint"));
    while let Some(at) = nodes.windows(2).position(|pair| is_hash(&pair[0]) && is_ours(&pair[1])) {
        nodes.drain(at..at + 2);
    }
    for node in nodes {
        if let Node::Group(_, inner) = node {
            unmark(inner);
        }
    }
}

/// The functions of an item as text: without attributes, some of which are ours.
fn functions(mut item: syn::Item) -> Vec<String> {
    struct Bare;
    impl VisitMut for Bare {
        fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
            attributes.clear();
        }
    }
    struct Functions(Vec<String>);
    impl<'ast> Visit<'ast> for Functions {
        fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
            let (head, body) = (&function.sig, &function.block);
            self.0.push(format!("{} {}", head.to_token_stream(), body.to_token_stream()));
        }

        fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
            let (head, body) = (&function.sig, &function.block);
            self.0.push(format!("{} {}", head.to_token_stream(), body.to_token_stream()));
        }

        fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
            let body = function.default.to_token_stream();
            self.0.push(format!("{} {body}", function.sig.to_token_stream()));
        }
    }
    item = syn::parse2(unmarked(item.to_token_stream())).unwrap_or(item);
    Bare.visit_item_mut(&mut item);
    let mut functions = Functions(Vec::new());
    visit::visit_item(&mut functions, &item);
    functions.0
}
