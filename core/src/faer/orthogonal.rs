//! Rules of the factors `x = Q R` of a matrix of `m` rows and `n` columns, where the thin `Q` has `k = min(m, n)` columns.
//!
//! With `U` for the first `k` columns of `R`, `c = Qᵀ ẋ[.., ..k] U⁻¹` and its skew part `Ω`, which has the lower
//! triangle of `c`, the tangents are `Q̇ = ẋ[.., ..k] U⁻¹ - Q (c - Ω)` and `Ṙ = Qᵀ ẋ - Ω R`. Cotangents are their
//! transposes. Where the first `k` columns depend on each other, `U` is singular, the factors have no derivative, and
//! what comes out is no number.
//!
//! Formulas: S. F. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions with application in
//! optimum experimental design, 2010; G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear least
//! squares problems whose variables separate, 1973.

use faer_0_24::linalg::solvers::{Qr, SolveLstsq as _};
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat};

use super::factors::Factors as _;
use super::methods::{Reduced as _, Shaped as _, Transposed as _};
use super::solving::{Right, columns};
use super::triangles::{back, below, first_columns, forth, upper};
use crate::{Differentiable, Float, differentiate, primitive};

/// The factors `Q` and `R` of a matrix of `m` rows and `n` columns. In formulas `U` are the first `k = min(m, n)` columns
/// of `R`.
#[differentiate]
#[differentiate]
pub trait Orthogonal {
    /// The type of the matrix.
    type Matrix: Differentiable;

    /// The first `k` columns of `Q`. With `w = Qᵀ Q̄`: `x̄[.., ..k] += (Q̄ - Q (w - tril(w - wᵀ))) U⁻ᵀ`.
    #[allow(non_snake_case, reason = "a method of this name")]
    fn compute_thin_Q(&self) -> Self::Matrix;

    /// The first `k` rows of `R`. With `v = R̄ Rᵀ`: `x̄ += Q R̄` and `x̄[.., ..k] -= Q tril(v - vᵀ) U⁻ᵀ`, where `tril` leaves
    /// what is below the diagonal.
    #[allow(non_snake_case, reason = "a method of this name")]
    fn thin_R(&self) -> Self::Matrix;

    /// The same: `faer` has no other rows.
    #[allow(non_snake_case, reason = "a method of this name")]
    fn R(&self) -> Self::Matrix;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> Orthogonal for Qr<F> {
    type Matrix = Mat<F>;

    #[primitive(vjp = thin_q_vjp, jvp = thin_q_jvp)]
    fn compute_thin_Q(&self) -> Self::Matrix {
        self.compute_thin_Q()
    }

    #[primitive(vjp = thin_r_vjp, jvp = thin_r_jvp)]
    fn thin_R(&self) -> Self::Matrix {
        self.thin_R().to_owned()
    }

    #[primitive(vjp = thin_r_vjp, jvp = thin_r_jvp)]
    fn R(&self) -> Self::Matrix {
        self.thin_R().to_owned()
    }
}

/// Adds `y U⁻ᵀ` to the first columns.
fn add_divided<F: Float + RealField>(x: &Qr<F>, y: &Mat<F>, x_bar: &mut Mat<F>) {
    let left = first_columns(&x.thin_R().to_owned(), y.ncols());
    let mut transposed = y.transpose().to_owned();
    left.solve_upper_triangular_in_place(&mut transposed);
    let mut first = x_bar.subcols_mut(0, y.ncols());
    first += transposed.transpose();
}

/// `tril(x - xᵀ)`, the lower triangle without the diagonal.
fn skew_below<F: Float + RealField>(x: &Mat<F>) -> Mat<F> {
    below(&(x - x.transpose()))
}

fn thin_q_vjp<F: Float + RealField>(
    x: &Qr<F>,
) -> (Mat<F>, impl FnOnce(&Qr<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let q = x.compute_thin_Q();
    let value = q.clone();
    let back = move |x: &Qr<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
        let w = q.transpose() * &bar;
        let turned = &q * (&w - skew_below(&w));
        add_divided(x, &(bar - turned), x_bar);
    };
    (value, back)
}

fn thin_r_vjp<F: Float + RealField>(
    x: &Qr<F>,
) -> (Mat<F>, impl FnOnce(&Qr<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let back = |x: &Qr<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
        let (q, bar) = (x.compute_thin_Q(), upper(&bar));
        let turned = &q * skew_below(&(&bar * x.thin_R().transpose()));
        add_divided(x, &-turned, x_bar);
        *x_bar += q * bar;
    };
    (x.thin_R().to_owned(), back)
}

/// The columns `ẋ[.., ..k] U⁻¹`.
#[differentiate]
fn divided<F: Float + RealField>(r: &Mat<F>, x_dot: &Mat<F>) -> Mat<F> {
    let count = r.nrows();
    let left = first_columns(r, count).transpose().to_owned();
    let columns = first_columns(x_dot, count).transpose().to_owned();
    forth(&left, &columns).transpose().to_owned()
}

#[differentiate]
fn thin_q_jvp<F: Float + RealField>(x: &Qr<F>, x_dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
    let q = x.compute_thin_Q();
    let r = x.thin_R().to_owned();
    let divided = divided(&r, x_dot);
    let c = q.transpose() * &divided;
    let lower = below(&c);
    let skew = &lower - lower.transpose();
    let dot = &divided - &q * (c - skew);
    (q, dot)
}

#[differentiate]
fn thin_r_jvp<F: Float + RealField>(x: &Qr<F>, x_dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
    let q = x.compute_thin_Q();
    let r = x.thin_R().to_owned();
    let lower = below(&(q.transpose() * divided(&r, x_dot)));
    let skew = &lower - lower.transpose();
    let dot = upper(&(q.transpose() * x_dot - skew * &r));
    (r, dot)
}

/// Factors by which equations are solved in the sense of least squares.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait LeastSquares<B> {
    /// `solve_lstsq`, `y = R⁻¹ Qᵀ b`. With `w = R⁻ᵀ ȳ`: `b̄ += Q w`, `x̄ += (b - x y) (R⁻¹ w)ᵀ - Q w yᵀ`.
    #[differentiate(companion = solve_lstsq)]
    fn __solve_lstsq(&self, b: &B) -> B;
}

