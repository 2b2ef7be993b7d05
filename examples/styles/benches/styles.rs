//! The cost of derivatives of one algorithm that is written in several ways.
//!
//! ```text
//! cargo bench -p cotangent-examples-styles --bench styles
//! cargo bench -p cotangent-examples-styles --bench styles -- Kalman
//! ```
//!
//! Of each style, the function, its gradient, `vjp` with its pullback, `jvp` and the algorithm's gradient by hand are
//! timed in turns, and medians of their ratios are printed as a table in Markdown; with the most bytes that a gradient
//! has allocated at once, and by hand below the algorithm's name. An argument is a part of the names of those
//! algorithms that are measured.

use std::time::Instant;

use cotangent_examples::ratios::{self, Rounds};
use cotangent_examples_styles::algorithms;
use cotangent_examples_styles::style::{Algorithm, Size, Style};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// A style costs too much from here on, in gradients by hand.
const LIMIT: f64 = 2.5;

fn main() {
    if !ratios::is_measured() {
        return;
    }
    let start = Instant::now();
    let chosen = std::env::args().skip(1).find(|name| !name.starts_with('-')).unwrap_or_default();
    let mut all = Vec::new();
    println!("| algorithm, style | primal | gradient | over hand | vjp | jvp | peak bytes |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for algorithm in algorithms(Size::Large) {
        if algorithm.name().contains(&chosen) {
            all.extend(print_algorithm(&algorithm));
        }
    }
    let above =
        |ratio: fn(&Ratios) -> f64| all.iter().filter(|ratios| ratio(ratios) > LIMIT).count();
    println!(
        "\n{} styles: geometric mean over hand {:.2}, {} above {LIMIT}, of {} the function alone; {:.0} s",
        all.len(),
        mean_over_hand(&all),
        above(|ratios| ratios.gradient),
        above(|ratios| ratios.primal),
        start.elapsed().as_secs_f64()
    );
}

/// Of a style, over the gradient by hand.
struct Ratios {
    primal: f64,
    gradient: f64,
}

/// Prints a row for each style and one for the algorithm.
fn print_algorithm(algorithm: &Algorithm) -> Vec<Ratios> {
    let all: Vec<Ratios> =
        algorithm.styles().iter().map(|style| print_style(algorithm, style)).collect();
    let over_hand = || all.iter().map(|ratios| ratios.gradient);
    let (slowest, fastest) =
        (over_hand().fold(0.0, f64::max), over_hand().fold(f64::INFINITY, f64::min));
    println!(
        "| **{}**: spread {:.2} | | | {:.2} | | | {} |",
        algorithm.name(),
        slowest / fastest,
        mean_over_hand(&all),
        peak(&mut algorithm.run_by_hand())
    );
    all
}

/// Prints a row.
fn print_style(algorithm: &Algorithm, style: &Style) -> Ratios {
    let [mut primal, mut gradient, mut vjp, mut jvp] = style.runs();
    let bytes = peak(&mut gradient);
    let mut by_hand = algorithm.run_by_hand();
    let mut runs: [&mut dyn FnMut(); 5] =
        [&mut primal, &mut gradient, &mut vjp, &mut jvp, &mut by_hand];
    let rounds = Rounds::of(&mut runs);
    let over_hand = Ratios { primal: rounds.ratio(0, 4), gradient: rounds.ratio(1, 4) };
    println!(
        "| {}, {} | {:.0} ns | {:.2} | {:.2} | {:.2} | {:.2} | {bytes} |",
        algorithm.name(),
        style.name(),
        rounds.seconds(0) * 1e9,
        rounds.ratio(1, 0),
        over_hand.gradient,
        rounds.ratio(2, 0),
        rounds.ratio(3, 0),
    );
    over_hand
}

/// The most bytes that `run` has allocated at once.
fn peak(run: &mut dyn FnMut()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    run();
    ALLOCATOR.peak_usage() - before
}

/// The geometric mean of the times of gradients over those by hand.
fn mean_over_hand(all: &[Ratios]) -> f64 {
    (all.iter().map(|ratios| ratios.gradient.ln()).sum::<f64>() / all.len() as f64).exp()
}
