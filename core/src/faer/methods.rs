//! Rules of sums and norms of entries, of sizes, and of methods that only move entries.
//!
//! A transpose, a column or a row is a view in the function itself and owns its entries in derivative code.

use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Row};

use super::entries::Entries;
use crate::norm::by_norm;
use crate::{Differentiable, Float, differentiate, primitive, zero_adjoint};

/// What is made of all entries.
#[differentiate]
#[differentiate]
pub trait Reduced<F: Float>: Entries<F> {
    /// The sum of the entries, `s = Σ x[i]`: `x̄[i] += s̄`.
    fn sum(&self) -> F;

    /// The root of the sum of squares, `n = √Σ x[i]²`: `x̄ += n̄ x / n`, and nothing where `n` is zero, where it has a corner.
    fn norm_l2(&self) -> F;

    /// The sum of squares, `s = Σ x[i]²`: `x̄ += 2 s̄ x`.
    fn squared_norm_l2(&self) -> F;

    /// A copy that owns its entries, `y = x`: `x̄ += ȳ`.
    fn to_owned(&self) -> Self;
}

/// The numbers of rows and columns, which have no derivatives. They may be asked in functions with second ones.
#[differentiate]
#[differentiate]
pub trait Shaped {
    /// The number of rows.
    fn nrows(&self) -> usize;

    /// The number of columns.
    fn ncols(&self) -> usize;

    /// Both numbers.
    fn shape(&self) -> (usize, usize);
}

/// Vectors whose entries are gone through by `iter` and `iter_mut`: derivative code goes through their indices.
#[allow(clippy::len_without_is_empty, reason = "derivative code asks for nothing else")]
pub trait Counted {
    /// The number of entries.
    fn len(&self) -> usize;
}

impl<F> Counted for Col<F> {
    fn len(&self) -> usize {
        self.nrows()
    }
}

impl<F> Counted for Row<F> {
    fn len(&self) -> usize {
        self.ncols()
    }
}

macro_rules! methods {
    ($($type:ident)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> Reduced<F> for $type<F> {
            #[primitive(vjp = sum_vjp, jvp = sum_jvp)]
            fn sum(&self) -> F {
                self.sum()
            }

            #[primitive(vjp = norm_l2_vjp, jvp = norm_l2_jvp)]
            fn norm_l2(&self) -> F {
                self.norm_l2()
            }

            #[primitive(vjp = squared_norm_l2_vjp, jvp = squared_norm_l2_jvp)]
            fn squared_norm_l2(&self) -> F {
                self.squared_norm_l2()
            }

            #[primitive(vjp = to_owned_vjp, jvp = to_owned_jvp)]
            fn to_owned(&self) -> Self {
                self.to_owned()
            }
        }

        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> Shaped for $type<F> {
            #[zero_adjoint]
            fn nrows(&self) -> usize {
                self.nrows()
            }

            #[zero_adjoint]
            fn ncols(&self) -> usize {
                self.ncols()
            }

            #[zero_adjoint]
            fn shape(&self) -> (usize, usize) {
                self.shape()
            }
        }
    )*};
}

methods!(Mat Col Row);

/// The sum of products of entries, which derivatives of norms are made of.
#[primitive(vjp = inner_vjp, jvp = inner_jvp)]
pub(super) fn inner<F: Float, X: Entries<F>>(x: &X, y: &X) -> F {
    x.inner(y)
}

fn inner_vjp<F: Float, X: Entries<F>>(
    x: &X,
    y: &X,
) -> (F, impl FnOnce(&X, &mut X, &X, &mut X, F) + use<F, X>) {
    (x.inner(y), |x: &X, x_bar: &mut X, y: &X, y_bar: &mut X, bar: F| {
        x_bar.add_scaled(bar, y);
        y_bar.add_scaled(bar, x);
    })
}

fn inner_jvp<F: Float, X: Entries<F>>(x: &X, x_dot: &X, y: &X, y_dot: &X) -> (F, F) {
    (x.inner(y), x_dot.inner(y) + x.inner(y_dot))
}

fn sum_vjp<F: Float, X: Reduced<F>>(x: &X) -> (F, impl FnOnce(&X, &mut X, F) + use<F, X>) {
    (x.sum(), |_: &X, x_bar: &mut X, bar: F| {
        x_bar.pieces_mut().flatten().for_each(|entry| *entry += bar);
    })
}

#[differentiate]
fn sum_jvp<F: Float, X: Reduced<F>>(x: &X, x_dot: &X) -> (F, F) {
    (x.sum(), x_dot.sum())
}

fn norm_l2_vjp<F: Float, X: Reduced<F>>(x: &X) -> (F, impl FnOnce(&X, &mut X, F) + use<F, X>) {
    let norm = x.norm_l2();
    (norm, move |x: &X, x_bar: &mut X, bar: F| x_bar.add_scaled(by_norm(bar, norm), x))
}