macro_rules! least_squares {
    ($($right:ident $jvp:ident;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> LeastSquares<$right<F>> for Qr<F> {
            #[primitive(vjp = solve_lstsq_vjp, jvp = $jvp, companion = solve_lstsq)]
            fn __solve_lstsq(&self, b: &$right<F>) -> $right<F> {
                self.solve_lstsq(b)
            }
        }

        #[differentiate]
        fn $jvp<F: Float + RealField>(
            x: &Qr<F>,
            x_dot: &Mat<F>,
            b: &$right<F>,
            b_dot: &$right<F>,
        ) -> ($right<F>, $right<F>) {
            let y = x.solve_lstsq(b);
            let q = x.compute_thin_Q();
            let r = x.thin_R().to_owned();
            let residual = b - &q * (q.transpose() * b);
            let across = forth(&r.transpose().to_owned(), &(x_dot.transpose() * &residual));
            let along = q.transpose() * (b_dot - x_dot * &y);
            let dot = back(&r, &(along + across));
            (y, dot)
        }
    )*};
}

least_squares! {
    Col solve_lstsq_col_jvp;
    Mat solve_lstsq_mat_jvp;
}

fn solve_lstsq_vjp<F: Float + RealField, B: Right<F>>(
    x: &Qr<F>,
    b: &B,
) -> (B, impl FnOnce(&Qr<F>, &mut Mat<F>, &B, &mut B, B) + use<F, B>) {
    let solution = x.solve_lstsq(b);
    let kept = solution.clone();
    let back = move |x: &Qr<F>, x_bar: &mut Mat<F>, b: &B, b_bar: &mut B, bar: B| {
        let (q, r, mut bar) = (x.compute_thin_Q(), x.thin_R(), columns(&bar).to_owned());
        r.transpose().solve_lower_triangular_in_place(&mut bar);
        let by_b = &q * &bar;
        r.solve_upper_triangular_in_place(&mut bar);
        let residual = columns(b) - &q * (q.transpose() * columns(b));
        Qr::give_back_product(x_bar, by_b.as_ref(), columns(&kept).transpose());
        *x_bar += residual * bar.transpose();
        let to = b_bar.as_mat_mut();
        let mut to = to.as_dyn_cols_mut();
        to += by_b;
    };
    (solution, back)
}
