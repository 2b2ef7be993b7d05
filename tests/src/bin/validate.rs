//! Validates passes and transforms on random programs of the IR:
//! `cargo run --release -p cotangent-tests --bin validate -- --count 10000 --seed 1`.
//!
//! `--corpus FOLDER` validates the passes on the functions of a folder's source files instead: `tests/tests/corpus`.
//!
//! `--print SEED` prints the program of a seed, `--shrink SEED` makes it smaller while it fails in the same way. It fails if
//! a program does, or if a pass changed nothing in so many programs that each must. What was exercised is counted:
//! operations, passes that changed something, and pairs of passes that changed the same function one after the other.

/// Programs are made of small parts that live shortly.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use cotangent_tests::validate::corpus::{Judged, functions, judge_functions};
use cotangent_tests::validate::generate::program;
use cotangent_tests::validate::judge::{Counts, Failure, judge};
use cotangent_tests::validate::shrink::shrink;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let place = given.iter().position(|argument| argument == name)?;
        given.get(place + 1)?.parse::<u64>().ok()
    };
    // Panics of the compiler are findings, which are reported as such.
    std::panic::set_hook(Box::new(|_| {}));
    if let Some(seed) = number("--print") {
        print!("{}", program(seed).text());
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = number("--shrink") {
        return shrunk(seed);
    }
    if let Some(place) = given.iter().position(|argument| argument == "--corpus") {
        return of_corpus(Path::new(given.get(place + 1).map_or(".", String::as_str)));
    }
    let (count, first) = (number("--count").unwrap_or(10_000), number("--seed").unwrap_or(1));
    let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    validate(count, first, number("--jobs").unwrap_or(jobs))
}

fn shrunk(seed: u64) -> ExitCode {
    let start = program(seed);
    let Err(failure) = judge(&start, seed, &mut Counts::default()) else {
        println!("seed {seed} does not fail");
        return ExitCode::FAILURE;
    };
    let (program, failure) = shrink(start, failure, seed);
    println!("{}{failure}", program.text());
    ExitCode::SUCCESS
}

fn validate(count: u64, first: u64, jobs: u64) -> ExitCode {
    let (start, next) = (Instant::now(), AtomicU64::new(0));
    let (counts, failures) =
        (Mutex::new(Counts::default()), Mutex::new(Vec::<(u64, Failure)>::new()));
    let work = || {
        let mut own = Counts::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let seed = first + index;
            cotangent_compiler::interpret::forget_texts();
            if let Err(failure) = judge(&program(seed), seed, &mut own) {
                let text: String = failure.to_string().chars().take(200).collect();
                println!("seed {seed}: {text}");
                failures.lock().expect("no judge panics").push((seed, failure));
            }
        }
        counts.lock().expect("no judge panics").add(own);
    };
    std::thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
    let counts = counts.into_inner().expect("no judge panics");
    let seconds = start.elapsed().as_secs_f64();
    println!("{count} programs in {seconds:.1} s, {:.0} a second", count as f64 / seconds);
    report(&counts);
    let failures = failures.into_inner().expect("no judge panics");
    println!("{} of {count} programs fail", failures.len());
    let are_idle = count >= ENOUGH && !counts.idle().is_empty();
    if failures.is_empty() && !are_idle { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// In so many programs each pass changes something.
const ENOUGH: u64 = 10_000;

fn report(counts: &Counts) {
    println!(
        "compared with differences: {}, without a finite result: {}",
        counts.smooth, counts.without_result
    );
    let row = |title: &str, counts: &mut dyn Iterator<Item = (&str, u64)>| {
        let each: Vec<String> = counts.map(|(name, count)| format!("{name} {count}")).collect();
        println!("{title}: {}", each.join(", "));
    };
    let passes = &mut counts.passes.iter().map(|(name, count)| (*name, *count));
    row("functions that passes changed", passes);
    println!("passes that never changed any: {:?}", counts.idle());
    println!("pairs of passes that changed one function: {}", counts.pairs.len());
    row("operations", &mut counts.operations.by_name().into_iter());
}

/// Validates passes on the functions of source files.
fn of_corpus(folder: &Path) -> ExitCode {
    let (mut files, mut failures) = (Vec::new(), 0);
    sources(folder, &mut files);
    let (mut counts, mut judged) = (Counts::default(), Judged::default());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let items = functions(&text).unwrap_or_default();
        for (name, failure) in judge_functions(&items, &mut counts, &mut judged) {
            println!("{}: {name}: {failure}", file.display());
            failures += 1;
        }
    }
    report(&counts);
    let unknown: u64 = judged.unsupported.values().sum();
    println!("derivatives that were run: {}, that were not: {unknown}", judged.run);
    judged.unsupported.iter().for_each(|(cause, count)| println!("    {count} {cause}"));
    println!("{failures} of them fail");
    if failures == 0 && judged.run > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of source files");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => sources(&path, files),
            false => {
                files.extend((path.extension().is_some_and(|end| end == "rs")).then_some(path))
            }
        }
    }
}
