//! Rules of sums and of methods that only move entries, each with its formula.
//!
//! The methods themselves are those of `ndarray`: they lie behind a dereference, where a trait's method of the same name
//! would go before them, and so those of the traits have other names, and only their derivatives have these. What is a
//! view in the function itself owns its entries in derivative code.

use ndarray_0_17::{Array, Array1, Array2, Dimension};

use crate::{Differentiable, Float, Tangent as _, differentiate, primitive};

/// Sums of arrays of any number of axes.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Sums<F: Float> {
    /// `sum`, `s = Σ x[i]`: `x̄[i] += s̄`.
    #[differentiate(companion = sum)]
    fn __sum(&self) -> F;
}

#[differentiate]
#[differentiate]
impl<F: Float, D: Dimension> Sums<F> for Array<F, D> {
    #[primitive(vjp = sum_vjp, jvp = sum_jvp, companion = sum)]
    fn __sum(&self) -> F {
        self.sum()
    }
}

fn sum_vjp<F: Float, D: Dimension>(
    x: &Array<F, D>,
) -> (F, impl FnOnce(&Array<F, D>, &mut Array<F, D>, F) + use<F, D>) {
    let back = |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: F| {
        x_bar.mapv_inplace(|entry| entry + bar);
    };
    (x.sum(), back)
}

#[differentiate]
fn sum_jvp<F: Float, D: Dimension>(x: &Array<F, D>, x_dot: &Array<F, D>) -> (F, F) {
    (x.sum(), x_dot.sum())
}

/// Copies and transposes.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Moves: Sized {
    /// `t`, `y = xᵀ`: `x̄ += ȳᵀ`.
    #[differentiate(companion = t)]
    fn __t(&self) -> Self;

    /// `to_owned`: `x̄ += ȳ`.
    #[differentiate(companion = to_owned)]
    fn __to_owned(&self) -> Self;

    /// `view`, likewise.
    #[differentiate(companion = view)]
    fn __view(&self) -> Self;

    /// `into_owned`, likewise.
    #[differentiate(companion = into_owned)]
    fn __into_owned(self) -> Self;

    /// `reversed_axes`, `y = xᵀ`: `x̄ += ȳᵀ`.
    #[differentiate(companion = reversed_axes)]
    fn __reversed_axes(self) -> Self;
}

#[differentiate]
#[differentiate]
impl<F: Float, D: Dimension> Moves for Array<F, D> {
    #[primitive(vjp = t_vjp, jvp = t_jvp, companion = t)]
    fn __t(&self) -> Self {
        self.t().to_owned()
    }

    #[primitive(vjp = to_owned_vjp, jvp = to_owned_jvp, companion = to_owned)]
    fn __to_owned(&self) -> Self {
        self.to_owned()
    }

    #[primitive(vjp = to_owned_vjp, jvp = to_owned_jvp, companion = view)]
    fn __view(&self) -> Self {
        self.to_owned()
    }

    #[primitive(vjp = into_owned_vjp, jvp = into_owned_jvp, companion = into_owned)]
    fn __into_owned(self) -> Self {
        self.into_owned()
    }

    #[primitive(vjp = reversed_axes_vjp, jvp = reversed_axes_jvp, companion = reversed_axes)]
    fn __reversed_axes(self) -> Self {
        self.reversed_axes()
    }
}

/// Methods by reference that move entries: what they are and what moves them back.
macro_rules! moves {
    ($($method:ident $vjp:ident $jvp:ident;)*) => {$(
        fn $vjp<F: Float, D: Dimension>(
            x: &Array<F, D>,
        ) -> (Array<F, D>, impl FnOnce(&Array<F, D>, &mut Array<F, D>, Array<F, D>) + use<F, D>) {
            let back = |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: Array<F, D>| {
                x_bar.accumulate(bar.$method().to_owned());
            };
            (x.$method().to_owned(), back)
        }

        #[differentiate]
        fn $jvp<F: Float, D: Dimension>(
            x: &Array<F, D>,
            x_dot: &Array<F, D>,
        ) -> (Array<F, D>, Array<F, D>) {
            (x.$method().to_owned(), x_dot.$method().to_owned())
        }
    )*};
}

moves! {
    t t_vjp t_jvp;
    to_owned to_owned_vjp to_owned_jvp;
}

/// Likewise by value.
macro_rules! moved {
    ($($method:ident $vjp:ident $jvp:ident;)*) => {$(
        fn $vjp<F: Float, D: Dimension>(
            x: Array<F, D>,
        ) -> (Array<F, D>, impl FnOnce(Array<F, D>) -> Array<F, D> + use<F, D>) {
            (x.$method(), |bar: Array<F, D>| bar.$method())
        }

        #[differentiate]
        fn $jvp<F: Float, D: Dimension>(
            x: Array<F, D>,
            x_dot: Array<F, D>,
        ) -> (Array<F, D>, Array<F, D>) {
            (x.$method(), x_dot.$method())
        }
    )*};
}

moved! {
    into_owned into_owned_vjp into_owned_jvp;
    reversed_axes reversed_axes_vjp reversed_axes_jvp;
}

/// Rows, columns and the diagonal.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Lines {
    type Line: Differentiable;

    /// `row`, `y = x[at, ..]`: `x̄[at, ..] += ȳ`.
    #[differentiate(companion = row)]
    fn __row(&self, at: usize) -> Self::Line;

    /// `column`, likewise.
    #[differentiate(companion = column)]
    fn __column(&self, at: usize) -> Self::Line;

    /// `diag`, `y[i] = x[i, i]`: `x̄[i, i] += ȳ[i]`.
    #[differentiate(companion = diag)]
    fn __diag(&self) -> Self::Line;
}

#[differentiate]
#[differentiate]
impl<F: Float> Lines for Array2<F> {
    type Line = Array1<F>;

    #[primitive(vjp = row_vjp, jvp = row_jvp, companion = row)]
    fn __row(&self, at: usize) -> Self::Line {
        self.row(at).to_owned()
    }

    #[primitive(vjp = column_vjp, jvp = column_jvp, companion = column)]
    fn __column(&self, at: usize) -> Self::Line {
        self.column(at).to_owned()
    }

    #[primitive(vjp = diag_vjp, jvp = diag_jvp, companion = diag)]
    fn __diag(&self) -> Self::Line {
        self.diag().to_owned()
    }
}

macro_rules! line {
    ($($method:ident $method_mut:ident $vjp:ident $jvp:ident $(($at:ident))?;)*) => {$(
        fn $vjp<F: Float>(
            x: &Array2<F>,
            $($at: usize,)?
        ) -> (Array1<F>, impl FnOnce(&Array2<F>, &mut Array2<F>, Array1<F>) + use<F>) {
            let back = move |_: &Array2<F>, x_bar: &mut Array2<F>, bar: Array1<F>| {
                x_bar.$method_mut($($at)?).zip_mut_with(&bar, |entry, bar| *entry += *bar);
            };
            (x.$method($($at)?).to_owned(), back)
        }

        #[differentiate]
        fn $jvp<F: Float>(
            x: &Array2<F>,
            x_dot: &Array2<F>,
            $($at: usize,)?
        ) -> (Array1<F>, Array1<F>) {
            (x.$method($($at)?).to_owned(), x_dot.$method($($at)?).to_owned())
        }
    )*};
}

line! {
    row row_mut row_vjp row_jvp (at);
    column column_mut column_vjp column_jvp (at);
    diag diag_mut diag_vjp diag_jvp;
}
