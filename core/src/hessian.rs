//! Hessians: the derivative of the gradient along each coordinate, several at once where that is cheaper.
//!
//! In come closures that run a function's gradient and the tangent of that along directions; they fill a [`Matrix`]
//! whose rows and columns are the floats of the active parameters, in the order of
//! [`Differentiable::visit`](crate::Differentiable::visit). Where that is one slice, directions and products lie in memory that the
//! matrix keeps.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::jacobian::{Basis, Units, positions, put_each, sweep};
use crate::matrix::Matrix;
use crate::output::{Entry, FloatOutput};
use crate::tangent::Tangent;

/// Fills a Hessian one by one, and returns value and gradient. `one` does so along a direction, and returns the
/// Hessian's product with it, too.
pub fn hessian_columns<D: Tangent, Y: FloatOutput<'static>, G>(
    matrix: &mut Matrix<Y>,
    basis: &Basis<D>,
    mut one: impl FnMut(D) -> (Y, G, D),
) -> (Y, G) {
    let (columns, mut last) = (basis.count(), None);
    for column in 0..columns.max(1) {
        let (value, gradient, product) = one(basis.along(column));
        put_each(matrix, (column, columns), &[product]);
        last = Some((value, gradient));
    }
    last.expect("a run")
}

/// Likewise, several columns at once.
pub fn hessian_lanes<D: Tangent, Y: FloatOutput<'static>, G>(
    matrix: &mut Matrix<Y>,
    basis: &Basis<D>,
    mut one: impl FnMut(D) -> (Y, G, D),
    mut four: impl FnMut([D; 4]) -> (Y, G, [D; 4]),
    mut eight: impl FnMut([D; 8]) -> (Y, G, [D; 8]),
) -> (Y, G) {
    let (columns, mut last) = (basis.count(), None);
    sweep(columns, |width, column| {
        let at = (column, columns);
        last = Some(match width {
            8 => kept(matrix, at, eight(basis.each(positions(column)))),
            4 => kept(matrix, at, four(basis.each(positions(column)))),
            _ => {
                let (value, gradient, product) = one(basis.along(column));
                kept(matrix, at, (value, gradient, [product]))
            }
        });
    });
    last.expect("a run")
}

/// Writes products as columns.
fn kept<D: Tangent, F: Entry, G, const LANES: usize>(
    matrix: &mut Matrix<F>,
    at: (usize, usize),
    (value, gradient, products): (F, G, [D; LANES]),
) -> (F, G) {
    put_each(matrix, at, &products);
    (value, gradient)
}

/// Fills the Hessian by a slice. `one` is given a direction, and adds the gradient and its tangent to two zeros.
pub fn hessian_of_line<F: Entry>(
    matrix: &mut Matrix<F>,
    length: usize,
    mut one: impl FnMut(&[F], &mut [F], &mut [F]),
) {
    let mut line = core::mem::take(&mut matrix.scratch);
    let (units, mut room) = Room::of(&mut line, length);
    matrix.reset(length, length, F::narrow(0.0));
    for column in 0..length {
        let [product] =
            room.run(|bar, [product]: [&mut [F]; 1]| one(units.along(column), bar, product));
        put_lines(matrix, column, &[product]);
    }
    matrix.scratch = line;
}

/// Likewise, several columns at once.
pub fn hessian_lanes_of_line<F: Entry>(
    matrix: &mut Matrix<F>,
    length: usize,
    mut one: impl FnMut(&[F], &mut [F], &mut [F]),
    mut four: impl FnMut([&[F]; 4], &mut [F], [&mut [F]; 4]),
    mut eight: impl FnMut([&[F]; 8], &mut [F], [&mut [F]; 8]),
) {
    let mut line = core::mem::take(&mut matrix.scratch);
    let (units, mut room) = Room::of(&mut line, length);
    matrix.reset(length, length, F::narrow(0.0));
    sweep(length, |width, column| match width {
        _ if length == 0 => {}
        8 => {
            let each = units.each(positions(column));
            put_lines(matrix, column, &room.run(|bar, products| eight(each, bar, products)));
        }
        4 => {
            let each = units.each(positions(column));
            put_lines(matrix, column, &room.run(|bar, products| four(each, bar, products)));
        }
        _ => {
            let run =
                |bar: &mut [F], [product]: [&mut [F]; 1]| one(units.along(column), bar, product);
            put_lines(matrix, column, &room.run(run));
        }
    });
    matrix.scratch = line;
}

