//! Jacobians, column by column in forward mode or row by row in reverse mode.
//!
//! In comes a closure that runs one derivative; out goes a [`Matrix`] whose rows are the outputs and
//! whose columns are the floats of the input, both in the order of
//! [`Tangent::visit`](crate::Tangent::visit). A side without floats gives a matrix with no rows or no
//! columns, and still the right number of the other.

use alloc::vec::Vec;

use crate::differentiable::Differentiable;
use crate::matrix::Matrix;
use crate::output::{Entry, VectorOutput};
use crate::tangent::Tangent;
use crate::visit::Leaf;

/// Runs `jvp` once for every float of `x`. It receives the direction and returns what the function's
/// `jvp` returns.
pub fn jacobian_columns<X, Y>(
    x: &X,
    mut jvp: impl FnMut(X::Tangent) -> (Y, Y::Tangent),
) -> Matrix<<Y as VectorOutput<'static>>::Float>
where
    X: Differentiable + ?Sized,
    Y: Differentiable + VectorOutput<'static>,
{
    let zero = x.zero_tangent();
    let columns = count(&zero);
    if columns == 0 {
        let (_, y_dot) = jvp(zero);
        return Matrix::from_vec(count(&y_dot), 0, Vec::new());
    }
    let mut entries = Vec::new();
    for column in 0..columns {
        let (_, y_dot) = jvp(basis(&zero, column));
        append(&mut entries, &y_dot);
        if column == 0 {
            entries.reserve(entries.len() * (columns - 1));
        }
    }
    transposed(columns, &entries)
}

/// Runs `vjp` once for every float of the output. It receives a function that makes the output's
/// cotangent from the output, and returns the cotangent of `x`.
pub fn jacobian_rows<X, Y>(
    x: &X,
    mut vjp: impl FnMut(&mut dyn FnMut(&Y) -> Y::Tangent) -> X::Tangent,
) -> Matrix<<Y as VectorOutput<'static>>::Float>
where
    X: Differentiable + ?Sized,
    Y: Differentiable + VectorOutput<'static>,
{
    let columns = count(&x.zero_tangent());
    let (mut rows, mut entries) = (1, Vec::new());
    let mut row = 0;
    while row < rows {
        let x_bar = vjp(&mut |y| {
            let zero = y.zero_tangent();
            rows = count(&zero);
            if rows == 0 { zero } else { basis(&zero, row) }
        });
        if rows > 0 {
            append(&mut entries, &x_bar);
        }
        row += 1;
    }
    Matrix::from_vec(rows, columns, entries)
}

/// How many floats a tangent has.
pub(crate) fn count(tangent: &impl Tangent) -> usize {
    let mut count = 0;
    tangent.visit(&mut |leaf: Leaf<'_>| count += usize::from(leaf.float().is_some()));
    count
}

/// The tangent that is one at float `position` and zero elsewhere.
fn basis<T: Tangent>(zero: &T, position: usize) -> T {
    let mut tangent = zero.clone();
    point(&mut tangent, position);
    tangent
}

/// Makes a tangent one at float `position` and zero elsewhere.
pub(crate) fn point(tangent: &mut impl Tangent, position: usize) {
    let mut index = 0;
    tangent.visit_mut(&mut |float| {
        *float = if index == position { 1.0 } else { 0.0 };
        index += 1;
    });
}

pub(crate) fn append<F: Entry>(entries: &mut Vec<F>, tangent: &impl Tangent) {
    tangent.visit(&mut |leaf: Leaf<'_>| entries.extend(leaf.float().map(F::narrow)));
}

/// The matrix whose columns follow each other in `entries`; there is at least one.
pub(crate) fn transposed<F: Entry>(columns: usize, entries: &[F]) -> Matrix<F> {
    let rows = entries.len() / columns;
    let row = |row: usize| entries[row..].iter().step_by(rows).copied();
    let mut by_rows = Vec::with_capacity(entries.len());
    (0..rows).for_each(|index| by_rows.extend(row(index)));
    Matrix::from_vec(rows, columns, by_rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// `y[i] = (i + 1) * Σ x² + x[0]`, of as many outputs as asked for.
    fn jvp(x: &[f64], x_dot: &[f64], outputs: usize) -> (Vec<f64>, Vec<f64>) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (sum, sum_dot) = (dot(x, x), 2.0 * dot(x, x_dot));
        (1..=outputs).map(|i| (i as f64 * sum + x[0], i as f64 * sum_dot + x_dot[0])).unzip()
    }

    fn pullback(x: &[f64], y_bar: &[f64]) -> Vec<f64> {
        let scale: f64 = y_bar.iter().zip(1..).map(|(y_bar, i)| y_bar * f64::from(i)).sum();
        let mut x_bar: Vec<f64> = x.iter().map(|x| 2.0 * x * scale).collect();
        x_bar[0] += y_bar.iter().sum::<f64>();
        x_bar
    }

    #[test]
    fn columns_and_rows_agree() {
        let x = [1.0, 2.0, 3.0];
        let columns = jacobian_columns(&x[..], |x_dot| jvp(&x, &x_dot, 2));
        let rows = jacobian_rows(&x[..], |seed: &mut dyn FnMut(&Vec<f64>) -> Vec<f64>| {
            let (y, _) = jvp(&x, &[0.0; 3], 2);
            pullback(&x, &seed(&y))
        });
        let expected = Matrix::from_vec(2, 3, vec![3.0, 4.0, 6.0, 5.0, 8.0, 12.0]);
        assert_eq!(columns, expected);
        assert_eq!(rows, expected);
    }

    #[test]
    fn sides_without_floats_keep_the_other_side() {
        let x: [f64; 0] = [];
        let columns = jacobian_columns(&x[..], |_| (vec![1.0, 2.0], vec![0.0, 0.0]));
        let rows = jacobian_rows(&x[..], |seed: &mut dyn FnMut(&[f32; 2]) -> [f32; 2]| {
            seed(&[1.0, 2.0]);
            vec![]
        });
        assert_eq!((columns.rows(), columns.columns()), (2, 0));
        assert_eq!((rows.rows(), rows.columns()), (2, 0));

        let x = [1.0, 2.0, 3.0];
        let columns = jacobian_columns(&x, |_| (Vec::<f64>::new(), vec![]));
        let rows = jacobian_rows(&x, |seed: &mut dyn FnMut(&Vec<f64>) -> Vec<f64>| {
            seed(&vec![]);
            [0.0; 3]
        });
        assert_eq!((columns.rows(), columns.columns()), (0, 3));
        assert_eq!((rows.rows(), rows.columns()), (0, 3));
    }

    #[test]
    fn single_precision_stays_single() {
        let jacobian: Matrix<f32> =
            jacobian_columns(&3.0_f32, |x_dot| ((0.1_f32, 0.2_f32), (x_dot * 0.1, x_dot * 0.2)));
        assert_eq!(jacobian.as_slice(), [0.1, 0.2]);
    }

    #[test]
    fn an_alias_is_enough_in_emitted_signatures() {
        type Output = [f64; 2];
        fn jacobian(x: f64) -> Matrix<<Output as VectorOutput<'static>>::Float>
        where
            for<'a> Output: VectorOutput<'a>,
        {
            jacobian_columns(&x, |x_dot| ([x, x * x], [x_dot, 2.0 * x * x_dot]))
        }
        assert_eq!(jacobian(3.0), Matrix::from_vec(2, 1, vec![1.0, 6.0]));
    }
}
