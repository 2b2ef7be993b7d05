//! Jacobians: several columns at once or one by one in forward mode, row by row in reverse mode.
//!
//! In come closures that run derivatives, and the floats of the input as [`Units`] or as a [`Basis`] of tangents. They
//! fill a [`Matrix`] whose rows are the outputs and whose columns are the floats of the input, both in the order of
//! [`Differentiable::visit`]. A side without floats gives a matrix with no rows or no columns, and
//! still the right number of the other.

use alloc::vec::Vec;

use crate::differentiable::Differentiable;
use crate::floats::{Count, Each};
use crate::matrix::Matrix;
use crate::output::{Entry, VectorOutput};
use crate::tangent::Tangent;

/// The unit vectors of one length: windows of zeros around a one.
pub struct Units<'s, F> {
    line: &'s [F],
    length: usize,
}

impl<'s, F: Entry> Units<'s, F> {
    /// Those with as many floats, in memory that is kept.
    pub fn new(length: usize, line: &'s mut Vec<F>) -> Self {
        line.clear();
        line.resize(2 * length, F::narrow(0.0));
        Units::of(line)
    }

    /// Those with half as many floats as there are zeros.
    pub(crate) fn of(line: &'s mut [F]) -> Self {
        let length = line.len() / 2;
        line.get_mut(length).into_iter().for_each(|one| *one = F::narrow(1.0));
        Units { line, length }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.length
    }

    /// The one that points along a float; zero where there is no such float.
    pub fn along(&self, position: usize) -> &'s [F] {
        &self.line[self.length.saturating_sub(position)..][..self.length]
    }

    /// Several of them.
    pub fn each<const LANES: usize>(&self, positions: [usize; LANES]) -> [&'s [F]; LANES] {
        positions.map(|position| self.along(position))
    }
}

/// The tangents of a value that point along one float each.
pub struct Basis<T> {
    zero: T,
    count: usize,
}

