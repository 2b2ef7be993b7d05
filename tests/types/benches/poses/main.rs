//! Gradients of residuals of rotations and poses of `nalgebra`, of a few points each, beside gradients by hand.
//!
//! ```text
//! cargo bench -p cotangent-tests-types --bench poses
//! cargo bench -p cotangent-tests-types --bench poses -- pose
//! ```
//!
//! At the end, a table of the ratios: of the times of value and gradient to the function's, and of ours to that by
//! hand. In it the three take turns, and medians count. A turn goes through many cases, and its time is that of one.

mod residuals;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

/// In how many cases a turn runs.
const CASES: usize = 1000;

/// The function, its value and gradient, and these by hand, in all cases.
pub struct Kernel {
    name: &'static str,
    runs: [Box<dyn Fn() -> f64>; 3],
}

fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}

fn bench(criterion: &mut Criterion, kernel: &Kernel) {
    let mut group = criterion.benchmark_group(kernel.name);
    for (label, run) in ["function", "gradient", "gradient by hand"].iter().zip(&kernel.runs) {
        group.bench_function(*label, |bencher| bencher.iter(|| black_box(run())));
    }
    group.finish();
}

fn seconds(run: &dyn Fn() -> f64) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Seconds for the function, and the two gradients' times over that.
fn ratios(kernel: &Kernel) -> [f64; 3] {
    let [function, ours, by_hand] = &kernel.runs;
    let rounds: Vec<[f64; 3]> =
        (0..301).map(|_| [seconds(function), seconds(ours), seconds(by_hand)]).collect();
    let ratio = |of: usize| median(rounds.iter().map(|round| round[of] / round[0]).collect());
    [median(rounds.iter().map(|round| round[0]).collect()), ratio(1), ratio(2)]
}

fn main() {
    let kernels = residuals::kernels();
    let mut criterion = criterion();
    kernels.iter().for_each(|kernel| bench(&mut criterion, kernel));
    criterion.final_summary();
    println!("{:<32} {:>12} {:>10} {:>10} {:>12}", "", "function", "ours", "by hand", "ours/hand");
    for kernel in &kernels {
        let [function, ours, by_hand] = ratios(kernel);
        let times = format!("{ours:>10.2} {by_hand:>10.2} {:>12.2}", ours / by_hand);
        println!("{:<32} {:>9.0} ns {times}", kernel.name, function * 1e9 / CASES as f64);
    }
}
