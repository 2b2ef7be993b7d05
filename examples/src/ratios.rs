//! How many primals a gradient costs, measured so that the ratio can be trusted.
//!
//! In: a [`Case`], a [`Pair`] or runs. Out: [`Ratios`], [`Rounds`] or ratios. Clock rates drift and neighbours come and go,
//! so the runs take turns in short batches, each ratio is taken within a round, and the median over rounds
//! counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::cases::Case;
use crate::pairs::Pair;

/// A batch is about this long, far above the resolution of the clock.
const BATCH: Duration = Duration::from_micros(500);
const ROUNDS: usize = 201;
/// All rounds together take about this long at most, unless that were too few for a median.
const ALL_ROUNDS: Duration = Duration::from_millis(1500);
const FEWEST_ROUNDS: usize = 11;

/// Medians over all rounds.
#[derive(Clone, Debug)]
pub struct Ratios {
    /// Seconds for one evaluation of the primal.
    pub primal: f64,
    /// Time of our gradient over that of the primal.
    pub ours_to_primal: f64,
    /// Time of `jvp` over that of the primal.
    pub jvp_to_primal: f64,
    /// What there is by hand.
    pub by_hand: Option<ByHand>,
    /// Times of the gradients by other crates over that of the primal.
    pub peers_to_primal: Vec<f64>,
}

/// How a gradient by hand compares.
#[derive(Clone, Copy, Debug)]
pub struct ByHand {
    /// Its time over that of the primal.
    pub to_primal: f64,
    /// Time of our gradient over its time.
    pub ours_to: f64,
}

/// Times the runs of `case` in turns.
pub fn measure(case: &mut Case) -> Ratios {
    let function = &case.function;
    let (mut primal, mut jvp) = (|| discard(function.value()), || discard(function.jvp()));
    let mut ours = || discard(case.ours.run());
    let mut others: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    let has_hand = case.by_hand.is_some();
    let peers = case.peers.iter_mut().map(|(_, gradient)| gradient);
    for gradient in case.by_hand.iter_mut().chain(peers) {
        others.push(Box::new(|| discard(gradient.run())));
    }
    let mut runs: Vec<&mut dyn FnMut()> = vec![&mut primal, &mut ours, &mut jvp];
    runs.extend(others.iter_mut().map(|run| &mut **run as &mut dyn FnMut()));
    let rounds = Rounds::of(&mut runs);
    let ratio = |of: usize, to: usize| rounds.ratio(of, to);
    let first_peer = 3 + usize::from(has_hand);
    Ratios {
        primal: rounds.seconds(0),
        ours_to_primal: ratio(1, 0),
        jvp_to_primal: ratio(2, 0),
        by_hand: has_hand.then(|| ByHand { to_primal: ratio(3, 0), ours_to: ratio(1, 3) }),
        peers_to_primal: (first_peer..runs.len()).map(|peer| ratio(peer, 0)).collect(),
    }
}

/// Makes the allocator keep what is given back to it, as it does in a program that has run for a while: glibc's takes
/// blocks that are larger than any it has seen freed from the system each time, page by page, which would be most of
/// the time of a function that needs such a block.
fn keep_memory() {
    const LARGE: usize = 31 << 20;
    discard(vec![1_u8; LARGE]);
}

fn discard<T>(result: T) {
    black_box(result);
}

/// Measures and prints one row for each case.
pub fn print_table(cases: &mut [Case]) {
    println!(
        "{:<30} {:>12} {:>12} {:>12} {:>12}",
        "", "primal", "ours/primal", "hand/primal", "ours/hand"
    );
    for case in cases {
        let Ratios { primal, ours_to_primal, by_hand, .. } = measure(case);
        let by_hand = by_hand.map_or([f64::NAN; 2], |hand| [hand.to_primal, hand.ours_to]);
        println!(
            "{:<30} {:>9.2} µs {:>12.2} {:>12.2} {:>12.2}",
            case.name,
            primal * 1e6,
            ours_to_primal,
            by_hand[0],
            by_hand[1],
        );
    }
}

