//! Rules of the operators between matrices and vectors: the vector is taken for each row, or for the only one.
//!
//! They are those of two matrices, of which one has a single row. Invariant: what goes back to an operand has its shape.

use ndarray_0_17::{Array1, Array2, Axis};

use crate::Float;
use crate::rules::{add, div, mul, sub};

/// A vector as a matrix of one row.
fn row<F: Float>(x: &Array1<F>) -> Array2<F> {
    x.view().insert_axis(Axis(0)).to_owned()
}

/// The sum of what goes back to a row, which the rule of matrices has made one of.
fn from_row<F: Float>(bar: Array2<F>) -> Array1<F> {
    bar.sum_axis(Axis(0))
}

macro_rules! with_rows {
    ($($name:ident)*) => {$(
        impl<F: Float> $name<Array1<F>> for Array2<F> {
            type Output = Array2<F>;

            fn vjp_0(&self, b: &Array1<F>, output: &Self, bar: &Self) -> Self {
                $name::vjp_0(self, &row(b), output, bar)
            }

            fn jvp_0(&self, b: &Array1<F>, output: &Self, dot: &Self) -> Self {
                $name::jvp_0(self, &row(b), output, dot)
            }

            fn dot_vjp_0<const N: usize>(
                &self,
                dots: [&Self; N],
                (b, b_dots): (&Array1<F>, [&Array1<F>; N]),
                output: (&Self, [&Self; N]),
                bar: (&Self, [&Self; N]),
            ) -> Self {
                let (b, b_dots) = (row(b), b_dots.map(row));
                $name::dot_vjp_0(self, dots, (&b, b_dots.each_ref()), output, bar)
            }

            fn dot_jvp_0<const N: usize>(
                &self,
                dots: [&Self; N],
                (b, b_dots): (&Array1<F>, [&Array1<F>; N]),
                output: (&Self, [&Self; N]),
                dot: (&Self, [&Self; N]),
            ) -> Self {
                let (b, b_dots) = (row(b), b_dots.map(row));
                $name::dot_jvp_0(self, dots, (&b, b_dots.each_ref()), output, dot)
            }

            fn vjp_1(&self, b: &Array1<F>, output: &Self, bar: &Self) -> Array1<F> {
                from_row($name::vjp_1(self, &row(b), output, bar))
            }

            fn jvp_1(&self, b: &Array1<F>, output: &Self, dot: &Array1<F>) -> Self {
                $name::jvp_1(self, &row(b), output, &row(dot))
            }

            fn dot_vjp_1<const N: usize>(
                &self,
                dots: [&Self; N],
                (b, b_dots): (&Array1<F>, [&Array1<F>; N]),
                output: (&Self, [&Self; N]),
                bar: (&Self, [&Self; N]),
            ) -> Array1<F> {
                let (b, b_dots) = (row(b), b_dots.map(row));
                from_row($name::dot_vjp_1(self, dots, (&b, b_dots.each_ref()), output, bar))
            }

            fn dot_jvp_1<const N: usize>(
                &self,
                dots: [&Self; N],
                (b, b_dots): (&Array1<F>, [&Array1<F>; N]),
                output: (&Self, [&Self; N]),
                (dot, further): (&Array1<F>, [&Array1<F>; N]),
            ) -> Self {
                let (b, b_dots) = (row(b), b_dots.map(row));
                let (dot, further) = (row(dot), further.map(row));
                let dot = (&dot, further.each_ref());
                $name::dot_jvp_1(self, dots, (&b, b_dots.each_ref()), output, dot)
            }
        }
    )*};
}

with_rows!(add sub mul div);
