//! Rules of the operators: `-a`, `a + b`, `a - b`, `a * b`, `a * s`, `s * a`, `a / s`, for matrices `a` and `b` and floats `s`.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, RealField};

use crate::Float;
use crate::bilinear::{linear, product, quotient};
use crate::rules::{add, div, mul, neg, sub};

impl<T, R, C> neg for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -bar, |dot| -dot }
}

impl<T, R, C> add<OMatrix<T, R, C>> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
}

impl<T, R, C> sub<OMatrix<T, R, C>> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| -bar, |dot| -dot }
}

impl<T, R, K, C> mul<OMatrix<T, K, C>> for OMatrix<T, R, K>
where
    T: Float + RealField,
    R: Dim,
    K: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, K> + Allocator<K, C> + Allocator<R, C> + Allocator<C, K>,
{
    type Output = OMatrix<T, R, C>;

    product! {
        OMatrix<T, K, C>,
        |a, b| a * b,
        |bar, b| bar * b.transpose(),
        |a, bar| a.tr_mul(bar)
    }
}

/// Products and quotients with a float, for each kind of float.
macro_rules! scaled {
    ($($float:ident)*) => {$(
        impl<R, C> mul<$float> for OMatrix<$float, R, C>
        where
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = Self;

            product! { $float, |a, s| a * *s, |bar, s| bar * *s, |a, bar| a.dot(bar) }
        }

        impl<R, C> mul<OMatrix<$float, R, C>> for $float
        where
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = OMatrix<$float, R, C>;

            product! { OMatrix<$float, R, C>, |s, a| a * *s, |bar, a| bar.dot(a), |s, bar| bar * *s }
        }
    )*};
}

scaled!(f32 f64);

macro_rules! divided {
    ($($float:ident)*) => {$(
        impl<R, C> div<$float> for OMatrix<$float, R, C>
        where
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = Self;

            quotient! { $float, |x, s| x * *s, |bar, output| bar.dot(output) }
        }
    )*};
}

divided!(f32 f64);
