//! Jacobians and Hessians as functions that have derivatives: each column is a product with a direction.
//!
//! In comes a closure that gives a column, with its tangents or with its pullback; out go the matrix with its
//! tangents, or, in the caller's shadows, what all columns add to them. A matrix is linear in its columns, so that
//! each component of it has those of the columns.

use alloc::vec::Vec;

use crate::floats::Each;
use crate::jacobian::{count, point, put_each};
use crate::matrix::Matrix;
use crate::output::Entry;
use crate::tangent::Tangent;

/// A matrix with its tangents. `product` gives a column with its own; `zero` is the direction that is none.
pub fn columns<D: Tangent, C: Tangent, F: Entry, const TIMES: usize>(
    zero: &D,
    mut product: impl FnMut(&mut D) -> [C; TIMES],
) -> [Matrix<F>; TIMES] {
    let (columns, mut direction) = (count(zero), zero.clone());
    let mut matrices: [Matrix<F>; TIMES] = core::array::from_fn(|_| Matrix::default());
    for column in 0..columns.max(1) {
        point(&mut direction, column);
        let made = product(&mut direction);
        for (matrix, made) in matrices.iter_mut().zip(made) {
            put_each(matrix, (column, columns), &[made]);
        }
    }
    matrices
}

/// Runs the pullback of each column. It is given the direction, and a function that gives a zero the entries that
/// one of the matrix's cotangents has in the column.
pub fn pulled_columns<D: Tangent, C: Tangent, F: Tangent, const TIMES: usize>(
    zero: &D,
    cotangents: &[Matrix<F>; TIMES],
    mut pull: impl FnMut(&mut D, &dyn Fn(usize, C) -> C),
) {
    let (columns, mut direction) = (count(zero), zero.clone());
    for column in 0..columns {
        point(&mut direction, column);
        pull(&mut direction, &|component, mut cotangent| {
            let mut entries = entries(&cotangents[component], column).into_iter();
            cotangent
                .visit_mut(&mut |float| *float = entries.next().expect("a row for each float"));
            cotangent
        });
    }
}

/// A column of a cotangent.
fn entries<F: Tangent>(cotangent: &Matrix<F>, column: usize) -> Vec<f64> {
    let mut entries = Vec::with_capacity(cotangent.rows());
    for row in 0..cotangent.rows() {
        cotangent[(row, column)].visit_floats(&mut Each(|float| entries.push(float)));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn components_are_matrices_of_their_own() {
        let product = |d: &mut (f64, f64)| [vec![d.0, 2.0 * d.1, d.0], vec![d.1, 0.0, 5.0 * d.0]];
        let [matrix, tangent] = columns(&(0.0, 0.0), product);
        assert_eq!(matrix, Matrix::from_vec(3, 2, vec![1.0, 0.0, 0.0, 2.0, 1.0, 0.0]));
        assert_eq!(tangent, Matrix::from_vec(3, 2, vec![0.0, 1.0, 0.0, 0.0, 5.0, 0.0]));
    }

    #[test]
    fn pullbacks_are_given_columns() {
        let cotangent = Matrix::from_vec(2, 2, vec![1.0, 2.0, 3.0, 4.0]);
        let mut seen = vec![];
        pulled_columns(&[0.0; 2], &[cotangent], |direction, fill| {
            seen.push((*direction, fill(0, [0.0; 2])));
        });
        assert_eq!(seen, [([1.0, 0.0], [1.0, 3.0]), ([0.0, 1.0], [2.0, 4.0])]);
    }

    #[test]
    fn no_directions_keep_the_rows() {
        let [matrix] = columns::<_, _, f64, 1>(&Vec::<f64>::new(), |_| [vec![1.0, 2.0]]);
        assert_eq!((matrix.rows(), matrix.columns()), (2, 0));
    }
}
