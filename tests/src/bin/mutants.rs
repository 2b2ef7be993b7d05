//! Tests the tests: `cargo run --release -p cotangent-tests --bin mutants -- --count 200 --seed 1`.
//!
//! `--within transform,rules` says which folders of the compiler mutants are drawn from, `--only 17,18` takes these
//! mutants alone, `--list` prints the sample, `--jobs N` sets how many are tested at once, and `--text NAME` prints the
//! crate that tests of a name are compiled in. Survivors with a row in `src/mutants/known.txt` are counted apart.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cotangent_tests::mutants::campaign::{Campaign, Killer, Verdict};
use cotangent_tests::mutants::site::Site;
use cotangent_tests::mutants::suite::Suite;
use cotangent_tests::mutants::workspace::Workspace;
use cotangent_tests::programs::random::Random;

/// The folders that mutants are drawn from if none is named: what derivatives are made by.
const WITHIN: &str = "transform,analysis,simplify,rules";

fn given(flag: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != flag).nth(1)
}

fn number(flag: &str, otherwise: usize) -> usize {
    given(flag).and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

fn main() -> ExitCode {
    if let Some(name) = given("--text") {
        print!("{}", Suite::read().text_named(&name));
        return ExitCode::SUCCESS;
    }
    let started = Instant::now();
    let workspace = Workspace::build();
    let sample = sample(&workspace.sites);
    if std::env::args().any(|argument| argument == "--list") {
        sample.iter().for_each(|site| println!("{site}"));
        return ExitCode::SUCCESS;
    }
    let campaign = Campaign::new(&workspace);
    let (inputs, tests) = campaign.sizes();
    println!(
        "{} of {} mutants, {inputs} inputs, {tests} tests, {} s",
        sample.len(),
        workspace.sites.len(),
        started.elapsed().as_secs()
    );
    let verdicts = verdicts(&campaign, &sample);
    let found: Vec<Found> = sample
        .iter()
        .zip(&verdicts)
        .map(|(site, verdict)| (*site, verdict, workspace.known.get(&site.id)))
        .collect();
    survivors(&found);
    figures(&found);
    for name in campaign.unusable() {
        println!("not usable alone: {name}");
    }
    println!("{} s", started.elapsed().as_secs());
    ExitCode::SUCCESS
}

/// The mutants that are tested.
fn sample(sites: &[Site]) -> Vec<&Site> {
    if let Some(only) = given("--only") {
        let only: Vec<usize> = only.split(',').filter_map(|id| id.parse().ok()).collect();
        return sites.iter().filter(|site| only.contains(&site.id)).collect();
    }
    let within = given("--within").unwrap_or(WITHIN.into());
    let mut left: Vec<&Site> = sites
        .iter()
        .filter(|site| within.split(',').any(|folder| folder == site.folder()))
        .collect();
    let mut random = Random::new(number("--seed", 1) as u64);
    let count = number("--count", 100).min(left.len());
    (0..count).map(|_| left.swap_remove(random.below(left.len()))).collect()
}

fn verdicts(campaign: &Campaign, sample: &[&Site]) -> Vec<Verdict> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for job in 0..number("--jobs", 2) {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                while let Some((index, site)) = take(next, sample) {
                    let begun = Instant::now();
                    let verdict = campaign.verdict(site, job);
                    println!("{site}: {verdict} [{:.0} s]", begun.elapsed().as_secs_f64());
                    found.lock().expect("no thread panics").insert(index, verdict);
                }
            });
        }
    });
    found.into_inner().expect("no thread panics").into_values().collect()
}

fn take<'s>(next: &AtomicUsize, sample: &[&'s Site]) -> Option<(usize, &'s Site)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    sample.get(index).map(|site| (index, *site))
}

/// A mutant, what became of it, and why it is known to live, if it is.
type Found<'f> = (&'f Site, &'f Verdict, Option<&'f String>);

fn is_killed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Killed(..))
}

/// The mutants that live: those of which nothing is known, and those with a row in the table.
fn survivors(found: &[Found]) {
    println!("\nsurvivors");
    for (site, verdict, _) in
        found.iter().filter(|(_, verdict, known)| !is_killed(verdict) && known.is_none())
    {
        println!("  {site}: {verdict}");
    }
    println!("\nknown");
    for (site, verdict, known) in found {
        if let Some(reason) = known {
            let stale = if is_killed(verdict) { "KILLED, and its row says: " } else { "" };
            println!("  {site}: {stale}{reason}");
        }
    }
}

/// How many were killed, by what, and in which folders.
fn figures(found: &[Found]) {
    let (mut folders, mut killers) = (BTreeMap::new(), BTreeMap::<Killer, usize>::new());
    for (site, verdict, known) in found {
        let counts: &mut [usize; 3] = folders.entry(site.folder()).or_default();
        counts[0] += 1;
        match verdict {
            Verdict::Killed(killer, _) => {
                counts[1] += 1;
                *killers.entry(*killer).or_default() += 1;
            }
            _ => counts[2] += usize::from(known.is_some()),
        }
    }
    println!("\nkilled by: {killers:?}");
    let all: [usize; 3] =
        std::array::from_fn(|place| folders.values().map(|counts| counts[place]).sum());
    for (folder, [all, killed, known]) in folders.into_iter().chain([("all", all)]) {
        let share = 100.0 * killed as f64 / all.max(1) as f64;
        println!("{folder:10} {killed} of {all} killed, {share:.1} %; {known} known");
    }
}
