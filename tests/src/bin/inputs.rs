//! Gives the macros random input: `cargo run --release -p cotangent-tests --bin inputs -- --count 100000 --seed 1`.
//!
//! `--print SEED` prints the input of a seed, `--shrink SEED` makes it smaller while it fails in the same way, and
//! `--families` tests constructs that grow, `--growth` repeats the statements of the corpus. `--jobs N` sets how many processes there are.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cotangent_tests::inputs::campaign::{self, Outcome, Results};
use cotangent_tests::inputs::families;
use cotangent_tests::inputs::growth::Grown;
use cotangent_tests::inputs::judge::{Fault, Finding, judge};
use cotangent_tests::inputs::mutate::Corpus;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, at: usize| {
        let place = given.iter().position(|argument| argument == name)?;
        given.get(place + at)?.parse::<u64>().ok()
    };
    let is_given = |name: &str| given.iter().any(|argument| argument == name);
    if is_given("--one") {
        campaign::one();
    }
    if let Some(((first, end), step)) =
        number("--work", 1).zip(number("--work", 2)).zip(number("--work", 3))
    {
        campaign::work((first..end).step_by(usize::try_from(step).unwrap_or(1)));
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = number("--print", 1) {
        let corpus = Corpus::new();
        print!("{}", corpus.case(&corpus.recipe(seed)));
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = number("--shrink", 1) {
        return shrunk(seed);
    }
    if is_given("--families") {
        return grown();
    }
    if is_given("--growth") {
        return repeated();
    }
    let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    let (count, first) = (number("--count", 1).unwrap_or(10_000), number("--seed", 1).unwrap_or(1));
    tested(count, first, number("--jobs", 1).unwrap_or(jobs))
}

fn shrunk(seed: u64) -> ExitCode {
    let corpus = Corpus::new();
    let Err(finding) = campaign::seed_apart(&corpus, seed) else {
        println!("seed {seed} does not fail");
        return ExitCode::FAILURE;
    };
    print!("{}\n{finding}", campaign::shrunk(&corpus, seed, &finding));
    ExitCode::SUCCESS
}

fn tested(count: u64, first: u64, jobs: u64) -> ExitCode {
    let (start, done) = (Instant::now(), AtomicU64::new(0));
    let told = |seed: u64, outcome: &Outcome| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(5000) {
            println!("{done} inputs, {} s", start.elapsed().as_secs());
        }
        if let Err(finding) = outcome {
            let text: String = finding.to_string().chars().take(300).collect();
            println!("seed {seed}: {text}");
        }
    };
    let results = campaign::run(first, count, jobs, &told);
    let seconds = start.elapsed().as_secs_f64();
    let failed = results.runs.values().filter(|run| run.failed).count();
    let (runs, rate) = (results.runs.len(), count as f64 / seconds);
    println!(
        "{count} inputs in {seconds:.0} s, {rate:.0} a second: {} with derivatives, {failed} with errors",
        runs - failed
    );
    for (class, median) in results.medians() {
        println!("  {} tokens and more: {median:?}", 1_u64 << class);
    }
    report(&results)
}

/// Each cause once, with the smallest input that shows it.
fn report(results: &Results) -> ExitCode {
    let corpus = Corpus::new();
    let mut findings = results.confirmed(&corpus);
    findings.extend(results.slow(&corpus));
    let mut causes: BTreeMap<(Fault, &str), Vec<(u64, &Finding)>> = BTreeMap::new();
    for (seed, finding) in &findings {
        let cause = (finding.fault, finding.place.as_str());
        causes.entry(cause).or_default().push((*seed, finding));
    }
    for found in causes.values() {
        let (seed, finding) = found[0];
        println!("\n{} inputs, the first is seed {seed}: {finding}", found.len());
        if finding.fault != Fault::Slow {
            println!("{}", campaign::shrunk(&corpus, seed, finding));
        }
    }
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What becomes of each family as it grows.
fn grown() -> ExitCode {
    for family in families::ALL {
        print!("{:40}", family.name);
        for count in [1, 10, 20, 40, 80, 160, 320, 640, 1280, 2560] {
            match campaign::apart(&family.case(count)) {
                Ok(run) => {
                    let mark = if run.failed { "!" } else { "" };
                    print!(" {mark}{:.1}", run.time.as_secs_f64() * 1e3);
                    if run.time.as_secs() > 3 {
                        break;
                    }
                }
                Err(finding) => {
                    let text: String = finding.to_string().chars().take(90).collect();
                    print!(" {text}");
                    break;
                }
            }
        }
        println!();
    }
    ExitCode::SUCCESS
}

/// The statements of the corpus that make more than the square of how often they stand there.
fn repeated() -> ExitCode {
    let (mut parts, mut found) = (0, 0);
    for grown in Corpus::new().cases().iter().filter_map(Grown::new) {
        for part in 0.. {
            let Some((few, text)) = grown.case(part, 6) else { break };
            let Some((many, _)) = grown.case(part, 12) else { break };
            parts += 1;
            let problem = match [few, many].map(|case| judge(&case, Duration::from_secs(5))) {
                [Ok(few), Ok(many)] if few.failed || many.emitted <= 4 * few.emitted => continue,
                [Ok(few), Ok(many)] => format!("{} tokens become {}", few.emitted, many.emitted),
                [Err(finding), _] | [_, Err(finding)] => finding.to_string(),
            };
            found += 1;
            println!("{problem}, of 6 and 12 times `{text}`");
        }
    }
    println!("{parts} parts, {found} grow faster than they may");
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
