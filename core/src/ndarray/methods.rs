//! Rules of methods and constructors, each with its formula.
//!
//! The methods themselves are those of `ndarray`: they lie behind a dereference, where a trait's method of the same name
//! would go before them, and so the traits have derivatives only, under the names that derivative code calls. What is a
//! view in the function itself owns its entries in derivative code.

use alloc::vec::Vec;

use ndarray_0_17::{Array, Array1, Array2, Axis, Dimension, Ix1, Ix2, LinalgScalar};

use crate::{Differentiable, Float, NoTangent, Tangent};

/// Sums of arrays of any number of axes.
#[doc(hidden)]
pub trait Sums<F: Float>: Sized {
    /// `sum`, `s = Σ x[i]`: `x̄[i] += s̄`.
    fn __sum_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (F, impl FnOnce(&Self, &mut Self, F) + use<Self, F>);

    fn __sum_jvp_needs_differentiate_or_primitive_or_zero_adjoint(&self, dot: &Self) -> (F, F);
}

impl<F: Float, D: Dimension> Sums<F> for Array<F, D> {
    fn __sum_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (F, impl FnOnce(&Self, &mut Self, F) + use<F, D>) {
        (self.sum(), |_: &Self, x_bar: &mut Self, bar: F| x_bar.mapv_inplace(|entry| entry + bar))
    }

    fn __sum_jvp_needs_differentiate_or_primitive_or_zero_adjoint(&self, dot: &Self) -> (F, F) {
        (self.sum(), dot.sum())
    }
}

/// Copies and transposes.
#[doc(hidden)]
pub trait Moves: Sized {
    /// `t`, `y = xᵀ`: `x̄ += ȳᵀ`.
    fn __t_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) + use<Self>);

    fn __t_jvp_needs_differentiate_or_primitive_or_zero_adjoint(&self, dot: &Self) -> (Self, Self);

    /// `to_owned`: `x̄ += ȳ`.
    fn __to_owned_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) + use<Self>);

    fn __to_owned_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
    ) -> (Self, Self);
}

impl<F: Float, D: Dimension> Moves for Array<F, D> {
    fn __t_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) + use<F, D>) {
        let back = |_: &Self, x_bar: &mut Self, bar: Self| x_bar.accumulate(bar.t().to_owned());
        (self.t().to_owned(), back)
    }

    fn __t_jvp_needs_differentiate_or_primitive_or_zero_adjoint(&self, dot: &Self) -> (Self, Self) {
        (self.t().to_owned(), dot.t().to_owned())
    }

    fn __to_owned_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) + use<F, D>) {
        (self.clone(), |_: &Self, x_bar: &mut Self, bar: Self| x_bar.accumulate(bar))
    }

    fn __to_owned_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
    ) -> (Self, Self) {
        (self.clone(), dot.clone())
    }
}

/// Products by `dot`.
#[doc(hidden)]
pub trait Products<B>: Sized {
    type Product: Differentiable;

    /// `dot`, `y = x b`: `x̄ += ȳ bᵀ`, `b̄ += xᵀ ȳ`.
    fn __dot_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        b: &B,
    ) -> (Self::Product, impl FnOnce(&Self, &mut Self, &B, &mut B, Self::Product) + use<Self, B>);

    fn __dot_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        b: &B,
        b_dot: &B,
    ) -> (Self::Product, Self::Product);
}

/// The product of a column with a row.
fn outer<F: Float + LinalgScalar>(column: &Array1<F>, row: &Array1<F>) -> Array2<F> {
    column.view().insert_axis(Axis(1)).dot(&row.view().insert_axis(Axis(0)))
}

