//! The first five kernels: primal, our gradient, gradient by hand.
//!
//! ```text
//! cargo bench --bench first
//! cargo bench --bench first -- Rosenbrock
//! ```
//!
//! Each kernel is a Criterion group of three. After the groups the three are timed again in turns, and a
//! table of their ratios is printed: how many primals a gradient costs, and how ours compares with one
//! written by hand.

use criterion::Criterion;
use std::time::Duration;

use cotangent_examples::cases::{self, Case};
use cotangent_examples::ratios;

fn main() {
    let mut criterion = configuration().configure_from_args();
    for case in cases::first() {
        bench(&mut criterion, case);
    }
    criterion.final_summary();
    if is_measured() {
        println!("Medians of interleaved runs:");
        ratios::print_table(&mut cases::first());
    }
}

/// Short runs: the kernels take microseconds.
fn configuration() -> Criterion {
    Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1))
}

fn bench(criterion: &mut Criterion, mut case: Case) {
    let mut group = criterion.benchmark_group(case.name);
    group.bench_function("primal", |bencher| bencher.iter(&mut case.primal));
    group.bench_function("ours", |bencher| bencher.iter(&mut case.ours));
    group.bench_function("by hand", |bencher| bencher.iter(&mut case.by_hand));
    group.finish();
}

/// `cargo bench` passes `--bench`; `cargo test` runs each benchmark once and wants no timing.
fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}
