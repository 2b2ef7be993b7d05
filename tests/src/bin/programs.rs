//! Tests random programs: `cargo run -p cotangent-tests --bin programs -- --count 10000 --seed 1`.
//!
//! What the test leaves out is left out, unless `--all` is given; `--without NAMES` leaves out others,
//! whose names stand between semicolons. `--print SEED` prints the program of a seed, `--shrink SEED` makes it smaller while it fails in the same
//! way, `--batch N` sets how many programs are compiled at once. `--refusals` says why programs are refused.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use cotangent_tests::programs::batch::{Package, Verdict};
use cotangent_tests::programs::generate::feature;
use cotangent_tests::programs::syntax::Program;
use cotangent_tests::programs::{construct, generate, print, shrink};

fn main() -> ExitCode {
    let number = |name: &str| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name);
        arguments.nth(1).and_then(|value| value.parse::<u64>().ok())
    };
    let without = without();
    let without: Vec<&str> = without.split(';').map(str::trim).collect();
    let program = |seed| generate::program_without(seed, &without);
    if let Some(seed) = number("--print") {
        print!("{}", print::program(&program(seed)));
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = number("--shrink") {
        return shrunk(&program(seed));
    }
    let (count, first) = (number("--count").unwrap_or(1000), number("--seed").unwrap_or(1));
    let batch = number("--batch").unwrap_or(100);
    let mut summary = Summary::new();
    let package = Package::new("long");
    let mut seeds = first..first + count;
    while !seeds.is_empty() {
        let programs: Vec<Program> = seeds.by_ref().take(batch as usize).map(program).collect();
        let verdicts = package.test(&programs);
        programs.iter().zip(&verdicts).for_each(|(program, verdict)| summary.add(program, verdict));
        println!("{}", summary.line());
    }
    print!("{}", summary.constructs());
    if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The features that are left out.
fn without() -> String {
    let all = std::env::args().any(|argument| argument == "--all");
    let named = std::env::args().skip_while(|argument| argument != "--without").nth(1);
    named.unwrap_or_else(|| if all { String::new() } else { feature::LEFT_OUT.join(";") })
}

fn shrunk(program: &Program) -> ExitCode {
    let seed = program.seed;
    let package = Package::new(&format!("shrink_{seed}"));
    let mut told = |smaller: &Program| eprintln!("{}", print::program(smaller));
    match shrink::shrink(&package, program, &mut told) {
        Some((program, message)) => {
            println!("{}seed {seed}: {message}", print::program(&program));
            ExitCode::SUCCESS
        }
        None => {
            println!("seed {seed} does not fail");
            ExitCode::FAILURE
        }
    }
}

struct Summary {
    started: Instant,
    programs: usize,
    failed: usize,
    refused: usize,
    /// Whether it prints why programs are refused.
    says_refusals: bool,
    points: usize,
    skipped: usize,
    infinite: usize,
    constructs: BTreeMap<&'static str, usize>,
}

impl Summary {
    fn new() -> Summary {
        let constructs = construct::ALL.iter().chain(feature::ALL).map(|name| (*name, 0)).collect();
        let started = Instant::now();
        Summary {
            started,
            programs: 0,
            failed: 0,
            refused: 0,
            says_refusals: std::env::args().any(|argument| argument == "--refusals"),
            points: 0,
            skipped: 0,
            infinite: 0,
            constructs,
        }
    }

    fn add(&mut self, program: &Program, verdict: &Verdict) {
        self.programs += 1;
        self.points += verdict.points;
        self.skipped += verdict.skipped;
        self.infinite += verdict.infinite;
        self.refused += usize::from(verdict.refusal.is_some());
        self.failed += usize::from(!verdict.failures.is_empty());
        for name in construct::of(program).into_iter().chain(program.features()) {
            *self.constructs.entry(name).or_default() += 1;
        }
        if let Some(message) = verdict.refusal.as_ref().filter(|_| self.says_refusals) {
            println!("seed {}: refused: {:?}: {message}", program.seed, program.features());
        }
        let mut said = Vec::new();
        for (property, message) in &verdict.failures {
            if !said.contains(&property) {
                let features = program.features();
                println!("seed {}: {property}: {features:?}: {message}", program.seed);
                said.push(property);
            }
        }
    }

    fn line(&self) -> String {
        let Summary { programs, failed, points, skipped, infinite, refused, .. } = self;
        let seconds = self.started.elapsed().as_secs();
        format!(
            "{programs} programs, {points} points, {skipped} with skipped differences, {infinite} not \
             finite, {refused} refused, {failed} failed, {seconds} s"
        )
    }

    fn constructs(&self) -> String {
        self.constructs.iter().map(|(name, count)| format!("{count:>7} {name}\n")).collect()
    }
}
