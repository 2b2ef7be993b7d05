//! Inputs of the kernels: the same numbers in every run and on every machine.

use std::ops::Range;

/// `len` numbers spread evenly over `range`, in an order without pattern.
///
/// A linear congruential generator modulo 2⁶⁴ with Knuth's constants (The Art of Computer Programming,
/// volume 2, section 3.3.4), of which the upper 53 bits are taken.
pub fn sequence(len: usize, range: Range<f64>) -> Vec<f64> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let unit = (state >> 11) as f64 / (1_u64 << 53) as f64;
        range.start + (range.end - range.start) * unit
    };
    (0..len).map(|_| next()).collect()
}

/// `len` labels, −1 or 1.
pub fn labels(len: usize) -> Vec<f64> {
    sequence(len, -1.0..1.0).into_iter().map(f64::signum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_covers_its_range() {
        let numbers = sequence(10_000, -2.0..6.0);
        let mean = numbers.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 2.0).abs() < 0.1, "{mean}");
        assert!(numbers.iter().all(|number| (-2.0..6.0).contains(number)));
    }

    #[test]
    fn both_labels_occur() {
        let labels = labels(100);
        assert!(labels.contains(&1.0) && labels.contains(&-1.0));
    }
}
