//! Whether a gradient costs as many evaluations of its function at a million elements, or steps, as at a thousand.
//!
//! ```text
//! cargo run --release --example lengths
//! ```
//!
//! For each kernel at both lengths, the primal and our gradient are timed in turns, and medians of their ratios are
//! printed as a table in Markdown. What is linear has the same ratio at both, but for memory: a tape, a state or a
//! shadow that is larger than a cache takes longer for each element, in the function and in its gradient.

use cotangent_examples::cases;
use cotangent_examples::ratios;

const SHORT: usize = 1_000;
const LONG: usize = 1_000_000;

fn main() {
    println!("| kernel | gradient at {SHORT} | at {LONG} | change | primal for each, ns | |");
    println!("|---|--:|--:|--:|--:|--:|");
    for (short, long) in cases::of_length(SHORT).iter_mut().zip(&mut cases::of_length(LONG)) {
        let name = short.name;
        let [a, b] = [short, long].map(ratios::measure);
        let change = 100.0 * (b.ours_to_primal / a.ours_to_primal - 1.0);
        let [first, second] =
            [(a.primal, SHORT), (b.primal, LONG)].map(|(time, n)| 1e9 * time / n as f64);
        println!(
            "| {name} | {:.2} | {:.2} | {change:+.0} % | {first:.2} | {second:.2} |",
            a.ours_to_primal, b.ours_to_primal
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_the_same_at_both_lengths() {
        let names = |n: usize| cases::of_length(n).iter().map(|case| case.name).collect::<Vec<_>>();
        assert_eq!(names(3), names(5));
        assert!(
            cases::of_length(5).iter_mut().all(|case| case.ours.run() == case.function.value())
        );
    }
}