impl<T: Tangent> Basis<T> {
    /// Those in the shape of a zero.
    pub fn new(zero: T) -> Self {
        Basis { count: count(&zero), zero }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The one that points along a float; zero where there is no such float.
    pub fn along(&self, position: usize) -> T {
        let mut tangent = self.zero.clone();
        point(&mut tangent, position);
        tangent
    }

    /// Several of them.
    pub fn each<const LANES: usize>(&self, positions: [usize; LANES]) -> [T; LANES] {
        positions.map(|position| self.along(position))
    }
}

/// The memory that a matrix keeps beside its entries, to be given back by [`keep_line`].
pub fn take_line<F>(matrix: &mut Matrix<F>) -> Vec<F> {
    core::mem::take(&mut matrix.scratch)
}

/// Gives it back.
pub fn keep_line<F>(matrix: &mut Matrix<F>, line: Vec<F>) {
    matrix.scratch = line;
}

/// More columns than this are compared with the rows, of which one costs about as much as so many columns.
const AT_ONCE: usize = 8;

/// Whether rows are fewer than columns by as much as one costs more. `run` makes the output, where its type does
/// not say how many floats it has.
pub fn is_wide<Y>(columns: usize, run: impl FnOnce() -> Y) -> bool
where
    Y: Differentiable + VectorOutput<'static>,
{
    columns > AT_ONCE
        && Y::LENGTH.unwrap_or_else(|| count(&run().zero_tangent())) * AT_ONCE < columns
}

/// Fills a matrix by columns. `one` is given the position of a float, and returns what `jvp` does along it.
pub fn jacobian_columns<Y>(
    matrix: &mut Matrix<<Y as VectorOutput<'static>>::Float>,
    columns: usize,
    mut one: impl FnMut(usize) -> (Y, Y::Tangent),
) where
    Y: Differentiable + VectorOutput<'static>,
{
    for column in 0..columns.max(1) {
        put_each(matrix, (column, columns), &[one(column).1]);
    }
}

/// Likewise, several columns at once: `four` and `eight` return what `jvp_batch` does.
pub fn jacobian_lanes<Y>(
    matrix: &mut Matrix<<Y as VectorOutput<'static>>::Float>,
    columns: usize,
    mut one: impl FnMut(usize) -> (Y, Y::Tangent),
    mut four: impl FnMut([usize; 4]) -> (Y, [Y::Tangent; 4]),
    mut eight: impl FnMut([usize; 8]) -> (Y, [Y::Tangent; 8]),
) where
    Y: Differentiable + VectorOutput<'static>,
{
    let width = |width, column| match width {
        8 => put_each(matrix, (column, columns), &eight(positions(column)).1),
        4 => put_each(matrix, (column, columns), &four(positions(column)).1),
        _ => put_each(matrix, (column, columns), &[one(column).1]),
    };
    sweep(columns, width);
}

/// Goes over columns with widths of 8, 4 and 1; the last may reach behind the last column. Where there is none, one is
/// run all the same.
pub(crate) fn sweep(columns: usize, mut run: impl FnMut(usize, usize)) {
    let mut column = 0;
    while column < columns.max(1) {
        let width = match columns.max(1) - column {
            1 => 1,
            2..=4 => 4,
            _ => 8,
        };
        run(width, column);
        column += width;
    }
}

/// Fills a matrix by rows. `row` is given what makes the output's cotangent from the output, and the place of
/// the cotangent of the input.
pub fn jacobian_rows<Y>(
    matrix: &mut Matrix<<Y as VectorOutput<'static>>::Float>,
    columns: usize,
    mut row: impl FnMut(&mut dyn FnMut(&Y) -> Y::Tangent, &mut Vec<<Y as VectorOutput<'static>>::Float>),
) where
    Y: Differentiable + VectorOutput<'static>,
{
    let (mut rows, mut index) = (1, 0);
    let mut line = core::mem::take(&mut matrix.scratch);
    while index < rows {
        line.clear();
        line.resize(columns, Entry::narrow(0.0));
        row(
            &mut |y| {
                let zero = y.zero_tangent();
                rows = count(&zero);
                let mut seed = zero;
                point(&mut seed, index);
                seed
            },
            &mut line,
        );
        if index == 0 {
            matrix.reset(rows, columns, Entry::narrow(0.0));
        }
        if rows > 0 {
            matrix.row_mut(index).copy_from_slice(&line);
        }
        index += 1;
    }
    matrix.scratch = line;
}

/// As many positions from a first one on.
pub(crate) fn positions<const LANES: usize>(first: usize) -> [usize; LANES] {
    core::array::from_fn(|lane| first + lane)
}

/// Writes columns, of which those behind the last one are left out.
pub(crate) fn put_each<F: Entry, T: Tangent>(
    matrix: &mut Matrix<F>,
    (first, columns): (usize, usize),
    tangents: &[T],
) {
    if first == 0 {
        matrix.reset(count(&tangents[0]), columns, F::narrow(0.0));
    }
    for (column, tangent) in (first..columns).zip(tangents) {
        write(matrix.column_mut(column), tangent);
    }
}

/// Writes the floats of a tangent to as many entries.
fn write<'e, F: Entry + 'e>(mut entries: impl Iterator<Item = &'e mut F>, tangent: &impl Tangent) {
    let mut put = |float: f64| {
        *entries.next().expect("as many floats as entries") = F::narrow(float);
    };
    tangent.visit_floats(&mut Each(&mut put));
}

/// A line as an array that is known to be as long.
#[inline]
#[track_caller]
pub fn sized<F, const N: usize>(line: &[F]) -> &[F; N] {
    line.try_into().expect("as many floats as the array has")
}

/// Likewise, to be written.
#[inline]
#[track_caller]
pub fn sized_mut<F, const N: usize>(line: &mut [F]) -> &mut [F; N] {
    line.try_into().expect("as many floats as the array has")
}

/// Writes the floats of a tangent one after the other.
pub fn put<F: Entry>(line: &mut [F], tangent: &impl Tangent) {
    write(line.iter_mut(), tangent);
}

/// How many floats a tangent has.
pub(crate) fn count(tangent: &impl Tangent) -> usize {
    let mut count = Count::default();
    tangent.visit_floats(&mut count);
    count.0
}

/// Makes a tangent one at float `position` and zero elsewhere. Cells are met as often as handles lead to them.
pub(crate) fn point<T: Tangent>(tangent: &mut T, position: usize) {
    if T::SHARES {
        tangent.visit_mut(&mut |float| *float = 0.0);
    }
    let mut index = 0;
    tangent.visit_mut(&mut |float| {
        if index == position {
            *float = 1.0;
        } else if !T::SHARES {
            *float = 0.0;
        }
        index += 1;
    });
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

    fn batch<const LANES: usize>(
        x: &[f64],
        x_dot: [&[f64]; LANES],
        outputs: usize,
    ) -> (Vec<f64>, [Vec<f64>; LANES]) {
        (jvp(x, &x.map_zero(), outputs).0, x_dot.map(|x_dot| jvp(x, x_dot, outputs).1))
    }

    trait Zero {
        fn map_zero(&self) -> Vec<f64>;
    }

    impl Zero for [f64] {
        fn map_zero(&self) -> Vec<f64> {
            vec![0.0; self.len()]
        }
    }

    fn pullback(x: &[f64], y_bar: &[f64], x_bar: &mut [f64]) {
        let scale: f64 = y_bar.iter().zip(1..).map(|(y_bar, i)| y_bar * f64::from(i)).sum();
        x_bar.iter_mut().zip(x).for_each(|(x_bar, x)| *x_bar += 2.0 * x * scale);
        x_bar[0] += y_bar.iter().sum::<f64>();
    }

    /// By columns, by lanes and by rows.
    fn ways(x: &[f64], outputs: usize) -> [Matrix; 3] {
        let mut line = Vec::new();
        let units = Units::new(x.len(), &mut line);
        let one = |column| jvp(x, units.along(column), outputs);
        let [mut columns, mut lanes, mut rows] = [(); 3].map(|()| Matrix::default());
        jacobian_columns::<Vec<f64>>(&mut columns, x.len(), one);
        let four = |columns| batch::<4>(x, units.each(columns), outputs);
        let eight = |columns| batch::<8>(x, units.each(columns), outputs);
        jacobian_lanes::<Vec<f64>>(&mut lanes, x.len(), one, four, eight);
        jacobian_rows::<Vec<f64>>(&mut rows, x.len(), |seed, x_bar| {
            pullback(x, &seed(&jvp(x, &x.map_zero(), outputs).0), x_bar);
        });
        [columns, lanes, rows]
    }

    #[test]
    fn columns_lanes_and_rows_agree() {
        let [columns, lanes, rows] = ways(&[1.0, 2.0, 3.0], 2);
        let expected = Matrix::from_vec(2, 3, vec![3.0, 4.0, 6.0, 5.0, 8.0, 12.0]);
        assert_eq!((&columns, &lanes, &rows), (&expected, &expected, &expected));
        for length in 1..20 {
            let x: Vec<f64> = (1..=length).map(f64::from).collect();
            let [columns, lanes, rows] = ways(&x, 3);
            assert_eq!(columns, lanes, "of {length}");
            assert_eq!(columns, rows, "of {length}");
        }
    }

    #[test]
    fn sides_without_floats_keep_the_other_side() {
        let [columns, lanes, rows] = ways(&[1.0, 2.0, 3.0], 0);
        for matrix in [columns, lanes, rows] {
            assert_eq!((matrix.rows(), matrix.columns()), (0, 3));
        }
        let (mut columns, mut rows) = (Matrix::default(), Matrix::default());
        jacobian_columns::<Vec<f64>>(&mut columns, 0, |_| (vec![1.0, 2.0], vec![0.0, 0.0]));
        jacobian_rows::<[f32; 2]>(&mut rows, 0, |seed, _| {
            seed(&[1.0, 2.0]);
        });
        assert_eq!((columns.rows(), columns.columns()), (2, 0));
        assert_eq!((rows.rows(), rows.columns()), (2, 0));
    }

    #[test]
    fn a_matrix_keeps_its_memory() {
        let mut matrix = Matrix::from_vec(2, 3, vec![7.0; 6]);
        let memory = matrix.as_slice().as_ptr();
        jacobian_columns::<[f64; 3]>(&mut matrix, 2, |column| {
            ([0.0; 3], [1.0, column as f64, 5.0])
        });
        assert_eq!(matrix, Matrix::from_vec(3, 2, vec![1.0, 1.0, 0.0, 1.0, 5.0, 5.0]));
        assert_eq!(matrix.as_slice().as_ptr(), memory);
    }

    #[test]
    fn rows_are_taken_where_they_are_few() {
        let run = || -> Vec<f64> { vec![0.0; 2] };
        assert!(is_wide(17, run) && !is_wide(16, run));
        assert!(!is_wide(8, || -> Vec<f64> { unreachable!() }), "not asked for few columns");
        assert!(is_wide(25, || -> [f64; 3] { unreachable!() }), "nor where the type says it");
    }

    #[test]
    fn single_precision_stays_single() {
        let mut matrix = Matrix::<f32>::default();
        let basis = Basis::new(0.0_f32);
        jacobian_columns::<(f32, f32)>(&mut matrix, basis.count(), |column| {
            let x_dot = basis.along(column);
            ((0.1, 0.2), (x_dot * 0.1, x_dot * 0.2))
        });
        assert_eq!(matrix.as_slice(), [0.1, 0.2]);
    }

    #[test]
    fn an_alias_is_enough_in_emitted_signatures() {
        type Output = [f64; 2];
        fn jacobian(x: f64) -> Matrix<<Output as VectorOutput<'static>>::Float>
        where
            for<'a> Output: VectorOutput<'a>,
        {
            let mut matrix = Matrix::default();
            jacobian_columns::<Output>(&mut matrix, 1, |_| ([x, x * x], [1.0, 2.0 * x]));
            matrix
        }
        assert_eq!(jacobian(3.0), Matrix::from_vec(2, 1, vec![1.0, 6.0]));
    }
}
