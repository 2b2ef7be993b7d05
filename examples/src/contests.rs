//! Several ways to the same derivatives: compared first, then timed against each other.
//!
//! In: a kernel's [`Way`]s, of which the first finds its value alone. Out: a row of the table for each.

use std::hint::black_box;

use crate::ratios;

/// One way to find something of a kernel.
pub struct Way<'a> {
    /// What it finds: ways to the same are compared.
    what: &'static str,
    /// What it is found with.
    by: &'static str,
    result: Vec<f64>,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Way<'a> {
    /// Runs `find` once for its result, the numbers of which `read` takes out of it.
    ///
    /// A way that finds no more than the first numbers of what the others do is compared in these.
    pub fn new<T>(
        what: &'static str,
        by: &'static str,
        mut find: impl FnMut() -> T + 'a,
        read: impl FnOnce(T) -> Vec<f64>,
    ) -> Self {
        let result = read(find());
        let run = move || {
            black_box(find());
        };
        Way { what, by, result, run: Box::new(run) }
    }
}

/// Prints what the columns of [`print_rows`] are.
pub fn print_head() {
    println!("{:<18} {:<38} {:>12} {:>9} {:>9}", "", "by", "time", "to value", "to ours");
}

/// Times `ways` in turns, and prints a row for each: its time, that over the time of the first way, and that over the
/// time of the first way to the same.
pub fn print_rows(name: &str, ways: &mut [Way]) {
    println!("{name}");
    let mut runs: Vec<&mut dyn FnMut()> = Vec::new();
    for way in ways.iter_mut() {
        runs.push(&mut *way.run);
    }
    let (value, to_value) = ratios::to_first(&mut runs);
    for (way, ratio) in ways.iter().zip(&to_value) {
        let ours = ways.iter().zip(&to_value).find(|(other, _)| other.what == way.what);
        let (micros, to_ours) = (ratio * value * 1e6, ours.map_or(1.0, |(_, ours)| ratio / ours));
        let Way { what, by, .. } = way;
        println!("  {what:<16} {by:<38} {micros:>9.2} µs {ratio:>9.2} {to_ours:>9.2}");
    }
}

/// Compares all ways to the same, to 1e-10 of its largest number.
///
/// # Panics
///
/// When two differ.
pub fn assert_agreement(name: &str, ways: &[Way]) {
    for Way { what, by, result, .. } in ways {
        let ours = ways.iter().find(|other| other.what == *what).map_or(result, |way| &way.result);
        let scale = ours.iter().fold(0.0, |scale: f64, number| scale.max(number.abs()));
        assert!(!result.is_empty() && result.len() <= ours.len(), "{name}: {what} by {by}");
        for (index, (found, ours)) in result.iter().zip(ours).enumerate() {
            let is_near = (found - ours).abs() <= 1e-10 * scale;
            assert!(is_near, "{name}: number {index} of the {what} by {by} is {found}, not {ours}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(by: &'static str, numbers: &'static [f64]) -> Way<'static> {
        Way::new("gradient", by, move || numbers, <[f64]>::to_vec)
    }

    #[test]
    fn first_numbers_are_enough() {
        assert_agreement("square", &[way("ours", &[2.0, 4.0]), way("theirs", &[2.0])]);
    }

    #[test]
    #[should_panic(expected = "square: number 1 of the gradient by theirs is 4.5, not 4")]
    fn a_difference_is_found() {
        assert_agreement("square", &[way("ours", &[2.0, 4.0]), way("theirs", &[2.0, 4.5])]);
    }
}
