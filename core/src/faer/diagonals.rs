//! Diagonal matrices: values, their products, and what leads from and to the entries.

use faer_0_24::diag::{Diag, DiagRef};
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat};

use super::methods::Reduced as _;
use crate::bilinear::{linear, product};
use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor, assert_lengths};
use crate::rules::{add, mul, neg, sub};
use crate::visit::Visitor;
use crate::{Differentiable, Float, Tangent, differentiate, primitive};

impl<F: Float + RealField> Tangent for Diag<F> {
    fn accumulate(&mut self, other: Self) {
        let mut sum = core::mem::replace(self, Diag::zeros(0)).into_column_vector();
        sum.accumulate(other.into_column_vector());
        *self = sum.into_diagonal();
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        assert_lengths(self.dim(), other.dim());
        F::visit_pairs_in(entries_mut(self), entries(other), visitor);
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        assert_lengths(self.dim(), other.dim());
        F::add_products_in(entries(self), entries(other), sum);
    }
}

impl<F: Float + RealField> Differentiable for Diag<F> {
    type Tangent = Self;

    fn zero_tangent(&self) -> Self {
        Diag::zeros(self.dim())
    }

    fn perturb(&mut self, direction: &Self, step: f64) {
        let mut entries = self.column_vector().to_owned();
        entries.perturb(&direction.column_vector().to_owned(), step);
        *self = entries.into_diagonal();
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        Differentiable::visit(&self.column_vector().to_owned(), visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        F::visit_floats_in(entries(self), visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        F::visit_floats_mut_in(entries_mut(self), visitor);
    }

    /// Without entries.
    fn stand_in() -> Self {
        Diag::zeros(0)
    }
}

/// The entries of a diagonal, which are in one piece.
fn entries<F: Float + RealField>(diagonal: &Diag<F>) -> &[F] {
    let entries = diagonal.column_vector().try_as_col_major();
    entries.expect("the entries of a `Diag` are in one piece").as_slice()
}

/// The entries of a diagonal, to be changed.
fn entries_mut<F: Float + RealField>(diagonal: &mut Diag<F>) -> &mut [F] {
    let entries = diagonal.column_vector_mut().try_as_col_major_mut();
    entries.expect("the entries of a `Diag` are in one piece").as_slice_mut()
}

impl<F: Float + RealField> neg for Diag<F> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -bar, |dot| -dot }
}

impl<F: Float + RealField> add<Diag<F>> for Diag<F> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
}

impl<F: Float + RealField> sub<Diag<F>> for Diag<F> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| -bar, |dot| -dot }
}

/// The diagonal of `aᵀ b`.
fn of_product<F: Float + RealField>(a: &Mat<F>, b: &Mat<F>) -> Diag<F> {
    Col::from_fn(a.ncols(), |at| a.col(at).transpose() * b.col(at)).into_diagonal()
}

/// The diagonal of `a bᵀ`.
fn of_product_of_rows<F: Float + RealField>(a: &Mat<F>, b: &Mat<F>) -> Diag<F> {
    Col::from_fn(a.nrows(), |at| a.row(at) * b.row(at).transpose()).into_diagonal()
}

impl<F: Float + RealField> mul<Diag<F>> for Mat<F> {
    type Output = Mat<F>;

    product! { Diag<F>, |a, d| a * d, |bar, d| bar * d, |a, bar| of_product(a, bar) }
}

impl<F: Float + RealField> mul<Mat<F>> for Diag<F> {
    type Output = Mat<F>;

    product! { Mat<F>, |d, a| d * a, |bar, a| of_product_of_rows(bar, a), |d, bar| d * bar }
}

impl<F: Float + RealField> mul<Col<F>> for Diag<F> {
    type Output = Col<F>;

    product! {
        Col<F>,
        |d, x| d * x,
        |bar, x| (bar.as_diagonal() * x).into_diagonal(),
        |d, bar| d * bar
    }
}

/// The entries of a diagonal matrix.
#[differentiate]
#[differentiate]
pub trait OfDiagonal {
    /// The type of a vector.
    type Entries: Differentiable;

