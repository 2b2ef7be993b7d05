//! Rules of eigenvalues and eigenvectors of symmetric matrices, `x = U S Uᵀ`.
//!
//! One triangle is read, and so nothing goes back to the other. The order of eigenvalues and the signs of eigenvectors are
//! those that `faer` gives, and are constant beside a point.
//!
//! Formulas: M. B. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation,
//! 2008, section 3.1; S. F. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions with
//! application in optimum experimental design, 2010.

use alloc::vec::Vec;

use faer_0_24::diag::Diag;
use faer_0_24::linalg::evd::EvdError;
use faer_0_24::linalg::solvers::SelfAdjointEigen;
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Side};

use super::diagonals::{AsDiagonal as _, OfDiagonal as _, ToDiagonal as _, owned};
use super::factorisation::Factorised as _;
use super::methods::{Reduced as _, Shaped as _, Transposed as _};
use super::triangles::{add_to_lower, lower, lowered, symmetric};
use crate::{Differentiable, Float, differentiate, primitive};

/// The eigenvalues `λ` and eigenvectors, the columns of `U`.
///
/// Where eigenvalues are equal, their eigenvectors are any basis of a space, and have no derivative: what depends on how they
/// lie in it is no number, or as large as one over what rounding makes of the difference. Each of the eigenvalues has a corner
/// there, and the derivative of each is the one along the eigenvector that `faer` gives; so that of their sum, and of all
/// functions in which they may be exchanged, is right.
#[differentiate]
#[differentiate]
pub trait Spectral {
    /// The type of the matrix.
    type Matrix: Differentiable;
    /// The type of a diagonal.
    type Diagonal: Differentiable;

    /// The eigenvectors, `x̄ += U F Uᵀ`, where `F[i, j] = (w[i, j] - w[j, i]) / 2 (λ[j] - λ[i])` with `w = Uᵀ Ū`, and zero where
    /// the numerator is.
    #[allow(non_snake_case, reason = "a method of this name")]
    fn U(&self) -> Self::Matrix;

    /// The eigenvalues as a diagonal, in ascending order: `x̄ += U diag(λ̄) Uᵀ`.
    #[allow(non_snake_case, reason = "a method of this name")]
    fn S(&self) -> Self::Diagonal;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> Spectral for SelfAdjointEigen<F> {
    type Matrix = Mat<F>;
    type Diagonal = Diag<F>;

    #[primitive(vjp = vectors_vjp, jvp = vectors_jvp)]
    fn U(&self) -> Self::Matrix {
        self.U().to_owned()
    }

    #[primitive(vjp = values_vjp, jvp = values_jvp)]
    fn S(&self) -> Self::Diagonal {
        owned(self.S())
    }
}

/// A quotient that is zero where its numerator is: what does not turn eigenvectors within a space needs no difference
/// of eigenvalues.
fn by_difference<F: Float>(numerator: F, difference: F) -> F {
    if numerator == F::literal(0.0) { numerator } else { numerator / difference }
}

/// The matrix of what a function has at each place but those on the diagonal, where it is zero.
fn beside_diagonal<F: Float + RealField>(n: usize, entry: impl Fn(usize, usize) -> F) -> Mat<F> {
    Mat::from_fn(n, n, |i, j| if i == j { F::literal(0.0) } else { entry(i, j) })
}

/// The quotients `q[i, j] = t[i, j] / (λ[j] - λ[i])` beside the diagonal: `t̄[i, j] += q̄[i, j] / (λ[j] - λ[i])`, and
/// `q[i, j]` times that goes back to `λ[i]`, and minus that to `λ[j]`.
#[primitive(vjp = by_gaps_vjp, jvp = by_gaps_jvp)]
fn by_gaps<F: Float + RealField>(t: &Mat<F>, values: &Col<F>) -> Mat<F> {
    beside_diagonal(t.nrows(), |i, j| by_difference(t[(i, j)], values[j] - values[i]))
}

fn by_gaps_vjp<F: Float + RealField>(
    t: &Mat<F>,
    values: &Col<F>,
) -> (Mat<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, &Col<F>, &mut Col<F>, Mat<F>) + use<F>) {
    let q = by_gaps(t, values);
    let value = q.clone();
    let back = move |_: &Mat<F>,
                     t_bar: &mut Mat<F>,
                     values: &Col<F>,
                     values_bar: &mut Col<F>,
                     bar: Mat<F>| {
        let by_t = by_gaps(&bar, values);
        for j in 0..q.ncols() {
            for i in 0..q.nrows() {
                let by_gap = q[(i, j)] * by_t[(i, j)];
                values_bar[i] += by_gap;
                values_bar[j] -= by_gap;
            }
        }
        *t_bar += by_t;
    };
    (value, back)
}