macro_rules! products {
    ($($a:ident $b:ident $product:ty: |$x:ident, $y:ident, $bar:ident| $by_x:expr, $by_y:expr;)*) => {$(
        impl<F: Float + LinalgScalar> Products<Array<F, $b>> for Array<F, $a> {
            type Product = $product;

            fn __dot_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
                &self,
                b: &Array<F, $b>,
            ) -> (
                $product,
                impl FnOnce(&Self, &mut Self, &Array<F, $b>, &mut Array<F, $b>, $product) + use<F>,
            ) {
                let back = |$x: &Self, x_bar: &mut Self, $y: &Array<F, $b>, y_bar: &mut Array<F, $b>, $bar: $product| {
                    let (by_x, by_y) = ($by_x, $by_y);
                    x_bar.accumulate(by_x);
                    y_bar.accumulate(by_y);
                };
                (self.dot(b), back)
            }

            fn __dot_jvp_needs_differentiate_or_primitive_or_zero_adjoint(&self, dot: &Self, b: &Array<F, $b>, b_dot: &Array<F, $b>) -> ($product, $product) {
                (self.dot(b), dot.dot(b) + self.dot(b_dot))
            }
        }
    )*};
}

products! {
    Ix1 Ix1 F: |x, y, bar| y.mapv(|y| y * bar), x.mapv(|x| x * bar);
    Ix2 Ix1 Array1<F>: |x, y, bar| outer(&bar, y), x.t().dot(&bar);
    Ix1 Ix2 Array1<F>: |x, y, bar| y.dot(&bar), outer(x, &bar);
    Ix2 Ix2 Array2<F>: |x, y, bar| bar.dot(&y.t()), x.t().dot(&bar);
}

/// Rows and columns.
#[doc(hidden)]
pub trait Lines: Sized {
    type Line: Differentiable;

    /// `row`, `y = x[at, ..]`: `x̄[at, ..] += ȳ`.
    fn __row_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        at: usize,
    ) -> (Self::Line, impl FnOnce(&Self, &mut Self, Self::Line) -> (NoTangent,) + use<Self>);

    fn __row_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        at: usize,
        _: NoTangent,
    ) -> (Self::Line, Self::Line);

    /// `column`, likewise.
    fn __column_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        at: usize,
    ) -> (Self::Line, impl FnOnce(&Self, &mut Self, Self::Line) -> (NoTangent,) + use<Self>);

    fn __column_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        at: usize,
        _: NoTangent,
    ) -> (Self::Line, Self::Line);
}

impl<F: Float> Lines for Array2<F> {
    type Line = Array1<F>;

    fn __row_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        at: usize,
    ) -> (Array1<F>, impl FnOnce(&Self, &mut Self, Array1<F>) -> (NoTangent,) + use<F>) {
        let back = move |_: &Self, x_bar: &mut Self, bar: Array1<F>| {
            x_bar.row_mut(at).zip_mut_with(&bar, |entry, bar| *entry += *bar);
            (NoTangent,)
        };
        (self.row(at).to_owned(), back)
    }

    fn __row_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        at: usize,
        _: NoTangent,
    ) -> (Array1<F>, Array1<F>) {
        (self.row(at).to_owned(), dot.row(at).to_owned())
    }

    fn __column_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        at: usize,
    ) -> (Array1<F>, impl FnOnce(&Self, &mut Self, Array1<F>) -> (NoTangent,) + use<F>) {
        let back = move |_: &Self, x_bar: &mut Self, bar: Array1<F>| {
            x_bar.column_mut(at).zip_mut_with(&bar, |entry, bar| *entry += *bar);
            (NoTangent,)
        };
        (self.column(at).to_owned(), back)
    }

    fn __column_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        at: usize,
        _: NoTangent,
    ) -> (Array1<F>, Array1<F>) {
        (self.column(at).to_owned(), dot.column(at).to_owned())
    }
}

/// Arrays of a vector's entries.
#[doc(hidden)]
pub trait Made<F: Float>: Sized {
    /// `from_vec`: `v̄ = x̄`.
    fn __from_vec_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        v: Vec<F>,
    ) -> (Self, impl FnOnce(Self) -> (Vec<F>,) + use<Self, F>);

    fn __from_vec_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        v: Vec<F>,
        v_dot: Vec<F>,
    ) -> (Self, Self);
}

impl<F: Float> Made<F> for Array1<F> {
    fn __from_vec_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        v: Vec<F>,
    ) -> (Self, impl FnOnce(Self) -> (Vec<F>,) + use<F>) {
        (Self::from_vec(v), |bar: Self| (bar.to_vec(),))
    }

    fn __from_vec_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        v: Vec<F>,
        v_dot: Vec<F>,
    ) -> (Self, Self) {
        (Self::from_vec(v), Self::from_vec(v_dot))
    }
}