    /// As a vector, `y[i] = x[i, i]`: `x̄[i, i] += ȳ[i]`.
    fn column_vector(&self) -> Self::Entries;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> OfDiagonal for Diag<F> {
    type Entries = Col<F>;

    #[primitive(vjp = column_vector_vjp, jvp = column_vector_jvp)]
    fn column_vector(&self) -> Self::Entries {
        self.column_vector().to_owned()
    }
}

fn column_vector_vjp<F: Float + RealField>(
    x: &Diag<F>,
) -> (Col<F>, impl FnOnce(&Diag<F>, &mut Diag<F>, Col<F>) + use<F>) {
    let back =
        |_: &Diag<F>, x_bar: &mut Diag<F>, bar: Col<F>| x_bar.accumulate(bar.into_diagonal());
    (x.column_vector().to_owned(), back)
}

#[differentiate]
fn column_vector_jvp<F: Float + RealField>(x: &Diag<F>, x_dot: &Diag<F>) -> (Col<F>, Col<F>) {
    (x.column_vector().to_owned(), x_dot.column_vector().to_owned())
}

/// What a diagonal is made of.
#[differentiate]
#[differentiate]
pub trait ToDiagonal<F: Float + RealField> {
    /// The diagonal of a matrix, `y[i] = x[i, i]`: `x̄[i, i] += ȳ[i]`. Panics where the matrix is not square.
    fn diagonal(&self) -> Diag<F>;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> ToDiagonal<F> for Mat<F> {
    #[primitive(vjp = diagonal_vjp, jvp = diagonal_jvp)]
    fn diagonal(&self) -> Diag<F> {
        owned(self.diagonal())
    }
}

fn diagonal_vjp<F: Float + RealField>(
    x: &Mat<F>,
) -> (Diag<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, Diag<F>) + use<F>) {
    let back = |_: &Mat<F>, x_bar: &mut Mat<F>, bar: Diag<F>| {
        (0..bar.dim()).for_each(|at| x_bar[(at, at)] += bar[at]);
    };
    (owned(x.diagonal()), back)
}

#[differentiate]
fn diagonal_jvp<F: Float + RealField>(x: &Mat<F>, x_dot: &Mat<F>) -> (Diag<F>, Diag<F>) {
    let entries = x.diagonal().column_vector().to_owned();
    let dots = x_dot.diagonal().column_vector().to_owned();
    (entries.into_diagonal(), dots.into_diagonal())
}

/// A diagonal that owns its entries.
pub(super) fn owned<F: Float + RealField>(x: DiagRef<'_, F>) -> Diag<F> {
    x.column_vector().to_owned().into_diagonal()
}

/// Vectors as diagonal matrices.
#[differentiate]
#[differentiate]
pub trait AsDiagonal<F: Float + RealField> {
    /// The matrix of this diagonal, `x[i, i] = y[i]`: `ȳ[i] += x̄[i, i]`.
    fn as_diagonal(&self) -> Diag<F>;

    /// Likewise.
    fn into_diagonal(self) -> Diag<F>;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> AsDiagonal<F> for Col<F> {
    #[primitive(vjp = as_diagonal_vjp, jvp = as_diagonal_jvp)]
    fn as_diagonal(&self) -> Diag<F> {
        owned(self.as_diagonal())
    }

    #[primitive(vjp = into_diagonal_vjp, jvp = into_diagonal_jvp)]
    fn into_diagonal(self) -> Diag<F> {
        self.into_diagonal()
    }
}

fn as_diagonal_vjp<F: Float + RealField>(
    x: &Col<F>,
) -> (Diag<F>, impl FnOnce(&Col<F>, &mut Col<F>, Diag<F>) + use<F>) {
    let back = |_: &Col<F>, x_bar: &mut Col<F>, bar: Diag<F>| *x_bar += bar.into_column_vector();
    (owned(x.as_diagonal()), back)
}

#[differentiate]
fn as_diagonal_jvp<F: Float + RealField>(x: &Col<F>, x_dot: &Col<F>) -> (Diag<F>, Diag<F>) {
    (x.to_owned().into_diagonal(), x_dot.to_owned().into_diagonal())
}

fn into_diagonal_vjp<F: Float + RealField>(
    x: Col<F>,
) -> (Diag<F>, impl FnOnce(Diag<F>) -> Col<F> + use<F>) {
    (x.into_diagonal(), |bar: Diag<F>| bar.into_column_vector())
}

#[differentiate]
fn into_diagonal_jvp<F: Float + RealField>(x: Col<F>, x_dot: Col<F>) -> (Diag<F>, Diag<F>) {
    (x.into_diagonal(), x_dot.into_diagonal())
}
