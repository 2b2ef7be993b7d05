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

mod settings;

use criterion::Criterion;

use cotangent_examples::cases::{self, Case};
use cotangent_examples::ratios;

fn main() {
    let mut criterion = settings::criterion();
    for case in cases::first() {
        bench(&mut criterion, case);
    }
    criterion.final_summary();
    if ratios::is_measured() {
        println!("Medians of interleaved runs:");
        ratios::print_table(&mut cases::first());
    }
}

fn bench(criterion: &mut Criterion, mut case: Case) {
    let mut group = criterion.benchmark_group(case.name);
    group.bench_function("primal", |bencher| bencher.iter(|| case.function.value()));
    group.bench_function("ours", |bencher| bencher.iter(|| case.ours.run()));
    if let Some(by_hand) = &mut case.by_hand {
        group.bench_function("by hand", |bencher| bencher.iter(|| by_hand.run()));
    }
    group.finish();
}
