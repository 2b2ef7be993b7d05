//! Rules of factorisations, and of the factor of a positive definite matrix.
//!
//! Formula: I. Murray, Differentiation of the Cholesky decomposition, 2016, section 3.1.

use faer_0_24::linalg::evd::EvdError;
use faer_0_24::linalg::matmul::triangular::BlockStructure;
use faer_0_24::linalg::solvers::{Llt, LltError, PartialPivLu, Qr, SelfAdjointEigen};
use faer_0_24::linalg::triangular_inverse::invert_lower_triangular;
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, MatRef, Side, get_global_parallelism};

use super::factors::{Factors as _, add_product};
use super::methods::{Reduced as _, Transposed as _};
use super::triangles::{forth, lower, lower_half, lowered, symmetric};
use crate::{Differentiable, Float, differentiate, primitive};

/// Matrices that are factorised.
#[differentiate]
#[differentiate]
pub trait Factorised<F: Float + RealField> {
    /// The factors with rows exchanged of a square matrix, `P x = L U`. `solve` and `inverse` of them have rules.
    fn partial_piv_lu(&self) -> PartialPivLu<F>;

    /// The factor of a positive definite matrix, `x = L Lᵀ`, of which one triangle is read. `solve`, `inverse` and `L` of it
    /// have rules.
    #[differentiate(constant(side))]
    fn llt(&self, side: Side) -> Result<Llt<F>, LltError>;

    /// The factors `x = Q R`. `compute_thin_Q`, `thin_R`, `R`, `solve_lstsq`, `solve` and `inverse` of them have rules.
    fn qr(&self) -> Qr<F>;

    /// Eigenvalues and eigenvectors of a symmetric matrix, `x = U S Uᵀ`, of which one triangle is read. `U` and `S` of them
    /// have rules.
    #[differentiate(constant(side))]
    fn self_adjoint_eigen(&self, side: Side) -> Result<SelfAdjointEigen<F>, EvdError>;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> Factorised<F> for Mat<F> {
    #[primitive(vjp = partial_piv_lu_vjp, jvp = partial_piv_lu_jvp)]
    fn partial_piv_lu(&self) -> PartialPivLu<F> {
        self.partial_piv_lu()
    }

    #[primitive(vjp = llt_vjp, jvp = llt_jvp, constant(side))]
    fn llt(&self, side: Side) -> Result<Llt<F>, LltError> {
        self.llt(side)
    }

    #[primitive(vjp = qr_vjp, jvp = qr_jvp)]
    fn qr(&self) -> Qr<F> {
        self.qr()
    }

    #[primitive(vjp = self_adjoint_eigen_vjp, jvp = self_adjoint_eigen_jvp, constant(side))]
    fn self_adjoint_eigen(&self, side: Side) -> Result<SelfAdjointEigen<F>, EvdError> {
        self.self_adjoint_eigen(side)
    }
}

/// Factors of all of a matrix.
macro_rules! of_all {
    ($($factors:ident $method:ident $vjp:ident $jvp:ident;)*) => {$(
        fn $vjp<F: Float + RealField>(
            x: &Mat<F>,
        ) -> ($factors<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, Mat<F>) + use<F>) {
            (x.$method(), |_: &Mat<F>, x_bar: &mut Mat<F>, bar: Mat<F>| *x_bar += bar)
        }

        #[differentiate]
        fn $jvp<F: Float + RealField>(x: &Mat<F>, x_dot: &Mat<F>) -> ($factors<F>, Mat<F>) {
            (x.$method(), x_dot.to_owned())
        }
    )*};
}

of_all! {
    PartialPivLu partial_piv_lu partial_piv_lu_vjp partial_piv_lu_jvp;
    Qr qr qr_vjp qr_jvp;
}

/// Factors of a symmetric matrix, where there are any.
macro_rules! of_one_triangle {
    ($($factors:ident $error:ident $method:ident $vjp:ident $jvp:ident;)*) => {$(
        fn $vjp<F: Float + RealField>(
            x: &Mat<F>,
            side: Side,
        ) -> (
            Result<$factors<F>, $error>,
            impl FnOnce(&Mat<F>, &mut Mat<F>, Option<Mat<F>>) + use<F>,
        ) {
            let back = move |_: &Mat<F>, x_bar: &mut Mat<F>, bar: Option<Mat<F>>| {
                bar.iter().for_each(|bar| *x_bar += lowered(bar, side));
            };
            (x.$method(side), back)
        }

        #[differentiate(constant(side))]
        fn $jvp<F: Float + RealField>(
            x: &Mat<F>,
            x_dot: &Mat<F>,
            side: Side,
        ) -> (Result<$factors<F>, $error>, Option<Mat<F>>) {
            match x.$method(side) {
                Ok(factors) => (Ok(factors), Some(lower(x_dot, side))),
                Err(error) => (Err(error), None),
            }
        }
    )*};
}

