//! Rules of what is solved by factors.
//!
//! The methods themselves are those of traits of `faer`, and others of the same names would be in their way: so the traits
//! have derivatives only, under the names that derivative code calls.
//!
//! Formulas: M. B. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation,
//! 2008, section 2.2.3.

use faer_0_24::linalg::matmul::matmul;
use faer_0_24::linalg::solvers::{DenseSolveCore, Llt, PartialPivLu, Solve};
use faer_0_24::mat::{AsMat, AsMatMut};
use faer_0_24::traits::RealField;
use faer_0_24::{Accum, Mat, MatMut, MatRef, get_global_parallelism};

use super::entries::Entries;
use super::factors::Factors;
use crate::Float;

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
pub trait Solving<B>: Sized {
    /// The type of the tangent, that of the matrix.
    type Matrix;

    /// `solve`, `y = x⁻¹ b`: `b̄ += x⁻ᵀ ȳ`, `x̄ -= (x⁻ᵀ ȳ) yᵀ`.
    fn __solve_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        b: &B,
    ) -> (B, impl FnOnce(&Self, &mut Self::Matrix, &B, &mut B, B) + use<Self, B>);

    fn __solve_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self::Matrix,
        b: &B,
        b_dot: &B,
    ) -> (B, B);
}

/// Subtracts a product.
fn subtract<F: Float + RealField>(from: MatMut<'_, F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
    matmul(from, Accum::Add, a, b, F::literal(-1.0), get_global_parallelism());
}

/// A vector or a matrix as a matrix.
fn columns<F: Float, B: Right<F>>(b: &B) -> MatRef<'_, F> {
    b.as_mat_ref().as_dyn_cols()
}

macro_rules! solving {
    ($($factors:ident)*) => {$(
        impl<F: Float + RealField, B: Right<F>> Solving<B> for $factors<F> {
            type Matrix = Mat<F>;

            fn __solve_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
                &self,
                b: &B,
            ) -> (B, impl FnOnce(&Self, &mut Mat<F>, &B, &mut B, B) + use<F, B>) {
                let solution = self.solve(b);
                let kept = solution.clone();
                let back = move |x: &Self, x_bar: &mut Mat<F>, _: &B, b_bar: &mut B, bar: B| {
                    let bar = x.solve_transpose(&bar);
                    Self::give_back_product(x_bar, columns(&bar), columns(&kept).transpose());
                    b_bar.accumulate(bar);
                };
                (solution, back)
            }

            fn __solve_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
                &self,
                dot: &Mat<F>,
                b: &B,
                b_dot: &B,
            ) -> (B, B) {
                let (solution, mut right) = (self.solve(b), b_dot.clone());
                let dot = Self::full_tangent(dot);
                subtract(right.as_mat_mut().as_dyn_cols_mut(), dot.as_ref(), columns(&solution));
                self.solve_in_place(&mut right);
                (solution, right)
            }
        }
    )*};
}

solving!(PartialPivLu Llt);

/// Factors by which a matrix is inverted.
#[doc(hidden)]
pub trait Inverting: Sized {
    /// The type of the matrix.
    type Matrix;

    /// `inverse`, `y = x⁻¹`: `x̄ -= yᵀ ȳ yᵀ`.
    fn __inverse_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Self::Matrix, impl FnOnce(&Self, &mut Self::Matrix, Self::Matrix) + use<Self>);

    fn __inverse_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self::Matrix,
    ) -> (Self::Matrix, Self::Matrix);
}

macro_rules! inverting {
    ($($factors:ident)*) => {$(
        impl<F: Float + RealField> Inverting for $factors<F> {
            type Matrix = Mat<F>;

            fn __inverse_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
                &self,
            ) -> (Mat<F>, impl FnOnce(&Self, &mut Mat<F>, Mat<F>) + use<F>) {
                let inverse = self.inverse();
                let kept = inverse.clone();
                let back = move |_: &Self, x_bar: &mut Mat<F>, bar: Mat<F>| {
                    let transpose = kept.transpose();
                    Self::give_back(x_bar, F::literal(-1.0), &(transpose * bar * transpose));
                };
                (inverse, back)
            }

            fn __inverse_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
                &self,
                dot: &Mat<F>,
            ) -> (Mat<F>, Mat<F>) {
                let inverse = self.inverse();
                let dot = -(&inverse * Self::full_tangent(dot) * &inverse);
                (inverse, dot)
            }
        }
    )*};
}

inverting!(PartialPivLu Llt);
