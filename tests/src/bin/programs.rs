//! Tests random programs: `cargo run -p cotangent-tests --bin programs -- --count 10000 --seed 1`.
//!
//! `--print SEED` prints the program of a seed, `--shrink SEED` makes it smaller while it fails in the same
//! way, `--batch N` sets how many programs are compiled at once.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use cotangent_tests::programs::batch::{Package, Verdict};
use cotangent_tests::programs::syntax::Program;
use cotangent_tests::programs::{construct, generate, print, shrink};

fn main() -> ExitCode {
    let number = |name: &str| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name);
        arguments.nth(1).and_then(|value| value.parse::<u64>().ok())
    };
    if let Some(seed) = number("--print") {
        print!("{}", print::program(&generate::program(seed)));
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = number("--shrink") {
        return shrunk(seed);
    }
    let (count, first) = (number("--count").unwrap_or(1000), number("--seed").unwrap_or(1));
    let batch = number("--batch").unwrap_or(100);
    let mut summary = Summary::new();
    let package = Package::new("long");
    let mut seeds = first..first + count;
    while !seeds.is_empty() {
        let programs: Vec<Program> =
            seeds.by_ref().take(batch as usize).map(generate::program).collect();
        let verdicts = package.test(&programs);
        programs.iter().zip(&verdicts).for_each(|(program, verdict)| summary.add(program, verdict));
        println!("{}", summary.line());
    }
    print!("{}", summary.constructs());
    if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn shrunk(seed: u64) -> ExitCode {
    let package = Package::new(&format!("shrink_{seed}"));
    let mut told = |smaller: &Program| eprintln!("{}", print::program(smaller));
    match shrink::shrink(&package, &generate::program(seed), &mut told) {
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
    points: usize,
    skipped: usize,
    infinite: usize,
    constructs: BTreeMap<&'static str, usize>,
}

impl Summary {
    fn new() -> Summary {
        let constructs = construct::ALL.iter().map(|name| (*name, 0)).collect();
        let started = Instant::now();
        Summary { started, programs: 0, failed: 0, points: 0, skipped: 0, infinite: 0, constructs }
    }

    fn add(&mut self, program: &Program, verdict: &Verdict) {
        self.programs += 1;
        self.points += verdict.points;
        self.skipped += verdict.skipped;
        self.infinite += verdict.infinite;
        self.failed += usize::from(!verdict.failures.is_empty());
        for name in construct::of(program) {
            *self.constructs.entry(name).or_default() += 1;
        }
        let mut said = Vec::new();
        for (property, message) in &verdict.failures {
            if !said.contains(&property) {
                println!("seed {}: {property}: {message}", program.seed);
                said.push(property);
            }
        }
    }

    fn line(&self) -> String {
        let Summary { programs, failed, points, skipped, infinite, .. } = self;
        let seconds = self.started.elapsed().as_secs();
        format!(
            "{programs} programs, {points} points, {skipped} with skipped differences, {infinite} not \
             finite, {failed} programs failed, {seconds} s"
        )
    }

    fn constructs(&self) -> String {
        self.constructs.iter().map(|(name, count)| format!("{count:>7} {name}\n")).collect()
    }
}