/// Seconds for one evaluation of the loop, and the time of the chain over that of the loop.
pub fn compare(pair: &mut Pair) -> (f64, f64) {
    let mut by_index = || discard((pair.by_index)());
    let mut chain = || discard((pair.chain)());
    let (seconds, ratios) = to_first(&mut [&mut by_index, &mut chain]);
    (seconds, ratios[1])
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
    let rounds = Rounds::of(runs);
    (rounds.seconds(0), (0..runs.len()).map(|run| rounds.ratio(run, 0)).collect())
}

/// Seconds a call of each run, round by round; an odd number of rounds.
pub struct Rounds(Vec<Vec<f64>>);

impl Rounds {
    /// Times `runs` in turns.
    pub fn of(runs: &mut [&mut dyn FnMut()]) -> Self {
        keep_memory();
        let calls: Vec<u32> = runs.iter_mut().map(|run| calls_per_batch(run)).collect();
        // Each round begins with another run: the system takes the processor away at equal distances, which may be
        // about a round's length, and would always hit the same run.
        let mut first = 0;
        let mut round = || -> Vec<f64> {
            let mut seconds = vec![0.0; calls.len()];
            for run in (first..calls.len()).chain(0..first) {
                seconds[run] = time(runs[run], calls[run]);
            }
            first = (first + 1) % calls.len();
            seconds
        };
        let start = Instant::now();
        let mut rounds = Vec::with_capacity(ROUNDS);
        while rounds.len() < ROUNDS
            && (rounds.len() < FEWEST_ROUNDS
                || rounds.len() % 2 == 0
                || start.elapsed() < ALL_ROUNDS)
        {
            rounds.push(round());
        }
        Self(rounds)
    }

    /// The median of the seconds that a call of `run` takes.
    pub fn seconds(&self, run: usize) -> f64 {
        median(self.0.iter().map(|round| round[run]))
    }

    /// The median of the times of one run over those of another in the same round.
    pub fn ratio(&self, of: usize, to: usize) -> f64 {
        median(self.0.iter().map(|round| round[of] / round[to]))
    }
}

/// Doubles the number of calls until they fill a batch, which also warms up.
fn calls_per_batch(run: &mut dyn FnMut()) -> u32 {
    let mut calls = 1;
    while time(run, calls) * f64::from(calls) < BATCH.as_secs_f64() {
        calls *= 2;
    }
    calls
}

/// Seconds a call.
fn time(run: &mut dyn FnMut(), calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

/// The middle one of an odd number of samples.
fn median(samples: impl Iterator<Item = f64>) -> f64 {
    let mut samples: Vec<f64> = samples.collect();
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

    fn busy(turns: u64) -> f64 {
        (0..turns).map(|turn| black_box(turn) as f64).sum()
    }

    #[test]
    fn twice_the_work_takes_longer() {
        let mut case = Case::new(
            "busy",
            [vec![0.0]],
            |_| busy(1000),
            |_, [_]| busy(4000),
            |_, [_]| (busy(1000), busy(1000)),
        )
        .by_hand(|[_], [_]| busy(2000))
        .peer("slow", |[_], [_]| busy(8000));
        let ratios = measure(&mut case);
        let by_hand = ratios.by_hand.unwrap();
        assert!(ratios.primal > 0.0);
        assert!(ratios.ours_to_primal > by_hand.to_primal, "{ratios:?}");
        assert!(ratios.ours_to_primal < ratios.peers_to_primal[0], "{ratios:?}");
        assert!(ratios.jvp_to_primal < ratios.ours_to_primal, "{ratios:?}");
        assert!(by_hand.ours_to > 1.2, "{ratios:?}");
    }

    #[test]
    fn the_first_run_is_the_measure() {
        let (mut once, mut thrice) = (|| discard(busy(1000)), || discard(busy(3000)));
        let (seconds, ratios) = to_first(&mut [&mut once, &mut thrice]);
        assert!(seconds > 0.0);
        assert_eq!(ratios[0], 1.0);
        assert!(ratios[1] > 1.5, "{ratios:?}");
    }

    #[test]
    fn a_median_is_the_middle() {
        assert_eq!(median([3.0, 100.0, 1.0].into_iter()), 3.0);
    }
}
