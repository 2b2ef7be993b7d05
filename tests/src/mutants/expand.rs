//! Runs the mutated compiler on inputs: the whole of the package `expand`, which stands beside the mutated copy.
//!
//! In: a file of cases, with a line `===` behind each, and the numbers of those to run, on standard input. Out: a line for
//! each, with the hashes of what was emitted and of the errors in it. With `COTANGENT_MUTANT=record` a line also says
//! which mutants were reached.

mod case;

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use case::Case;
use proc_macro2::{TokenStream, TokenTree};

/// After how long a run is said to have no end.
const LIMIT: u64 = 20;

/// When the case that runs began, in seconds behind the start.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let started = Instant::now();
    let thread = std::thread::Builder::new().stack_size(32 << 20);
    let worker = thread.spawn(move || work(started)).expect("a thread");
    while !worker.is_finished() {
        std::thread::sleep(Duration::from_millis(20));
        if started.elapsed().as_secs() > BEGUN.load(Ordering::Relaxed) + LIMIT {
            println!("hang");
            std::process::exit(1);
        }
    }
    if worker.join().is_err() {
        println!("panic");
    }
}

fn work(started: Instant) {
    let path = std::env::args().nth(1).expect("the file of cases is the argument");
    let text = std::fs::read_to_string(path).expect("the file of cases can be read");
    let cases: Vec<&str> = text.split("\n===\n").collect();
    let mut wanted = String::new();
    std::io::stdin().read_to_string(&mut wanted).expect("the numbers of cases can be read");
    let is_recording = std::env::var("COTANGENT_MUTANT").is_ok_and(|mode| mode == "record");
    for index in wanted.split_whitespace().filter_map(|number| number.parse::<usize>().ok()) {
        BEGUN.store(started.elapsed().as_secs(), Ordering::Relaxed);
        let begun = Instant::now();
        println!("begin {index}");
        let (emitted, errors) = run(cases[index]);
        let broken = errors.iter().filter(|error| error.contains("breaks an invariant")).count();
        let (count, time) = (errors.len(), begun.elapsed().as_micros());
        let mut line = format!("end {index} {emitted} {} {count} {broken} {time}", hash(&errors));
        if is_recording {
            mutation::reached().iter().for_each(|id| write!(line, " {id}").expect("text"));
        }
        println!("{line}");
    }
}

/// A hash of what a case's macro emits, and its errors.
fn run(text: &str) -> (u64, Vec<String>) {
    let case: Case = text.parse().expect("a case");
    let read = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let emitted = case.entry.expand(read(&case.arguments), read(&case.input));
    let text = emitted.to_string();
    let mut errors = Vec::new();
    messages(emitted, &mut errors);
    (hash(&text), errors)
}

fn hash(value: &impl Hash) -> u64 {
    #[allow(deprecated, reason = "the hash must be the same in each process")]
    let mut hasher = std::hash::SipHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The texts in `compile_error!`.
fn messages(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_error = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if is_error => found.push(group.stream().to_string()),
            TokenTree::Group(group) => messages(group.stream(), found),
            TokenTree::Ident(name) => is_error = name == "compile_error",
            _ => {}
        }
    }
}
