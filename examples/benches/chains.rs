//! Gradients of chains of iterators, beside those of loops over indices.
//!
//! ```text
//! cargo bench --bench chains
//! cargo bench --bench chains -- windows
//! ```
//!
//! Each pair is a Criterion group of two. After the groups the two are timed again in turns, and a table of
//! their ratios is printed.

mod settings;

use criterion::Criterion;

use cotangent_examples::pairs::{self, Pair};
use cotangent_examples::ratios;

fn main() {
    let mut criterion = settings::criterion();
    for pair in pairs::gradients() {
        bench(&mut criterion, pair);
    }
    criterion.final_summary();
    if ratios::is_measured() {
        println!("Medians of interleaved runs:");
        ratios::print_comparison(&mut pairs::gradients());
    }
}

fn bench(criterion: &mut Criterion, mut pair: Pair) {
    let mut group = criterion.benchmark_group(pair.name);
    group.bench_function("chain", |bencher| bencher.iter(&mut pair.chain));
    group.bench_function("loop", |bencher| bencher.iter(&mut pair.by_index));
    group.finish();
}