/// Memory for a gradient and for eight products.
struct Room<'l, F> {
    floats: &'l mut [F],
    length: usize,
}

impl<'l, F: Entry> Room<'l, F> {
    /// Together with the unit vectors.
    fn of(line: &'l mut Vec<F>, length: usize) -> (Units<'l, F>, Self) {
        line.clear();
        line.resize((2 + 1 + 8) * length, F::narrow(0.0));
        let (units, floats) = line.split_at_mut(2 * length);
        (Units::of(units), Room { floats, length })
    }

    /// What is added to a zero gradient and to as many zeros as there are lanes; of which these are returned.
    fn run<const LANES: usize>(
        &mut self,
        run: impl FnOnce(&mut [F], [&mut [F]; LANES]),
    ) -> [&[F]; LANES] {
        let used = &mut self.floats[..(1 + LANES) * self.length];
        used.fill(F::narrow(0.0));
        let (bar, mut rest) = used.split_at_mut(self.length);
        let products = core::array::from_fn(|_| {
            let (product, tail) = core::mem::take(&mut rest).split_at_mut(self.length);
            rest = tail;
            product
        });
        run(bar, products);
        core::array::from_fn(|lane| &self.floats[(1 + lane) * self.length..][..self.length])
    }
}

/// Writes columns, of which those behind the last one are left out.
fn put_lines<F: Entry>(matrix: &mut Matrix<F>, first: usize, lines: &[&[F]]) {
    for (column, line) in (first..matrix.columns()).zip(lines) {
        matrix.column_mut(column).zip(*line).for_each(|(entry, float)| *entry = *float);
    }
}

/// What the Hessian by one parameter is: a float for a float, else a matrix.
///
/// The lifetime means nothing: see [`FloatOutput`](crate::output::FloatOutput).
pub trait HessianBy<'a>: Sized {
    /// The Hessian of a function whose result is of the type `Y`.
    type Hessian<Y>;

    /// The Hessian from the matrix that it is in any case.
    fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Self::Hessian<Y>;
}

macro_rules! floats {
    ($($float:ident),*) => {$(
        impl HessianBy<'_> for $float {
            type Hessian<Y> = Y;

            #[inline]
            fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Y {
                matrix[(0, 0)]
            }
        }
    )*};
}

floats!(f32, f64);

macro_rules! matrices {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> HessianBy<'_> for $type {
            type Hessian<Y> = Matrix<Y>;

            #[inline]
            fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Matrix<Y> {
                matrix
            }
        }
    )*};
}

