//! Rules of the operators: `-a`, `a + b`, `a - b`, `a * b`, `a * s`, `s * a` and `a / s`, for matrices and vectors `a` and
//! `b`, and for `s` that is a `Scale`, but in the quotient, or an `f64`.

use faer_0_24::linalg::matmul::matmul;
use faer_0_24::traits::RealField;
use faer_0_24::{Accum, Col, Mat, MatMut, MatRef, Row, Scale, get_global_parallelism};

use super::entries::Entries;
use crate::Float;
use crate::bilinear::{linear, product, quotient};
use crate::rules::{add, div, mul, neg, sub};

/// Adds a product.
fn add_product<F: Float + RealField>(to: MatMut<'_, F>, a: MatRef<'_, F>, b: MatRef<'_, F>) {
    matmul(to, Accum::Add, a, b, F::literal(1.0), get_global_parallelism());
}

macro_rules! sums {
    ($($type:ident)*) => {$(
        impl<F: Float + RealField> neg for $type<F> {
            type Output = Self;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -bar, |dot| -dot }
        }

        impl<F: Float + RealField> add<$type<F>> for $type<F> {
            type Output = Self;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
            linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
        }

        impl<F: Float + RealField> sub<$type<F>> for $type<F> {
            type Output = Self;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
            linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| -bar, |dot| -dot }
        }
    )*};
}

sums!(Mat Col Row);

macro_rules! scaled {
    ($($type:ident)*) => {$(
        impl<F: Float + RealField> mul<Scale<F>> for $type<F> {
            type Output = Self;

            product! { Scale<F>, |a, s| a * *s, |bar, s| bar * *s, |a, bar| Scale(a.inner(bar)) }
        }

        impl<F: Float + RealField> mul<$type<F>> for Scale<F> {
            type Output = $type<F>;

            product! { $type<F>, |s, a| *s * a, |bar, a| Scale(bar.inner(a)), |s, bar| *s * bar }
        }

        impl mul<f64> for $type<f64> {
            type Output = Self;

            product! { f64, |a, s| a * *s, |bar, s| bar * *s, |a, bar| a.inner(bar) }
        }

        impl mul<$type<f64>> for f64 {
            type Output = $type<f64>;

            product! { $type<f64>, |s, a| *s * a, |bar, a| bar.inner(a), |s, bar| *s * bar }
        }

        impl div<f64> for $type<f64> {
            type Output = Self;

            quotient! { f64, |x, s| x * *s, |bar, output| bar.inner(output) }
        }
    )*};
}

scaled!(Mat Col Row);

impl<F: Float + RealField> mul<Mat<F>> for Mat<F> {
    type Output = Mat<F>;

    product! {
        Mat<F>,
        |a, b| a * b,
        |bar, b| bar * b.transpose(),
        |a, bar| a.transpose() * bar;
        |a_bar, bar, b| add_product(a_bar.as_mut(), bar.as_ref(), b.transpose()),
        |b_bar, a, bar| add_product(b_bar.as_mut(), a.transpose(), bar.as_ref())
    }
}

impl<F: Float + RealField> mul<Col<F>> for Mat<F> {
    type Output = Col<F>;

    product! {
        Col<F>,
        |a, x| a * x,
        |bar, x| bar * x.transpose(),
        |a, bar| a.transpose() * bar;
        |a_bar, bar, x| add_product(a_bar.as_mut(), bar.as_mat(), x.as_mat().transpose()),
        |x_bar, a, bar| add_product(x_bar.as_mat_mut(), a.transpose(), bar.as_mat())
    }
}

impl<F: Float + RealField> mul<Mat<F>> for Row<F> {
    type Output = Row<F>;

    product! {
        Mat<F>,
        |x, a| x * a,
        |bar, a| bar * a.transpose(),
        |x, bar| x.transpose() * bar;
        |x_bar, bar, a| add_product(x_bar.as_mat_mut(), bar.as_mat(), a.transpose()),
        |a_bar, x, bar| add_product(a_bar.as_mut(), x.as_mat().transpose(), bar.as_mat())
    }
}

impl<F: Float + RealField> mul<Col<F>> for Row<F> {
    type Output = F;

    product! {
        Col<F>,
        |x, y| x * y,
        |bar, y| Scale(*bar) * y.transpose(),
        |x, bar| Scale(*bar) * x.transpose()
    }
}

impl<F: Float + RealField> mul<Row<F>> for Col<F> {
    type Output = Mat<F>;

    product! { Row<F>, |x, y| x * y, |bar, y| bar * y.transpose(), |x, bar| x.transpose() * bar }
}
