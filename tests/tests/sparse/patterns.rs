//! Patterns, against sets of pairs.

use super::{pattern, symmetric};
use cotangent::sparse::{Pattern, Triplets};
use proptest::prelude::*;
use std::collections::BTreeSet;

proptest! {
    #[test]
    fn a_pattern_is_a_set_of_pairs(
        entries in proptest::collection::vec((0..6_usize, 0..5_usize), 0..20),
    ) {
        let pattern = Pattern::new(6, 5, entries.clone());
        let set: BTreeSet<_> = entries.into_iter().collect();
        prop_assert!(pattern.entries().eq(set.iter().copied()));
        prop_assert_eq!(pattern.len(), set.len());
        for (row, column) in (0..6).flat_map(|row| (0..5).map(move |column| (row, column))) {
            prop_assert_eq!(pattern.contains(row, column), set.contains(&(row, column)));
        }
        let flipped: BTreeSet<_> = set.iter().map(|(row, column)| (*column, *row)).collect();
        prop_assert!(pattern.transposed().entries().eq(flipped));
    }

    #[test]
    fn symmetry_is_equality_with_the_transpose(pattern in pattern(), symmetric in symmetric()) {
        prop_assert_eq!(pattern.is_symmetric(), pattern == pattern.transposed());
        prop_assert!(symmetric.is_symmetric());
    }

    #[test]
    fn coordinates_and_compressed_rows_agree(pattern in pattern()) {
        let matrix = Triplets::<f64>::zeros(pattern.clone());
        prop_assert_eq!(matrix.row_indices().len(), pattern.len());
        for (row, bounds) in pattern.row_offsets().windows(2).enumerate() {
            for entry in bounds[0]..bounds[1] {
                prop_assert_eq!(matrix.row_indices()[entry], row);
            }
            prop_assert_eq!(pattern.row(row), &matrix.column_indices()[bounds[0]..bounds[1]]);
        }
    }

    #[test]
    fn detection_finds_linear_functions(pattern in pattern()) {
        let product = |v: &[f64]| {
            let mut product = vec![0.0; pattern.rows()];
            pattern.entries().for_each(|(row, column)| product[row] += 0.0 * v[column]);
            product
        };
        prop_assert_eq!(&Pattern::detect(pattern.columns(), product), &pattern);
    }
}