fn by_gaps_jvp<F: Float + RealField>(
    t: &Mat<F>,
    t_dot: &Mat<F>,
    values: &Col<F>,
    values_dot: &Col<F>,
) -> (Mat<F>, Mat<F>) {
    let q = by_gaps(t, values);
    let numerator = beside_diagonal(q.nrows(), |i, j| {
        t_dot[(i, j)] - q[(i, j)] * (values_dot[j] - values_dot[i])
    });
    let dot = by_gaps(&numerator, values);
    (q, dot)
}

fn vectors_vjp<F: Float + RealField>(
    x: &SelfAdjointEigen<F>,
) -> (Mat<F>, impl FnOnce(&SelfAdjointEigen<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let back = |x: &SelfAdjointEigen<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
        let (u, values) = (x.U(), x.S().column_vector());
        let w = u.transpose() * bar;
        let half = |i, j| F::literal(0.5) * (w[(i, j)] - w[(j, i)]);
        let turned =
            beside_diagonal(w.nrows(), |i, j| by_difference(half(i, j), values[j] - values[i]));
        add_to_lower(x_bar, F::literal(1.0), &(u * turned * u.transpose()));
    };
    (x.U().to_owned(), back)
}

#[differentiate]
fn vectors_jvp<F: Float + RealField>(x: &SelfAdjointEigen<F>, x_dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
    let u = x.U().to_owned();
    let values = x.S().column_vector().to_owned();
    let turned = u.transpose() * symmetric(x_dot) * &u;
    let dot = &u * by_gaps(&turned, &values);
    (u, dot)
}

fn values_vjp<F: Float + RealField>(
    x: &SelfAdjointEigen<F>,
) -> (Diag<F>, impl FnOnce(&SelfAdjointEigen<F>, &mut Mat<F>, Diag<F>) + use<F>) {
    let back = |x: &SelfAdjointEigen<F>, x_bar: &mut Mat<F>, bar: Diag<F>| {
        add_to_lower(x_bar, F::literal(1.0), &(x.U() * bar * x.U().transpose()));
    };
    (owned(x.S()), back)
}

#[differentiate]
fn values_jvp<F: Float + RealField>(x: &SelfAdjointEigen<F>, x_dot: &Mat<F>) -> (Diag<F>, Diag<F>) {
    let u = x.U().to_owned();
    let turned = u.transpose() * symmetric(x_dot) * &u;
    let values = x.S().column_vector().to_owned();
    let dots = turned.diagonal().column_vector().to_owned();
    (values.into_diagonal(), dots.into_diagonal())
}

/// Symmetric matrices of which only the eigenvalues are asked for.
#[differentiate]
#[differentiate]
pub trait OfEigenvalues<F: Float + RealField> {
    /// The eigenvalues in ascending order, of a matrix of which one triangle is read: `x̄ += U diag(λ̄) Uᵀ`.
    #[differentiate(constant(side))]
    fn self_adjoint_eigenvalues(&self, side: Side) -> Result<Vec<F>, EvdError>;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> OfEigenvalues<F> for Mat<F> {
    #[primitive(vjp = eigenvalues_vjp, jvp = eigenvalues_jvp, constant(side))]
    fn self_adjoint_eigenvalues(&self, side: Side) -> Result<Vec<F>, EvdError> {
        self.self_adjoint_eigenvalues(side)
    }
}

fn eigenvalues_vjp<F: Float + RealField>(
    x: &Mat<F>,
    side: Side,
) -> (Result<Vec<F>, EvdError>, impl FnOnce(&Mat<F>, &mut Mat<F>, Option<Vec<F>>) + use<F>) {
    let back = move |x: &Mat<F>, x_bar: &mut Mat<F>, bar: Option<Vec<F>>| {
        let (Ok(eigen), Some(bar)) = (x.self_adjoint_eigen(side), bar) else { return };
        let mut lower = Mat::zeros(x.nrows(), x.ncols());
        let bar = Col::from_fn(bar.len(), |at| bar[at]).into_diagonal();
        add_to_lower(&mut lower, F::literal(1.0), &(eigen.U() * bar * eigen.U().transpose()));
        *x_bar += lowered(&lower, side);
    };
    (x.self_adjoint_eigenvalues(side), back)
}

#[differentiate(constant(side))]
fn eigenvalues_jvp<F: Float + RealField>(
    x: &Mat<F>,
    x_dot: &Mat<F>,
    side: Side,
) -> (Result<Vec<F>, EvdError>, Option<Vec<F>>) {
    let values = x.self_adjoint_eigenvalues(side);
    match x.self_adjoint_eigen(side) {
        Ok(eigen) => {
            let u = eigen.U().to_owned();
            let turned = u.transpose() * symmetric(&lower(x_dot, side)) * &u;
            let mut dots = Vec::new();
            for at in 0..turned.nrows() {
                dots.push(turned[(at, at)]);
            }
            (values, Some(dots))
        }
        Err(_) => (values, None),
    }
}
