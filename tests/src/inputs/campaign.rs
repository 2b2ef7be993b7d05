//! Many inputs, in processes of their own: a stack that overflows ends a process, and a run without end is ended with its
//! process.
//!
//! A process prints a line when it begins an input and one when it has judged it. The other end starts the next process
//! behind the input at which one has ended.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use super::case::Case;
use super::judge::{Fault, Finding, Run, judge};
use super::mutate::Corpus;
use super::shrink;

/// After how long a run is said to have no end.
const LIMIT: Duration = Duration::from_secs(20);

/// How many times the median of its size a run may take.
const TIMES: u32 = 50;

/// How many inputs a process tests before the next one takes over: `proc-macro2` keeps the text of all that it has parsed.
const LIFE: u64 = 20_000;

/// Runs that take less are never too slow: what the machine does besides takes as long.
const SHORT: Duration = Duration::from_millis(50);

/// What came of an input.
pub type Outcome = Result<Run, Finding>;

/// What came of many.
#[derive(Default)]
pub struct Results {
    /// The runs in which nothing is wrong, by seed.
    pub runs: BTreeMap<u64, Run>,
    /// The others.
    pub findings: BTreeMap<u64, Finding>,
}

/// An outcome as a line, and what a line says.
mod line {
    use super::{Duration, Fault, Finding, Outcome, Run};

    const FAULTS: [Fault; 6] =
        [Fault::Panic, Fault::Hang, Fault::Overflow, Fault::NoSyntax, Fault::Lost, Fault::Slow];

    pub fn write(outcome: &Outcome) -> String {
        let flat = |text: &str| text.replace(['\n', '\t'], " ");
        match outcome {
            Ok(Run { tokens, emitted, failed, time }) => {
                format!("ok\t{tokens}\t{emitted}\t{}\t{}", u8::from(*failed), time.as_micros())
            }
            Err(Finding { fault, place, message }) => {
                format!("bad\t{fault:?}\t{}\t{}", flat(place), flat(message))
            }
        }
    }

    pub fn read(line: &str) -> Option<Outcome> {
        let parts: Vec<&str> = line.trim_end().splitn(5, '\t').collect();
        match parts[..] {
            ["ok", tokens, emitted, failed, time] => Some(Ok(Run {
                tokens: tokens.parse().ok()?,
                emitted: emitted.parse().ok()?,
                failed: failed == "1",
                time: Duration::from_micros(time.parse().ok()?),
            })),
            ["bad", fault, place, ref message @ ..] => Some(Err(Finding {
                fault: FAULTS.into_iter().find(|one| format!("{one:?}") == fault)?,
                place: place.into(),
                message: message.join(" "),
            })),
            _ => None,
        }
    }
}

/// What a process does that tests the inputs of some seeds.
pub fn work(seeds: impl Iterator<Item = u64>) {
    let corpus = Corpus::new();
    for seed in seeds {
        println!("begin\t{seed}");
        let outcome = judge(&corpus.case(&corpus.recipe(seed)), LIMIT);
        println!("end\t{seed}\t{}", line::write(&outcome));
        if outcome.is_err_and(|finding| finding.fault == Fault::Hang) {
            // Its thread is still running.
            std::process::exit(1);
        }
    }
}

/// What a process does that tests the case that it reads.
pub fn one() {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string());
    match read.and_then(|_| text.parse::<Case>()) {
        Ok(case) => println!("{}", line::write(&judge(&case, LIMIT))),
        Err(error) => eprintln!("{error}"),
    }
    std::process::exit(0);
}