#[differentiate]
fn norm_l2_jvp<F: Float, X: Reduced<F>>(x: &X, x_dot: &X) -> (F, F) {
    let norm = x.norm_l2();
    (norm, by_norm(inner(x, x_dot), norm))
}

fn squared_norm_l2_vjp<F: Float, X: Reduced<F>>(
    x: &X,
) -> (F, impl FnOnce(&X, &mut X, F) + use<F, X>) {
    (x.squared_norm_l2(), |x: &X, x_bar: &mut X, bar: F| x_bar.add_scaled(bar + bar, x))
}

#[differentiate]
fn squared_norm_l2_jvp<F: Float, X: Reduced<F>>(x: &X, x_dot: &X) -> (F, F) {
    let half = inner(x, x_dot);
    (x.squared_norm_l2(), half + half)
}

fn to_owned_vjp<F: Float, X: Reduced<F>>(x: &X) -> (X, impl FnOnce(&X, &mut X, X) + use<F, X>) {
    (x.clone(), |_: &X, x_bar: &mut X, bar: X| x_bar.accumulate(bar))
}

#[differentiate]
fn to_owned_jvp<F: Float, X: Reduced<F>>(x: &X, x_dot: &X) -> (X, X) {
    (x.to_owned(), x_dot.to_owned())
}

/// The transpose.
#[differentiate]
#[differentiate]
pub trait Transposed {
    /// Its type.
    type Transpose: Differentiable;

    /// Rows for columns, `y = xᵀ`: `x̄ += ȳᵀ`.
    fn transpose(&self) -> Self::Transpose;
}

macro_rules! transposed {
    ($($type:ident $transpose:ident $vjp:ident $jvp:ident;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> Transposed for $type<F> {
            type Transpose = $transpose<F>;

            #[primitive(vjp = $vjp, jvp = $jvp)]
            fn transpose(&self) -> Self::Transpose {
                self.transpose().to_owned()
            }
        }

        fn $vjp<F: Float + RealField>(
            x: &$type<F>,
        ) -> ($transpose<F>, impl FnOnce(&$type<F>, &mut $type<F>, $transpose<F>) + use<F>) {
            let back = |_: &$type<F>, x_bar: &mut $type<F>, bar: $transpose<F>| *x_bar += bar.transpose();
            (x.transpose().to_owned(), back)
        }

        #[differentiate]
        fn $jvp<F: Float + RealField>(
            x: &$type<F>,
            x_dot: &$type<F>,
        ) -> ($transpose<F>, $transpose<F>) {
            (x.transpose().to_owned(), x_dot.transpose().to_owned())
        }
    )*};
}

transposed! {
    Mat Mat mat_transpose_vjp mat_transpose_jvp;
    Col Row col_transpose_vjp col_transpose_jvp;
    Row Col row_transpose_vjp row_transpose_jvp;
}

/// Columns and rows of a matrix.
#[differentiate]
#[differentiate]
pub trait Lines<F: Float + RealField> {
    /// The column of this index, `y = x[.., at]`: `x̄[.., at] += ȳ`. Panics when there is none.
    fn col(&self, at: usize) -> Col<F>;

    /// The row of this index, `y = x[at, ..]`: `x̄[at, ..] += ȳ`. Panics when there is none.
    fn row(&self, at: usize) -> Row<F>;
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> Lines<F> for Mat<F> {
    #[primitive(vjp = col_vjp, jvp = col_jvp)]
    fn col(&self, at: usize) -> Col<F> {
        self.col(at).to_owned()
    }

    #[primitive(vjp = row_vjp, jvp = row_jvp)]
    fn row(&self, at: usize) -> Row<F> {
        self.row(at).to_owned()
    }
}

macro_rules! line {
    ($method:ident $method_mut:ident $vjp:ident $jvp:ident $line:ty) => {
        fn $vjp<F: Float + RealField>(
            x: &Mat<F>,
            at: usize,
        ) -> ($line, impl FnOnce(&Mat<F>, &mut Mat<F>, $line) + use<F>) {
            let back = move |_: &Mat<F>, x_bar: &mut Mat<F>, bar: $line| {
                let mut line = x_bar.$method_mut(at);
                line += bar;
            };
            (x.$method(at).to_owned(), back)
        }

        #[differentiate]
        fn $jvp<F: Float + RealField>(x: &Mat<F>, x_dot: &Mat<F>, at: usize) -> ($line, $line) {
            (x.$method(at).to_owned(), x_dot.$method(at).to_owned())
        }
    };
}

line!(col col_mut col_vjp col_jvp Col<F>);
line!(row row_mut row_vjp row_jvp Row<F>);
