//! That plans find each entry of random matrices. Entries are integers, so that sums of them are exact.

use super::{arrow, pattern, symmetric};
use crate::tester::counter::allocations;
use cotangent::sparse::{
    ColumnPlan, HessianPlan, JacobianPlan, Pattern, RowPlan, Triplets, Workspace,
};
use cotangent::{Float, Matrix};
use proptest::prelude::*;

/// A matrix whose entries all differ.
fn numbered(pattern: &Pattern) -> Triplets {
    let mut matrix = Triplets::zeros(pattern.clone());
    matrix.values_mut().iter_mut().zip(1..).for_each(|(value, number)| *value = f64::from(number));
    matrix
}

/// One whose entries differ but for the opposite ones.
fn numbered_symmetric(pattern: &Pattern) -> Triplets {
    let mut matrix = Triplets::zeros(pattern.clone());
    let size = pattern.rows();
    for (value, (row, column)) in matrix.values_mut().iter_mut().zip(pattern.entries()) {
        *value = (1 + row.max(column) * size + row.min(column)) as f64;
    }
    matrix
}

/// The product of the transposed matrix with a vector.
fn transposed_times(matrix: &Triplets, vector: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; matrix.columns()];
    matrix.iter().for_each(|(row, column, value)| product[column] += value * vector[row]);
    product
}

proptest! {
    #[test]
    fn jacobians_are_found_in_their_products(pattern in pattern()) {
        let matrix = numbered(&pattern);
        let (jvp, vjp) = (|v: &[f64]| matrix.times(v), |v: &[f64]| transposed_times(&matrix, v));
        prop_assert_eq!(&ColumnPlan::new(&pattern).evaluate(jvp), &matrix);
        prop_assert_eq!(&RowPlan::new(&pattern).evaluate(vjp), &matrix);
        prop_assert_eq!(&JacobianPlan::new(&pattern).evaluate(jvp, vjp), &matrix);
    }

    #[test]
    fn hessians_are_found_in_their_products(pattern in symmetric()) {
        let matrix = numbered_symmetric(&pattern);
        let hvp = |v: &[f64]| matrix.times(v);
        prop_assert_eq!(&HessianPlan::new(&pattern).evaluate(hvp), &matrix);
        prop_assert_eq!(&HessianPlan::by_substitution(&pattern).evaluate(hvp), &matrix);
    }

    #[test]
    fn hessians_are_symmetric_though_their_products_are_not(pattern in symmetric()) {
        let matrix = numbered(&pattern);
        for plan in [HessianPlan::new(&pattern), HessianPlan::by_substitution(&pattern)] {
            let hessian = plan.evaluate(|v: &[f64]| matrix.times(v)).to_dense();
            for (row, column) in pattern.entries() {
                prop_assert_eq!(hessian[(row, column)], hessian[(column, row)]);
            }
        }
    }

    #[test]
    fn what_star_colourings_read_is_no_difference(pattern in symmetric()) {
        // Beside the largest entries, a difference would lose the smallest.
        let mut matrix = numbered_symmetric(&pattern);
        matrix.values_mut().iter_mut().for_each(|value| *value = 10.0_f64.powi(*value as i32 % 37));
        prop_assert_eq!(&HessianPlan::new(&pattern).evaluate(|v: &[f64]| matrix.times(v)), &matrix);
    }

    #[test]
    fn seeds_and_products_may_be_all_at_once(pattern in symmetric()) {
        let matrix = numbered_symmetric(&pattern);
        let plan = HessianPlan::by_substitution(&pattern);
        let seeds: Matrix = plan.seeds();
        let products = (0..plan.colours()).flat_map(|colour| matrix.times(seeds.row(colour)));
        let products = Matrix::from_vec(plan.colours(), pattern.rows(), products.collect());
        prop_assert_eq!(&plan.recover(products), &matrix);
    }
}

#[test]
fn single_precision_stays_single() {
    let plan = HessianPlan::new(&Pattern::banded(3, 3, 1, 1));
    let hessian: Triplets<f32> =
        plan.evaluate(|v| [0.1 * v[0] + 0.2 * v[1], 0.2 * v[0] + 0.3 * v[2], 0.3 * v[1]]);
    assert_eq!(hessian.values(), [0.1, 0.2, 0.2, 0.0, 0.3, 0.3, 0.0]);
}

#[test]
fn a_float_may_be_either() {
    fn diagonal<T: Float>(scale: T) -> Triplets<T> {
        let pattern = Pattern::detect(3, |v: &[T]| v.to_vec());
        ColumnPlan::new(&pattern).evaluate(|v| v.iter().map(|v| *v * scale).collect::<Vec<_>>())
    }
    assert_eq!(diagonal(2.0_f32).times(&[1.0, 2.0, 3.0]), [2.0_f32, 4.0, 6.0]);
    assert_eq!(diagonal(2.0).values(), [2.0; 3]);
}

#[test]
fn memory_is_used_again() {
    for plan in [HessianPlan::new(&arrow(9)), HessianPlan::by_substitution(&arrow(9))] {
        let matrix = numbered_symmetric(plan.pattern());
        let mut values = vec![f64::NAN; matrix.values().len()];
        let mut workspace = Workspace::new();
        let mut evaluate = || {
            plan.evaluate_into(&mut values, &mut workspace, |seed, product| {
                matrix.iter().for_each(|(i, j, value)| product[i] += value * seed[j]);
            });
        };
        evaluate();
        let before = allocations();
        evaluate();
        assert_eq!(allocations(), before);
        assert_eq!(values, matrix.values());
    }
}

#[test]
fn a_workspace_serves_plans_of_all_sizes() {
    let mut workspace = Workspace::new();
    for size in [5, 9, 3] {
        let plan = ColumnPlan::new(&Pattern::banded(size, size, 1, 0));
        let matrix = numbered(plan.pattern());
        let mut values = vec![0.0; matrix.values().len()];
        plan.evaluate_into(&mut values, &mut workspace, |seed, product| {
            product.copy_from_slice(&matrix.times(seed));
        });
        assert_eq!(values, matrix.values());
    }
}

#[test]
#[should_panic(expected = "a product has 3 entries, and should have 2")]
fn products_have_the_length_of_the_pattern() {
    let _ = ColumnPlan::new(&Pattern::dense(2, 3)).evaluate(|_: &[f64]| vec![0.0; 3]);
}

#[test]
#[should_panic(expected = "3 values for a pattern of 4 entries")]
fn values_are_as_many_as_entries() {
    let plan = ColumnPlan::new(&Pattern::dense(2, 2));
    plan.evaluate_into(&mut [0.0; 3], &mut Workspace::new(), |_, _| {});
}

#[test]
#[should_panic(
    expected = "2 products of 3 entries were given to a plan of 3 colours and 2 entries"
)]
fn compressed_matrices_are_those_of_the_plan() {
    let _ = ColumnPlan::new(&Pattern::dense(2, 3)).recover(Matrix::<f64>::zeros(2, 3));
}

#[test]
#[should_panic(expected = "colour 2 of a plan of 2")]
fn groups_are_those_of_colours() {
    let _ = ColumnPlan::new(&Pattern::dense(1, 2)).group(2);
}
