//! Rules of what only square matrices have.
//!
//! Formula: M. B. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation,
//! 2008, section 2.2.4.

use faer_0_24::linalg::solvers::{DenseSolveCore as _, PartialPivLu};
use faer_0_24::traits::RealField;
use faer_0_24::{Mat, Scale};

use super::direction::by_direction;
use super::entries::Entries as _;
use super::methods::inner;
use crate::{Float, differentiate, primitive};

/// What square matrices have.
#[differentiate]
#[differentiate]
pub trait Square<F: Float> {
    /// The determinant, `d = |x|`: `x̄ += d̄ C`, where `C` are the cofactors, `d x⁻ᵀ` of a regular matrix.
    fn determinant(&self) -> F;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> Square<F> for Mat<F> {
    #[primitive(vjp = determinant_vjp, jvp = determinant_jvp)]
    fn determinant(&self) -> F {
        self.determinant()
    }
}

/// Whether there is no inverse. What `faer` computes behind a pivot that is zero is no number.
fn is_singular<F: Float + RealField>(lu: &PartialPivLu<F>) -> bool {
    let u = lu.U();
    (0..u.nrows()).any(|at| u[(at, at)] == F::literal(0.0))
}

/// The derivative of the determinant. Of a singular matrix it is there, too: its minors are determinants. Its own derivative
/// is symmetric, being the second one of the determinant.
#[primitive(vjp = cofactors_vjp, jvp = cofactors_jvp)]
fn cofactors<F: Float + RealField>(x: &Mat<F>) -> Mat<F> {
    let lu = x.partial_piv_lu();
    match is_singular(&lu) {
        true => Mat::from_fn(x.nrows(), x.ncols(), |row, column| cofactor(x, row, column)),
        false => Scale(x.determinant()) * lu.inverse().transpose(),
    }
}

/// The determinant of what is left without this row and this column, with its sign.
fn cofactor<F: Float + RealField>(x: &Mat<F>, row: usize, column: usize) -> F {
    let at = |i: usize, j: usize| x[(i + usize::from(i >= row), j + usize::from(j >= column))];
    let rest = Mat::from_fn(x.nrows() - 1, x.ncols() - 1, at);
    match is_singular(&rest.partial_piv_lu()) {
        true => F::literal(0.0),
        false if (row + column).is_multiple_of(2) => rest.determinant(),
        false => -rest.determinant(),
    }
}

fn determinant_vjp<F: Float + RealField>(
    x: &Mat<F>,
) -> (F, impl FnOnce(&Mat<F>, &mut Mat<F>, F) + use<F>) {
    (x.determinant(), |x: &Mat<F>, x_bar: &mut Mat<F>, bar: F| {
        x_bar.add_scaled(bar, &cofactors(x));
    })
}

#[differentiate]
fn determinant_jvp<F: Float + RealField>(x: &Mat<F>, x_dot: &Mat<F>) -> (F, F) {
    (x.determinant(), inner(&cofactors(x), x_dot))
}

by_direction! {
    cofactors cofactors_vjp cofactors_jvp |x, bar| along(x, bar), |x, dot| along(x, dot)
}

/// The tangent of the cofactors along `v`. With `x = U Σ Vᵀ` and `w = Uᵀ v V` it is `U h Vᵀ |U| |V|`, where
/// `h[i, i] = Σ p[i, k] w[k, k]` over the other `k` and `h[i, j] = -p[i, j] w[j, i]`, and `p[i, j]` is the product of all
/// singular values but these two: the determinant is linear in each entry, and so of a diagonal matrix this can be read off
/// its minors of two rows. With an inverse little would be left of the digits where the matrix is almost singular.
fn along<F: Float + RealField>(x: &Mat<F>, v: &Mat<F>) -> Mat<F> {
    let (n, zero) = (x.nrows(), F::literal(0.0));
    let Ok(svd) = x.svd() else { return Mat::full(n, n, F::literal(f64::NAN)) };
    let (u, values, v_right) = (svd.U(), svd.S(), svd.V());
    let sign = num_traits::Float::signum(u.determinant() * v_right.determinant());
    let w = u.transpose() * v * v_right;
    let but = |i: usize, j: usize| {
        let others = (0..n).filter(|k| *k != i && *k != j);
        others.fold(sign, |product, k| product * values[k])
    };
    let h = Mat::from_fn(n, n, |i, j| match i == j {
        true => (0..n).filter(|k| *k != i).fold(zero, |sum, k| sum + but(i, k) * w[(k, k)]),
        false => -(but(i, j) * w[(j, i)]),
    });
    u * h * v_right.transpose()
}
