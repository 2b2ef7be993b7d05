//! Long simulations whose tape would not fit: what `#[checkpoint]` keeps, and what it costs.
//!
//! ```text
//! cargo run --release --example checkpoint
//! ```
//!
//! Two simulations are differentiated as they are, and with each schedule. One has a state of two floats and ten
//! million steps: predators and prey after A. J. Lotka and V. Volterra, by Euler's method. The other has a state of
//! 200 floats and 20,000 steps: the equation of J. M. Burgers by central differences. The table has the most memory
//! that the value and gradient have allocated at a time, beyond what was there before, and how many evaluations of the
//! function they cost together.
//!
//! The exit status is failure unless all schedules give the same gradient within rounding, and the derivative along one
//! direction agrees with `jvp`, which keeps no states.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use cotangent::differentiate;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// One simulation for each schedule, with the same body.
macro_rules! simulations {
    ($($name:ident: $(#[$schedule:meta])?;)*) => {$(
        mod $name {
            use super::differentiate;

            /// How many predators and prey there are at the end, of each species together.
            #[differentiate]
            pub fn populations(rates: &[f64; 4], steps: usize) -> f64 {
                let [birth, eaten, fed, death] = *rates;
                let (mut prey, mut predators) = (10.0, 5.0);
                let step = 10.0 / steps as f64;
                $(#[$schedule])?
                for _ in 0..steps {
                    let met = prey * predators;
                    let growth = step * (birth * prey - eaten * met);
                    predators += step * (fed * met - death * predators);
                    prey += growth;
                }
                prey + predators
            }

            /// The energy of a wave at the end.
            #[differentiate]
            pub fn wave(start: &[f64], viscosity: f64, steps: usize) -> f64 {
                let mut now = start.to_vec();
                let mut next = start.to_vec();
                $(#[$schedule])?
                for _ in 0..steps {
                    for i in 1..now.len() - 1 {
                        let carried = now[i] * (now[i + 1] - now[i - 1]);
                        let spread = now[i + 1] - 2.0 * now[i] + now[i - 1];
                        next[i] = now[i] - 0.01 * carried + viscosity * spread;
                    }
                    std::mem::swap(&mut now, &mut next);
                }
                now.iter().map(|v| v * v).sum()
            }
        }
    )*};
}

simulations! {
    plain: ;
    root: #[checkpoint];
    every_thousand: #[checkpoint(every = 1000)];
    snapshots: #[checkpoint(snapshots = 50)];
}

const RATES: [f64; 4] = [1.1, 0.4, 0.1, 0.4];

/// What one run gave: the most memory, the time, the gradient.
struct Run {
    bytes: usize,
    seconds: f64,
    gradient: Vec<f64>,
}

fn run(gradient: impl FnOnce() -> Vec<f64>) -> Run {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let start = Instant::now();
    let gradient = black_box(gradient());
    let seconds = start.elapsed().as_secs_f64();
    Run { bytes: ALLOCATOR.peak_usage() - before, seconds, gradient }
}

fn seconds(function: impl Fn() -> f64) -> f64 {
    let start = Instant::now();
    black_box(function());
    start.elapsed().as_secs_f64()
}

/// Prints the rows of a table. Returns whether all gradients are the same, and the first one.
fn report(title: &str, primal: f64, runs: [(&str, Run); 4]) -> (bool, Vec<f64>) {
    println!("\n{title}: {primal:.4} s");
    println!("{:28} {:>12} {:>14}", "", "memory", "times primal");
    let first = runs[0].1.gradient.clone();
    let mut is_same = true;
    for (name, run) in runs {
        let megabytes = run.bytes as f64 / 1e6;
        println!("{name:28} {megabytes:9.3} MB {:14.1}", run.seconds / primal);
        let pairs = run.gradient.iter().zip(&first);
        is_same &= pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-10 * b.abs());
    }
    (is_same, first)
}

/// Whether a gradient agrees with the derivative along all ones.
fn agrees(gradient: &[f64], along: f64) -> bool {
    let sum: f64 = gradient.iter().sum();
    println!("along all ones {sum:.12e}, by jvp {along:.12e}");
    (sum - along).abs() <= 1e-9 * along.abs().max(1.0)
}

fn lotka_volterra(steps: usize) -> bool {
    let primal = seconds(|| plain::populations(black_box(&RATES), steps));
    let runs = [
        ("nothing", run(|| plain::populations::gradient(&RATES, steps).to_vec())),
        ("#[checkpoint]", run(|| root::populations::gradient(&RATES, steps).to_vec())),
        (
            "#[checkpoint(every = 1000)]",
            run(|| every_thousand::populations::gradient(&RATES, steps).to_vec()),
        ),
        (
            "#[checkpoint(snapshots = 50)]",
            run(|| snapshots::populations::gradient(&RATES, steps).to_vec()),
        ),
    ];
    let (is_same, gradient) = report(&format!("Lotka-Volterra, {steps} steps"), primal, runs);
    let (_, along) = plain::populations::jvp(&RATES, &[1.0; 4], steps);
    agrees(&gradient, along) && is_same
}

fn burgers(cells: usize, steps: usize) -> bool {
    let start: Vec<f64> = (0..cells).map(|i| (0.05 * i as f64).sin()).collect();
    let primal = seconds(|| plain::wave(black_box(&start), 0.2, steps));
    let flat = |(mut gradient, viscosity): (Vec<f64>, f64)| {
        gradient.push(viscosity);
        gradient
    };
    let runs = [
        ("nothing", run(|| flat(plain::wave::gradient(&start, 0.2, steps)))),
        ("#[checkpoint]", run(|| flat(root::wave::gradient(&start, 0.2, steps)))),
        (
            "#[checkpoint(every = 1000)]",
            run(|| flat(every_thousand::wave::gradient(&start, 0.2, steps))),
        ),
        (
            "#[checkpoint(snapshots = 50)]",
            run(|| flat(snapshots::wave::gradient(&start, 0.2, steps))),
        ),
    ];
    let (is_same, gradient) =
        report(&format!("Burgers, {cells} cells, {steps} steps"), primal, runs);
    let (_, along) = plain::wave::jvp(&start, &vec![1.0; cells], 0.2, 1.0, steps);
    agrees(&gradient, along) && is_same
}

fn main() -> ExitCode {
    let held = [lotka_volterra(10_000_000), burgers(200, 20_000)];
    if held == [true; 2] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, since tests side by side would count each other's memory.
    #[test]
    fn schedules_change_memory_and_nothing_else() {
        assert!(lotka_volterra(20_000));
        assert!(burgers(20, 300));
        let bytes = |steps| run(|| root::populations::gradient(&RATES, steps).to_vec()).bytes;
        let plain = run(|| plain::populations::gradient(&RATES, 40_000).to_vec()).bytes;
        assert!(plain >= 40_000 * 8, "{plain} bytes of tape");
        assert!(bytes(40_000) * 20 < plain);
        assert!(bytes(160_000) <= 3 * bytes(40_000));
    }
}
