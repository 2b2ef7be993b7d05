//! Factors as values: their tangent is that of the matrix, so that a factorisation itself has nothing to do backwards.
//!
//! Of the factor of a symmetric matrix, that is a matrix of which the lower triangle is read. Invariant: tangents have the
//! sizes of the matrix, zero where it is not read, and what is above the diagonal is not read.

use faer_0_24::linalg::matmul::matmul;
use faer_0_24::linalg::matmul::triangular::{self, BlockStructure};
use faer_0_24::linalg::solvers::{
    DenseSolveCore, Llt, PartialPivLu, Qr, SelfAdjointEigen, ShapeCore,
};
use faer_0_24::traits::RealField;
use faer_0_24::{Accum, Mat, MatRef, Side, get_global_parallelism};

use super::entries::Entries as _;
use super::triangles::add_to_lower;
use crate::floats::{FloatVisitor, FloatVisitorMut};
use crate::visit::Visitor;
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
}

/// Of a matrix that is read as a whole.
macro_rules! of_all {
    ($($factors:ident)*) => {$(
        impl<F: Float + RealField> Factors<F> for $factors<F> {
            fn give_back(x_bar: &mut Mat<F>, s: F, bar: &Mat<F>) {
                x_bar.add_scaled(s, bar);
            }

            fn give_back_product(x_bar: &mut Mat<F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
                let (minus, parallelism) = (F::literal(-1.0), get_global_parallelism());
                matmul(x_bar.as_mut(), Accum::Add, a, b, minus, parallelism);
            }
        }
    )*};
}

of_all!(PartialPivLu Qr);

impl<F: Float + RealField> Factors<F> for Llt<F> {
    fn give_back(x_bar: &mut Mat<F>, s: F, bar: &Mat<F>) {
        add_to_lower(x_bar, s, bar);
    }

    fn give_back_product(x_bar: &mut Mat<F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
        use BlockStructure::{Rectangular, StrictTriangularLower, TriangularLower};
        let transposed = (StrictTriangularLower, b.transpose(), a.transpose());
        for (wanted, a, b) in [(TriangularLower, a, b), transposed] {
            let (a, b) = ((a, Rectangular), (b, Rectangular));
            add_product(x_bar, wanted, F::literal(-1.0), a, b);
        }
    }
}

macro_rules! factors {
    ($($factors:ident |$x:ident| $entries:expr, |$matrix:ident| $factorised:expr;)*) => {$(
        impl<F: Float + RealField> Differentiable for $factors<F> {
            type Tangent = Mat<F>;

            fn zero_tangent(&self) -> Mat<F> {
                Mat::zeros(ShapeCore::nrows(self), ShapeCore::ncols(self))
            }

            fn perturb(&mut self, direction: &Mat<F>, step: f64) {
                let mut $matrix = self.reconstruct();
                $matrix.perturb(direction, step);
                *self = $factorised;
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                let $x = self;
                Differentiable::visit(&$entries, visitor);
            }

            fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
                let $x = self;
                $entries.visit_floats(visitor);
            }

            fn visit_floats_mut(&mut self, _: &mut (impl FloatVisitorMut + ?Sized)) {
                panic!("the entries of factors cannot be set: factorise another matrix")
            }
        }
    )*};
}

factors! {
    PartialPivLu
        |x| Mat::from_fn(x.L().nrows(), x.U().ncols(), |row, column| {
            if row > column { x.L()[(row, column)] } else { x.U()[(row, column)] }
        }),
        |matrix| PartialPivLu::new(matrix.as_ref());
    Llt
        |x| x.L().to_owned(),
        |matrix| Llt::new(matrix.as_ref(), Side::Lower).expect("a positive definite matrix");
    Qr
        |x| Mat::from_fn(x.Q_basis().nrows(), x.R().ncols(), |row, column| {
            if row > column { x.Q_basis()[(row, column)] } else { x.R()[(row, column)] }
        }),
        |matrix| Qr::new(matrix.as_ref());
    SelfAdjointEigen
        |x| x.reconstruct(),
        |matrix| SelfAdjointEigen::new(matrix.as_ref(), Side::Lower).expect("eigenvalues");
}
