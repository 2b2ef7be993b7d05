//! How many primals a gradient costs, measured so that the ratio can be trusted.
//!
//! In: a [`Case`], a [`Pair`] or runs. Out: [`Ratios`], or ratios. Clock rates drift and neighbours come and go,
//! so the runs take turns in short batches, each ratio is taken within a round, and the median over rounds
//! counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::cases::{Case, Run};
use crate::pairs::Pair;

/// A batch is about this long, far above the resolution of the clock.
const BATCH: Duration = Duration::from_micros(500);
const ROUNDS: usize = 201;

/// Medians over all rounds.
#[derive(Clone, Copy, Debug)]
pub struct Ratios {
    /// Seconds for one evaluation of the primal.
    pub primal: f64,
    /// Time of our gradient over that of the primal.
    pub ours_to_primal: f64,
    /// Time of the gradient by hand over that of the primal.
    pub by_hand_to_primal: f64,
    /// Time of our gradient over that by hand.
    pub ours_to_by_hand: f64,
}

/// Times the runs of `case` in turns.
pub fn measure(case: &mut Case) -> Ratios {
    let rounds = rounds([&mut case.primal, &mut case.ours, &mut case.by_hand]);
    let median_of = |pick: fn(&[f64; 3]) -> f64| median(rounds.iter().map(pick).collect());
    Ratios {
        primal: median_of(|[primal, ..]| *primal),
        ours_to_primal: median_of(|[primal, ours, _]| ours / primal),
        by_hand_to_primal: median_of(|[primal, _, by_hand]| by_hand / primal),
        ours_to_by_hand: median_of(|[_, ours, by_hand]| ours / by_hand),
    }
}

/// Measures and prints one row for each case.
pub fn print_table(cases: &mut [Case]) {
    println!(
        "{:<30} {:>12} {:>12} {:>12} {:>12}",
        "", "primal", "ours/primal", "hand/primal", "ours/hand"
    );
    for case in cases {
        let ratios = measure(case);
        println!(
            "{:<30} {:>9.2} µs {:>12.2} {:>12.2} {:>12.2}",
            case.name,
            ratios.primal * 1e6,
            ratios.ours_to_primal,
            ratios.by_hand_to_primal,
            ratios.ours_to_by_hand,
        );
    }
}

/// Seconds for one evaluation of the loop, and the time of the chain over that of the loop.
pub fn compare(pair: &mut Pair) -> (f64, f64) {
    let rounds = rounds([&mut pair.by_index, &mut pair.chain]);
    let median_of = |pick: fn(&[f64; 2]) -> f64| median(rounds.iter().map(pick).collect());
    (median_of(|[by_index, _]| *by_index), median_of(|[by_index, chain]| chain / by_index))
}

/// Compares and prints one row for each pair.
pub fn print_comparison(pairs: &mut [Pair]) {
    println!("{:<30} {:>12} {:>12}", "gradient", "loop", "chain/loop");
    for pair in pairs {
        let (by_index, ratio) = compare(pair);
        println!("{:<30} {:>9.2} µs {ratio:>12.2}", pair.name, by_index * 1e6);
    }
}

/// Seconds for one call of the first run, and the time of each run over that of the first.
pub fn to_first(runs: &mut [&mut dyn FnMut()]) -> (f64, Vec<f64>) {
    let calls: Vec<u32> = runs.iter_mut().map(|run| calls_per_batch(run)).collect();
    let mut round = || -> Vec<f64> {
        runs.iter_mut().zip(&calls).map(|(run, calls)| time(run, *calls)).collect()
    };
    let rounds: Vec<Vec<f64>> = (0..ROUNDS).map(|_| round()).collect();
    let ratio = |index: usize| median(rounds.iter().map(|round| round[index] / round[0]).collect());
    (median(rounds.iter().map(|round| round[0]).collect()), (0..calls.len()).map(ratio).collect())
}

/// Seconds a call of each run, round by round.
fn rounds<const N: usize>(mut runs: [&mut Run; N]) -> Vec<[f64; N]> {
    let calls = calls_per_batch(runs[0]);
    (0..ROUNDS).map(|_| runs.each_mut().map(|run| time(run, calls))).collect()
}

/// Doubles the number of calls until they fill a batch, which also warms up.
fn calls_per_batch<T>(run: &mut dyn FnMut() -> T) -> u32 {
    let mut calls = 1;
    while time(run, calls) * f64::from(calls) < BATCH.as_secs_f64() {
        calls *= 2;
    }
    calls
}

/// Seconds a call.
fn time<T>(run: &mut dyn FnMut() -> T, calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(run());
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

/// The middle element; `samples` has an odd number of them.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// `cargo bench` passes `--bench`; `cargo test` runs each benchmark once and wants no timing.
pub fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(turns: u64) -> Run {
        Box::new(move || (0..turns).map(|turn| black_box(turn) as f64).sum())
    }

    #[test]
    fn twice_the_work_takes_longer() {
        let mut case =
            Case { name: "busy", primal: busy(1000), ours: busy(4000), by_hand: busy(2000) };
        let ratios = measure(&mut case);
        assert!(ratios.primal > 0.0);
        assert!(ratios.ours_to_primal > ratios.by_hand_to_primal, "{ratios:?}");
        assert!(ratios.ours_to_by_hand > 1.2, "{ratios:?}");
    }

    #[test]
    fn the_first_run_is_the_measure() {
        let [mut one, mut three] = [busy(1000), busy(3000)];
        let once = &mut || {
            black_box(one());
        };
        let thrice = &mut || {
            black_box(three());
        };
        let (seconds, ratios) = to_first(&mut [once, thrice]);
        assert!(seconds > 0.0);
        assert_eq!(ratios[0], 1.0);
        assert!(ratios[1] > 1.5, "{ratios:?}");
    }

    #[test]
    fn a_median_is_the_middle() {
        assert_eq!(median(vec![3.0, 100.0, 1.0]), 3.0);
    }
}