/// Tests a case in a process of its own.
///
/// # Panics
///
/// When no process can be started.
pub fn apart(case: &Case) -> Outcome {
    let mut command = this(&["--one"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("a process can be started");
    let mut input = child.stdin.take().expect("it is piped");
    // The other end may be gone, which its output shows.
    let _ = input.write_all(case.to_string().as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("its output can be read");
    let text = String::from_utf8_lossy(&output.stdout);
    line::read(&text).unwrap_or_else(|| Err(overflow(&output.status.to_string())))
}

/// Tests the input of a seed likewise.
///
/// # Panics
///
/// When no process can be started.
pub fn seed_apart(corpus: &Corpus, seed: u64) -> Outcome {
    apart(&corpus.case(&corpus.recipe(seed)))
}

fn this(arguments: &[&str]) -> Command {
    let program = std::env::current_exe().expect("the running program has a path");
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn overflow(status: &str) -> Finding {
    Finding { fault: Fault::Overflow, place: String::new(), message: status.into() }
}

/// Tests the inputs of some seeds in so many processes at a time, and is told of each outcome.
///
/// # Panics
///
/// When no process can be started.
pub fn run(first: u64, count: u64, jobs: u64, told: &(dyn Fn(u64, &Outcome) + Sync)) -> Results {
    let results = Mutex::new(Results::default());
    let add = |seed: u64, outcome: Outcome| {
        told(seed, &outcome);
        let mut results = results.lock().expect("nothing panics with it");
        match outcome {
            Ok(run) => drop(results.runs.insert(seed, run)),
            Err(finding) => drop(results.findings.insert(seed, finding)),
        }
    };
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let add = &add;
            scope.spawn(move || {
                let mut next = first + job;
                while next < first + count {
                    next = part(next, first + count, jobs, add) + jobs;
                }
            });
        }
    });
    results.into_inner().expect("nothing panics with it")
}

/// Runs a process, and returns the last seed that it came to.
fn part(first: u64, end: u64, step: u64, add: &dyn Fn(u64, Outcome)) -> u64 {
    let end = end.min(first + LIFE * step);
    let mut command = this(&["--work", &first.to_string(), &end.to_string(), &step.to_string()]);
    let mut child = command.spawn().expect("a process can be started");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let (mut last, mut begun) = (first, None);
    for line in lines.map_while(Result::ok) {
        let mut parts = line.splitn(3, '\t');
        let (what, seed) = (parts.next(), parts.next().and_then(|seed| seed.parse().ok()));
        let Some(seed) = seed else { continue };
        last = seed;
        match (what, parts.next().and_then(line::read)) {
            (Some("begin"), _) => begun = Some(seed),
            (_, Some(outcome)) => {
                begun = None;
                add(seed, outcome);
            }
            _ => {}
        }
    }
    let status = child.wait().expect("its status can be read");
    if let Some(seed) = begun {
        add(seed, Err(overflow(&status.to_string())));
    }
    last
}

impl Results {
    /// What was found, without runs that do end when they are run again: a machine that does other work besides may give a
    /// process no time.
    #[must_use]
    pub fn confirmed(&self, corpus: &Corpus) -> BTreeMap<u64, Finding> {
        let mut findings = self.findings.clone();
        findings.retain(|seed, finding| {
            finding.fault != Fault::Hang || seed_apart(corpus, *seed).is_err()
        });
        findings
    }

    /// Runs that take much longer than others of their size do, which are run again to be certain.
    #[must_use]
    pub fn slow(&self, corpus: &Corpus) -> BTreeMap<u64, Finding> {
        let medians = self.medians();
        let slow = self.runs.iter().filter_map(|(seed, run)| {
            let limit = (medians.get(&class(run.tokens))?.saturating_mul(TIMES)).max(SHORT);
            let is_slow = |outcome: Outcome| outcome.is_ok_and(|run| run.time > limit);
            let is_slow = run.time > limit && (0..3).all(|_| is_slow(seed_apart(corpus, *seed)));
            let (place, message) =
                (String::new(), format!("{:?}, {} tokens", run.time, run.tokens));
            is_slow.then_some((*seed, Finding { fault: Fault::Slow, place, message }))
        });
        slow.collect()
    }

    /// The median time of what has derivatives, by the class of its size.
    #[must_use]
    pub fn medians(&self) -> BTreeMap<u32, Duration> {
        let mut times: BTreeMap<u32, Vec<Duration>> = BTreeMap::new();
        for run in self.runs.values().filter(|run| !run.failed) {
            times.entry(class(run.tokens)).or_default().push(run.time);
        }
        let median = |mut times: Vec<Duration>| {
            times.sort();
            times[times.len() / 2]
        };
        times.into_iter().map(|(class, times)| (class, median(times))).collect()
    }
}

/// Inputs that are about as long are compared with each other.
fn class(tokens: usize) -> u32 {
    tokens.max(1).ilog2()
}

/// The smallest input that was found with a seed's finding.
#[must_use]
pub fn shrunk(corpus: &Corpus, seed: u64, finding: &Finding) -> Case {
    let is_apart = matches!(finding.fault, Fault::Overflow | Fault::Hang);
    let mut test = |case: &Case| match is_apart {
        true => apart(case).err(),
        false => judge(case, LIMIT).err(),
    };
    shrink::shrink(corpus, corpus.recipe(seed), finding, &mut test)
}
