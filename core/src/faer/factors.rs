//! Factors as values: their tangent is that of the matrix, so that a factorisation itself has nothing to do backwards.
//!
//! Of the factor of a symmetric matrix, that is a matrix of which the lower triangle is read. Invariant: tangents have the
//! sizes of the matrix, zero where it is not read, and what is above the diagonal is not read.

use faer_0_24::linalg::matmul::matmul;
use faer_0_24::linalg::matmul::triangular::{self, BlockStructure};
use faer_0_24::linalg::solvers::{DenseSolveCore, Llt, PartialPivLu};
use faer_0_24::traits::RealField;
use faer_0_24::{Accum, Mat, MatRef, Side, get_global_parallelism};

use super::entries::Entries;
use crate::visit::{Leaf, Visitor, visit_entries};
use crate::{Differentiable, Float};

/// Adds entries of `s` times a product of matrices of which only some entries are read.
pub fn add_product<F: Float + RealField>(
    to: &mut Mat<F>,
    wanted: BlockStructure,
    s: F,
    (a, a_structure): (MatRef<'_, F>, BlockStructure),
    (b, b_structure): (MatRef<'_, F>, BlockStructure),
) {
    let (to, parallelism) = (to.as_mut(), get_global_parallelism());
    triangular::matmul(to, wanted, Accum::Add, a, a_structure, b, b_structure, s, parallelism);
}

/// Factors of a square matrix.
pub trait Factors<F: Float + RealField>:
    DenseSolveCore<F> + Clone + Differentiable<Tangent = Mat<F>>
{
    /// Adds what goes back to a full matrix, times `s`, to what goes back to the one that was factorised.
    fn give_back(x_bar: &mut Mat<F>, s: F, bar: &Mat<F>);

    /// The same of a product, times minus one.
    fn give_back_product(x_bar: &mut Mat<F>, a: MatRef<'_, F>, b: MatRef<'_, F>);

    /// The tangent of the full matrix.
    fn full_tangent(x_dot: &Mat<F>) -> Mat<F>;
}

impl<F: Float + RealField> Factors<F> for PartialPivLu<F> {
    fn give_back(x_bar: &mut Mat<F>, s: F, bar: &Mat<F>) {
        x_bar.add_scaled(s, bar);
    }

    fn give_back_product(x_bar: &mut Mat<F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
        let (minus, parallelism) = (F::literal(-1.0), get_global_parallelism());
        matmul(x_bar.as_mut(), Accum::Add, a, b, minus, parallelism);
    }

    fn full_tangent(x_dot: &Mat<F>) -> Mat<F> {
        x_dot.clone()
    }
}

impl<F: Float + RealField> Factors<F> for Llt<F> {
    fn give_back(x_bar: &mut Mat<F>, s: F, bar: &Mat<F>) {
        for column in 0..bar.ncols() {
            x_bar[(column, column)] += s * bar[(column, column)];
            for row in column + 1..bar.nrows() {
                x_bar[(row, column)] += s * (bar[(row, column)] + bar[(column, row)]);
            }
        }
    }

    fn give_back_product(x_bar: &mut Mat<F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
        use BlockStructure::{Rectangular, StrictTriangularLower, TriangularLower};
        let transposed = (StrictTriangularLower, b.transpose(), a.transpose());
        for (wanted, a, b) in [(TriangularLower, a, b), transposed] {
            let (a, b) = ((a, Rectangular), (b, Rectangular));
            add_product(x_bar, wanted, F::literal(-1.0), a, b);
        }
    }

    fn full_tangent(x_dot: &Mat<F>) -> Mat<F> {
        Mat::from_fn(x_dot.nrows(), x_dot.ncols(), |row, column| {
            x_dot[(row.max(column), row.min(column))]
        })
    }
}

macro_rules! factors {
    ($($factors:ident |$x:ident, $row:ident, $column:ident| $entry:expr, |$matrix:ident| $factorised:expr;)*) => {$(
        impl<F: Float + RealField> Differentiable for $factors<F> {
            type Tangent = Mat<F>;

            fn zero_tangent(&self) -> Mat<F> {
                Mat::zeros(self.L().nrows(), self.L().nrows())
            }

            fn perturb(&mut self, direction: &Mat<F>, step: f64) {
                let mut $matrix = self.reconstruct();
                $matrix.perturb(direction, step);
                *self = $factorised;
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                let ($x, count) = (self, self.L().nrows());
                visitor.leaf(Leaf::Shape(count));
                visitor.leaf(Leaf::Shape(count));
                let entries = (0..count).flat_map(|$column| (0..count).map(move |$row| $entry));
                visit_entries(entries, visitor, |entry, visitor| Differentiable::visit(&entry, visitor));
            }
        }
    )*};
}

factors! {
    PartialPivLu
        |x, row, column| if row > column { x.L()[(row, column)] } else { x.U()[(row, column)] },
        |matrix| PartialPivLu::new(matrix.as_ref());
    Llt
        |x, row, column| x.L()[(row, column)],
        |matrix| Llt::new(matrix.as_ref(), Side::Lower).expect("a positive definite matrix");
}