matrices!(
    [T] Vec<T>,
    [T, const N: usize] [T; N],
    [T] Option<T>,
    [T] Box<T>,
    [A] (A,),
    [A, B] (A, B),
    [A, B, C] (A, B, C),
    [A, B, C, D] (A, B, C, D),
    [A, B, C, D, E] (A, B, C, D, E),
    [A, B, C, D, E, F] (A, B, C, D, E, F),
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// `x²y + y³` at a point, along a direction.
    fn product(x: f64, y: f64, (x_dot, y_dot): (f64, f64)) -> (f64, (f64, f64), (f64, f64)) {
        let gradient = (2.0 * x * y, x * x + 3.0 * y * y);
        let dot = (2.0 * (x_dot * y + x * y_dot), 2.0 * x * x_dot + 6.0 * y * y_dot);
        (x * x * y + y * y * y, gradient, dot)
    }

    #[test]
    fn columns_are_products_with_the_coordinates() {
        let (mut columns, mut lanes) = (Matrix::default(), Matrix::default());
        let basis = Basis::new((0.0, 0.0));
        let one = |direction| product(2.0, 3.0, direction);
        let first = hessian_columns(&mut columns, &basis, one);
        let four = |each: [_; 4]| {
            let (value, gradient, _) = one(each[0]);
            (value, gradient, each.map(|direction| one(direction).2))
        };
        let eight = |_: [_; 8]| unreachable!("of two columns");
        assert_eq!(first, hessian_lanes(&mut lanes, &basis, one, four, eight));
        assert_eq!(first, (39.0, (12.0, 31.0)));
        assert_eq!(columns, Matrix::from_vec(2, 2, vec![6.0, 4.0, 4.0, 18.0]));
        assert_eq!(columns, lanes);
    }

    /// The gradient of `Σ i x[i]³ + Πx`, and its tangent.
    fn of_line(x: &[f64], x_dot: &[f64], x_bar: &mut [f64], bar_dot: &mut [f64]) {
        let others = |skipped: &[usize]| {
            let rest = (0..x.len()).filter(|at| !skipped.contains(at));
            rest.map(|at| x[at]).product::<f64>()
        };
        for i in 0..x.len() {
            x_bar[i] += 3.0 * i as f64 * x[i] * x[i] + others(&[i]);
            bar_dot[i] += 6.0 * i as f64 * x[i] * x_dot[i];
            for j in (0..x.len()).filter(|j| *j != i) {
                bar_dot[i] += others(&[i, j]) * x_dot[j];
            }
        }
    }

    #[test]
    fn a_line_has_the_same() {
        let (mut columns, mut lanes) = (Matrix::default(), Matrix::default());
        for length in [0, 1, 2, 5, 8, 9, 3, 13] {
            let x: Vec<f64> = (0..length).map(|at| 0.7 + 0.1 * f64::from(at)).collect();
            let one =
                |x_dot: &[f64], x_bar: &mut [f64], dot: &mut [f64]| of_line(&x, x_dot, x_bar, dot);
            hessian_of_line(&mut columns, x.len(), one);
            let four = |each: [&[f64]; 4], x_bar: &mut [f64], dots: [&mut [f64]; 4]| {
                each.iter().zip(dots).for_each(|(x_dot, dot)| of_line(&x, x_dot, x_bar, dot));
            };
            let eight = |each: [&[f64]; 8], x_bar: &mut [f64], dots: [&mut [f64]; 8]| {
                each.iter().zip(dots).for_each(|(x_dot, dot)| of_line(&x, x_dot, x_bar, dot));
            };
            hessian_lanes_of_line(&mut lanes, x.len(), one, four, eight);
            assert_eq!((columns.rows(), columns.columns()), (x.len(), x.len()));
            assert_eq!(columns, lanes, "of {length}");
            if length == 3 {
                let expected = |i: usize, j: usize| match i == j {
                    true => 6.0 * i as f64 * x[i],
                    false => x[3 - i - j],
                };
                (0..9).for_each(|at| assert_eq!(lanes[(at / 3, at % 3)], expected(at / 3, at % 3)));
            }
        }
    }

    #[test]
    fn no_floats_give_an_empty_matrix() {
        let mut matrix = Matrix::<f64>::zeros(3, 1);
        let basis = Basis::new(Vec::<f64>::new());
        let (value, ()) = hessian_columns(&mut matrix, &basis, |direction| (1.5, (), direction));
        assert_eq!((value, matrix.rows(), matrix.columns()), (1.5, 0, 0));
    }

    #[test]
    fn a_float_has_a_float() {
        let mut by_float = Matrix::default();
        hessian_columns(&mut by_float, &Basis::new(0.0), |x_dot| (1.0, 2.0, 3.0 * x_dot));
        assert_eq!(<f64 as HessianBy>::hessian(by_float), 3.0);
    }
}