of_one_triangle! {
    Llt LltError llt llt_vjp llt_jvp;
    SelfAdjointEigen EvdError self_adjoint_eigen self_adjoint_eigen_vjp self_adjoint_eigen_jvp;
}

/// The factor of a symmetric matrix.
#[differentiate]
#[differentiate]
pub trait Triangular {
    /// The type of the matrix.
    type Matrix: Differentiable;

    /// The lower factor, `x = L Lᵀ`: `x̄ += L⁻ᵀ Φ(Lᵀ L̄) L⁻¹`, where `Φ` leaves the lower triangle and half of the diagonal.
    #[allow(non_snake_case, reason = "a method of this name")]
    fn L(&self) -> Self::Matrix;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> Triangular for Llt<F> {
    type Matrix = Mat<F>;

    #[primitive(vjp = factor_vjp, jvp = factor_jvp)]
    fn L(&self) -> Self::Matrix {
        self.L().to_owned()
    }
}

/// A product of triangular matrices, of which only some entries are wanted.
fn product<F: Float + RealField>(
    wanted: BlockStructure,
    a: (MatRef<'_, F>, BlockStructure),
    b: (MatRef<'_, F>, BlockStructure),
) -> Mat<F> {
    let mut product = Mat::zeros(a.0.nrows(), b.0.ncols());
    add_product(&mut product, wanted, F::literal(1.0), a, b);
    product
}

fn inverse_of_lower<F: Float + RealField>(l: MatRef<'_, F>) -> Mat<F> {
    let mut inverse = Mat::zeros(l.nrows(), l.ncols());
    invert_lower_triangular(inverse.as_mut(), l, get_global_parallelism());
    inverse
}

/// Whether all that is below the diagonal is zero, as the cotangent of a factor of which only a determinant is made.
fn is_diagonal<F: Float + RealField>(x: &Mat<F>) -> bool {
    let below = |column| &x.col_as_slice(column)[column + 1..];
    (0..x.ncols()).all(|column| below(column).iter().all(|entry| *entry == F::literal(0.0)))
}

/// Adds what goes back to a matrix of which the lower triangle is read, from the diagonal of its factor: what is between
/// the inverses is diagonal, so that their product is symmetric.
fn add_from_diagonal<F: Float + RealField>(
    x_bar: &mut Mat<F>,
    l: MatRef<'_, F>,
    inverse: &Mat<F>,
    bar: &Mat<F>,
) {
    use BlockStructure::{StrictTriangularLower, TriangularLower, TriangularUpper};
    let count = l.nrows();
    let halves = Col::from_fn(count, |at| F::literal(0.5) * l[(at, at)] * bar[(at, at)]);
    let halves = halves.try_as_col_major().expect("a `Col` is in one piece").as_slice();
    let mut right = Mat::zeros(count, count);
    for column in 0..count {
        let entries = &inverse.col_as_slice(column)[column..];
        let scaled = right.col_as_slice_mut(column)[column..].iter_mut();
        let mut diagonal = F::literal(0.0);
        for ((to, entry), half) in scaled.zip(entries).zip(&halves[column..]) {
            *to = *half * *entry;
            diagonal += *to * *entry;
        }
        x_bar[(column, column)] += diagonal;
    }
    let left = (inverse.transpose(), TriangularUpper);
    let right = (right.as_ref(), TriangularLower);
    add_product(x_bar, StrictTriangularLower, F::literal(2.0), left, right);
}

/// Likewise, from all of the factor, of a full matrix.
fn from_all<F: Float + RealField>(l: MatRef<'_, F>, inverse: &Mat<F>, bar: &Mat<F>) -> Mat<F> {
    use BlockStructure::{Rectangular, TriangularLower, TriangularUpper};
    let bar = (bar.as_ref(), TriangularLower);
    let middle = lower_half(&product(TriangularLower, (l.transpose(), TriangularUpper), bar));
    let right = (inverse.as_ref(), TriangularLower);
    let right = product(TriangularLower, (middle.as_ref(), TriangularLower), right);
    let left = (inverse.transpose(), TriangularUpper);
    product(Rectangular, left, (right.as_ref(), TriangularLower))
}

fn factor_vjp<F: Float + RealField>(
    x: &Llt<F>,
) -> (Mat<F>, impl FnOnce(&Llt<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let back = |x: &Llt<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
        let inverse = inverse_of_lower(x.L());
        match is_diagonal(&bar) {
            true => add_from_diagonal(x_bar, x.L(), &inverse, &bar),
            false => Llt::give_back(x_bar, F::literal(1.0), &from_all(x.L(), &inverse, &bar)),
        }
    };
    (x.L().to_owned(), back)
}

#[differentiate]
fn factor_jvp<F: Float + RealField>(x: &Llt<F>, x_dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
    let l = x.L().to_owned();
    let half = forth(&l, &symmetric(x_dot)).transpose().to_owned();
    let dot = &l * lower_half(&forth(&l, &half));
    (l, dot)
}
