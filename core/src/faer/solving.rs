//! Rules of what is solved by factors.
//!
//! The methods themselves are those of traits of `faer`, and others of the same names would be in their way: so those here
//! have other names, and only their derivatives have these.
//!
//! Formulas: M. B. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation,
//! 2008, section 2.2.3.

use faer_0_24::linalg::solvers::{DenseSolveCore as _, Llt, PartialPivLu, Qr, Solve as _};
use faer_0_24::mat::{AsMat, AsMatMut};
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, MatRef};

use super::entries::Entries;
use super::factors::Factors;
use super::triangles::symmetric;
use crate::{Differentiable, Float, differentiate, primitive};

/// Right-hand sides: one, or several as columns.
pub trait Right<F: Float>:
    Entries<F> + AsMat<F> + AsMatMut<T = F, Rows = usize, Owned = Self>
{
}

impl<F, B> Right<F> for B
where
    F: Float,
    B: Entries<F> + AsMat<F> + AsMatMut<T = F, Rows = usize, Owned = Self>,
{
}

/// Factors by which equations are solved.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Solving<B> {
    /// `solve`, `y = x⁻¹ b`: `b̄ += x⁻ᵀ ȳ`, `x̄ -= (x⁻ᵀ ȳ) yᵀ`.
    #[differentiate(companion = solve)]
    fn __solve(&self, b: &B) -> B;
}

/// A vector or a matrix as a matrix.
pub(super) fn columns<F: Float, B: Right<F>>(b: &B) -> MatRef<'_, F> {
    b.as_mat_ref().as_dyn_cols()
}

macro_rules! solving {
    ($($factors:ident $right:ident $jvp:ident |$dot:ident| $full:expr;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> Solving<$right<F>> for $factors<F> {
            #[primitive(vjp = solve_vjp, jvp = $jvp, companion = solve)]
            fn __solve(&self, b: &$right<F>) -> $right<F> {
                self.solve(b)
            }
        }

        #[differentiate]
        fn $jvp<F: Float + RealField>(
            x: &$factors<F>,
            $dot: &Mat<F>,
            b: &$right<F>,
            b_dot: &$right<F>,
        ) -> ($right<F>, $right<F>) {
            let solution = x.solve(b);
            let right = b_dot - $full * &solution;
            let dot = x.solve(&right);
            (solution, dot)
        }
    )*};
}

solving! {
    PartialPivLu Col lu_solve_col_jvp |x_dot| x_dot;
    PartialPivLu Mat lu_solve_mat_jvp |x_dot| x_dot;
    Qr Col qr_solve_col_jvp |x_dot| x_dot;
    Qr Mat qr_solve_mat_jvp |x_dot| x_dot;
    Llt Col llt_solve_col_jvp |x_dot| symmetric(x_dot);
    Llt Mat llt_solve_mat_jvp |x_dot| symmetric(x_dot);
}

fn solve_vjp<F: Float + RealField, X: Factors<F>, B: Right<F>>(
    x: &X,
    b: &B,
) -> (B, impl FnOnce(&X, &mut Mat<F>, &B, &mut B, B) + use<F, X, B>) {
    let solution = x.solve(b);
    let kept = solution.clone();
    let back = move |x: &X, x_bar: &mut Mat<F>, _: &B, b_bar: &mut B, bar: B| {
        let bar = x.solve_transpose(&bar);
        X::give_back_product(x_bar, columns(&bar), columns(&kept).transpose());
        b_bar.accumulate(bar);
    };
    (solution, back)
}

/// Factors by which a matrix is inverted.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Inverting {
    /// The type of the matrix.
    type Matrix: Differentiable;

    /// `inverse`, `y = x⁻¹`: `x̄ -= yᵀ ȳ yᵀ`.
    #[differentiate(companion = inverse)]
    fn __inverse(&self) -> Self::Matrix;
}

macro_rules! inverting {
    ($($factors:ident $jvp:ident |$dot:ident| $full:expr;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> Inverting for $factors<F> {
            type Matrix = Mat<F>;

            #[primitive(vjp = inverse_vjp, jvp = $jvp, companion = inverse)]
            fn __inverse(&self) -> Self::Matrix {
                self.inverse()
            }
        }

        #[differentiate]
        fn $jvp<F: Float + RealField>(x: &$factors<F>, $dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
            let inverse = x.inverse();
            let dot = -(&inverse * $full * &inverse);
            (inverse, dot)
        }
    )*};
}

inverting! {
    PartialPivLu lu_inverse_jvp |x_dot| x_dot;
    Qr qr_inverse_jvp |x_dot| x_dot;
    Llt llt_inverse_jvp |x_dot| symmetric(x_dot);
}

fn inverse_vjp<F: Float + RealField, X: Factors<F>>(
    x: &X,
) -> (Mat<F>, impl FnOnce(&X, &mut Mat<F>, Mat<F>) + use<F, X>) {
    let inverse = x.inverse();
    let kept = inverse.clone();
    let back = move |_: &X, x_bar: &mut Mat<F>, bar: Mat<F>| {
        let transpose = kept.transpose();
        X::give_back(x_bar, F::literal(-1.0), &(transpose * bar * transpose));
    };
    (inverse, back)
}
